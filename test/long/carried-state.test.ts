import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { dayOf } from '../support/days';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { goOn, pendingFor } from '../support/next-run';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('Y');
const PICKUP_OVER = { earliest: dayOf(-3), latest: dayOf(-2) };
const reference = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;

const answered = furniture();
const [unlisted, untaken, moving] = [furniture(), ltl(), ltl()];
const [waiting, silent] = [ltl(), ltl()];
const orders = [answered, unlisted, untaken, moving, waiting, silent];

beforeAll(async () => {
  harness = await startHarness({
    clock: { speed: 10, steps: { acceptancePending: 160_000 } },
    hasWebhooks: false,
  });
  const once = { times: 1, what: { kind: 'status', status: 429, retryAfter: 600 } } as const;
  harness.sandbox.trouble({ when: 'createListing', whom: reference(answered), what: 'hangUpAfter' });
  harness.sandbox.trouble({ ...once, when: 'createListing', whom: reference(unlisted) });
  for (const shipment of [untaken, moving])
    harness.sandbox.trouble({ ...once, when: 'acceptRate', whom: reference(shipment) });
  await Promise.all(orders.map(async (shipment) => await harness.start(shipment)));
  await Promise.all([wasAccepted(waiting, 26), wasAccepted(silent, 29)]);
}, 60_000);
afterAll(async () => await harness?.close());

/** The state once the order is sent again later, because the marketplace asked to wait. */
async function askedToWait(shipment: Shipment): Promise<ShipmentState> {
  await person.noted(shipment, 'was not sent');
  const { state } = await harness.until(shipment, (view) => view.state !== null);
  if (state === null) throw new TypeError('it has no state');
  return state;
}

const WINDOW = { acceptance: { ...FAST_POLICY.acceptance, windowMs: DEFAULT_POLICY.acceptance.windowMs } };

/** The acceptance was sent so long ago. */
async function wasAccepted(shipment: Shipment, hoursAgo: number): Promise<void> {
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.at.phase === 'accepting' && view.state.at.pending !== null,
  );
  await goOn(harness.temporal.client, shipment, {
    policy: WINDOW,
    carried: { state: pendingFor(state, hoursAgo) },
  });
}

const acceptancesOf = (shipment: Shipment) => harness.ledgerOf(shipment).acceptances;

test('an acceptance whose time is over asks a question, although its carrier may still answer', async () => {
  await harness.asked(silent, 'inDoubt');
  const { state } = await harness.until(silent, (view) => view.state !== null);
  expect(Date.parse(state?.question?.resendFrom ?? '')).toBeLessThan(Date.now());
  expect(acceptancesOf(silent)).toMatchObject([{ outcome: 'pending' }]);
  // Whoever asks on is replaced, as by a deploy.
  await harness.withoutWorkers(async () => await Promise.resolve());
});

test('an answer that was given and not acted on yet is acted on in the next run, once', async () => {
  const questionId = await harness.asked(answered, 'inDoubt');
  const { state } = await harness.until(answered, (view) => view.state !== null);
  const [listingId = ''] = person.listingIdsOf(answered);
  if (state === null) throw new TypeError('it has no state');
  const given = { questionId, ...BY, checked: null, answer: { kind: 'adopt', listingId } } as const;
  await goOn(harness.temporal.client, answered, { carried: { state, pendingAnswer: given } });
  const end = await harness.ended(answered);
  expect(end).toMatchObject({
    status: 'COMPLETED',
    state: { at: { listingId }, question: null, questionsAsked: 1 },
  });
  expect(person.postsOf(answered)).toBe(1);
  expect(harness.ledgerOf(answered)).toMatchObject({ created: 1, liveBookings: 1 });
});

test('a furniture order whose pickup passed while the marketplace made it wait is not listed', async () => {
  const state = await askedToWait(unlisted);
  await goOn(harness.temporal.client, unlisted, {
    shipment: furniture({ orderId: unlisted.orderId, pickup: { type: 'between', ...PICKUP_OVER } }),
    carried: { state },
  });
  await harness.asked(unlisted, 'pickupPassed');
  expect(person.postsOf(unlisted)).toBe(1);
  await person.cancel(unlisted);
  expect((await harness.ended(unlisted)).state?.at.phase).toBe('cancelled');
  expect(harness.ledgerOf(unlisted)).toMatchObject({ created: 0 });
});

const rateIdOf = (state: ShipmentState): string | null =>
  state.at.phase === 'accepting' ? state.at.rate.rateId : null;
const late = (shipment: Shipment): Shipment =>
  ltl({ orderId: shipment.orderId, pickup: { type: 'on', ...PICKUP_OVER, earliest: PICKUP_OVER.latest } });

test('a rate whose pickup day passed is not accepted; after a person postpones the pickup, another rate is', async () => {
  const state = await askedToWait(untaken);
  await goOn(harness.temporal.client, untaken, { shipment: late(untaken), carried: { state } });
  const questionId = await harness.asked(untaken, 'pickupPassed');
  expect(acceptancesOf(untaken)).toEqual([]);
  expect(harness.ledgerOf(untaken).rateRequests).toHaveLength(1);
  await person.answer(untaken, questionId, messages.postponePickupUpdate);
  await harness.until(untaken, () => acceptancesOf(untaken).length > 0);
  expect(harness.ledgerOf(untaken).rateRequests).toHaveLength(2);
  expect(acceptancesOf(untaken)[0]?.rateId).not.toBe(rateIdOf(state));
});

test('a rate whose pickup day passed is dropped for rates of the next day if the policy says so', async () => {
  const state = await askedToWait(moving);
  const pickup = { ...DEFAULT_POLICY.pickup, whenMissed: 'nextBusinessDay' } as const;
  await goOn(harness.temporal.client, moving, {
    shipment: late(moving),
    policy: { pickup },
    carried: { state },
  });
  await harness.until(moving, () => acceptancesOf(moving).length > 0);
  expect(harness.ledgerOf(moving).rateRequests).toHaveLength(2);
  expect(acceptancesOf(moving)[0]?.rateId).not.toBe(rateIdOf(state));
  expect((await harness.until(moving, (view) => view.state !== null)).state?.questionsAsked).toBe(0);
});

test('an acceptance that is pending since yesterday is polled for the rest of its time, and books', async () => {
  const { events } = await harness.handleOf(waiting).fetchHistory();
  const [poll] = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'pollAcceptance' ? [scheduled] : [],
  );
  const left = Number(poll?.scheduleToCloseTimeout?.seconds) / 3_600;
  expect(left).toBeGreaterThan(1.9);
  expect(left).toBeLessThanOrEqual(2);
  expect(await harness.ended(waiting)).toMatchObject({
    status: 'COMPLETED',
    state: { questionsAsked: 0, excludedRateIds: [], notices: [] },
  });
  expect(acceptancesOf(waiting)).toMatchObject([{ outcome: 'booked' }]);
  expect(harness.ledgerOf(waiting)).toMatchObject({ created: 1, liveBookings: 1 });
});

test('an acceptance that was asked about is followed when its carrier answers after all', async () => {
  expect(await harness.ended(silent)).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 1 } });
  expect(acceptancesOf(silent)).toMatchObject([{ outcome: 'booked' }]);
  expect(harness.ledgerOf(silent)).toMatchObject({ created: 1, liveBookings: 1 });
});
