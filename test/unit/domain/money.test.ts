import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addMoney,
  formatMoney,
  isAbove,
  moneyFromNumber,
  parseMoney,
  toAmount,
} from '../../../src/domain/money';

describe('money', () => {
  test.each([
    ['650', 65_000],
    ['650.5', 65_050],
    ['0.01', 1],
    ['4000.500', 400_050],
    ['-3.10', -310],
  ])('%s is read as %i hundredths', (text, minorUnits) => {
    expect(parseMoney(text, 'USD')).toEqual({ minorUnits, currency: 'USD' });
  });

  test.each(['', 'abc', '1,000', '1e3', '0.005', '.5', '1.', 'NaN', '9999999999999'])(
    '%p is not an amount',
    (text) => {
      expect(parseMoney(text, 'USD')).toBeNull();
    },
  );

  test('what is formatted keeps every hundredth, whatever the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (minorUnits) => {
        const text = formatMoney({ minorUnits, currency: 'USD' }).replace('USD ', '').replaceAll(',', '');
        expect(parseMoney(text, 'USD')?.minorUnits).toBe(minorUnits === 0 ? 0 : minorUnits);
      }),
    );
  });

  test('an amount survives the way to the wire and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (minorUnits) => {
        expect(moneyFromNumber(toAmount({ minorUnits, currency: 'CAD' }), 'CAD').minorUnits).toBe(minorUnits);
      }),
    );
  });

  test('a price in another currency than the limit counts as above it', () => {
    expect(isAbove({ minorUnits: 1, currency: 'CAD' }, { minorUnits: 100, currency: 'USD' })).toBe(true);
    expect(isAbove({ minorUnits: 100, currency: 'USD' }, { minorUnits: 100, currency: 'USD' })).toBe(false);
  });

  test('amounts of two currencies have no sum', () => {
    expect(addMoney({ minorUnits: 1, currency: 'USD' }, { minorUnits: 2, currency: 'CAD' })).toBeNull();
    expect(addMoney({ minorUnits: 1, currency: 'USD' }, { minorUnits: 2, currency: 'USD' })?.minorUnits).toBe(
      3,
    );
  });
});
