import { expect, test } from '@jest/globals';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { priceLines, shipmentResult } from '../../../src/domain/shipment-result';
import { aFurnitureShipment, aListing } from '../../support/builders';

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

test('what the customer pays is told apart from what the listing costs', () => {
  expect(priceLines(listed)).toEqual([
    ['Customer pays', 'USD 262.97 (price USD 226.97, premium USD 36.00)'],
    ['Listing costs', "USD 192.35 (by the marketplace's record)"],
  ]);
});

test('under the setting priceWithPremium nothing false is said of the list price', () => {
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

test('without a listing nothing is said of its cost', () => {
  expect(priceLines(priced)[1]).toEqual(['Listing costs', null]);
});

test('a correction changes what the listing costs and not what the customer was told', () => {
  const corrected = { ...listed, listing: aListing({ totalCost: usd(21_000) }) };
  expect(shipmentResult(corrected, '7')).toMatchObject({ price: usd(21_000), customerPrice: usd(26_297) });
});

test.each([
  ['none', [], null],
  ['one', [{ number: '77', type: 'ThirdPartyTracking', label: null }], '77'],
  [
    'several, of which the last counts',
    ['77', '88'].map((number) => ({ number, type: 'ThirdPartyTracking', label: null })),
    '88',
  ],
  ['one of another type', [{ number: '99', type: 'SKU', label: null }], null],
])('a record that names %s tells the PRO number', (_, referenceNumbers, proNumber) => {
  expect(shipmentResult({ ...listed, listing: aListing({ referenceNumbers }) }, '7')).toMatchObject({
    proNumber,
  });
});
