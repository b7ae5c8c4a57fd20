import { ORDER_REFERENCE_TYPE, SEND_LABEL } from '../../domain/listing-proof';
import type { LtlShipment, Shipment } from '../../domain/shipment';
import { orderReference } from '../../domain/workflow-id';
import type { ListingDraft } from '../marketplace';
import type { ListingCreateWire } from '../schemas/listings';
import type { RateRequestWire } from '../schemas/rate-requests';

/** Contract: the correlation id of a price goes into a reference of this numeric type. */
const PRICE_CORRELATION_TYPE = 10 as const;

/** It alone routes an event to its order. */
function ownReference({ account, orderId }: Shipment): { number: string; type: string } {
  return { number: orderReference(account, orderId), type: ORDER_REFERENCE_TYPE };
}

export function toListingReferences({
  shipment,
  priceCorrelationId,
  sendId,
}: ListingDraft): ListingCreateWire['referenceNumbers'] {
  return [
    ownReference(shipment),
    ...(priceCorrelationId === null ? [] : [{ number: priceCorrelationId, type: PRICE_CORRELATION_TYPE }]),
    { number: sendId, type: 'Other', referenceNumberLabel: SEND_LABEL },
    ...shipment.references.map(({ number, type, label }) => ({
      number,
      type,
      referenceNumberLabel: label ?? undefined,
    })),
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
