import type { Api } from '../api';
import type { Marketplace } from '../marketplace';
import { attachmentSchema } from '../schemas/attachments';

/** Contract: `GET /v2/listings/{listingId}/attachments/{attachmentId}`. */
export function createAttachmentCalls(api: Api): Pick<Marketplace, 'getListingAttachment'> {
  return {
    async getListingAttachment({ listingId, attachmentId }, call) {
      const answer = await api.call(
        {
          operation: 'getListingAttachment',
          method: 'GET',
          path: '/v2/listings/{listingId}/attachments/{attachmentId}',
          params: { listingId, attachmentId },
        },
        call,
      );
      const wire = answer.lenient(attachmentSchema);
      // A different document must not be stored as this one.
      if (wire.attachmentId !== attachmentId)
        throw answer.unexpected(`attachmentId (must be ${attachmentId})`);
      return {
        attachmentId,
        uri: wire.uri,
        fileName: wire.fileName,
        fileType: wire.fileType,
        fileSizeInBytes: wire.fileSize,
        createdAt: wire.dateCreated,
        uploaderId: wire.uploaderId,
        type: wire.attachmentType,
        notes: wire.notes,
      };
    },
  };
}
