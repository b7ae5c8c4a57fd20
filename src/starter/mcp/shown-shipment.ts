import { noticesOf } from '../../domain/bounded-state';
import { listDocuments } from '../../domain/documents';
import { priceLines, carrierName } from '../../domain/shipment-result';
import type { ShipmentView } from '../client/get-shipment';

/** What a model may see of a shipment: no contacts, and nothing that the marketplace wrote about people. */
export function shownShipment({ state, ...view }: ShipmentView): object {
  if (state === null) return { ...view, state: 'no worker answers' };
  const { at, question, listing, rateDecision, timeline, lastSeen } = state;
  const { listingId = null, status = null, transitStatus = null, deliveryWindow = null } = listing ?? {};
  return {
    ...view,
    phase: at.phase,
    question,
    listing: { listingId, status, transitStatus, deliveryWindow },
    carrier: carrierName(state),
    prices: Object.fromEntries(priceLines(state)),
    ratesThatLost: rateDecision?.losses ?? [],
    lastSeen,
    documents: listDocuments(state).map(({ kind, type, fetchedAt }) => ({ kind, type, fetchedAt })),
    notices: noticesOf(state),
    timeline,
  };
}
