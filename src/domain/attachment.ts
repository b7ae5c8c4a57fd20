import type { IsoInstant } from './shipment';

/** A document of a listing (contract: listing attachment). Only its id and its address are always present. */
export interface Attachment {
  readonly attachmentId: string;
  /** May be pre-signed and expire, so Consign reads it again when it needs the document later. */
  readonly uri: string;
  readonly fileName: string | null;
  /** As the marketplace writes it, such as `application/pdf`. */
  readonly fileType: string | null;
  readonly fileSizeInBytes: number | null;
  readonly createdAt: IsoInstant | null;
  readonly uploaderId: string | null;
  /** The `value` of the type, such as `ProofOfDelivery`. The list is open. */
  readonly type: string | null;
  readonly notes: string | null;
}
