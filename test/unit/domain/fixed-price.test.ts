import { expect, test } from '@jest/globals';
import { withPremium } from '../../../src/domain/fixed-price';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const answer = {
  ...{ price: usd(22_697), listPrice: usd(19_235), priceCorrelationId: 'c-1' },
  ...({ premium: 'unknown', isListedAtTotal: false } as const),
};

test('a stated premium is added to the price, and the listing keeps its own price', () => {
  expect(withPremium(answer, usd(4_850))).toEqual({
    ...{ price: usd(22_697), listPrice: usd(19_235), priceCorrelationId: 'c-1' },
    ...{ premium: usd(4_850), total: usd(27_547) },
  });
});

test('where listings are offered at the total, a stated premium is added to the offer', () => {
  expect(withPremium({ ...answer, isListedAtTotal: true }, usd(1))?.listPrice).toEqual(usd(22_698));
});

test('a premium in another currency makes no total', () => {
  expect(withPremium(answer, { minorUnits: 4_850, currency: 'CAD' })).toBeNull();
});
