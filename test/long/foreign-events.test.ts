import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import { DEFAULT_EVENT_POLICY } from '../../src/domain/event-policy';
import { ORDER_REFERENCE_TYPE } from '../../src/domain/listing-proof';
import type { Shipment } from '../../src/domain/shipment';
import { EventClient, type EventKind, type EventSummary } from '../../src/starter/client/event-client';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

const SETTLED = { everyMs: 200 };
const TEST_MS = 120_000;
const { furniture, ltl } = numberedOrders('FF', 'FL');

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({
    clock: { speed: 20 },
    accounts: [
      {
        ...{ name: 'sandbox', apiKeys: ['sandbox-key'] },
        users: [{ userName: 'shipper@example.com', password: 'sandbox-password' }],
      },
      { name: 'somebody-else', apiKeys: ['another-key'] },
    ],
    eventPolicy: {
      ...DEFAULT_EVENT_POLICY,
      notFoundMs: 1_000,
      notFoundPace: { initialMs: 200, maximumMs: 400 },
    },
  });
  // Every event must be answered in the end, however long a busy receiver refuses the bursts.
  harness.sandbox.setSwitches({ webhookAttempts: 12 });
}, 60_000);
afterAll(async () => await harness?.close());

type Counts = Readonly<Record<'signalled' | 'unrouted' | 'unavailable' | 'foreign' | 'completed', number>>;

/** As `/health` of the receiver tells it. */
async function counts(): Promise<Counts> {
  const { body } = await request(`${harness.receiverUrl}/health`);
  return ((await body.json()) as { events: Counts }).events;
}

/** Every event has its answer, and no workflow of whatever kind is under way. */
async function nothingOpen(): Promise<void> {
  const { client } = harness.temporal;
  await until(async () => {
    const areAnswered = harness.sandbox
      .events()
      .every(({ attempts, withheld }) => withheld !== undefined || attempts.at(-1)?.outcome === 200);
    return areAnswered && (await client.workflow.count("ExecutionStatus = 'Running'")).count === 0;
  }, SETTLED);
}

const idsOf = (listings: readonly { readonly listingId: number | string | null }[]): number[] =>
  listings.map(({ listingId }) => Number(listingId)).toSorted((one, other) => one - other);

/** What the receiver must have counted: each answer, and perhaps those too that came when nobody waited for them. */
interface Deliveries {
  readonly answered: number;
  readonly made: number;
}

function deliveriesOf(listingIds: readonly number[]): Deliveries {
  const events = harness.sandbox.events().filter(({ listingId }) => listingIds.includes(listingId ?? 0));
  const attempts = events.flatMap((event) => event.attempts);
  return { answered: attempts.filter(({ outcome }) => outcome === 200).length, made: attempts.length };
}

const NOTHING: Deliveries = { answered: 0, made: 0 };

function expectCounted(counted: number, now: Deliveries, before: Deliveries = NOTHING): void {
  expect(counted).toBeGreaterThanOrEqual(now.answered - before.answered);
  expect(counted).toBeLessThanOrEqual(now.made - before.made);
}

/** What the marketplace was asked about a listing, in this order. */
const askedAbout = (listingId: number): string[] =>
  harness.sandbox
    .requests()
    .filter(({ path }) => path.includes(String(listingId)))
    .map(({ operation }) => operation);

async function lookedUp(kind: EventKind, listingIds: readonly number[]): Promise<readonly EventSummary[]> {
  const found = await new EventClient(harness.temporal.client).list({ kinds: [kind], limit: 1_000 });
  return found.filter(({ listingId }) => listingIds.includes(Number(listingId)));
}

async function deliveredOnce(shipment: Shipment): Promise<string> {
  const { status, state } = await harness.ended(shipment);
  expect([status, state?.listing?.transitStatus, state?.questionsAsked]).toEqual([
    ...['COMPLETED', 'Delivered', 0],
  ]);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, mostLiveBookings: 1, liveBookings: 1 });
  return JSON.stringify(state);
}

