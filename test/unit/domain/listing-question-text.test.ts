import { expect, test } from '@jest/globals';
import {
  LISTING_QUESTIONS,
  wantedQuestion,
  type ListingQuestion,
} from '../../../src/domain/listing-question';
import { listingQuestion, TAKEN_BACK } from '../../../src/domain/listing-question-text';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aBeside, aFurnitureShipment, aListing } from '../../support/builders';

const NOW = '2035-03-09T12:00:00.000Z';
const shipment = aFurnitureShipment();
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const booked: ShipmentState = {
  ...enterPhase(initialState(shipment), { phase: 'booked', listingId: '7' }),
  listing: aListing({ listingId: '7', status: 'Booked', transitStatus: 'Dispatched' }),
  late: { kind: 'notPickedUp', since: NOW, isSeen: false },
  priceChange: { accepted: usd(50_000), price: usd(60_000), since: NOW },
  candidates: [aBeside('8')],
  unreadable: { since: NOW, reason: 'HTTP 404', isMissing: true },
  earlierAcceptances: [
    {
      ...{ rateId: 'r-1', executionId: 'e-1', carrier: 'Acme Freight', since: NOW, leftOn: NOW },
      said: { kind: 'unanswered', isAsked: false },
    },
  ],
};
const pickedUp: ShipmentState = {
  ...booked,
  listing: aListing({ status: 'Cancelled', transitStatus: 'PickedUp' }),
  pickedUpAt: NOW,
};
const ask = (kind: ListingQuestion, state = booked) =>
  listingQuestion(kind, { state, shipment, listingId: '7', now: NOW });

test('each question about a listing names the listing, what can be answered, and why it would close', () => {
  for (const kind of LISTING_QUESTIONS) {
    const { text, answers, ...rest } = ask(kind);
    expect(rest).toEqual({ kind });
    expect(text).toMatch(/[Ll]isting 7\b/);
    expect(answers.length).toBeGreaterThan(0);
    expect(TAKEN_BACK[kind]).not.toBe('');
  }
});

test.each<[ListingQuestion, string, ShipmentState, readonly string[]]>([
  ['listingEnded', 'its goods are on a truck', pickedUp, ['picked up on 2035-03-09', 'rebook', '--checked']],
  ['listingMissing', 'its goods are on a truck', pickedUp, ['It was picked up on 2035-03-09.', 'HTTP 404']],
  [
    'listingEnded',
    'its record is gone',
    { ...booked, listing: null },
    ['Listing 7 is gone', 'not picked up'],
  ],
  [
    'possibleDoubleBooking',
    'the other differs',
    { ...booked, candidates: [aBeside('8', { difference: 'another weight' })] },
    ['7 (Booked)', '8 (Active, another weight)', 'acme/SO-1', 'consign show acme/SO-1'],
  ],
  [
    'late',
    'no carrier has booked it',
    { ...booked, late: { kind: 'unbooked', since: NOW, isSeen: false } },
    ['Look at the listing, or cancel the order'],
  ],
  ['late', 'the carrier is unknown', { ...booked, listing: null }, ['Call a carrier']],
  [
    'unansweredAcceptance',
    'one has no answer',
    booked,
    ['Acme Freight (rate r-1, accepted 2035-03-09T12:00:00.000Z)', 'answer acme/SO-1 retry --checked'],
  ],
  ['priceChanged', 'it rose', booked, ['USD 600.00', 'USD 500.00', NOW]],
])('the question %s, where %s, says so', (kind, _where, state, said) => {
  const { text } = ask(kind, state);
  for (const part of said) expect(text).toContain(part);
});

test.each<[ListingQuestion, Partial<ShipmentState>]>([
  ['priceChanged', { priceChange: null }],
  ['late', { late: null }],
])('the question %s without its reason is a bug', (kind, over) => {
  expect(() => ask(kind, { ...booked, ...over })).toThrow(TypeError);
});

test('an acceptance without an answer is asked about after what is wrong with a listing, and before price and delay', () => {
  const named: (ListingQuestion | null)[] = [];
  let state = booked;
  for (const over of [{ unreadable: null }, { candidates: [] }, { earlierAcceptances: [] }]) {
    named.push(wantedQuestion(state, false));
    state = { ...state, ...over };
  }
  expect([...named, wantedQuestion(state, false)]).toEqual([
    ...['listingMissing', 'possibleDoubleBooking', 'unansweredAcceptance', 'priceChanged'],
  ]);
});
