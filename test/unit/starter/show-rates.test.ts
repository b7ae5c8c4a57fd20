import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { chooseRate, selectRate, type RateDecision } from '../../../src/domain/rate-choice';
import { rateLines } from '../../../src/starter/cli/show-rates';
import { aRate } from '../../support/builders';

const decide = (...rates: readonly ReturnType<typeof aRate>[]): RateDecision =>
  chooseRate({
    ...{ rates, rule: DEFAULT_POLICY.rateRule, excludedRateIds: [], expiryMarginMs: 0 },
    now: '2035-03-01T00:00:00.000Z',
  });
const dear = aRate({
  ...{ rateId: 'b', totalPrice: { minorUnits: 90_000, currency: 'USD' } },
  ...{ serviceType: 'WhiteGlove', vehicleType: 'Undefined', additionalInformation: 'Two-person team' },
});

test("the chosen and the lost rates show service, mode, vehicle and the carrier's text", () => {
  expect(rateLines(decide(aRate({ rateId: 'a' }), dear))).toEqual([
    expect.stringContaining('Rate chosen by the policy'),
    '  Carrier, USD 500.00 (LtlTransportOnly, Trucking, Van): the best fit by cheapest',
    expect.stringContaining('Rates not chosen'),
    '  Carrier, USD 900.00 (WhiteGlove, Trucking; "Two-person team"): costs more (USD 900.00)',
  ]);
});

test('a rate that a person selected is not shown as the choice of the policy', () => {
  const { losses, decidedAt } = decide(aRate({ rateId: 'a' }), dear);
  expect(rateLines(selectRate(losses, dear, decidedAt))).toEqual([
    expect.stringContaining('Rate chosen by a person'),
    '  Carrier, USD 900.00 (WhiteGlove, Trucking; "Two-person team"): selected',
  ]);
});
