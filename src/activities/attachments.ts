import type { Attachment } from '../domain/attachment';
import { read } from './reads-and-polls';
import type { ActivityDependencies, ListingInput } from './dependencies';

export interface GetListingAttachmentInput extends ListingInput {
  readonly attachmentId: string;
}

export function createAttachmentActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/listings/{listingId}/attachments/{attachmentId} */
  async function getListingAttachment({ account, ...input }: GetListingAttachmentInput): Promise<Attachment> {
    return await read((call) => marketplaceOf(account).getListingAttachment(input, call));
  }
  return { getListingAttachment };
}
