import { expect, test } from '@jest/globals';
import { raisedBy, type Money } from '../../../src/domain/money';
import {
  agreePrice,
  priceObjections,
  type AgreedPrice,
  type PriceCheck,
} from '../../../src/domain/price-objections';

const usd = (minorUnits: number): Money => ({ minorUnits, currency: 'USD' });
const DRIFTED = 'more than 10 % above the USD 100.00 that was agreed on';
const LIMITED = 'above the limit of USD 105.00';

const objectionsTo = (price: Money, over: Partial<PriceCheck> = {}): readonly string[] =>
  priceObjections({
    price,
    isSelected: false,
    priceLimit: null,
    driftPercent: 10,
    rateRequestId: 'second',
    agreedPrice: { price: usd(10_000), rateRequestId: 'first' },
    ...over,
  });

test.each<[string, readonly string[], Money, Partial<PriceCheck>]>([
  ['cheaper than the one before', [], usd(9_000), {}],
  ['just within the band', [], usd(10_999), {}],
  ['at the top of the band', [], usd(11_000), {}],
  ['a cent above the band', [DRIFTED], usd(11_001), {}],
  ['in another currency', [DRIFTED], { minorUnits: 10_000, currency: 'CAD' }, {}],
  ['dearer, of the same request', [], usd(20_000), { rateRequestId: 'first' }],
  ['the first one', [], usd(20_000), { agreedPrice: null }],
  ['at the limit', [], usd(10_500), { priceLimit: usd(10_500) }],
  ['above the limit', [LIMITED], usd(10_501), { priceLimit: usd(10_500) }],
  [
    'above the limit, of the same request',
    [LIMITED],
    usd(10_501),
    { priceLimit: usd(10_500), rateRequestId: 'first' },
  ],
  ['above both', [DRIFTED, LIMITED], usd(12_000), { priceLimit: usd(10_500) }],
  ['above the limit, selected by a person', [], usd(10_501), { priceLimit: usd(10_500), isSelected: true }],
])('a rate that is %s causes the objections %j', (_, objections, price, over) => {
  expect(objectionsTo(price, over)).toEqual(objections);
});

const agreed = (minorUnits: number, rateRequestId: string): AgreedPrice => ({
  price: usd(minorUnits),
  rateRequestId,
});

test.each<[string, AgreedPrice | null, AgreedPrice, boolean, 'before' | 'taken']>([
  ['the first one', null, agreed(10_000, 'first'), false, 'taken'],
  ['the next best of its request', agreed(10_000, 'first'), agreed(15_000, 'first'), false, 'taken'],
  ['within the band, of a later request', agreed(10_000, 'first'), agreed(10_900, 'second'), false, 'before'],
  ['cheaper, of a later request', agreed(10_000, 'first'), agreed(9_000, 'second'), false, 'before'],
  ['of a later request, by a person', agreed(10_000, 'first'), agreed(20_000, 'second'), true, 'taken'],
])('a rate that is %s is compared with %j: %j, by a person %s, leaves the one %s', (...row) => {
  const [, before, taken, isByPerson, left] = row;
  expect(agreePrice(before, taken, isByPerson)).toEqual(left === 'taken' ? taken : before);
});

test('rates that rise by a tenth with each request ask a person once they leave the band of the first', () => {
  let before: AgreedPrice | null = null;
  const asked = [10_000, 11_000, 12_100, 13_310].map((minorUnits, index) => {
    const taken = agreed(minorUnits, `request ${index}`);
    const objections = objectionsTo(taken.price, { ...taken, agreedPrice: before });
    before = agreePrice(before, taken, objections.length > 0);
    return objections;
  });
  expect(asked).toEqual([[], [], [DRIFTED], []]);
});

test.each([
  [100, 15, 115],
  [10_000, 7, 10_700],
  [33, 10, 36],
  [100, 0, 100],
  [1_000, 12.5, 1_125],
])('%i hundredths raised by %d percent are %i', (before, percent, after) => {
  expect(raisedBy(usd(before), percent)).toEqual(usd(after));
});
