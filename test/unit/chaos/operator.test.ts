import { describe, expect, test } from '@jest/globals';
import { decide, decideLate } from '../../../chaos/operator';
import type { Question } from '../../../src/domain/question';
import type { LedgerAcceptance, LedgerListing } from '../../../sandbox';
import { aRate } from '../../support/builders';

type Desk = Parameters<typeof decide>[0];

const SINCE = '2035-03-01T10:00:00.000Z';
const after = (seconds: number): Date => new Date(Date.parse(SINCE) + seconds * 1_000);

const aQuestion = (over: Partial<Question> = {}): Question => ({
  id: 'q1',
  kind: 'inDoubt',
  text: 'Nobody knows.',
  since: SINCE,
  answers: ['adopt', 'resend', 'abandon'],
  ...{ listingIds: [], offer: null, supportAddress: null },
  ...over,
});

const aDesk = (over: Partial<Desk> = {}): Desk => ({
  question: aQuestion(),
  kind: 'furniture',
  rates: [],
  followed: null,
  website: { listings: [], acceptances: [] },
  seed: 's/C-1',
  now: after(10),
  ...over,
});

const listing = (listingId: number, over: Partial<LedgerListing> = {}): LedgerListing =>
  ({
    ...{ listingId, status: 'Booked', isLiveBooking: true },
    ...{ isDeleted: false, hasPendingBookingRequest: false, createdBy: 'createListing' },
    ...over,
  }) as LedgerListing;
const OPEN = { status: 'Active', isLiveBooking: false };
const shown = (...listings: LedgerListing[]) => ({ listings, acceptances: [] });
const answered = (answer: unknown, checked: string | null = null) => ({ kind: 'answer', answer, checked });
const adoptLive = (listingId: string, checked = 'there is no other booking') =>
  answered({ kind: 'adopt', listingId }, checked);
const adopt = (listingId: string) => answered({ kind: 'adopt', listingId });

describe('asked about a write in doubt, the person', () => {
  test('adopts the listing that is booked before one that is only on the market', () => {
    expect(decide(aDesk({ website: shown(listing(1, OPEN), listing(2)) }))).toEqual(adoptLive('2'));
  });

  const sent = (...listingIds: number[]): LedgerAcceptance[] =>
    listingIds.map((listingId) => ({ listingId, outcome: 'booked' }) as LedgerAcceptance);
  const ARRIVED = { transitStatus: 'Delivered' } as const;

  test.each([
    ['the last one sent, where both are on their way', listing(1), listing(2), '2', '1'],
    ['the one that has arrived', listing(1, ARRIVED), listing(2), '1', '2'],
    ['the last one sent, where both have arrived', listing(1, ARRIVED), listing(2, ARRIVED), '2', null],
  ])('finds two bookings, keeps %s, and cancels the other if it can', (_, one, other, kept, cancelled) => {
    const website = { listings: [other, one], acceptances: sent(1, 2) };
    expect(decide(aDesk({ kind: 'ltl', website }))).toEqual(
      cancelled === null
        ? adoptLive(kept, 'the others are delivered too')
        : { kind: 'cancelBooking', listingId: cancelled },
    );
    expect(decide(aDesk({ website: shown(listing(Number(kept))) }))).toEqual(adoptLive(kept));
  });

  test('takes back what a carrier still considers before it adopts the listing of another acceptance', () => {
    const acceptances = [{ executionId: 'e-2', outcome: 'pending' } as LedgerAcceptance];
    expect(decide(aDesk({ kind: 'ltl', website: { listings: [listing(1)], acceptances } }))).toEqual({
      ...{ kind: 'withdrawAcceptance', executionId: 'e-2' },
    });
  });

  test('adopts a furniture listing on the market, and cancels an LTL one, which a failed acceptance left', () => {
    const website = shown(listing(1, OPEN));
    expect(decide(aDesk({ website }))).toEqual(adopt('1'));
    const several = shown(listing(1, OPEN), listing(2, OPEN));
    expect(decide(aDesk({ website: several }))).toEqual({ kind: 'cancelBooking', listingId: '1' });
    expect(decide(aDesk({ website, kind: 'ltl' }))).toEqual({ kind: 'cancelBooking', listingId: '1' });
  });

  const early = aQuestion({ resendFrom: after(60).toISOString() });
  const thinking = listing(1, { ...OPEN, hasPendingBookingRequest: true });
  test.each([
    ['was just asked', aDesk({ now: after(2) })],
    ['may not resend yet', aDesk({ kind: 'ltl', question: early, now: after(59) })],
    ['sees a carrier think', aDesk({ website: shown(thinking) })],
  ])('waits when it %s', (_, desk) => {
    expect(decide(desk)).toEqual({ kind: 'wait' });
  });

  const fifty = (desk: Partial<Desk> = {}) =>
    Array.from({ length: 50 }, (_, order) => decide(aDesk({ ...desk, seed: `s/C-${order}` })));

  const acceptance = (executionId: string, outcome: LedgerAcceptance['outcome']): LedgerAcceptance =>
    ({ executionId, outcome }) as LedgerAcceptance;

  test('has a pending acceptance taken back before anything is sent again or given up', () => {
    const website = {
      listings: [],
      acceptances: [acceptance('e-1', 'failed'), acceptance('e-2', 'pending')],
    };
    expect(fifty({ kind: 'ltl', website })).toEqual(
      Array.from({ length: 50 }, () => ({ kind: 'withdrawAcceptance', executionId: 'e-2' })),
    );
  });

  test('takes no acceptance back while the carrier may still answer', () => {
    const website = { listings: [], acceptances: [acceptance('e-2', 'pending')] };
    expect(decide(aDesk({ kind: 'ltl', question: early, now: after(59), website }))).toEqual({
      kind: 'wait',
    });
  });

  test('resends or abandons what does not exist, the same order always alike', () => {
    const moves = fifty();
    expect(moves).toContainEqual(answered({ kind: 'resend' }));
    expect(moves).toContainEqual(answered({ kind: 'abandon' }));
    expect(fifty()).toEqual(moves);
  });
});

