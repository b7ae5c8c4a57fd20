import { ORDER_REFERENCE_TYPE, SEND_LABEL } from '../../domain/listing-proof';
import type { LtlShipment, OrderReference, Shipment } from '../../domain/shipment';
import { orderReference } from '../../domain/workflow-id';
import type { ListingDraft } from '../marketplace';
import type { ListingCreateWire } from '../schemas/listings';
import type { RateRequestWire } from '../schemas/rate-requests';
import type { MarketplaceSettings } from '../settings';

/** Contract: the correlation id of a price goes into a reference of this numeric type; the list has its name. */
const PRICE_CORRELATION_TYPES = { number: 10, name: 'PriceCorrelationId' } as const;

/** It alone routes an event to its order. */
function ownReference({ account, orderId }: Shipment): { number: string; type: string } {
  return { number: orderReference(account, orderId), type: ORDER_REFERENCE_TYPE };
}

type ReferenceWire = ListingCreateWire['referenceNumbers'][number];

/** Contract: label and number become one text, `{label} - {number}`. Who joins them is a setting. */
export function toReference(
  { number, type, label }: OrderReference,
  { otherReferences }: MarketplaceSettings,
): ReferenceWire {
  if (label === null) return { number, type };
  return otherReferences === 'labelled'
    ? { number, type, referenceNumberLabel: label }
    : { number: `${label} - ${number}`, type };
}

export function toListingReferences(
  { shipment, priceCorrelationId, sendId }: ListingDraft,
  settings: MarketplaceSettings,
): ReferenceWire[] {
  const correlation =
    priceCorrelationId === null
      ? []
      : [{ number: priceCorrelationId, type: PRICE_CORRELATION_TYPES[settings.priceCorrelationType] }];
  const send = { number: sendId, type: 'Other', label: SEND_LABEL };
  return [
    ownReference(shipment),
    ...correlation,
    ...[send, ...shipment.references].map((reference) => toReference(reference, settings)),
  ];
}

/** References of a rate request have no label, so that it goes before the number as the marketplace writes it. */
export function toRateRequestReferences(shipment: LtlShipment): RateRequestWire['referenceNumbers'] {
  return [
    ownReference(shipment),
    ...shipment.references.map(({ number, type, label }) => ({
      number: label === null ? number : `${label} - ${number}`,
      type,
    })),
  ];
}
