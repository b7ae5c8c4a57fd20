import { describe, expect, test } from '@jest/globals';
import { fateOf, isSpotless, judge as judgeRun } from '../../../chaos/judge';
import type { OrderCase, RunCase } from '../../../chaos/order-case';
import { FailureType } from '../../../src/domain/failure-type';

const judge = (cases: readonly OrderCase[], beside: Partial<RunCase> = {}) =>
  judgeRun({ cases, strangers: [], failingWorkflows: [], ...beside });

type End = NonNullable<OrderCase['end']>;
type Ledger = OrderCase['ledger'];

const DELIVERED: Ledger = {
  ...{ live: ['71'], delivered: ['71'], open: [], openAcceptances: [] },
  ...{ mostLiveBookings: 1, mostForeseen: 1, bookedAfterFailing: 0, unknowable: 0 },
};
const NOTHING_BOOKED: Ledger = { ...DELIVERED, live: [], delivered: [], mostLiveBookings: 0 };
const delivered = (over: Partial<Ledger> = {}): Ledger => ({ ...DELIVERED, ...over });
const nothing = (over: Partial<Ledger> = {}): Ledger => ({ ...NOTHING_BOOKED, ...over });

/** The carrier may answer for a minute yet. */
const DOUBT: End['question'] = { kind: 'inDoubt', resendFrom: '2027-03-01T12:01:00.000Z' };
const REFUSAL = { operation: 'createListing', status: 400, codes: ['40001'], fields: ['title'] };
const BEFORE_BOOKING: Partial<End> = {
  ...{ status: 'FAILED', phase: 'listing', followed: [] },
  failure: {
    type: FailureType.FailedBeforeBooking,
    reason: 'POST /v2/listings answered 400: 40001 title',
    refusal: REFUSAL,
  },
};
const WITHDRAWN: Partial<End> = {
  ...{ status: 'WITHDRAWN', phase: 'cancelled', followed: [] },
  failure: { type: null, reason: 'seen in the ledger', refusal: null },
};

/** A delivered order, unless told otherwise. */
function aCase(over: Partial<OrderCase> = {}, end: Partial<End> = {}): OrderCase {
  return {
    orderId: 'C-1',
    ...{ judgedAt: '2027-03-01T12:00:00.000Z', isAccepted: true },
    end: {
      ...{ status: 'COMPLETED', phase: 'settled', question: null, followed: ['71'], failure: null },
      ...{ circle: null, deliveredToo: [] },
      ...end,
    },
    ledger: DELIVERED,
    ...{ refusals: [], endings: [] },
    wasAskedAboutSecond: false,
    hadTaskFailures: false,
    ...over,
  };
}

test('orders that are delivered with one booking, failed or closed without one, or waiting for a carrier are spotless', () => {
  const cases = [
    aCase(),
    aCase({ ledger: NOTHING_BOOKED, refusals: [REFUSAL] }, BEFORE_BOOKING),
    aCase({ ledger: NOTHING_BOOKED, endings: ['abandon'] }, WITHDRAWN),
    aCase({}, { status: 'RUNNING', phase: 'accepting', question: DOUBT, followed: [] }),
    aCase({ ledger: nothing({ mostLiveBookings: 1 }), endings: ['close'] }, WITHDRAWN),
    aCase({ ledger: NOTHING_BOOKED, endings: ['withdraw'] }, { ...WITHDRAWN, status: 'CANCELLED' }),
  ];
  expect(judge(cases)).toEqual({ doubleBookings: [], lostOrders: [], unexplainedStops: [] });
  expect(cases.map(fateOf)).toEqual([
    ...['delivered', 'failedBeforeBooking', 'closed', 'waiting', 'closed', 'closed'],
  ]);
});

describe('an order that ended without a booking, although it had one that a carrier cancelled, is lost', () => {
  const ledger = nothing({ mostLiveBookings: 1 });

  test.each([
    ['failed before booking', aCase({ ledger }, BEFORE_BOOKING)],
    ['failed before booking, whatever a person said', aCase({ ledger, endings: ['close'] }, BEFORE_BOOKING)],
    ['was cancelled, and no person had said anything', aCase({ ledger }, WITHDRAWN)],
  ])('when it %s', (_, order) => {
    const { doubleBookings, lostOrders } = judge([order]);
    expect(lostOrders).toEqual([{ orderId: 'C-1', why: expect.stringContaining('it was booked before') }]);
    expect(doubleBookings).toEqual([]);
  });

  test('unless a person closed it', () => {
    expect(isSpotless(judge([aCase({ ledger, endings: ['close'] }, WITHDRAWN)]))).toBe(true);
  });
});

