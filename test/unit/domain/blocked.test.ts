import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertNever } from '../../../src/domain/assert-never';
import { blockedBecause, type FinalStep } from '../../../src/domain/blocked';
import { believeGone } from '../../../src/domain/believe-gone';
import { keepUnread } from '../../../src/domain/bounded-state';
import {
  keepDuplicate,
  keepReading,
  recordWitness,
  updateCandidate,
  leave,
  duplicateListings,
  unreadIds,
} from '../../../src/domain/candidates';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { EarlierAcceptance } from '../../../src/domain/acceptance';
import { applyListing, canBeBooked, isBookedOrDelivered } from '../../../src/domain/listing-progress';
import { wantedQuestion } from '../../../src/domain/listing-question';
import {
  enterPhase,
  initialState,
  keepEarlierAcceptance,
  leaveListing,
  switchListing,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { aBeside, aCandidate, aFurnitureShipment, aListing, anLtlShipment } from '../../support/builders';
import { fuzzing } from '../../support/fuzzing';

const AT = '2035-03-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const POLICY = { ...DEFAULT_POLICY, acceptance: { ...DEFAULT_POLICY.acceptance, windowMs: HOUR_MS } };
const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();
const fresh = initialState(anLtlShipment());
const by = (state: ShipmentState, step: FinalStep, { now = AT, policy = POLICY } = {}) =>
  blockedBecause(state, step, { now, policy })?.by ?? null;

const accepted = (said: EarlierAcceptance['said']): ShipmentState => ({
  ...fresh,
  earlierAcceptances: [{ rateId: 'r', executionId: 'e', carrier: 'Carrier', since: AT, leftOn: AT, said }],
});
const unread = keepUnread(fresh, ['8']);
const beside = { ...fresh, candidates: [aBeside('8')] };

test.each<[string, FinalStep, string | null, ShipmentState]>([
  ['nothing is known', 'book', null, fresh],
  ['nothing is known', 'close', null, fresh],
  ['an event names a listing that is not read', 'book', 'listing', unread],
  ['an event names a listing that is not read', 'close', 'listing', unread],
  ['one that is not read was waited for long enough', 'complete', null, unread],
  ['a second listing stands', 'book', 'listing', beside],
  ['a second listing stands', 'complete', 'listing', beside],
  ['a carrier may still answer', 'close', 'carrier', accepted({ kind: 'considered' })],
  ['a carrier may still answer', 'complete', 'carrier', accepted({ kind: 'considered' })],
  [
    "a carrier's time is over without an answer",
    'complete',
    'carrier',
    accepted({ kind: 'unanswered', isAsked: true }),
  ],
  ['a carrier said no', 'complete', null, accepted({ kind: 'over' })],
  ['a booked one has no record', 'book', 'carrier', accepted({ kind: 'unseen', listingId: '8' })],
  ['a carrier said no', 'book', null, accepted({ kind: 'over' })],
  ['somebody says of any listing that it is booked', 'book', null, recordWitness(fresh, '8', 'bookedEvent')],
])('where %s, the step %s is blocked by: %s', (_, step, expected, state) => {
  expect(by(state, step)).toBe(expected);
});

test('a carrier blocks for the time that it has, and no longer', () => {
  const state = accepted({ kind: 'considered' });
  expect(by(state, 'book', { now: later(HOUR_MS - 1) })).toBe('carrier');
  expect(by(state, 'book', { now: later(HOUR_MS) })).toBeNull();
});

test('without the search for duplicates only the lack of room blocks an order', () => {
  const policy = { ...POLICY, unsafeResendInDoubt: true };
  expect(by({ ...beside, earlierLoads: [] }, 'book', { policy })).toBeNull();
  const left = Array.from({ length: 100 }, (_unused, index) =>
    aCandidate(String(index), { place: { kind: 'left' } }),
  );
  expect(by({ ...fresh, candidates: left }, 'book', { policy })).toBe('room');
  expect(by({ ...fresh, candidates: left }, 'close', { policy })).toBeNull();
});

/** What may become known of one of five listings, in any order. */
const IDS = ['1', '2', '3', '4', '5'] as const;
const STATUSES = [
  'Active',
  'OnHold',
  'Booked',
  'Cancelled',
  'Expired',
  'Closed',
  'Completed',
  'Odd',
] as const;
const fact = fc.record({
  what: fc.constantFrom(
    ...(['named', 'read', 'told', 'followed', 'left', 'gone', 'rebooked', 'accepted'] as const),
  ),
  listingId: fc.constantFrom(...IDS),
  status: fc.constantFrom(...STATUSES),
  differs: fc.boolean(),
});
type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never;

const followed = ({ at }: ShipmentState): string | null => ('listingId' in at ? at.listingId : null);

/** Takes one fact as the workflow does: what is read is followed, kept beside, or left when it ended. */
function take(state: ShipmentState, { what, listingId, status, differs }: Fact): ShipmentState {
  const record = aListing({ listingId, status, readBy: 'key' });
  const own = followed(state);
  switch (what) {
    case 'named':
      return keepUnread(state, [listingId]);
    case 'told':
      return recordWitness(state, listingId, 'bookedEvent');
    case 'read': {
      if (own === listingId) return applyListing(keepReading(state, record), record, AT);
      const read = updateCandidate(state, listingId, { isUnread: false });
      if (!isBookedOrDelivered(record) && !canBeBooked(record)) return leave(read, listingId);
      return keepDuplicate(read, record, { difference: differs ? 'other weight' : null, at: AT });
    }
    case 'followed':
      return switchListing(state, { to: listingId });
    case 'left':
      return own === listingId ? state : leave(state, listingId);
    case 'gone':
      return updateCandidate(state, listingId, { gone: 'perhaps' });
    case 'rebooked':
      return own === null ? state : leaveListing(state, own);
    case 'accepted':
      return keepEarlierAcceptance(state, {
        ...{ rateId: 'r', executionId: listingId, carrier: 'Carrier', since: AT, leftOn: AT },
        said: { kind: 'considered' },
      });
    default:
      return assertNever(what);
  }
}

/** What the marketplace would say: whether the last reading of each listing that is not left shows one to be booked. */
function couldBeBooked(before: ReadonlySet<string>, one: Fact, own: string | null): ReadonlySet<string> {
  const could = new Set(before);
  if (one.what === 'read') {
    const record = aListing({ listingId: one.listingId, status: one.status });
    if (isBookedOrDelivered(record) || canBeBooked(record)) could.add(one.listingId);
    else could.delete(one.listingId);
  }
  // Whoever leaves one has seen that it is over; so the workflow does it.
  if (one.what === 'left') could.delete(one.listingId);
  if (own !== null) could.delete(own);
  return could;
}

/** What is wrong with a state beside which these listings could be booked. */
function faultsOf(state: ShipmentState, others: ReadonlySet<string>): readonly string[] {
  const own = followed(state);
  const ids = state.candidates.map(({ listingId }) => listingId);
  const allows = (step: FinalStep): boolean => by(state, step) === null;
  const isAccepted = state.earlierAcceptances.length > 0;
  const isUnread = unreadIds(state).length > 0;
  const faults: Readonly<Record<string, boolean>> = {
    'it books beside one': others.size > 0 && (allows('book') || allows('resend')),
    'it closes beside one': others.size > 0 && allows('close'),
    'it completes beside one': others.size > 0 && allows('complete'),
    'it asks nothing': others.size > 0 && own !== null && wantedQuestion(state, false) === null,
    'it books or closes before it has read all': isUnread && (allows('book') || allows('close')),
    'it books beside an acceptance': isAccepted && allows('book'),
    'it completes beside an acceptance': isAccepted && allows('complete'),
    'a listing stands twice': new Set(ids).size < ids.length,
    'the followed one stands beside itself': duplicateListings(state).some(
      ({ listingId }) => listingId === own,
    ),
    'the followed one is to be read': own !== null && unreadIds(state).includes(own),
  };
  return Object.keys(faults).filter((fault) => faults[fault] === true);
}

test('in any order of facts, nothing is booked, closed or completed while something else could be booked', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 40 }), (facts) => {
      let others: ReadonlySet<string> = new Set();
      let state = enterPhase(initialState(aFurnitureShipment()), { phase: 'quoting' });
      for (const one of facts) {
        const before = followed(state);
        state = take(state, one);
        others = couldBeBooked(others, one, followed(state));
        if (before !== null && before !== followed(state)) others = couldBeBooked(others, one, before);
        expect(faultsOf(state, others)).toEqual([]);
      }
    }),
    fuzzing(300),
  );
});

test('a listing that is perhaps gone counts as existing until a person has checked it', () => {
  const state = updateCandidate({ ...fresh, candidates: [aBeside('8')] }, '8', { gone: 'perhaps' });
  const question = {
    ...({ id: 'q1', kind: 'unexpectedFailure', text: 'Listing 8 answers 404.', since: AT } as const),
    ...({ answers: ['retry'], listingIds: ['8'], offer: null, supportAddress: null } as const),
  };
  const given = { questionId: 'q1', by: 'Pat', reason: 'seen', checked: 'it is gone' };
  const believed = believeGone({ ...state, question }, { ...given, answer: { kind: 'retry' } });
  expect(by(state, 'book')).toBe('listing');
  // It is left by the reading that follows, and not before.
  expect(by(believed, 'book')).toBe('listing');
  expect(by(leave(believed, '8'), 'book')).toBeNull();
});
