import { LIST_LIMITS } from './bounds';
import type { MarketplaceEvent } from './marketplace-event';
import type { IsoInstant, Shipment, StoredImage } from './shipment';

/** A document that was fetched and stored. Where it came from is not kept: that address is a secret, and expires. */
export interface StoredDocument {
  /** As the marketplace names it, or made by us. Not yet fit to be the name of a file. */
  readonly fileName: string;
  /** By content, not by name; `application/octet-stream` when it is none that is known. */
  readonly contentType: string;
  readonly sizeInBytes: number;
  /** SHA-256 of the content in hex: its address in the file store. */
  readonly sha256: string;
  readonly fetchedAt: IsoInstant;
}

/** The stored bill of lading. */
export interface StoredBillOfLading extends StoredDocument {
  readonly billOfLadingNumber: string;
}

/** A stored document that the marketplace attached to the listing. */
export interface StoredAttachment extends StoredDocument {
  readonly attachmentId: string;
  /** One of the marketplace's types, such as `ProofOfDelivery` (an open list), or null. */
  readonly attachmentType: string | null;
  /** As the marketplace writes it. */
  readonly fileType: string | null;
  readonly notes: string | null;
}

/** An attachment that an event named and that is not fetched yet. */
export interface WantedAttachment {
  readonly attachmentId: string;
  readonly since: IsoInstant;
}

/** What a shipment knows of its documents. */
export interface DocumentFacts {
  /** Of the order; stored before it was started. */
  readonly images: readonly StoredImage[];
  readonly billOfLading: StoredBillOfLading | 'unavailable' | null;
  readonly attachments: readonly StoredAttachment[];
  /** In the order in which they are fetched. */
  readonly wantedAttachments: readonly WantedAttachment[];
}

/** LTL orders have none. */
export function imagesOf(shipment: Shipment): readonly StoredImage[] {
  return shipment.kind === 'furniture' ? shipment.images : [];
}

/** What an event names, unless it is about a listing that the order has left: nothing of it is found at the new one. */
export function attachmentsNamed(
  { listingIds, attachmentIds = [] }: Pick<MarketplaceEvent, 'listingIds' | 'attachmentIds'>,
  earlierListingIds: readonly string[],
): readonly string[] {
  return listingIds.some((id) => earlierListingIds.includes(id)) ? [] : attachmentIds;
}

/** Adds what an event named, each once; `refused` are those for which there is no more room. */
export function wantAttachments(
  facts: Pick<DocumentFacts, 'attachments' | 'wantedAttachments'>,
  attachmentIds: readonly string[],
  since: IsoInstant,
): { readonly wantedAttachments: readonly WantedAttachment[]; readonly refused: readonly string[] } {
  const { attachments, wantedAttachments } = facts;
  const known = new Set([...attachments, ...wantedAttachments].map(({ attachmentId }) => attachmentId));
  const added = [...new Set(attachmentIds)].filter((attachmentId) => !known.has(attachmentId));
  const room = Math.max(0, LIST_LIMITS.attachments.count - known.size);
  return {
    wantedAttachments: [
      ...wantedAttachments,
      ...added.slice(0, room).map((attachmentId) => ({ attachmentId, since })),
    ],
    refused: added.slice(room),
  };
}

/** One document for people and programs, whatever it is. */
export interface ListedDocument {
  readonly kind: 'image' | 'billOfLading' | 'attachment';
  /** What tells it from others of its kind: its place among the images, its number, its id. */
  readonly id: string;
  /** What it is said to be: the type of an attachment. */
  readonly type: string | null;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeInBytes: number;
  readonly sha256: string;
  /** Null for images: they were there before the shipment. */
  readonly fetchedAt: IsoInstant | null;
}

const listed = (
  name: Pick<ListedDocument, 'kind' | 'id' | 'type'>,
  { fileName, contentType, sizeInBytes, sha256 }: StoredImage,
  fetchedAt: IsoInstant | null,
): ListedDocument => ({ ...name, fileName, contentType, sizeInBytes, sha256, fetchedAt });

/** Every document that is stored: images, bill of lading, attachments. */
export function listDocuments({ images, billOfLading, attachments }: DocumentFacts): ListedDocument[] {
  const bills = billOfLading === null || billOfLading === 'unavailable' ? [] : [billOfLading];
  return [
    ...images.map((image, index) =>
      listed({ kind: 'image', id: String(index + 1), type: null }, image, null),
    ),
    ...bills.map((bill) =>
      listed({ kind: 'billOfLading', id: bill.billOfLadingNumber, type: null }, bill, bill.fetchedAt),
    ),
    ...attachments.map((file) =>
      listed({ kind: 'attachment', id: file.attachmentId, type: file.attachmentType }, file, file.fetchedAt),
    ),
  ];
}
