import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const LIMIT = { minorUnits: 1, currency: 'USD' } as const;

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 200 };
  harness = await startHarness({
    ...{ clock: { speed: 40 }, switches: { transit: 'manual' }, hasWebhooks: false },
    embedded: { dynamicConfig },
  });
}, 60_000);
afterAll(async () => await harness?.close());

/** So many events that name nothing, past the receiver. */
async function flood(shipment: Shipment, count: number, name: string): Promise<void> {
  const event = { type: 'hint', time: '2035-03-01T12:00:00Z', listingIds: [] };
  for (let first = 0; first < count; first += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => `${name}-${first + index}`);
    await Promise.all(
      ids.map(
        async (id) =>
          await harness.handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, { ...event, id }),
      ),
    );
  }
}

test.each([
  ['furniture', aFurnitureShipment({ orderId: 'FQ-1', priceLimit: LIMIT })],
  ['LTL', anLtlShipment({ orderId: 'FQ-2', priceLimit: LIMIT })],
])(
  'the question of a %s order stays the same through 3,000 events, and its answer counts',
  async (_, shipment) => {
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'priceApproval');
    const first = await harness.until(shipment, () => true);
    await flood(shipment, 3_000, 'event');
    // All events can be taken before the run continues as new.
    const { state } = await harness.until(
      shipment,
      (view) => view.runId !== first.runId && view.state?.events.taken === 3_000,
    );
    expect(state?.question).toEqual(first.state?.question);
    expect(await historyLength(shipment)).toBeLessThan(2_000);
    await person.answer(shipment, questionId, messages.approvePriceUpdate);
    const end = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    expect(end.state).toMatchObject({ question: null, questionsAsked: 1 });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
  },
);

async function historyLength(shipment: Shipment): Promise<number> {
  return (await harness.handleOf(shipment).describe()).historyLength;
}

test('an answer that arrives together with a flood survives continue-as-new', async () => {
  const shipment = aFurnitureShipment({ orderId: 'FQ-3', priceLimit: LIMIT });
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'priceApproval');
  const answers: Promise<void>[] = [];
  await harness.withoutWorkers(async () => {
    await flood(shipment, 300, 'before');
    answers.push(person.answer(shipment, questionId, messages.approvePriceUpdate));
    await flood(shipment, 300, 'after');
  });
  await Promise.all(answers);
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  expect(state).toMatchObject({ question: null, questionsAsked: 1 });
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
});

test('an order that waits for its account continues as new while events arrive, and books once the account is fixed', async () => {
  const shipment = aFurnitureShipment({ orderId: 'FQ-4' });
  harness.sandbox.trouble({
    when: { request: 'createListing', match: 'acme/FQ-4' },
    what: { kind: 'status', status: 401 },
  });
  await harness.start(shipment);
  await person.paused(shipment);
  const { runId } = await harness.until(shipment, () => true);
  await flood(shipment, 1_000, 'event');
  await harness.until(shipment, (view) => view.runId !== runId && view.state?.events.taken === 1_000);
  harness.sandbox.clearTroubles();
  await person.paused(shipment);
  await harness.temporal.client.workflow
    .getHandle('account/acme')
    .executeUpdate(messages.resumeAccountUpdate, { args: [{ by: 'Pat', reason: 'mended' }] });
  await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
});

test('5,000 attachment events within seconds neither block a booked shipment nor fill its state', async () => {
  const shipment = aFurnitureShipment({ orderId: 'FA-1' });
  // What is wanted of them does not exist, and is soon given up.
  await harness.start(shipment, { documentWindowMs: 2_000 });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked' && state.billOfLading !== null);
  const [listingId = ''] = person.listingIdsOf(shipment);
  const tell = async (number: number): Promise<void> => {
    const event = {
      id: `flood-${number}`,
      type: 'Listing.Attachment.AttachmentAdded/v1',
      time: '2035-03-01T12:00:00Z',
    };
    await harness.handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, {
      ...event,
      listingIds: [listingId],
      attachmentIds: [`photo-${number}`],
    });
  };
  for (let first = 0; first < 5_000; first += 250)
    await Promise.all(Array.from({ length: 250 }, async (_, index) => await tell(first + index)));
  harness.sandbox.controls.advance(listingId, { to: 'PickedUp', kind: 'transit' });
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.events.taken === 5_000 && view.state.at.phase === 'inTransit',
  );
  expect(state?.leftOut.attachments).toBeGreaterThanOrEqual(4_800);
  expect(JSON.stringify(state).length).toBeLessThan(200_000);
  expect(await person.taskFailures(shipment)).toBe(0);
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
});
