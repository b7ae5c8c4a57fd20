import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dropQueue,
  endDelivery,
  failingEndpoints,
  isWaiting,
  nextNotification,
  noDeliveries,
  receiveNotifications,
  replayNotifications,
  resumeQueues,
  routeNotifications,
  troubleQueue,
  type DeliveryState,
  type EndpointTerms,
} from '../../../src/domain/notification-delivery';
import { NOTIFICATION_KINDS } from '../../../src/domain/notifications';
import { fuzzing } from '../../support/fuzzing';
import { aNotification } from '../../support/notifications';

const AT = '2035-03-06T12:00:00.000Z';
const TERMS = { reportAfterMs: 1_000, pauseAfterMs: 5_000 };
const ERP: EndpointTerms = { ...TERMS, endpoint: 'erp', events: NOTIFICATION_KINDS };
const CHAT: EndpointTerms = { ...TERMS, endpoint: 'chat', events: ['ended'] };
const empty = noDeliveries({ name: 'acme', environment: 'sandbox' }, 'SO-1');
const batch = (...numbers: readonly number[]) => numbers.map((number) => aNotification(number));
const waitingOf = (state: DeliveryState, endpoint: string) =>
  state.queues.find((queue) => queue.endpoint === endpoint)?.waiting;
const deliver = (state: DeliveryState, endpoint: string): DeliveryState =>
  endDelivery(state, {
    ...{ id: nextNotification(state, endpoint)?.id ?? '', endpoint, outcome: 'delivered', at: AT },
    ...{ attempts: 1, status: 204 },
  });

