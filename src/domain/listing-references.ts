import { ORDER_REFERENCE_TYPE, SEND_LABEL } from './listing-proof';
import type { OrderReference, Shipment } from './shipment';
import { orderReference } from './workflow-id';

/** Label of the reference that names the listing's price. The account's settings give its numeric type. */
export const PRICE_CORRELATION = 'PriceCorrelationId';

interface Named {
  readonly priceCorrelationId: string | null;
  /** Null when the listing's record names no send. */
  readonly sendId: string | null;
}

/** The order's own reference. It alone routes an event to its order. */
export const ownReference = ({ account, orderId }: Shipment): OrderReference => ({
  type: ORDER_REFERENCE_TYPE,
  number: orderReference(account, orderId),
  label: null,
});

/** Every reference of a listing. A change replaces the whole list, so creating and changing share this function. */
export function listingReferences(
  shipment: Shipment,
  { priceCorrelationId, sendId }: Named,
): readonly OrderReference[] {
  const price = { type: PRICE_CORRELATION, number: priceCorrelationId ?? '', label: null };
  const send = { type: 'Other', number: sendId ?? '', label: SEND_LABEL };
  return [
    ownReference(shipment),
    ...(priceCorrelationId === null ? [] : [price]),
    ...(sendId === null ? [] : [send]),
    ...shipment.references,
  ];
}
