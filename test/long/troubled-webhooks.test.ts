import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import type { SentEvent, TroubleInput } from '../../sandbox';
import { numberedOrders, noneBeside } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { furniture, ltl } = numberedOrders('TW');
const HOUR = { initialMs: 3_600_000, maximumMs: 3_600_000 };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ transit: 'normal', orders: {} });
});
afterAll(async () => await harness?.close());

interface Case {
  readonly state: ShipmentState;
  /** What the sandbox made of the order's one listing. */
  readonly events: readonly SentEvent[];
}

const eventsOf = (shipment: Shipment): readonly SentEvent[] => {
  const ids = harness.ledgerOf(shipment).listings.map(({ listingId }) => listingId);
  return harness.sandbox.events().filter(({ listingId }) => listingId !== null && ids.includes(listingId));
};

function expectBookedOnce(shipment: Shipment): void {
  expect(harness.ledgerOf(shipment)).toMatchObject({
    ...{ created: 1, booked: 1, mostLiveBookings: 1, liveBookings: 1, delivered: 1, openListings: 0 },
    ...{ pendingAcceptances: 0, openAcceptances: 0 },
  });
  expect(harness.ledgerOf(shipment).acceptances).toHaveLength(shipment.kind === 'ltl' ? 1 : 0);
}

/** An order of each kind that nobody looks after but the events: what they do not tell stays unknown. */
async function bothByEventsAlone(what?: TroubleInput['what']): Promise<readonly Case[]> {
  if (what !== undefined) harness.sandbox.trouble({ when: { event: '*' }, what });
  const shipments = [furniture(), ltl()];
  return await Promise.all(
    shipments.map(async (shipment) => {
      await harness.start(shipment, { sweepPace: HOUR, trackingPace: HOUR, settlementWindowMs: 4_000 });
      const { status, state } = await harness.ended(shipment);
      expect(status).toBe('COMPLETED');
      expectBookedOnce(shipment);
      if (state === null) throw new Error('a completed shipment tells its state');
      expect(state).toMatchObject({
        at: { phase: 'settled' },
        repairs: 0,
        questionsAsked: 0,
        candidates: noneBeside(),
      });
      expect(state.listing?.transitStatus).toBe('Delivered');
      const events = eventsOf(shipment);
      expect(events.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(
        events.flatMap(({ attempts }) => attempts.map(() => 200)),
      );
      return { state, events };
    }),
  );
}

const attachmentTypes = ({ attachments }: ShipmentState): string[] =>
  attachments.map(({ attachmentType }) => attachmentType ?? 'of no type').toSorted();
const PAPERS = ['BillOfLading', 'ProofOfDelivery'];

test('prompt events are taken once each, and nothing is left to repair', async () => {
  for (const { state, events } of await bothByEventsAlone()) {
    expect(events.length).toBeGreaterThanOrEqual(6);
    expect(state.events).toEqual({ taken: events.length, doubled: 0, quarantined: 0 });
    expect(attachmentTypes(state)).toEqual(PAPERS);
  }
});

test('events that are all a second late bring a shipment of each kind to its end, and none is lost', async () => {
  const LATE_MS = 1_000;
  for (const { state, events } of await bothByEventsAlone({ kind: 'late', delayMs: LATE_MS })) {
    for (const { envelope, attempts } of events)
      expect(Date.parse(attempts[0]?.at ?? '') - Date.parse(String(envelope['time']))).toBeGreaterThanOrEqual(
        LATE_MS - 50,
      );
    expect(state.events).toEqual({ taken: events.length, doubled: 0, quarantined: 0 });
    expect(attachmentTypes(state)).toEqual(PAPERS);
  }
});

test('events that all arrive twice are taken once, and each second one counts as doubled', async () => {
  for (const { state, events } of await bothByEventsAlone('doubled')) {
    expect(new Set(events.map(({ attempts }) => attempts.length))).toEqual(new Set([2]));
    expect(state.events).toEqual({ taken: events.length, doubled: events.length, quarantined: 0 });
    expect(attachmentTypes(state)).toEqual(PAPERS);
  }
});

test('events that all have a twin with another identifier are all taken, and each attachment is stored once', async () => {
  for (const { state, events } of await bothByEventsAlone('twin')) {
    const contents = new Set(events.map(({ envelope: { type, data } }) => JSON.stringify([type, data])));
    expect(events.length).toBeGreaterThanOrEqual(2 * contents.size);
    expect(state.events).toEqual({ taken: events.length, doubled: 0, quarantined: 0 });
    expect(attachmentTypes(state)).toEqual(PAPERS);
  }
});

test("events that all have the first one's identifier are quarantined and reported, and the listing is read", async () => {
  for (const { state, events } of await bothByEventsAlone('reusedId')) {
    expect(new Set(events.map(({ envelope }) => envelope['id'])).size).toBe(1);
    const contents = new Set(events.map(({ envelope: { type, data } }) => JSON.stringify([type, data])));
    expect(state.events).toEqual({
      ...{ taken: 1, quarantined: contents.size - 1, doubled: events.length - contents.size },
    });
    // No reading can tell of an attachment: nobody is left believing that there is none.
    expect(state.attachments).toEqual([]);
    expect(state.notices.filter((notice) => notice.startsWith('not fetched, because event '))).toHaveLength(
      PAPERS.length,
    );
  }
});

/** The marketplace moves the listing, and the shipment finds it out. */
async function moveUnheard(shipment: Shipment, steps: readonly string[]): Promise<void> {
  const listingId = harness.ledgerOf(shipment).listings[0]?.listingId ?? 0;
  for (const to of steps) {
    harness.sandbox.controls.advance(listingId, to === 'Booked' ? { to, kind: 'status' } : { to });
    await harness.until(shipment, ({ state }) =>
      to === 'Booked' ? state?.at.phase === 'booked' : state?.listing?.transitStatus === to,
    );
  }
}

test('readings make up for events that are all lost, and each change counts as a repair', async () => {
  const sofa = furniture();
  const orders = { [`acme/${sofa.orderId}`]: { carrierAnswer: 'silent' as const } };
  harness.sandbox.setSwitches({ transit: 'manual', orders });
  harness.sandbox.trouble({ when: { event: '*' }, what: 'lost' });
  const pallets = ltl();
  const changes = ['Dispatched', 'PickedUp', 'Delivered'];
  const follow = async (shipment: Shipment, from: string, steps: readonly string[]): Promise<void> => {
    await harness.start(shipment);
    await harness.until(shipment, ({ state }) => state?.listing?.status === from);
    await moveUnheard(shipment, steps);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expectBookedOnce(shipment);
    expect(new Set(eventsOf(shipment).map(({ withheld }) => withheld))).toEqual(new Set(['lost']));
    expect(state?.events).toEqual({ taken: 0, doubled: 0, quarantined: 0 });
    expect(state?.repairs).toBeGreaterThanOrEqual(steps.length);
    expect(state?.questionsAsked).toBe(0);
  };
  // An acceptance is what books an LTL order, so that its first reading finds it booked.
  await Promise.all([follow(sofa, 'Active', ['Booked', ...changes]), follow(pallets, 'Booked', changes)]);
});
