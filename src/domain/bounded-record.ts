import { cutText, TEXT_BYTES } from './bounds';
import type { ListingRecord, ReferenceNumber } from './listing';
import type { LtlRate } from './rate';
import type { Tracking } from './tracking';
import { parseOrderReference } from './workflow-id';

/** How many references, stops and statuses of one record are kept; a real shipment has far fewer. */
const MAX_PARTS = 40;

const cut = (text: string): string => cutText(text, TEXT_BYTES.value);
const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));
/** A link or checksum with a part missing is a different one. */
const wholeOrNull = (text: string | null): string | null =>
  text === null || cutText(text, TEXT_BYTES.link) !== text ? null : text;

/** Numbers that may name an order first: Consign recognises its listings by them. */
function boundedReferences(references: readonly ReferenceNumber[]): readonly ReferenceNumber[] {
  const isOrder = ({ number }: ReferenceNumber): boolean => parseOrderReference(number) !== null;
  const ordered =
    references.length <= MAX_PARTS
      ? references
      : [...references.filter(isOrder), ...references.filter((reference) => !isOrder(reference))];
  return ordered.slice(0, MAX_PARTS).map(({ number, type, label }) => ({
    number: cut(number),
    type: cut(type),
    label: cutOrNull(label),
  }));
}

/** Cuts a record to a size that the state can hold, whatever the marketplace writes into it. */
export function boundedListing(record: ListingRecord): ListingRecord {
  const { carrier } = record;
  return {
    ...record,
    title: cut(record.title),
    status: cutOrNull(record.status),
    transitStatus: cutOrNull(record.transitStatus),
    paymentStatus: cutOrNull(record.paymentStatus),
    cancellationStatus: cutOrNull(record.cancellationStatus),
    carrier:
      carrier === null ? null : { userId: cutOrNull(carrier.userId), displayName: cut(carrier.displayName) },
    billOfLadingNumber: cutOrNull(record.billOfLadingNumber),
    cancellationLink: wholeOrNull(record.cancellationLink),
    checksum: wholeOrNull(record.checksum),
    referenceNumbers: boundedReferences(record.referenceNumbers),
    postalCodes: record.postalCodes.slice(0, MAX_PARTS).map(cut),
  };
}

/** Keeps the newest statuses. */
export function boundedTracking(tracking: Tracking): Tracking {
  return {
    ...tracking,
    statuses: tracking.statuses
      .slice(-MAX_PARTS)
      .map(({ status, setAt }) => ({ status: cut(status), setAt })),
    lastKnownPlace: cutOrNull(tracking.lastKnownPlace),
  };
}

export function boundedRate(rate: LtlRate): LtlRate {
  const { carrier } = rate;
  return {
    ...rate,
    serviceType: cutOrNull(rate.serviceType),
    transportMode: cutOrNull(rate.transportMode),
    vehicleType: cutOrNull(rate.vehicleType),
    additionalInformation: cutOrNull(rate.additionalInformation),
    carrier: {
      ...carrier,
      userId: cutOrNull(carrier.userId),
      displayName: cut(carrier.displayName),
    },
  };
}