describe('the delivery of notifications', () => {
  test('a batch that comes again, whole or in part, is taken once', () => {
    const once = receiveNotifications(empty, batch(1, 2));
    const again = receiveNotifications(receiveNotifications(once, batch(1, 2)), batch(2, 3));
    expect(again.unrouted).toEqual(['run-1.1', 'run-1.2', 'run-1.3']);
    // A workflow must not wake for it.
    expect(receiveNotifications(once, batch(1, 2))).toBe(once);
  });

  test('another run of the order counts from the beginning', () => {
    const first = receiveNotifications(empty, [
      aNotification(5, { kind: 'ended', outcome: 'failedBeforeBooking' }),
    ]);
    expect(first.hasEnded).toBe(true);
    const second = receiveNotifications(first, [aNotification(1, { kind: 'booked' }, 'run-2')]);
    expect(second).toMatchObject({ hasEnded: false, unrouted: ['run-1.5', 'run-2.1'] });
  });

  test('each endpoint has its own queue of the events that it wants', () => {
    const ended = aNotification(3, { kind: 'ended', outcome: 'delivered' });
    const state = routeNotifications(receiveNotifications(empty, [...batch(1, 2), ended]), [ERP, CHAT]);
    expect(waitingOf(state, 'erp')).toEqual(['run-1.1', 'run-1.2', 'run-1.3']);
    expect(waitingOf(state, 'chat')).toEqual(['run-1.3']);
    const delivered = deliver(state, 'erp');
    expect(waitingOf(delivered, 'erp')).toEqual(['run-1.2', 'run-1.3']);
    expect(waitingOf(delivered, 'chat')).toEqual(['run-1.3']);
    expect(delivered.log).toEqual([
      {
        id: 'run-1.1',
        kind: 'booked',
        endpoint: 'erp',
        outcome: 'delivered',
        at: AT,
        attempts: 1,
        status: 204,
      },
    ]);
  });

  test('a paused endpoint gets nothing, and continues in order after a retry', () => {
    const routed = routeNotifications(receiveNotifications(empty, batch(1)), [ERP]);
    const paused = troubleQueue(routed, 'erp', { since: AT, reason: 'answered 410', isPaused: true });
    const more = routeNotifications(receiveNotifications(paused, batch(2)), [ERP]);
    expect(nextNotification(more, 'erp')).toBeNull();
    expect(failingEndpoints(more)).toEqual([
      { endpoint: 'erp', since: AT, reason: 'answered 410', isPaused: true },
    ]);
    expect(nextNotification(resumeQueues(more, 'chat'), 'erp')).toBeNull();
    for (const name of ['erp', null])
      expect(nextNotification(resumeQueues(more, name), 'erp')?.id).toBe('run-1.1');
  });

  test('an answer ends the trouble of the endpoint', () => {
    const routed = routeNotifications(receiveNotifications(empty, batch(1, 2)), [ERP]);
    const failing = troubleQueue(routed, 'erp', { since: AT, reason: 'no answer', isPaused: false });
    expect(failingEndpoints(deliver(failing, 'erp'))).toEqual([]);
  });

  test('an endpoint that left the accounts file keeps its queue until it is dropped', () => {
    const both = routeNotifications(receiveNotifications(empty, batch(1)), [ERP, CHAT]);
    const left = routeNotifications(receiveNotifications(both, batch(2)), [CHAT]);
    expect(waitingOf(left, 'erp')).toEqual(['run-1.1']);
    const dropped = dropQueue(left, 'erp', AT);
    expect(isWaiting(dropped)).toBe(false);
    expect(dropped.log).toMatchObject([{ id: 'run-1.1', outcome: 'dropped' }]);
  });

  test.each([
    [null, ['run-1.1', 'run-1.2', 'run-1.3']],
    ['run-1.2', ['run-1.2', 'run-1.3']],
    ['unknown', []],
  ])('a replay from %p sends %j again', (from, ids) => {
    let state = routeNotifications(receiveNotifications(empty, batch(1, 2, 3)), [ERP]);
    for (let count = 0; count < 3; count += 1) state = deliver(state, 'erp');
    expect(isWaiting(state)).toBe(false);
    expect(waitingOf(routeNotifications(replayNotifications(state, from), [ERP]), 'erp')).toEqual(ids);
  });

  test('what waits is not repeated by a replay', () => {
    const state = routeNotifications(receiveNotifications(empty, batch(1, 2)), [ERP]);
    const replayed = routeNotifications(replayNotifications(state, null), [ERP]);
    expect(waitingOf(replayed, 'erp')).toEqual(['run-1.1', 'run-1.2']);
  });

  test('delivered notifications are bounded, and waiting ones by a larger limit that counts', () => {
    let state = empty;
    for (let number = 1; number <= 600; number += 1) state = receiveNotifications(state, batch(number));
    expect(state).toMatchObject({ leftOut: 100 });
    expect(state.unrouted).toHaveLength(500);
    state = routeNotifications(state, [ERP]);
    expect(nextNotification(state, 'erp')?.id).toBe('run-1.101');
    for (let count = 0; count < 500; count += 1) state = deliver(state, 'erp');
    expect(state.notifications).toHaveLength(50);
    expect(state.log).toHaveLength(50);
    expect(state.leftOut).toBe(100);
  });

  test('long texts count too: the state fits a payload', () => {
    const question = { kind: 'inDoubt', text: 'x'.repeat(4_000), answers: [], since: AT } as const;
    let state = empty;
    for (let number = 1; number <= 500; number += 1)
      state = receiveNotifications(state, [
        aNotification(number, {
          kind: 'questionOpened',
          question: { ...question, id: `q${number}`, listingIds: [], offer: null },
        }),
      ]);
    expect(JSON.stringify(state).length).toBeLessThan(1_000_000);
    expect(state.leftOut).toBeGreaterThan(100);
  });

  test('however batches repeat and deliveries interleave, each endpoint gets each event once and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 60 }), (choices) => {
        const sent: string[] = [];
        let state = empty;
        let raised = 0;
        const take = (): void => {
          const next = nextNotification(state, 'erp');
          if (next === null) return;
          sent.push(next.id);
          state = deliver(state, 'erp');
        };
        for (const choice of choices) {
          if (choice === 0) raised += 1;
          // The shipment repeats what it is not sure of.
          const from = Math.max(1, raised - choice);
          const numbers = Array.from({ length: raised - from + 1 }, (_, index) => from + index);
          state = routeNotifications(receiveNotifications(state, batch(...numbers.filter((n) => n > 0))), [
            ERP,
          ]);
          if (choice > 1) take();
        }
        while (isWaiting(state)) take();
        expect(sent).toEqual(Array.from({ length: raised }, (_, index) => `run-1.${index + 1}`));
      }),
      fuzzing(200),
    );
  });
});
