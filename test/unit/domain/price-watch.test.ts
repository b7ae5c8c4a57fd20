import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wantedQuestion } from '../../../src/domain/listing-question';
import { applyPriceWatch, approvePrice, likelyCause } from '../../../src/domain/price-watch';
import type { Money } from '../../../src/domain/money';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing } from '../../support/builders';

const shipment = aFurnitureShipment();
const NOW = '2035-03-09T12:00:00.000Z';
const usd = (minorUnits: number): Money => ({ minorUnits, currency: 'USD' });
const booked: ShipmentState = enterPhase(initialState(shipment), { phase: 'booked', listingId: '273679133' });
const moment = { shipment, policy: { priceTolerancePercent: 5 }, now: NOW };
/** The state after readings with these totals, one after the other. */
const read = (totals: readonly Money[], from = booked): ShipmentState =>
  totals.reduce(
    (state, totalCost) =>
      applyPriceWatch({ ...state, listing: aListing({ status: 'Booked', totalCost }) }, moment),
    from,
  );

test('the first total of a booked listing is accepted', () => {
  expect(read([usd(50_000)])).toMatchObject({ acceptedPrice: usd(50_000), priceChange: null });
});

test('a price within the tolerance asks nothing, and does not become the measure', () => {
  const crept = read([usd(50_000), usd(51_000), usd(52_500)]);
  expect(crept).toMatchObject({ acceptedPrice: usd(50_000), priceChange: null });
  expect(read([usd(52_501)], crept).priceChange).toEqual({
    accepted: usd(50_000),
    price: usd(52_501),
    since: NOW,
  });
});

test('a price in another currency is beyond every tolerance', () => {
  const cad = { minorUnits: 50_000, currency: 'CAD' };
  expect(read([usd(50_000), cad]).priceChange?.price).toEqual(cad);
});

test('an approved price is the new measure', () => {
  const raised = read([usd(50_000), usd(60_000)]);
  expect(wantedQuestion(raised, false)).toBe('priceChanged');
  const approved = approvePrice(raised);
  expect(approved).toMatchObject({ acceptedPrice: usd(60_000), priceChange: null });
  expect(wantedQuestion(read([usd(60_000)], approved), false)).toBeNull();
});

test('a price that was taken back closes the question', () => {
  expect(wantedQuestion(read([usd(50_000), usd(60_000), usd(50_000)]), false)).toBeNull();
});

test('whatever the prices, only one above the accepted price and its tolerance asks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 }), (amounts) => {
      const state = read(amounts.map(usd));
      const limit = Math.floor(((amounts[0] ?? 0) * 105) / 100);
      expect(state.priceChange !== null).toBe((amounts.at(-1) ?? 0) > limit);
    }),
  );
});

test('the record is asked for the likely cause', () => {
  const heavier = { ...booked, listing: aListing({ totalWeightInGrams: 900_000 }) };
  expect(likelyCause(heavier, shipment)).toMatch(/^the record's weight is 900 kg, the order's \d+ kg$/);
  expect(likelyCause(booked, shipment)).toContain('the record does not say');
});
