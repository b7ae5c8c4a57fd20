import type { IsoInstant } from './shipment';

/** A document at a listing (contract: listing attachment). Only its id and where it is are sure to be there. */
export interface Attachment {
  readonly attachmentId: string;
  /** May be pre-signed and expire, so it is fetched again when it is needed later. */
  readonly uri: string;
  readonly fileName: string | null;
  /** As the marketplace writes it, such as `application/pdf`. */
  readonly fileType: string | null;
  readonly fileSizeInBytes: number | null;
  readonly createdAt: IsoInstant | null;
  readonly uploaderId: string | null;
  /** The `value` of the type, such as `ProofOfDelivery`; an open list. */
  readonly type: string | null;
  readonly notes: string | null;
}
