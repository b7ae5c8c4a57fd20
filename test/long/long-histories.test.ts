import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/contract/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 30 };
  harness = await startHarness({ clock: { speed: 10 }, embedded: { dynamicConfig } });
}, 60_000);
afterAll(async () => await harness?.close());

const tellNothing = async (shipment: Shipment, id: string): Promise<void> => {
  const event = { id, type: 'hint', time: '', listingIds: [] };
  await harness.handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, event);
};

test.each([
  ['furniture', aFurnitureShipment({ orderId: 'L-1' })],
  ['LTL', anLtlShipment({ orderId: 'L-2' })],
])('a long %s shipment continues in new runs, books once and loses nothing', async (_, shipment) => {
  await harness.start(shipment);
  const first = await harness.until(shipment, () => true);
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { at: { phase: 'settled' }, notices: [] } });
  expect(end.runId).not.toBe(first.runId);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
  expect(
    end.state?.timeline.map(({ what }) => what).filter((what) => what.startsWith('booked with')),
  ).toHaveLength(1);
});

test('later runs of a revised order know its revised document', async () => {
  const shipment = aFurnitureShipment({ orderId: 'L-3', priceLimit: { minorUnits: 1, currency: 'USD' } });
  await harness.start(shipment);
  const { runId, state } = await harness.until(shipment, (view) => view.state?.question != null);
  const order = { shipment: { ...shipment, priceLimit: null }, policy: FAST_POLICY, documentHash: 'revised' };
  await harness.temporal.client.workflow
    .getHandle(shipmentWorkflowId(shipment.account, shipment.orderId))
    .executeUpdate(messages.reviseOrderUpdate, {
      args: [{ questionId: state?.question?.id ?? '', by: 'Pat', reason: 'a typing error', ...order }],
    });
  const end = await harness.ended(shipment);
  expect(end.runId).not.toBe(runId);
  const account = { name: 'acme', environment: 'sandbox' } as const;
  await expect(harness.shipments.start({ ...order, account })).resolves.toMatchObject({ outcome: 'already' });
});

describe('a doubt with a long history', () => {
  beforeEach(() => {
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', webhooks: 'off' });
  });
  afterEach(() => {
    harness.sandbox.setSwitches({ carrierAnswer: 'accepts', webhooks: 'on' });
  });

  /** An order in doubt whose question was asked in a run before the one at hand. */
  async function carried(orderId: string) {
    const shipment = aFurnitureShipment({ orderId });
    harness.sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'inDoubt');
    const { events } = await harness.handleOf(shipment).fetchHistory();
    const { runId } = await harness.handleOf(shipment).describe();
    const write = (events ?? []).find(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'createListing',
    );
    for (let told = 0; (await harness.handleOf(shipment).describe()).runId === runId; told += 1)
      await tellNothing(shipment, `nothing-${told}`);
    expect((await harness.until(shipment, (view) => view.state !== null)).state?.question?.id).toBe(
      questionId,
    );
    const [listingId = ''] = person.listingIdsOf(shipment);
    const activityId = write?.activityTaskScheduledEventAttributes?.activityId ?? '';
    return { shipment, questionId, listingId, attempt: { runId, activityId } };
  }
  async function withdrawn(shipment: Shipment): Promise<void> {
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 0, openListings: 0 });
  }

  test("is settled by the late outcome of the earlier run's write, before an answer that knows less", async () => {
    const { shipment, questionId, listingId, attempt } = await carried('L-4');
    const answers: Promise<unknown>[] = [];
    const outcome: LateOutcome = { ...attempt, end: { kind: 'done', value: { listingId } } };
    await harness.withoutWorkers(async () => {
      answers.push(person.decide(shipment, questionId, { kind: 'resend' }));
      await harness.handleOf(shipment).signal(LATE_OUTCOME_SIGNAL, outcome);
      for (let told = 0; told < 30; told += 1) await tellNothing(shipment, `more-${told}`);
    });
    await Promise.all(answers);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
    expect(person.postsOf(shipment)).toBe(1);
    await withdrawn(shipment);
  });

  test('takes an answer in its new run, and the listing is followed', async () => {
    const { shipment, questionId, listingId } = await carried('L-5');
    await expect(
      harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] }),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining('must be answered first') } });
    await person.decide(shipment, questionId, { kind: 'adopt', listingId });
    await person.noted(shipment, `listing ${listingId} is taken`);
    expect(person.postsOf(shipment)).toBe(1);
    await withdrawn(shipment);
  });
});

test('a run that was reset sends no second listing, also after it continued in a new run', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent', webhooks: 'off' });
  const shipment = aFurnitureShipment({ orderId: 'L-7', priceLimit: { minorUnits: 1, currency: 'USD' } });
  await harness.start(shipment);
  const approve = async (): Promise<void> => {
    const questionId = await harness.asked(shipment, 'priceApproval');
    await person.answer(shipment, questionId, messages.approvePriceUpdate);
  };
  const { runId: first } = await harness.handleOf(shipment).describe();
  await approve();
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  const reset = await person.reset(shipment, first);
  await harness.asked(shipment, 'priceApproval');
  for (let told = 0; (await harness.handleOf(shipment).describe()).runId === reset; told += 1)
    await tellNothing(shipment, `nothing-${told}`);
  await approve();
  const questionId = await harness.asked(shipment, 'inDoubt');
  expect(person.postsOf(shipment)).toBe(1);
  const [listingId = ''] = person.listingIdsOf(shipment);
  await person.decide(shipment, questionId, { kind: 'adopt', listingId });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  await person.cancel(shipment);
  expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 0, openListings: 0 });
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', webhooks: 'on' });
});

test('an answer that a failed reading delayed is acted on in a later run', async () => {
  const shipment = aFurnitureShipment({ orderId: 'L-6' });
  harness.sandbox.setSwitches({ orders: { [`acme/${shipment.orderId}`]: { transit: 'manual' } } });
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked' && state.billOfLading !== null);
  const [left = ''] = person.listingIdsOf(shipment);
  harness.sandbox.controls.advance(left, { to: 'Cancelled', kind: 'status' });
  const questionId = await harness.asked(shipment, 'listingEnded');
  const answers: Promise<void>[] = [];
  await harness.withoutWorkers(async () => {
    harness.sandbox.trouble({
      when: { request: 'getListing', match: left },
      what: { kind: 'status', status: 401 },
    });
    answers.push(person.answer(shipment, questionId, messages.rebookUpdate));
    for (let told = 0; told < 30; told += 1) await tellNothing(shipment, `meanwhile-${told}`);
  });
  await Promise.all(answers);
  const { runId } = await harness.handleOf(shipment).describe();
  await person.noted(shipment, 'waits for account acme');
  await harness.until(shipment, (view) => view.runId !== runId);
  harness.sandbox.clearTroubles();
  await harness.until(shipment, () => person.listingIdsOf(shipment).length === 2);
  const [kept = ''] = person.listingIdsOf(shipment).filter((id) => id !== left);
  harness.sandbox.controls.advance(kept, { to: 'Delivered', kind: 'transit' });
  const { status, state } = await harness.ended(shipment);
  expect({ status, questionsAsked: state?.questionsAsked }).toEqual({
    status: 'COMPLETED',
    questionsAsked: 1,
  });
  expect(state).toMatchObject({
    at: { listingId: kept },
    candidates: expect.arrayContaining([
      expect.objectContaining({ listingId: left, place: { kind: 'left' } }),
    ]),
  });
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, liveBookings: 1, mostLiveBookings: 1 });
});
