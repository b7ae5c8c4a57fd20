import { keepUnread } from '../../../src/domain/bounded-state';
import { expect, test } from '@jest/globals';
import {
  datePhase,
  enterPhase,
  initialState,
  isPassing,
  addTimeline,
} from '../../../src/domain/shipment-state';
import { waitColumn } from '../../../src/domain/waiting';
import { aFurnitureShipment, aListing, waitOf } from '../../support/builders';

const state = initialState(aFurnitureShipment());
const booked = datePhase(enterPhase(state, { phase: 'booked', listingId: '7' }), '2035-03-01T08:00:00Z');

test('a wait keeps its date, whatever is noted in the meantime', () => {
  const noted = datePhase(addTimeline(booked, '2035-03-02T09:00:00Z', 'a position'), '2035-03-02T09:00:00Z');
  expect(waitOf(noted)).toMatchObject({
    what: 'the carrier to pick up',
    since: '2035-03-01T08:00:00Z',
  });
});

test('a booked order waits until its last pickup day ends, and a truck on the road until its last delivery day does', () => {
  expect(waitOf(booked)?.until).toBe('2035-03-10T06:00:00.000Z');
  const onRoad = enterPhase(booked, { phase: 'inTransit', listingId: '7' });
  const listing = aListing({ deliveryWindow: { earliestOn: null, latestOn: '2035-03-12' } });
  expect(waitOf({ ...onRoad, listing })?.until).toBe('2035-03-13T05:00:00.000Z');
});

test.each([
  ['the delivery', 'the delivery'],
  ['a carrier to book listing 7; until 2035-03-01T08:00:00Z', undefined],
  ['x'.repeat(5_000), `${'x'.repeat(97)}…`],
])('the column of a list contains only what is waited for, shortened: %#', (what, column = what) => {
  const waiting = {
    what,
    since: '2035-03-01T08:00:00Z',
    until: '2035-03-02T08:00:00Z',
    mayDo: 'nothing to do',
  };
  expect(waitColumn(waiting)).toBe(column);
});

test('a question says where to get help, separate from its text', () => {
  const question = {
    ...({ id: 'q1-noRates', kind: 'noRates', text: 'None.', since: '2035-03-01T08:00:00Z' } as const),
    ...{ answers: [], listingIds: [], offer: null },
  };
  const what = (supportAddress: string | null) =>
    waitOf({ ...state, question: { ...question, supportAddress } })?.what;
  expect(what('help@acme.example')).toBe('a person: None. Support: help@acme.example.');
  expect(what(null)).toBe('a person: None.');
});

test('another phase is another wait, and so is the same one entered again', () => {
  for (const phase of ['booked', 'inTransit'] as const) {
    const entered = enterPhase(booked, { phase, listingId: '8' });
    expect(entered.phaseSince).toBeNull();
    expect(datePhase(entered, '2035-03-03T10:00:00Z').phaseSince).toBe('2035-03-03T10:00:00Z');
  }
});

test('a carrier that asked to book the listing is named while it considers', () => {
  const awaiting = enterPhase(state, { phase: 'awaitingBooking', unverified: null, listingId: '7' });
  const what = (hasPendingBookingRequest: boolean | null) =>
    waitOf({ ...awaiting, listing: aListing({ hasPendingBookingRequest }) })?.what;
  expect(what(true)).toBe(
    'a carrier to book listing 7 (a carrier asked to book it, and has up to a business day)',
  );
  expect(what(false)).toBe('a carrier to book listing 7');
  expect(what(null)).toBe('a carrier to book listing 7');
});

test('a settled order that an unreadable listing keeps open names the listing until it is read', () => {
  const since = '2035-03-12T08:00:00.000Z';
  const delivered = enterPhase(booked, {
    phase: 'delivered',
    listingId: '7',
    ...{ deliveredAt: '2035-03-03T08:00:00.000Z', readsOnSince: since },
  });
  const of = (unread: string[]) => waitOf(keepUnread(delivered, unread));
  const until = '2035-03-14T08:00:00.000Z';
  expect(of(['8'])).toMatchObject({ what: 'listing 8 to be readable, which an event named', since, until });
  expect(of([])).toMatchObject({ what: 'corrections of the price', since: '2035-03-03T08:00:00.000Z' });
});

test.each(['booked', 'inTransit'] as const)(
  'a wait while %s says where to find the link that cancels',
  (phase) => {
    const listing = aListing({ cancellationLink: 'https://market.example/cancel?key=1' });
    const waiting = waitOf({ ...enterPhase(state, { phase, listingId: '7' }), listing });
    expect(waiting?.mayDo).toBe(
      'nothing to do; `consign show acme/SO-1` has the link that cancels the booking',
    );
  },
);

test.each([
  ['quoting', true],
  ['listing', false],
] as const)(
  'an order in phase %s still shows the text of its start: %s, because every write must be shown',
  (phase, is) => {
    const at =
      phase === 'listing' ? ({ phase, doubt: null, isResent: false } as const) : ({ phase } as const);
    expect(isPassing(enterPhase(state, at))).toBe(is);
  },
);