test('asked why nothing is closed, the person has the acceptance taken back, and waits', () => {
  const text =
    'Nothing is booked or closed for now: Acme may still book what was accepted before, until 2035.';
  const question = aQuestion({ kind: 'stillConsidered', text, answers: ['retry', 'cancel'] });
  const pending = { executionId: 'e-1', outcome: 'pending' } as LedgerAcceptance;
  const withdraw = { kind: 'withdrawAcceptance', executionId: 'e-1' };
  const of = (acceptances: LedgerAcceptance[], over = {}) =>
    decide(aDesk({ question: { ...question, ...over }, website: { listings: [], acceptances } }));
  expect([of([pending]), of([]), of([pending], { text: 'in other words' })]).toEqual([
    ...[withdraw, { kind: 'wait' }, withdraw],
  ]);
  // The text decides nothing, whatever it says.
  expect(of([pending], { kind: 'unexpectedFailure' })).toEqual(answered({ kind: 'retry' }));
});

test('asked about an acceptance without an answer, the person leaves one truck, and says so', () => {
  const question = aQuestion({ kind: 'unansweredAcceptance', answers: ['retry'] });
  const pending = { executionId: 'e-1', outcome: 'pending' } as LedgerAcceptance;
  const of = (listings: LedgerListing[], acceptances: LedgerAcceptance[] = []) =>
    decide(aDesk({ question, followed: '1', website: { listings, acceptances } }));
  expect(of([listing(1)], [pending])).toEqual({ kind: 'withdrawAcceptance', executionId: 'e-1' });
  expect(of([listing(1), listing(2)])).toEqual({ kind: 'cancelBooking', listingId: '2' });
  expect(of([listing(1)])).toEqual(answered({ kind: 'retry' }, 'no other truck comes'));
});

test('asked about a listing that ended, the person waits whether it lives again, then rebooks or closes', () => {
  const question = aQuestion({ kind: 'listingEnded', answers: ['rebook', 'close'] });
  expect(decide(aDesk({ question, now: after(1) }))).toEqual({ kind: 'wait' });
  const moves = Array.from({ length: 50 }, (_, order) => decide(aDesk({ question, seed: `s/C-${order}` })));
  expect(moves).toContainEqual(answered({ kind: 'rebook' }));
  expect(moves).toContainEqual(answered({ kind: 'close' }));
});