test(
  'a listing that somebody posted by hand is foreign: counted, read once, left alone, nothing open',
  async () => {
    const before = await counts();
    const orders = [furniture(), ltl()];
    const [sofa, pallets] = orders.map(({ account, orderId }) => `${account}/${orderId}`);
    const what = { kind: 'foreignListings', count: 8, eventsEach: 3 } as const;
    const [ofSofa, ofPallets] = [sofa, pallets].map((whom = '') => ({ whom, times: 1 }));
    harness.sandbox.trouble({ ...ofSofa, when: 'createListing', what });
    harness.sandbox.trouble({ ...ofPallets, when: 'acceptRate', what: { ...what, status: 'Booked' } });
    const referenceNumbers = [{ number: 'globex/FF-1', type: ORDER_REFERENCE_TYPE } as const];
    harness.sandbox.trouble({ ...ofSofa, when: 'getListingContacts', what: { ...what, referenceNumbers } });
    await Promise.all(orders.map(async (order) => await harness.start(order)));
    const stories = await Promise.all(orders.map(deliveredOnce));
    await nothingOpen();

    const ledger = harness.sandbox.ledger();
    const byHand = [...ledger.unreferenced.listings, ...(ledger.orders['globex/FF-1']?.listings ?? [])];
    const ids = idsOf(byHand);
    expect(ids).toHaveLength(24);
    const settled = await counts();
    const taken = settled.unrouted + settled.foreign - before.unrouted - before.foreign;
    const told = deliveriesOf(ids);
    expectCounted(taken, told);
    expect(told.answered).toBeGreaterThanOrEqual(72);
    const foreign = await lookedUp('foreign', ids);
    expect(idsOf(foreign)).toEqual(ids);
    expect(foreign.filter(({ needsAttention, orderId }) => needsAttention || orderId !== null)).toEqual([]);
    for (const id of ids) {
      expect(askedAbout(id)).toEqual(['getListing']);
      for (const story of stories) expect(story).not.toContain(String(id));
    }

    // Whose they are is known by now.
    for (const listingId of ids)
      harness.sandbox.trouble({ whom: { listing: listingId }, what: { kind: 'eventBurst', count: 2 } });
    await nothingOpen();
    const again = await counts();
    // The orders' own events may still have been delivered again, to orders that are over, and a slow machine refuses some.
    const { foreign: counted, completed, unavailable } = again;
    expect(again).toEqual({ ...settled, foreign: counted, completed, unavailable });
    expectCounted(again.foreign - settled.foreign, deliveriesOf(ids), told);
    expect(deliveriesOf(ids).answered).toBe(told.answered + 48);
    expect(ids.flatMap(askedAbout)).toHaveLength(24);
  },
  TEST_MS,
);

test(
  'listings that the key cannot read are looked up for a while, again for each event, and no order waits for that',
  async () => {
    const before = await counts();
    const { listings = [] } = harness.sandbox.trouble({
      whom: { account: 'somebody-else' },
      what: { kind: 'foreignListings', count: 5, eventsEach: 2 },
    });
    const ids = idsOf(listings);
    const order = furniture();
    await harness.start(order);
    await deliveredOnce(order);
    await nothingOpen();
    const once = await counts();
    const told = deliveriesOf(ids);
    expect(told.answered).toBe(10);
    expect(once.foreign).toBe(before.foreign);
    expectCounted(once.unrouted - before.unrouted, told);
    const failed = await lookedUp('unrouted', ids);
    expect(idsOf(failed)).toEqual(ids);
    expect(failed.map(({ status }) => status)).toEqual(Array.from(ids, () => 'FAILED'));
    expect(await lookedUp('foreign', ids)).toEqual([]);

    const looks = ids.map((id) => askedAbout(id).length);
    for (const listingId of ids)
      harness.sandbox.trouble({ whom: { listing: listingId }, what: { kind: 'eventBurst', count: 1 } });
    await nothingOpen();
    const again = await counts();
    expect(again.foreign).toBe(once.foreign);
    expect(deliveriesOf(ids).answered).toBe(told.answered + 5);
    expectCounted(again.unrouted - once.unrouted, deliveriesOf(ids), told);
    for (const [index, id] of ids.entries()) {
      const asked = askedAbout(id);
      expect(new Set(asked)).toEqual(new Set(['getListing']));
      expect(asked.length).toBeGreaterThan(looks[index] ?? 0);
    }
  },
  TEST_MS,
);