test.each([
  ['by a refusal that nothing was meant to make', []],
  ['by a refusal of another field than was meant', [{ ...REFUSAL, fields: ['items'] }]],
  ['by a refusal of another request than was meant', [{ ...REFUSAL, operation: 'createRateRequest' }]],
  ['by another status than was meant', [{ ...REFUSAL, status: 422 }]],
])('an order that failed before booking %s is an unexplained stop that names its reason', (_, refusals) => {
  const { unexplainedStops, lostOrders } = judge([
    aCase({ ledger: NOTHING_BOOKED, refusals }, BEFORE_BOOKING),
  ]);
  const why =
    'failed before booking, but no planned fault refused it: POST /v2/listings answered 400: 40001 title';
  expect([unexplainedStops, lostOrders]).toEqual([[{ orderId: 'C-1', why }], []]);
});

test.each([
  ['cancelled, but no person wanted it: seen in the ledger', aCase({ ledger: NOTHING_BOOKED }, WITHDRAWN)],
  [
    'failed as Rejected: no such carrier',
    aCase(
      { ledger: NOTHING_BOOKED },
      { status: 'FAILED', failure: { type: FailureType.Rejected, reason: 'no such carrier', refusal: null } },
    ),
  ],
])('an order that %s, is an unexplained stop', (why, order) => {
  expect(judge([order]).unexplainedStops).toEqual([{ orderId: 'C-1', why }]);
});

test.each([
  ['two bookings live at the end', delivered({ live: ['71', '72'], mostLiveBookings: 2 })],
  ['two at one moment, one cancelled since', delivered({ mostLiveBookings: 2 })],
])('%s are a double booking', (_, ledger) => {
  const verdict = judge([aCase({ ledger })]);
  expect(verdict.doubleBookings).toMatchObject([{ orderId: 'C-1' }]);
  expect(isSpotless(verdict)).toBe(false);
});

test.each([
  ['listing', delivered({ open: ['72'] }), 'listing 72'],
  ['acceptance', delivered({ openAcceptances: ['e-2'] }), 'acceptance e-2'],
])(
  'a completed order with another %s that a carrier could still take is a double booking',
  (_, ledger, named) => {
    const { doubleBookings, lostOrders } = judge([aCase({ ledger })]);
    expect(doubleBookings).toEqual([
      { orderId: 'C-1', why: `completed with a booking, but ${named} could still be booked` },
    ]);
    expect(lostOrders).toEqual([]);
  },
);

test.each([
  ['FAILED', nothing({ open: ['72'] }), 'failed, but listing 72 could still be booked'],
  ['FAILED', nothing({ openAcceptances: ['e-2'] }), 'failed, but acceptance e-2 could still be booked'],
  ['CANCELLED', nothing({ open: ['72', '73'] }), 'cancelled, but listing 72 and 73 could still be booked'],
])(
  'an order that is %s while something of it could still be booked is a lost order',
  (status, ledger, why) => {
    const { doubleBookings, lostOrders } = judge([
      aCase({ ledger, endings: ['abandon'] }, { ...WITHDRAWN, status }),
    ]);
    expect(lostOrders).toEqual([{ orderId: 'C-1', why }]);
    expect(doubleBookings).toEqual([]);
  },
);

test('what an order has open while it waits for its carrier is no finding', () => {
  const asking = { status: 'RUNNING', phase: 'accepting', question: DOUBT, followed: [] } as const;
  expect(
    isSpotless(judge([aCase({ ledger: nothing({ open: ['72'], openAcceptances: ['e-2'] }) }, asking)])),
  ).toBe(true);
});

test('what could still be booked for an order without a workflow is lost, confirmed or not', () => {
  const { lostOrders } = judge([aCase({ isAccepted: false, end: null, ledger: nothing({ open: ['72'] }) })]);
  expect(lostOrders).toMatchObject([{ why: 'listing 72 could still be booked, but there is no workflow' }]);
});

test.each([
  ['another listing than is booked', { followed: ['70'] }, 'completed with listing 70, but 71 is booked'],
  ['no listing', { followed: [] }, 'completed with listing none, but 71 is booked'],
  [
    'another one in its result than in its state',
    { followed: ['71', '70'] },
    'completed with listing 71 and 70, but 71 is booked',
  ],
])('a completed order that followed %s is a lost order', (_, end, why) => {
  expect(judge([aCase({}, end)]).lostOrders).toEqual([{ orderId: 'C-1', why }]);
});

test('an order that completed before its goods arrived is a lost order', () => {
  const { lostOrders } = judge([aCase({ ledger: delivered({ delivered: [] }) })]);
  expect(lostOrders).toEqual([{ orderId: 'C-1', why: 'completed before listing 71 was delivered' }]);
});

