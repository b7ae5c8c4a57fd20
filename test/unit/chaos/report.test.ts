import { expect, test } from '@jest/globals';
import type { OrderCase } from '../../../chaos/order-case';
import type { ChaosOutcome } from '../../../chaos/outcome';
import { isGood, renderFindings, renderReport, reportOf } from '../../../chaos/report';
import { FailureType } from '../../../src/domain/failure-type';

type End = NonNullable<OrderCase['end']>;

const PLAIN = { circle: null, deliveredToo: [] };
const REFUSAL = { operation: 'createListing', status: 400, codes: [], fields: [] };
const DELIVERED: End = {
  ...{ status: 'COMPLETED', phase: 'settled', question: null, followed: ['71'], failure: null },
  ...PLAIN,
};
const REFUSED: End = {
  ...{ status: 'FAILED', phase: 'listing', question: null, followed: [] },
  ...PLAIN,
  failure: {
    type: FailureType.FailedBeforeBooking,
    reason: 'POST /v2/listings answered 400',
    refusal: REFUSAL,
  },
};

function aCase(orderId: string, end: End, isBooked = true): OrderCase {
  const ids = isBooked ? ['71'] : [];
  return {
    ...{ orderId, end, judgedAt: '2027-03-01T12:00:00.000Z', isAccepted: true },
    ledger: {
      ...{ live: ids, delivered: ids, open: [], openAcceptances: [] },
      ...{ mostLiveBookings: ids.length, mostForeseen: ids.length, bookedAfterFailing: 0, unknowable: 0 },
    },
    ...{ refusals: [REFUSAL], endings: [] },
    ...{ wasAskedAboutSecond: false, hadTaskFailures: false },
  };
}

const outcomeOf = (over: Partial<ChaosOutcome> = {}): ChaosOutcome => ({
  cases: [aCase('C-1', DELIVERED), aCase('C-2', DELIVERED), aCase('C-3', REFUSED, false)],
  ...{ strangers: [], failingWorkflows: [] },
  stories: new Map([['C-4', { view: null, ledger: { booked: 2 } }]]),
  repairs: 3,
  questions: { noRates: 1, inDoubt: 4 },
  answered: 5,
  kills: { worker: 2, webhooks: 1, temporal: 1, database: 0, crashes: 1 },
  requests: { createListing: 4, getListing: 30 },
  troubleHits: { getListing: 5, createListing: 2 },
  troubles: { falseAbsence: 2, 'status 400 in gzip': 1 },
  trackingLinks: { given: 2, opened: 1 },
  deliveries: {
    ...{ events: 40, received: 20, off: 1, lost: 9, nobodyListens: 0, late: 8, doubled: 7, refused: 6 },
    ...{ twin: 4, reusedId: 3, unknownType: 2, unknownStatus: 1 },
  },
  mishaps: [{ name: 'no-show', planned: 2, met: 1 }],
  outages: { 'no rates': 2 },
  ...over,
});

/** What the row of the name says. */
const rowOf = (report: string, name: string): string | undefined =>
  new RegExp(`^${name}\\s{2,}(.*)$`, 'm').exec(report)?.[1];

test.each([
  ['orders', '3'],
  ['booked', '2'],
  ['delivered', '2'],
  ['failed before booking', '1'],
  ['closed by a person', '0'],
  ['stopped', '0'],
  ['questions asked', '5 (inDoubt 4, noRates 1), 5 answered'],
  ['repairs by reads', '3'],
  ['tracking links opened', '1 of 2'],
  ['troubles by endpoint', '7 (createListing 2, getListing 5)'],
  ['troubles', '3 (falseAbsence 2, status 400 in gzip 1)'],
  ['kills', 'worker 2, receiver 1, Temporal 1; ended by themselves 1'],
  ['outages', 'no rates 2'],
  ['no-show', '1 of 2'],
  ['double bookings', '0'],
  ['lost orders', '0'],
  ['unexplained stops', '0'],
])('the report says of %s: %s', (name, said) => {
  expect(rowOf(renderReport(outcomeOf(), 61), name)).toBe(said);
});

test('bookings that no client can know about are counted apart', () => {
  const plain = aCase('C-1', DELIVERED);
  const of = { ...plain, ledger: { ...plain.ledger, bookedAfterFailing: 3, unknowable: 1 } };
  expect(renderReport(outcomeOf({ cases: [of] }), 1)).toContain('3, 1 of them without any event');
});

test('the report tells what became of the webhooks, and which endpoints were never asked', () => {
  const report = renderReport(outcomeOf(), 61);
  expect(rowOf(report, 'webhooks')).toBe(
    '40 events (received 20, off 1, lost 9, nobodyListens 0, late 8, doubled 7, refused 6, ' +
      'twin 4, reusedId 3, unknownType 2, unknownStatus 1)',
  );
  expect(rowOf(report, 'endpoints')).toMatch(/^2 of 23; never called: getFixedPrice, updateListing, /);
});

test('a spotless run is good, and has no findings', () => {
  const outcome = outcomeOf();
  expect(renderReport(outcome, 61)).toContain('Never twice, never lost.');
  expect([isGood(outcome), renderFindings(outcome)]).toEqual([true, null]);
});

test('a finding breaks the promise, is named, and is told with its story', () => {
  const stopped = aCase('C-4', { ...DELIVERED, status: 'RUNNING', phase: 'booked' });
  const outcome = outcomeOf({ cases: [stopped], failingWorkflows: ['unroutedEvent/acme/71'] });
  const report = renderReport(outcome, 61);
  expect(rowOf(report, 'unexplained stops')).toBe('2');
  expect(report).toContain('    C-4: still booked with no open question');
  expect(report).toContain('    unroutedEvent/acme/71: its workflow tasks failed');
  expect(report).toContain('The promise was broken.');
  expect(isGood(outcome)).toBe(false);
  expect(JSON.parse(renderFindings(outcome) ?? '')).toEqual([
    { orderId: 'C-4', why: 'still booked with no open question', view: null, ledger: { booked: 2 } },
    { orderId: 'unroutedEvent/acme/71', why: 'its workflow tasks failed' },
  ]);
});

test('the same is told as JSON, for a machine', () => {
  const { deliveries, troubleHits } = outcomeOf();
  expect(JSON.parse(reportOf(outcomeOf(), 60.6))).toMatchObject({
    ...{ orders: 3, booked: 2, delivered: 2, failedBeforeBooking: 1, seconds: 61 },
    ...{ questions: { inDoubt: 4, noRates: 1 }, answered: 5, deliveries, troubleHits },
    verdict: { doubleBookings: [], lostOrders: [], unexplainedStops: [] },
  });
});
