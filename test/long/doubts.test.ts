import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { Shipment } from '../../src/domain/shipment';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { documentedMetrics } from '../support/documented-metrics';
import { metricsOf, seriesOf } from '../support/metrics-text';
import { paused, resume } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
let metricsPort: number;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('D');

beforeAll(async () => {
  metricsPort = await reserveFreePort();
  harness = await startHarness({ clock: { speed: 10 }, metricsPort });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    ...{ carrierAnswer: 'accepts', transit: 'normal', webhooks: 'on' },
    duplicateListings: 'created',
  });
});
afterAll(async () => await harness?.close());

/** As a worker does that delivers an outcome which Temporal has given up. */
async function tellLate(shipment: Shipment, type: string, end: LateOutcome['end']): Promise<void> {
  const { events } = await harness.handleOf(shipment).fetchHistory();
  const scheduled = (events ?? []).findLast(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === type,
  );
  const { runId } = await harness.handleOf(shipment).describe();
  const activityId = scheduled?.activityTaskScheduledEventAttributes?.activityId ?? '';
  await harness
    .handleOf(shipment)
    .signal(LATE_OUTCOME_SIGNAL, { runId, activityId, end } satisfies LateOutcome);
}

/** A furniture order whose listing exists, though nobody told it so. */
async function inDoubt(): Promise<{ readonly shipment: Shipment; readonly questionId: string }> {
  const shipment = furniture();
  harness.sandbox.setSwitches({ webhooks: 'off', carrierAnswer: 'silent' });
  harness.sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
  await harness.start(shipment);
  return { shipment, questionId: await harness.asked(shipment, 'inDoubt') };
}

describe('a write in doubt', () => {
  test('whose late outcome is in doubt too stays a question, and a later clear outcome settles it', async () => {
    const { shipment, questionId } = await inDoubt();
    const type = 'InDoubt';
    await tellLate(shipment, 'createListing', {
      ...{ kind: 'failed', type, message: 'answered 503', call: null },
    });
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.timeline.some(({ what }) => what.includes('ended: inDoubt')) === true,
    );
    expect(state?.question?.id).toBe(questionId);
    harness.sandbox.setSwitches({ carrierAnswer: 'accepts' });
    const [listingId = ''] = person.listingIdsOf(shipment);
    await tellLate(shipment, 'createListing', { kind: 'done', value: { listingId } });
    await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
  });

  test('that was sent again and refused as a duplicate can adopt the first listing', async () => {
    const { shipment, questionId } = await inDoubt();
    harness.sandbox.trouble({ when: 'createListing', what: 'duplicate', times: 1 });
    await person.decide(shipment, questionId, { kind: 'resend' });
    const again = await harness.asked(shipment, 'inDoubt', questionId);
    const [listingId = ''] = person.listingIdsOf(shipment);
    await person.decide(shipment, again, { kind: 'adopt', listingId });
    await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
    expect(harness.ledgerOf(shipment).listings).toHaveLength(1);
    await person.cancel(shipment);
    await harness.ended(shipment);
  });

  test('whose first listing appears after a resend asks about a possible double booking', async () => {
    const { shipment, questionId } = await inDoubt();
    const [first = ''] = person.listingIdsOf(shipment);
    const { events } = await harness.handleOf(shipment).fetchHistory();
    await person.decide(shipment, questionId, { kind: 'resend' });
    await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
    const scheduled = (events ?? []).findLast(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'createListing',
    );
    const { runId } = await harness.handleOf(shipment).describe();
    const activityId = scheduled?.activityTaskScheduledEventAttributes?.activityId ?? '';
    const end = { kind: 'done', value: { listingId: first } } as const;
    await harness
      .handleOf(shipment)
      .signal(LATE_OUTCOME_SIGNAL, { runId, activityId, end } satisfies LateOutcome);
    const double = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    const kept = state !== null && 'listingId' in state.at ? state.at.listingId : '';
    await person.decide(shipment, double, { kind: 'adopt', listingId: kept });
    await harness.until(shipment, (view) => view.state?.question === null);
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
  });

  test('that is withdrawn while an event names its booked listing is not closed', async () => {
    const { shipment, questionId } = await inDoubt();
    const [first = ''] = person.listingIdsOf(shipment);
    harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 }, times: 1 });
    await person.decide(shipment, questionId, { kind: 'resend' });
    await paused(harness, [shipment]);
    harness.sandbox.setSwitches({ webhooks: 'on' });
    harness.sandbox.controls.advance(first, { to: 'Booked', kind: 'status' });
    await harness.until(shipment, ({ state }) => (state?.events.taken ?? 0) > 0);
    await person.cancel(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.notices).toContainEqual('not closed: a carrier has booked it');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  });

  test('and the events that never came are counted, and not again when the history is replayed', async () => {
    const before = countsOf(await metricsPage());
    const { shipment, questionId } = await inDoubt();
    const [listingId = ''] = person.listingIdsOf(shipment);
    await person.decide(shipment, questionId, { kind: 'adopt', listingId });
    await harness.until(
      shipment,
      ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
    );
    harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
    const repairs = (await harness.ended(shipment)).state?.repairs ?? 0;
    expect(repairs).toBeGreaterThan(0);
    // The next worker has to replay the whole history before it answers a query.
    await harness.withoutWorkers(async () => await Promise.resolve());
    await harness.ended(shipment);
    const page = await metricsPage();
    const after = countsOf(page);
    expect(after.doubts - before.doubts).toBe(1);
    expect(after.missed - before.missed).toBeGreaterThanOrEqual(repairs);
    expect(after.missed - before.missed).toBeLessThan(2 * repairs + 1);
    expect(after.missedBookings - before.missedBookings).toBe(1);
    const served = metricsOf(page).filter(({ name }) =>
      /^consign_(?:writes_in_doubt|missed_events)/.test(name),
    );
    expect(served).toHaveLength(2);
    for (const metric of served) expect(documentedMetrics()).toContainEqual(metric);
  });
});

