import { expect, test } from '@jest/globals';
import { fateOf, isSpotless, judge, type OrderCase } from '../../../src/chaos/judge';

type End = NonNullable<OrderCase['end']>;

/** A delivered order, unless told otherwise. */
function aCase(over: Partial<OrderCase> = {}, end: Partial<End> = {}): OrderCase {
  return {
    orderId: 'C-1',
    isAccepted: true,
    end: { status: 'COMPLETED', phase: 'settled', hasQuestion: false, ...end },
    ledger: { liveBookings: 1, mostLiveBookings: 1, wasBooked: true },
    hadTaskFailures: false,
    ...over,
  };
}

const NOTHING_BOOKED = { liveBookings: 0, mostLiveBookings: 0, wasBooked: false };

test('orders that are delivered with one booking, failed or closed without one, or asking are spotless', () => {
  const cases = [
    aCase(),
    aCase({ ledger: NOTHING_BOOKED }, { status: 'FAILED', phase: 'listing' }),
    aCase({ ledger: NOTHING_BOOKED }, { status: 'FAILED', phase: 'cancelled' }),
    aCase({}, { status: 'RUNNING', phase: 'accepting', hasQuestion: true }),
    aCase(
      { ledger: { ...NOTHING_BOOKED, mostLiveBookings: 1 } },
      { status: 'CANCELLED', phase: 'cancelled' },
    ),
  ];
  expect(isSpotless(judge(cases))).toBe(true);
  expect(cases.map(fateOf)).toEqual(['delivered', 'failedBeforeBooking', 'closed', 'waiting', 'closed']);
});

test.each([
  ['two bookings live at the end', { liveBookings: 2, mostLiveBookings: 2, wasBooked: true }],
  ['two at one moment, one cancelled since', { liveBookings: 1, mostLiveBookings: 2, wasBooked: true }],
])('%s are a double booking', (_, ledger) => {
  const verdict = judge([aCase({ ledger })]);
  expect(verdict.doubleBookings).toMatchObject([{ orderId: 'C-1' }]);
  expect(isSpotless(verdict)).toBe(false);
});

test.each([
  ['a confirmed start without a workflow', aCase({ end: null, ledger: NOTHING_BOOKED })],
  ['a booking without a workflow, confirmed or not', aCase({ end: null, isAccepted: false })],
  ['a completed shipment without a booking', aCase({ ledger: NOTHING_BOOKED })],
  ['a failed shipment with a live booking', aCase({}, { status: 'FAILED' })],
  ['a cancelled shipment with a live booking', aCase({}, { status: 'CANCELLED' })],
])('%s is a lost order', (_, lost) => {
  const verdict = judge([lost]);
  expect(verdict.lostOrders).toHaveLength(1);
  expect(isSpotless(verdict)).toBe(false);
});

test.each([
  ['still running with no question open', aCase({}, { status: 'RUNNING', phase: 'booked' })],
  ['terminated', aCase({}, { status: 'TERMINATED' })],
  ['timed out', aCase({}, { status: 'TIMED_OUT' })],
  ['whose workflow tasks failed, even if it was delivered', aCase({ hadTaskFailures: true })],
  ['whose start was never confirmed', aCase({ isAccepted: false, end: null, ledger: NOTHING_BOOKED })],
])('an order %s is an unexplained stop', (_, stopped) => {
  const verdict = judge([stopped]);
  expect(verdict.unexplainedStops).toHaveLength(1);
  expect(isSpotless(verdict)).toBe(false);
});
