import { knownListingIds } from '../../../src/domain/candidates';
import { expect, test } from '@jest/globals';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import {
  deliveredResult,
  parseWithdrawal,
  priceLines,
  withdrawalOf,
} from '../../../src/domain/shipment-result';
import { aBeside, aCandidate, aFurnitureShipment, aLeft, aListing } from '../../support/builders';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' }) as const;
const priced: ShipmentState = {
  ...initialState(aFurnitureShipment()),
  fixedPrice: {
    price: usd(22_697),
    listPrice: usd(19_235),
    premium: usd(3_600),
    total: usd(26_297),
    priceCorrelationId: null,
  },
};
const listed: ShipmentState = { ...priced, listing: aListing({ totalCost: usd(19_235) }) };

test("the customer's price and the listing's cost are separate", () => {
  expect(priceLines(listed)).toEqual([
    ['Customer pays', 'USD 262.97 (price USD 226.97, premium USD 36.00)'],
    ['Listing costs', "USD 192.35 (by the marketplace's record)"],
  ]);
});

test('under the setting priceWithPremium the text about the list price stays true', () => {
  const total = usd(26_297);
  const fixedPrice = {
    ...priced.fixedPrice,
    ...{ price: usd(22_697), premium: usd(3_600) },
    total,
    listPrice: total,
  };
  const state: ShipmentState = {
    ...priced,
    fixedPrice: { ...fixedPrice, priceCorrelationId: null },
    listing: aListing({ totalCost: total }),
  };
  expect(priceLines(state)[1]).toEqual(['Listing costs', "USD 262.97 (by the marketplace's record)"]);
});

test('without a listing there is no line about its cost', () => {
  expect(priceLines(priced)[1]).toEqual(['Listing costs', null]);
});

test("a correction changes the listing's cost, and not the customer's price", () => {
  const corrected = { ...listed, listing: aListing({ totalCost: usd(21_000) }) };
  expect(deliveredResult(corrected, '7')).toMatchObject({ price: usd(21_000), customerPrice: usd(26_297) });
});

test('every listing that is, was or may be the order’s is returned once, in any phase', () => {
  const state: ShipmentState = {
    ...priced,
    at: { phase: 'awaitingBooking', listingId: '2', unverified: null },
    listing: aListing({ listingId: '2' }),
    candidates: [aCandidate('4', { isUnread: true }), { ...aLeft('1'), isUnread: true }, aBeside('3')],
  };
  expect(knownListingIds(state)).toEqual(['4', '3', '1', '2']);
  expect(knownListingIds(priced)).toEqual([]);
});

test('a withdrawal says who, why, when and which listings were the order’s', () => {
  const end = {
    phase: 'cancelled',
    by: 'Pat',
    reason: 'not wanted',
    endedAt: '2035-03-01T12:00:00.000Z',
  } as const;
  const withdrawal = withdrawalOf({ ...priced, candidates: [aLeft('1')] }, end);
  expect(withdrawal).toEqual({ by: 'Pat', reason: 'not wanted', at: end.endedAt, listingIds: ['1'] });
  expect(parseWithdrawal(withdrawal)).toEqual(withdrawal);
});

test.each([undefined, null, 'withdrawn', {}, { by: 'Pat', reason: 1, at: 'now' }])(
  'a memo that holds %j is no withdrawal',
  (memo) => expect(parseWithdrawal(memo)).toBeNull(),
);

test.each([
  ['none', [], null],
  ['one', [{ number: '77', type: 'ThirdPartyTracking', label: null }], '77'],
  [
    'several, of which the last counts',
    ['77', '88'].map((number) => ({ number, type: 'ThirdPartyTracking', label: null })),
    '88',
  ],
  ['one of another type', [{ number: '99', type: 'SKU', label: null }], null],
])('a record that names %s shows the PRO number', (_, referenceNumbers, proNumber) => {
  expect(deliveredResult({ ...listed, listing: aListing({ referenceNumbers }) }, '7')).toMatchObject({
    proNumber,
  });
});