test('asked about a write in doubt, the person adopts nothing that somebody posted by hand', () => {
  const website = shown(listing(1, { ...OPEN, createdBy: 'hand' }));
  expect(decide(aDesk({ website }))).not.toEqual(adopt('1'));
});

describe('asked about a possible double booking, the person', () => {
  const question = aQuestion({ kind: 'possibleDoubleBooking', answers: ['adopt', 'retry'] });

  test('cancels the booking that is not followed, when both are booked', () => {
    const desk = aDesk({ question, followed: '1', website: shown(listing(1), listing(2)) });
    expect(decide(desk)).toEqual({ kind: 'cancelBooking', listingId: '2' });
  });

  const arrived = { status: 'Completed', transitStatus: 'Delivered' };

  test('cancels the truck that is still on its way when another has delivered, followed or not', () => {
    const website = shown(listing(1), listing(2, arrived));
    for (const followed of ['1', '2', null])
      expect(decide(aDesk({ question, followed, website }))).toEqual({
        kind: 'cancelBooking',
        listingId: '1',
      });
  });

  test.each(['1', '2', null])(
    'has it looked at again when all were delivered, which nobody can undo, and %s is followed',
    (followed) => {
      const website = shown(listing(1, arrived), listing(2, arrived));
      expect(decide(aDesk({ question, followed, website }))).toEqual(answered({ kind: 'retry' }));
    },
  );

  test('has it looked at again when none is booked any more', () => {
    const website = shown(listing(1, OPEN));
    expect(decide(aDesk({ question, followed: '1', website }))).toEqual(answered({ kind: 'retry' }));
  });

  test('keeps the only one that is booked', () => {
    const desk = aDesk({ question, followed: '1', website: shown(listing(1, OPEN), listing(2)) });
    expect(decide(desk)).toEqual(adopt('2'));
  });
});

test('when no rate fits the policy, the person takes one that is not over, or asks again', () => {
  const question = aQuestion({ kind: 'rateChoice', answers: ['selectRate', 'retry'] });
  const over = aRate({ rateId: 'over', expiresAt: SINCE });
  const good = aRate({ rateId: 'good', expiresAt: after(3_600).toISOString() });
  expect(decide(aDesk({ question, rates: [over, good] }))).toEqual(
    answered({ kind: 'selectRate', rateId: 'good' }),
  );
  expect(decide(aDesk({ question, rates: [over] }))).toEqual(answered({ kind: 'retry' }));
});

test.each<[string, LedgerListing[], ReturnType<typeof decideLate>]>([
  ['on its way is cancelled', [listing(7)], { kind: 'cancelBooking', listingId: '7' }],
  ['on the market is taken down', [listing(7, OPEN)], { kind: 'cancelBooking', listingId: '7' }],
  [
    'a carrier thinks about is waited for',
    [listing(7, { ...OPEN, hasPendingBookingRequest: true })],
    { kind: 'wait' },
  ],
  ['delivered is only acknowledged', [listing(7, { transitStatus: 'Delivered' })], null],
  ['nobody knows is only acknowledged', [listing(8)], null],
])('told of a listing of an order that is over, one that is %s', (_, listings, move) => {
  expect(decideLate('7', { listings })).toEqual(move);
});

test.each([
  ['which the website shows to be gone', { isDeleted: true }, 'it is not on the website'],
  ['which the website shows', { isDeleted: false }, null],
])(
  'asked about a listing that cannot be read, %s, the person says what was looked up',
  (_, over, checked) => {
    const question = aQuestion({ kind: 'unexpectedFailure', answers: ['retry'], listingIds: ['1'] });
    const website = shown(listing(1, { ...OPEN, ...over }), listing(2, { ...OPEN, isDeleted: true }));
    expect(decide(aDesk({ question, website }))).toEqual(answered({ kind: 'retry' }, checked));
  },
);
