import { duplicateListings } from '../../src/domain/candidates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FurnitureShipment, LtlShipment, Shipment, Stop } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import { numberedOrders } from '../support/builders';
import { marketplaceAccount, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('PC');

const referenceOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);
const inHouston = (stop: Stop): Stop => ({
  ...stop,
  address: { ...stop.address, city: 'Houston', postalCode: '77002' },
});
const fromElsewhere = furniture();
const toElsewhere = furniture();
const taken = ltl();
const orders = [fromElsewhere, toElsewhere, taken];

/** The answer of each order's write is lost, and no event tells of what it did. */
beforeAll(async () => {
  harness = await startHarness({
    clock: { speed: 10 },
    switches: {
      ...{ webhooks: 'off', carrierAnswer: 'silent', transit: 'manual' },
      orders: { [referenceOf(taken)]: { carrierAnswer: 'accepts' } },
    },
  });
  for (const shipment of orders)
    harness.sandbox.trouble({
      when: shipment.kind === 'ltl' ? 'acceptRate' : 'createListing',
      whom: referenceOf(shipment),
      what: 'hangUpAfter',
      times: 1,
    });
  await Promise.all(orders.map(async (shipment) => await harness.start(shipment)));
}, 60_000);
afterAll(async () => await harness?.close());

/** The answer is not taken, and why stands in the next question. */
async function isRefused(shipment: Shipment, questionId: string, listingId: string): Promise<string> {
  await person.decide(shipment, questionId, { kind: 'adopt', listingId });
  const again = await harness.asked(shipment, 'inDoubt', questionId);
  const { state } = await harness.until(shipment, (view) => view.state !== null);
  expect(state?.question?.text).toContain(
    `The last answer was not accepted: listing ${listingId} goes from and to other postal codes.`,
  );
  expect(state === null ? [] : duplicateListings(state)).toMatchObject([{ listingId }]);
  return again;
}

test.each<readonly [string, FurnitureShipment, Partial<FurnitureShipment>]>([
  ['from', fromElsewhere, { origin: inHouston(fromElsewhere.origin) }],
  ['to', toElsewhere, { destination: inHouston(toElsewhere.destination) }],
])(
  "a listing with the order's reference that goes %s elsewhere is not adopted on a person’s word",
  async (_where, shipment, stops) => {
    const questionId = await harness.asked(shipment, 'inDoubt');
    const [own = ''] = person.listingIdsOf(shipment);
    const elsewhere = await person.listByHand({ ...shipment, ...stops });
    const again = await isRefused(shipment, questionId, elsewhere);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, openListings: 2, deletedListings: [] });
    await person.decide(shipment, again, { kind: 'adopt', listingId: own });
    await person.noted(shipment, `listing ${own} is taken`);
    // The other one is not followed, and may bring a truck all the same.
    const doubled = await harness.asked(shipment, 'possibleDoubleBooking');
    await person.decide(shipment, doubled, { kind: 'adopt', listingId: own });
    await person.noted(shipment, `listing ${elsewhere} is left`);
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({
      ...{ created: 2, openListings: 0, mostLiveBookings: 0 },
      deletedListings: [Number(own), Number(elsewhere)],
    });
  },
);

/** As a person does who books the order's pallets by hand, and types another postal code. */
async function bookByHand(shipment: LtlShipment): Promise<string> {
  const { sandbox } = harness;
  const marketplace = createMarketplace(marketplaceAccount(sandbox.url));
  const known = new Set(person.listingIdsOf(shipment));
  const { rateRequestId } = await marketplace.createRateRequest({ shipment, attempt: 1 });
  let rateId = '';
  await until(async () => {
    rateId = (await marketplace.listRates(rateRequestId)).rates[0]?.rateId ?? '';
    return rateId !== '';
  });
  const [method] = (await marketplace.listPaymentMethods('LTLFreight')).methods;
  await marketplace.acceptRate({ rateId, paymentMethodId: method?.paymentMethodId ?? '', coverage: null });
  await marketplace.close();
  const booked = (): string => person.listingIdsOf(shipment).find((id) => !known.has(id)) ?? '';
  await until(async () => await Promise.resolve(booked() !== ''));
  return booked();
}

test("a booking with the order's reference that goes elsewhere does not settle an acceptance in doubt", async () => {
  const questionId = await harness.asked(taken, 'inDoubt');
  await until(async () => await Promise.resolve(harness.ledgerOf(taken).liveBookings === 1));
  const [own = ''] = person.listingIdsOf(taken);
  const elsewhere = await bookByHand({ ...taken, destination: inHouston(taken.destination) });
  const again = await isRefused(taken, questionId, elsewhere);
  await person.decide(taken, again, { kind: 'adopt', listingId: own });
  const doubled = await harness.asked(taken, 'possibleDoubleBooking');
  const { state } = await harness.until(taken, (view) => view.state !== null);
  expect(state).toMatchObject({ at: { listingId: own } });
  expect(state?.question?.text).toContain(elsewhere);
  // Two trucks, which a person ends at the marketplace; nothing of ours cancels a booking by itself.
  expect(harness.ledgerOf(taken)).toMatchObject({ created: 2, liveBookings: 2, deletedListings: [] });
  harness.sandbox.controls.advance(elsewhere, { to: 'Cancelled', kind: 'status' });
  await person.decide(taken, doubled, { kind: 'adopt', listingId: own });
  const settled = await harness.until(
    taken,
    ({ state: shown }) =>
      shown?.at.phase === 'booked' && shown.question === null && duplicateListings(shown).length === 0,
  );
  expect(settled.state).toMatchObject({ at: { listingId: own }, listing: { status: 'Booked' } });
  expect(harness.ledgerOf(taken)).toMatchObject({ liveBookings: 1, cancelled: 1, openListings: 0 });
  await harness.handleOf(taken).terminate('the test is over');
});
