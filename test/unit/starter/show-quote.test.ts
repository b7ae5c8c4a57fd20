import { expect, test } from '@jest/globals';
import { asQuote } from '../../../src/domain/quote';
import { chooseRate } from '../../../src/domain/rate-choice';
import { isOrderId } from '../../../src/domain/workflow-id';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { renderFixedPrice, renderRates } from '../../../src/starter/cli/show-quote';
import { aFurnitureShipment, anLtlShipment, aRate } from '../../support/builders';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });

test('a fixed price shows price, premium, total and the amount that the listing names', () => {
  const shipment = aFurnitureShipment({ priceLimit: usd(26_000) });
  const fixedPrice = {
    ...{ price: usd(22_697), premium: usd(3_600), total: usd(26_297), listPrice: usd(19_235) },
    priceCorrelationId: 'c-1',
  };
  const text = renderFixedPrice(shipment, fixedPrice);
  for (const amount of ['USD 226.97', 'USD 36.00', 'USD 262.97', 'USD 192.35'])
    expect(text).toContain(amount);
  expect(text).toContain("above the order's limit of USD 260.00");
  // Which amount that is, is a setting of the account (listPrice).
  expect(text).toMatch(/List price +USD 192\.35 .*the price that the listing would name/);
  expect(text).not.toContain('nypAmount');
  const withoutPremium = renderFixedPrice(aFurnitureShipment(), { ...fixedPrice, premium: null });
  expect(withoutPremium).not.toContain('Premium');
  expect(withoutPremium).not.toContain('limit');
});

test('a fixed price without its premium says that the order would ask for it, and shows no total', () => {
  const quote = {
    ...{ price: usd(22_697), listPrice: usd(19_235), priceCorrelationId: 'c-1' },
    ...({ premium: 'unknown', isListedAtTotal: false } as const),
  };
  const text = renderFixedPrice(aFurnitureShipment({ priceLimit: usd(20_000) }), quote);
  expect(text).toMatch(/Premium +unknown\n +Total +unknown/);
  expect(text).toContain('the order would ask a person (premiumUnknown)');
  expect(text).toContain('set premiumPath');
  expect(text).toContain("above the order's limit of USD 200.00");
});

function textOf(rates: readonly ReturnType<typeof aRate>[], minimumStars: number | null = null): string {
  const now = '2035-03-01T00:00:00.000Z';
  const rule = { ...DEFAULT_POLICY.rateRule, minimumStars };
  const decision = chooseRate({ rates, rule, excludedRateIds: [], expiryMarginMs: 0, now });
  return renderRates(anLtlShipment(), {
    ...{ requestedAt: now, rates, decision },
    leftOut: { count: 0, where: [] },
  });
}

test('rates show the one that would be accepted first, and why each other one loses', () => {
  const dear = aRate({ rateId: 'a', totalPrice: usd(90_000), deliveryDelayInDays: null });
  const cheap = aRate({ rateId: 'b', totalPrice: usd(40_000), pickupDelayInDays: 1 });
  const lines = textOf([dear, cheap]).split('\n');
  expect(lines[0]).toContain('acme/PO-7: 2 rates, nothing booked');
  expect(lines[2]).toMatch(
    /USD 400\.00 +3 \(pickup \+1\) +2035-03-08 00:00Z +4\.5 \(100\) +.*would be accepted/,
  );
  expect(lines[3]).toMatch(/USD 900\.00 +- +.*costs more/);
});

test('rates show how each would move, and the text of its provider on one line', () => {
  const text = textOf([
    aRate({ rateId: 'a', vehicleType: 'Undefined', additionalInformation: 'Guaranteed\n\u001b[2J by 17:00' }),
    aRate({
      rateId: 'b',
      totalPrice: usd(90_000),
      ...{ serviceType: null, transportMode: null },
      vehicleType: null,
    }),
  ]);
  const lines = text.split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/LtlTransportOnly, Trucking +USD 500\.00.*"Guaranteed \[2J by 17:00"/);
  expect(lines[3]).toMatch(/Carrier +- +USD 900\.00/);
});

test('when no rate fits the policy it says that a person would be asked', () => {
  const text = textOf([aRate({ rateId: 'a' })], 5);
  expect(text).toContain('4.5 stars, fewer than 5');
  expect(text).toContain('the order would ask a person to choose');
});

test('a quote uses its own order id, the same for an order id of any length', () => {
  expect(asQuote(anLtlShipment()).orderId).toBe('PO-7.quote');
  const { orderId } = asQuote(anLtlShipment({ orderId: 'x'.repeat(50) }));
  expect(isOrderId(orderId)).toBe(true);
  expect(orderId).toMatch(/\.quote$/);
});
