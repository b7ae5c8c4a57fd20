import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { RATE_PREFERENCES, type RateRule } from '../../../src/domain/policy';
import {
  chooseRate,
  currencyTrouble,
  selectRate,
  type RateChoiceInput,
} from '../../../src/domain/rate-choice';
import { aRate } from '../../support/builders';

const NOW = '2035-03-01T12:00:00.000Z';
const carrier = (displayName: string, starRating: number | null) => ({
  ...aRate({ rateId: 'x' }).carrier,
  displayName,
  starRating,
});
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const RATES = [
  aRate({ rateId: 'a', totalPrice: usd(50_000), deliveryDelayInDays: 5, carrier: carrier('Slow', 4.1) }),
  aRate({ rateId: 'b', totalPrice: usd(70_000), deliveryDelayInDays: 1, carrier: carrier('Swift', 4.4) }),
  aRate({ rateId: 'c', totalPrice: usd(60_000), deliveryDelayInDays: null, carrier: carrier('Star', 4.9) }),
];
const choose = (rule: Partial<RateRule>, over: Partial<RateChoiceInput> = {}) =>
  chooseRate({
    rates: RATES,
    rule: { ...DEFAULT_POLICY.rateRule, ...rule },
    excludedRateIds: [],
    expiryMarginMs: 0,
    now: NOW,
    ...over,
  });

describe('the choice of a rate', () => {
  test.each([
    ['cheapest', 'a'],
    ['fastest', 'b'],
    ['bestRated', 'c'],
  ] as const)('%s takes rate %s', (prefer, rateId) => {
    expect(choose({ prefer }).chosen?.rateId).toBe(rateId);
  });

  test('by a person is kept like that of the policy, and the other rates keep why they lost', () => {
    const { losses } = choose({ priceCap: usd(1) });
    const [, swift] = RATES;
    if (swift === undefined) throw new Error('no such rate');
    const selected = selectRate(losses, swift, NOW);
    expect(selected).toMatchObject({ rule: 'person', chosen: { rateId: 'b' }, decidedAt: NOW });
    expect(selected.losses.map(({ rateId }) => rateId)).toEqual(['a', 'c']);
  });

  test('a rate that names no delivery time comes last where speed matters', () => {
    expect(choose({ prefer: 'fastest' }).losses.at(-1)).toMatchObject({
      rateId: 'c',
      why: 'names no delivery time',
    });
  });

  test.each<[string, Partial<RateRule>, string]>([
    ['above the cap', { priceCap: usd(55_000) }, 'is above the price cap of USD 550.00'],
    ['of a refused carrier', { refusedCarriers: ['STAR'] }, 'its carrier is refused'],
    ['of a carrier that is not allowed', { allowedCarriers: ['Slow'] }, 'its carrier is not allowed'],
    ['with too few stars', { minimumStars: 5 }, 'its carrier has 4.9 stars, fewer than 5'],
    ['with too few ratings', { minimumFeedbackCount: 500 }, 'its carrier has 100 ratings, fewer than 500'],
    [
      'of another service',
      { serviceTypes: ['WhiteGlove'] },
      'its service type LtlTransportOnly is not among WhiteGlove',
    ],
  ])('a rate %s is not chosen, and the decision says why', (_, rule, why) => {
    expect(choose(rule).losses).toContainEqual(expect.objectContaining({ rateId: 'c', why }));
  });

  test('a rate that failed before, or expires soon, is not chosen', () => {
    expect(choose({}, { excludedRateIds: ['a'] }).chosen?.rateId).toBe('c');
    expect(choose({}, { now: '2035-03-08T00:00:00.000Z' }).chosen).toBeNull();
  });

  test('a rate counts as expired only if nothing else was wrong with it', () => {
    const { losses } = choose(
      { refusedCarriers: ['Swift'], priceCap: usd(65_000) },
      { excludedRateIds: ['a'], now: '2035-03-08T00:00:00.000Z' },
    );
    const expired = losses.map(({ rateId, why, isExpired }) => [rateId, why, isExpired]);
    expect(expired).toEqual([
      ['a', 'was tried before and failed', false],
      ['b', 'is above the price cap of USD 650.00', false],
      ['c', expect.stringContaining('expires too soon'), true],
    ]);
  });

  test.each(RATE_PREFERENCES)(
    '%s never chooses a rate in another currency, however small its number',
    (prefer) => {
      const best = { deliveryDelayInDays: 0, carrier: carrier('Maple', 5) };
      const foreign = aRate({ rateId: 'm', totalPrice: { minorUnits: 100, currency: 'CAD' }, ...best });
      const { chosen, losses } = choose({ prefer }, { rates: [...RATES, foreign] });
      expect(chosen).toEqual(choose({ prefer }).chosen);
      const why = 'is priced in CAD, the account in USD';
      expect(losses).toContainEqual(expect.objectContaining({ rateId: 'm', why }));
    },
  );

  const maple = aRate({ rateId: 'm', totalPrice: { minorUnits: 100, currency: 'CAD' } });
  const TROUBLE = 'the rates are priced in CAD, the account in USD';
  test.each<[string, Partial<RateChoiceInput>, string | null]>([
    ['only rates of another currency', { rates: [maple] }, TROUBLE],
    ['one of its own that was tried before', { rates: [maple, ...RATES.slice(0, 1)] }, TROUBLE],
    ['one of its own that can be taken', { rates: [...RATES, maple] }, null],
    ['only rates that are over', { rates: [maple], now: '2035-03-08T00:00:00.000Z' }, null],
    ['no rates', { rates: [] }, null],
  ])('an account that is offered %s: is its currency in trouble?', (_, over, trouble) => {
    const input = { rates: [], excludedRateIds: ['a'], expiryMarginMs: 0, now: NOW };
    expect(currencyTrouble({ ...input, rule: DEFAULT_POLICY.rateRule, ...over })).toBe(trouble);
  });

  test("a rate in the account's own currency is chosen, whatever the currency", () => {
    const totalPrice = { minorUnits: 100, currency: 'CAD' };
    const rates = [aRate({ rateId: 'm', totalPrice, accountCurrency: 'CAD' })];
    expect(choose({}, { rates }).chosen?.rateId).toBe('m');
  });

  test("the decision keeps how each rate would move, and the carrier's text", () => {
    const described = {
      ...{ serviceType: 'WhiteGlove', transportMode: 'Rail', vehicleType: 'Undefined' },
      additionalInformation: 'Two-person team',
    };
    const rates = [aRate({ rateId: 'd', totalPrice: usd(40_000), ...described }), ...RATES];
    const { chosen } = choose({}, { rates });
    expect(chosen).toMatchObject({ rateId: 'd', ...described });
    const { losses } = choose({ prefer: 'bestRated' }, { rates });
    expect(losses).toContainEqual(expect.objectContaining({ rateId: 'd', ...described }));
  });

  test('the decision names each rate once and never depends on the order of the rates', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(RATES, { minLength: 3 }),
        fc.constantFrom(...RATE_PREFERENCES),
        (rates, prefer) => {
          const decision = choose({ prefer }, { rates });
          expect(decision.chosen).toEqual(choose({ prefer }).chosen);
          expect(decision.losses.length + 1).toBe(rates.length);
        },
      ),
    );
  });
});
