import { listingReferences, ownReference, PRICE_CORRELATION } from '../../domain/listing-references';
import type { LtlShipment, OrderReference } from '../../domain/shipment';
import type { ListingDraft } from '../marketplace';
import type { ListingCreateWire } from '../schemas/listings';
import type { RateRequestWire } from '../schemas/rate-requests';
import type { MarketplaceSettings } from '../settings';

/** Contract: a price's correlation id goes into a reference of this numeric type; the list has its name. */
const PRICE_CORRELATION_TYPES = { number: 10, name: PRICE_CORRELATION } as const;

type ReferenceWire = ListingCreateWire['referenceNumbers'][number];

/** Contract: label and number become one text, `{label} - {number}`. A setting says who joins them. */
export function toReference(
  { number, type, label }: OrderReference,
  { otherReferences, priceCorrelationType }: MarketplaceSettings,
): ReferenceWire {
  if (type === PRICE_CORRELATION) return { number, type: PRICE_CORRELATION_TYPES[priceCorrelationType] };
  if (label === null) return { number, type };
  return otherReferences === 'labelled'
    ? { number, type, referenceNumberLabel: label }
    : { number: `${label} - ${number}`, type };
}

export function toListingReferences(
  { shipment, priceCorrelationId, sendId }: ListingDraft,
  settings: MarketplaceSettings,
): ReferenceWire[] {
  return listingReferences(shipment, { priceCorrelationId, sendId }).map((reference) =>
    toReference(reference, settings),
  );
}

/** References of a rate request have no label, so the label goes before the number, as the marketplace writes it. */
export function toRateRequestReferences(shipment: LtlShipment): RateRequestWire['referenceNumbers'] {
  return [ownReference(shipment), ...shipment.references].map(({ number, type, label }) => ({
    number: label === null ? number : `${label} - ${number}`,
    type,
  }));
}