const metricsPage = async (): Promise<string> =>
  await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

function countsOf(page: string) {
  const sum = (name: string, eventType?: string): number =>
    seriesOf(page)
      .filter((one) => one.name === name && (eventType ?? one.labels.event_type) === one.labels.event_type)
      .reduce((total, { value }) => total + value, 0);
  return {
    doubts: sum('consign_writes_in_doubt_total'),
    missed: sum('consign_missed_events_total'),
    missedBookings: sum('consign_missed_events_total', 'Listing.Booked/v1'),
  };
}

test('a fixed account and a withdrawal at the same moment leave no forgotten booking', async () => {
  const shipment = ltl();
  harness.sandbox.trouble({ when: 'acceptRate', what: { kind: 'status', status: 401 }, times: 1 });
  await harness.start(shipment);
  await paused(harness, [shipment]);
  const answers = await Promise.allSettled([resume(harness), person.cancel(shipment)]);
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  // Either may come after what it is about has ended: it is refused then, or meets no workflow.
  for (const refusal of refusals)
    expect([WorkflowUpdateFailedError, WorkflowNotFoundError]).toContain(refusal.constructor);
  const { state } = await harness.ended(shipment);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: state?.at.phase === 'cancelled' ? 0 : 1 });
});

test("Temporal's cancel during a carrier's answer is done once the carrier has refused", async () => {
  const shipment = ltl();
  harness.sandbox.trouble({ when: 'acceptRate', what: 'failed', times: 1 });
  harness.sandbox.setClock({ steps: { acceptancePending: 8_000 } });
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'accepting' && state.at.pending !== null);
  await harness.handleOf(shipment).cancel();
  const { status } = await harness.ended(shipment);
  harness.sandbox.setClock({ steps: { acceptancePending: 2_000 } });
  expect(status).toBe('CANCELLED');
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
});

test('an acceptance whose status cannot be read is a doubt that the event settles', async () => {
  const shipment = ltl();
  harness.sandbox.trouble({
    when: 'getAcceptanceStatus',
    what: { kind: 'status', status: 200, body: 'no JSON' },
  });
  await harness.start(shipment, { doubtWaitMs: 20_000 });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.questionsAsked).toBe(0);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
});

test('contacts that the marketplace refuses are a notice and delay nothing', async () => {
  const shipment = furniture();
  harness.sandbox.trouble({ when: 'getListingContacts', what: { kind: 'status', status: 422 } });
  await harness.start(shipment);
  expect(await harness.ended(shipment)).toMatchObject({
    status: 'COMPLETED',
    state: { contacts: 'unavailable', questionsAsked: 0 },
  });
});

test('a run that was reset sends no second listing, and may still delete its listing', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  await person.reset(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  await person.decide(shipment, questionId, { kind: 'resend' });
  const again = await harness.asked(shipment, 'inDoubt', questionId);
  const [listingId = ''] = person.listingIdsOf(shipment);
  expect(person.listingIdsOf(shipment)).toHaveLength(1);
  await person.decide(shipment, again, { kind: 'adopt', listingId });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  await person.cancel(shipment);
  expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
});