describe('a carrier that books after the marketplace said that it had failed makes a second booking', () => {
  const second = (over: Partial<Ledger> = {}) =>
    delivered({ mostLiveBookings: 2, bookedAfterFailing: 1, ...over });
  const asked = { wasAskedAboutSecond: true };

  test('which is no finding when a person was asked and it was undone', () => {
    expect(isSpotless(judge([aCase({ ...asked, ledger: second() })]))).toBe(true);
  });

  const asking = {
    status: 'RUNNING',
    phase: 'delivered',
    question: { kind: 'possibleDoubleBooking' },
  } as const;

  test.each([
    ['it could be undone', []],
    ['both have arrived, which is to be told', ['71', '72']],
  ])('which is an unexplained stop while the question is open, and %s', (_, delivered) => {
    const { doubleBookings, unexplainedStops } = judge([
      aCase({ ...asked, ledger: second({ live: ['71', '72'], delivered }) }, asking),
    ]);
    expect(doubleBookings).toEqual([]);
    const why = 'still delivered with the open question possibleDoubleBooking';
    expect(unexplainedStops).toEqual([{ orderId: 'C-1', why }]);
  });

  const bothArrived = second({ live: ['71', '72'], delivered: ['71', '72'] });

  test('which is none when it was found after both trucks had delivered, and that was told', () => {
    const verdict = judge([aCase({ ...asked, ledger: bothArrived }, { deliveredToo: ['72'] })]);
    expect(isSpotless(verdict)).toBe(true);
  });

  test.each([
    ['both delivered and that was not told', bothArrived, []],
    ['both delivered and something else was told', bothArrived, ['70']],
    ['one is only on its way', second({ live: ['71', '72'], delivered: ['71'] }), ['72']],
  ])('which is a double booking when %s', (_, ledger, deliveredToo) => {
    expect(judge([aCase({ ...asked, ledger }, { deliveredToo })]).doubleBookings).toHaveLength(1);
  });

  test.each([
    ['nobody was asked', aCase({ ledger: second() })],
    ['it was not undone', aCase({ ...asked, ledger: second({ live: ['71', '72'] }) })],
    ['a third one was made', aCase({ ...asked, ledger: second({ mostLiveBookings: 3, mostForeseen: 2 }) })],
    ['two others were live together', aCase({ ...asked, ledger: second({ mostForeseen: 2 }) })],
  ])('which is a double booking when %s', (_, order) => {
    expect(judge([order]).doubleBookings).toHaveLength(1);
  });
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
  ['still running with no open question', aCase({}, { status: 'RUNNING', phase: 'booked' })],
  [
    'still asking although the time of the carrier is over',
    aCase(
      { judgedAt: '2027-03-01T12:02:00.000Z' },
      { status: 'RUNNING', phase: 'accepting', question: DOUBT },
    ),
  ],
  [
    'still asking what a person could have answered',
    aCase({}, { status: 'RUNNING', phase: 'booked', question: { kind: 'listingEnded' } }),
  ],
  ['terminated', aCase({}, { status: 'TERMINATED' })],
  ['timed out', aCase({}, { status: 'TIMED_OUT' })],
  ['whose workflow tasks failed, even if it was delivered', aCase({ hadTaskFailures: true })],
  ['whose start was never confirmed', aCase({ isAccepted: false, end: null, ledger: NOTHING_BOOKED })],
])('an order %s is an unexplained stop', (_, stopped) => {
  const verdict = judge([stopped]);
  expect(verdict.unexplainedStops).toHaveLength(1);
  expect(isSpotless(verdict)).toBe(false);
});

test('an order that asks on whatever is answered is an unexplained stop that says what and how often', () => {
  const circle = 'inDoubt again after 15 answers, 12 of them to inDoubt';
  const running = {
    status: 'RUNNING',
    phase: 'accepting',
    question: { kind: 'inDoubt' },
    followed: [],
  } as const;
  const order = aCase({ ledger: nothing() }, { ...running, circle });
  expect(judge([order]).unexplainedStops).toEqual([
    {
      orderId: 'C-1',
      why: 'asks in circles: inDoubt again after 15 answers, 12 of them to inDoubt',
    },
  ]);
  expect(fateOf(order)).toBe('stopped');
});

test('what our requests made for no order of the run is lost', () => {
  const strangers = [
    { reference: '', what: 'listing 72 (Booked)' },
    { reference: 'acme/C-9', what: 'acceptance e-2' },
  ];
  const verdict = judge([aCase()], { strangers });
  expect(verdict.lostOrders).toEqual([
    {
      orderId: '(no reference)',
      why: 'Consign made listing 72 (Booked), but no order of the run has its reference',
    },
    { orderId: 'acme/C-9', why: 'Consign made acceptance e-2, but no order of the run has its reference' },
  ]);
  expect(isSpotless(verdict)).toBe(false);
});

test('a workflow that is no order and whose tasks fail is an unexplained stop', () => {
  const verdict = judge([aCase()], { failingWorkflows: ['unroutedEvent/acme/71'] });
  expect(verdict.unexplainedStops).toEqual([
    { orderId: 'unroutedEvent/acme/71', why: 'its workflow tasks failed' },
  ]);
  expect(isSpotless(verdict)).toBe(false);
});
