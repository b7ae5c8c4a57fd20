import { leftIds, duplicateListings } from '../../src/domain/candidates';
import { expect } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import type { OrderLedger, OrderSwitches, TroubleInput } from '../../sandbox';
import type { ListingTrouble } from '../../sandbox/troubles/trouble';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { closeShipmentUpdate, rebookUpdate } from '../../src/contract/messages';
import type { Harness } from './harness';
import { Person } from './person';

export interface BookedOrder {
  readonly shipment: Shipment;
  /** The listing that it follows. */
  readonly listingId: string;
}

/** Each order stands still once it is booked: where it gets to from there is done by hand. */
export async function started(
  harness: Harness,
  shipment: Shipment,
  planned?: Omit<TroubleInput, 'whom' | 'times'>,
  switches: OrderSwitches = {},
): Promise<Shipment> {
  const { sandbox } = harness;
  const whom = orderReference(shipment.account, shipment.orderId);
  const { orders } = sandbox.setSwitches({});
  sandbox.setSwitches({ orders: { ...orders, [whom]: { transit: 'manual', ...switches } } });
  if (planned !== undefined) sandbox.trouble({ ...planned, whom, times: 1 });
  await harness.start(shipment, { settlementWindowMs: 300 });
  return shipment;
}

/** A shipment that is booked and has its papers. */
export async function booked(harness: Harness, shipment: Shipment): Promise<BookedOrder> {
  await started(harness, shipment);
  const { state } = await harness.until(
    shipment,
    (view) =>
      view.state?.at.phase === 'booked' && view.state.billOfLading !== null && view.state.contacts !== null,
  );
  return { shipment, listingId: state?.listing?.listingId ?? '' };
}

/**
 * Books all of them together, because that is most of the waiting.
 * @returns gives one that no other test has taken
 */
export async function bookTogether(
  harness: Harness,
  orders: readonly Shipment[],
): Promise<(kind: Shipment['kind']) => BookedOrder> {
  const atHand = await Promise.all(orders.map(async (order) => await booked(harness, order)));
  return (kind) => {
    const place = atHand.findIndex(({ shipment }) => shipment.kind === kind);
    const [order] = place < 0 ? [] : atHand.splice(place, 1);
    if (order === undefined) throw new Error(`no ${kind} order is left: book more of them`);
    return order;
  };
}

/** Something happens to a booked listing at the marketplace. */
export function befall(
  { sandbox }: Harness,
  listingId: string,
  [kind, leaves = 'Cancelled']: readonly [ListingTrouble['kind'], ListingTrouble['leaves']?],
): void {
  sandbox.trouble({ whom: { listing: listingId }, what: { kind, leaves } });
}

/** Waits for the question that the end of a booking asks, and holds it against what the marketplace shows. */
export async function askedAbout(harness: Harness, shipment: Shipment, shown: string): Promise<string> {
  const questionId = await harness.asked(shipment, 'listingEnded');
  const { state } = await viewOf(harness, shipment);
  const phase = harness.ledgerOf(shipment).booked > 0 ? 'booked' : 'awaitingBooking';
  expect(state).toMatchObject({ at: { phase }, question: { answers: ['rebook', 'close'] } });
  expect(state?.question?.text).toContain(` is ${shown}, and its goods were not picked up.`);
  return questionId;
}

export const rebook = async (harness: Harness, shipment: Shipment, questionId: string): Promise<void> =>
  await new Person(() => harness).answer(shipment, questionId, rebookUpdate);
export const close = async (harness: Harness, shipment: Shipment, questionId: string): Promise<void> =>
  await new Person(() => harness).answer(shipment, questionId, closeShipmentUpdate);

/** The one truck that is booked by now comes; it is the one that was followed, and never were there two. */
export async function comesWithOneTruck(harness: Harness, shipment: Shipment): Promise<OrderLedger> {
  const { sandbox, until } = harness;
  await until(shipment, ({ state }) => state?.question === null && state.listing?.status === 'Booked');
  const live = liveListingOf(harness, shipment);
  const { billOfLadingNumber, carrier } = sandbox.controls.listing(live);
  const papers = { billOfLadingNumber: String(billOfLadingNumber) };
  const serviceProvider = { displayName: carrier?.displayName };
  const hasPapers = ({ state }: ShipmentView): boolean =>
    state?.billOfLading != null && state.contacts !== null;
  expect(await until(shipment, hasPapers)).toMatchObject({
    state: { billOfLading: papers, contacts: { serviceProvider } },
  });
  sandbox.controls.advance(live, { to: 'Delivered' });
  const left = new Person(() => harness).listingIdsOf(shipment).filter((id) => id !== live);
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { question: null, billOfLading: papers } });
  expect(end.state === null ? null : [duplicateListings(end.state), leftIds(end.state)]).toEqual([[], left]);
  await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({
    ...{ listingId: live, carrier: carrier?.displayName, ...papers },
  });
  const ledger = harness.ledgerOf(shipment);
  const once = { liveBookings: 1, mostLiveBookings: 1, openListings: 0, pendingAcceptances: 0 };
  expect(ledger).toMatchObject({ ...once, delivered: 1 });
  return ledger;
}

/** The order ended, and nobody is coming or could still be booked. */
export async function endsWithNothing(harness: Harness, shipment: Shipment): Promise<OrderLedger> {
  const { status, state } = await harness.ended(shipment);
  expect({ status, phase: state?.at.phase, notices: state?.notices }).toEqual({
    ...{ status: 'COMPLETED', phase: 'cancelled', notices: [] },
  });
  await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({ kind: 'withdrawn' });
  const ledger = harness.ledgerOf(shipment);
  const nothing = { liveBookings: 0, openListings: 0, pendingAcceptances: 0 };
  expect(ledger).toMatchObject({ created: 1, ...nothing });
  expect(ledger.mostLiveBookings).toBeLessThanOrEqual(1);
  return ledger;
}

function liveListingOf(harness: Harness, shipment: Shipment): string {
  const { listings } = harness.ledgerOf(shipment);
  return String(listings.find(({ isLiveBooking }) => isLiveBooking)?.listingId);
}

/** A busy worker may be too late to tell it at once. */
async function viewOf(harness: Harness, shipment: Shipment): Promise<ShipmentView> {
  return await harness.until(shipment, ({ state }) => state !== null);
}
