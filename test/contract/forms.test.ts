import { expect, test } from '@jest/globals';
import type { MarketplaceSettings } from '../../src/marketplace/account';
import type { SwitchChanges } from '../../sandbox/model/switches';
import { aFurnitureShipment, anLtlShipment, aStop } from '../support/builders';
import { until, usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();
type Settings = Partial<MarketplaceSettings>;
type Case = readonly [switches: SwitchChanges, taken: Settings, refused: Settings];

/** How a call under the settings ended: `taken`, or the outcome of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'taken',
    (error: { outcome: string }) => error.outcome,
  );
}

const nestings = ['dots', 'brackets', 'json'] as const;
const withoutDock = {
  addressType: 'BusinessWithoutLoadingDock',
  contact: { ...aStop().contact, companyName: 'Doe Interiors' },
};

async function list(settings: Settings): Promise<string> {
  const draft = { listPrice: usd(10_000), priceCorrelationId: 'c-1', sendId: 'SO-1.1' };
  const shipment = aFurnitureShipment({ coverage: usd(200_000), destination: aStop(withoutDock) });
  return await outcomeOf(marketplace.open({ settings }).createListing({ ...draft, shipment }));
}

test.each<Case>([
  [{ listingBody: 'json' }, { listingBody: 'json' }, { listingBody: 'form' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'dots' }, { listingBody: 'json' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'brackets' }, { listingBody: 'json' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'json' }, { listingBody: 'json' }],
  [
    { listingInsurance: 'coverageAmount' },
    { listingInsurance: 'coverageAmount' },
    { listingInsurance: 'coverage' },
  ],
  [
    { listingInsurance: 'coverage' },
    { listingInsurance: 'coverage' },
    { listingInsurance: 'coverageAmount' },
  ],
  ...nestings.flatMap((formNesting) =>
    nestings
      .filter((other) => other !== formNesting)
      .map((other): Case => [
        { formNesting, listingBody: 'form' },
        { listingBody: 'form', formNesting },
        { listingBody: 'form', formNesting: other },
      ]),
  ),
  [{ listingItemKeys: 'capitalised' }, { listingItemKeys: 'capitalised' }, { listingItemKeys: 'camelCase' }],
  [{ listingItemKeys: 'camelCase' }, { listingItemKeys: 'camelCase' }, { listingItemKeys: 'capitalised' }],
  [{ priceCorrelationType: 'number' }, { priceCorrelationType: 'number' }, { priceCorrelationType: 'name' }],
  [
    { priceCorrelationType: 'number', listingBody: 'form' },
    { priceCorrelationType: 'number', listingBody: 'form' },
    { priceCorrelationType: 'name', listingBody: 'form' },
  ],
  [{ priceCorrelationType: 'name' }, { priceCorrelationType: 'name' }, { priceCorrelationType: 'number' }],
  [{ addressTypeNames: 'lookup' }, { addressTypes: 'lookup' }, { addressTypes: 'short' }],
  [{ addressTypeNames: 'short' }, { addressTypes: 'short' }, { addressTypes: 'lookup' }],
  [{ pricing: 'namedPrice' }, { pricing: 'namedPrice' }, { pricing: 'offerPrice' }],
  [{ pricing: 'offerPrice' }, { pricing: 'offerPrice' }, { pricing: 'namedPrice' }],
])('where %j, a listing is accepted under %j and refused under %j', async (switches, taken, refused) => {
  marketplace.sandbox.setSwitches({ ...switches, unknownFields: 'refused' });
  expect([await list(taken), await list(refused)]).toEqual(['taken', 'rejected']);
});

test.each(['coverageAmount', 'coverage'] as const)(
  'where listingInsurance is either, a listing is accepted with %s',
  async (listingInsurance) => {
    marketplace.sandbox.setSwitches({ listingInsurance: 'either', unknownFields: 'refused' });
    expect(await list({ listingInsurance })).toBe('taken');
  },
);

async function ask(settings: Settings): Promise<string> {
  const services = { inside: true, liftgate: true, callBeforeArrival: true, appointment: true };
  const shipment = anLtlShipment({
    destination: aStop({ ...withoutDock, services }),
    services: ['ProtectFromFreezing'],
  });
  return await outcomeOf(marketplace.open({ settings }).createRateRequest({ shipment, attempt: 1 }));
}

test.each<Case>([
  [
    { callAheadName: 'callAhead' },
    { callAccessorial: 'callAhead' },
    { callAccessorial: 'callBeforeArrival' },
  ],
  [
    { callAheadName: 'callBeforeArrival' },
    { callAccessorial: 'callBeforeArrival' },
    { callAccessorial: 'callAhead' },
  ],
  [{ addressTypeNames: 'lookup' }, { addressTypes: 'lookup' }, { addressTypes: 'short' }],
  [{ addressTypeNames: 'short' }, { addressTypes: 'short' }, { addressTypes: 'lookup' }],
  [{ topLevelAccessorials: 'names' }, { additionalServices: 'names' }, { additionalServices: 'booleans' }],
  [{ topLevelAccessorials: 'booleans' }, { additionalServices: 'booleans' }, { additionalServices: 'names' }],
  [{ additionalServicesIn: 'stops' }, { additionalServices: 'perStop' }, { additionalServices: 'names' }],
  [{ additionalServicesIn: 'stops' }, { additionalServices: 'perStop' }, { additionalServices: 'booleans' }],
  [{ additionalServicesIn: 'request' }, { additionalServices: 'names' }, { additionalServices: 'perStop' }],
])('where %j, a rate request is accepted under %j and refused under %j', async (switches, taken, refused) => {
  marketplace.sandbox.setSwitches({ ...switches, unknownFields: 'refused' });
  expect([await ask(taken), await ask(refused)]).toEqual(['taken', 'rejected']);
});

/** The weight that the marketplace counts for two pallets of 300 kg each, once they are booked. */
async function bookedWeight(settings: Settings): Promise<number | null> {
  const client = marketplace.open({ settings });
  const pallets = anLtlShipment().items.map((item) => ({ ...item, quantity: 2, weightInGrams: 300_000 }));
  const shipment = anLtlShipment({ items: pallets });
  const { rateRequestId } = await client.createRateRequest({ shipment, attempt: 1 });
  const [rate] = await until(
    async () => (await client.listRates(rateRequestId)).rates,
    (rates) => rates.length > 0,
  );
  const [method] = (await client.listPaymentMethods('ltl')).methods;
  const { paymentMethodId } = method ?? { paymentMethodId: '' };
  const receipt = await client.acceptRate({ rateId: rate?.rateId ?? '', paymentMethodId, coverage: null });
  if (receipt.kind !== 'booked') throw new Error('not booked at once');
  return (await client.getListing(receipt.listingId)).totalWeightInGrams;
}

test.each([
  ['unit', 'linePerUnit', 600_000],
  ['line', 'linePerUnit', 600_000],
  ['unit', 'unitCount', 600_000],
  ['line', 'unitCount', 300_000],
] as const)(
  'where ltlWeight is of the %s, two pallets sent by %s weigh %i g: only lines of one agree with both',
  async (ltlWeight, ltlUnits, weight) => {
    marketplace.sandbox.setSwitches({ ltlWeight, acceptanceAnswersAtOnce: true });
    expect(await bookedWeight({ ltlUnits })).toBe(weight);
  },
);

test.each([
  ['unit', 'silent'],
  ['line', 'answered'],
] as const)(
  'where ltlWeight is of the %s, a line whose units exceed the limit together is %s',
  async (ltlWeight, ends) => {
    marketplace.sandbox.setSwitches({ ltlWeight, ltlLimits: { totalWeightInGrams: 500_000 } });
    const client = marketplace.open({ settings: { ltlUnits: 'unitCount' } });
    const pallets = anLtlShipment().items.map((item) => ({ ...item, quantity: 2, weightInGrams: 300_000 }));
    await client.createRateRequest({ shipment: anLtlShipment({ items: pallets }), attempt: 1 });
    const [request] = marketplace.sandbox.order('acme/PO-7').rateRequests;
    expect(request?.silentBecause === null ? 'answered' : 'silent').toBe(ends);
  },
);

test.each([
  ['unit', 'perUnit'],
  ['line', 'perLine'],
] as const)(
  'where furnitureWeight is of the %s, two sofas sent %s are priced and weighed as two sofas',
  async (furnitureWeight, setting) => {
    const [sofa] = aFurnitureShipment().items;
    if (sofa === undefined) throw new TypeError('an order has items');
    const shipment = aFurnitureShipment({ items: [{ ...sofa, quantity: 2 }] });
    marketplace.sandbox.setSwitches({ furnitureWeight });
    const client = marketplace.open({ settings: { furnitureWeight: setting } });
    const { price, listPrice, priceCorrelationId } = await client.getFixedPrice({
      shipment,
      priceCorrelationId: null,
    });
    const { listingId } = await client.createListing({
      ...{ shipment, listPrice, priceCorrelationId, sendId: 'SO-1.1' },
    });
    expect((await client.getListing(listingId)).totalWeightInGrams).toBe(2 * sofa.weightInGrams);
    const other = marketplace.open({
      settings: { furnitureWeight: setting === 'perUnit' ? 'perLine' : 'perUnit' },
    });
    const wrong = await other.getFixedPrice({ shipment, priceCorrelationId: null });
    expect(wrong.price).not.toEqual(price);
  },
);

test('a pickup in Mexico on a Saturday is sent as it is, and carriers answer', async () => {
  const { origin } = anLtlShipment();
  const monterrey = {
    ...origin.address,
    city: 'Monterrey',
    state: 'NLE',
    postalCode: '64000',
    country: 'MX',
  };
  const pickup = { type: 'on', earliest: '2035-03-10', latest: '2035-03-10' } as const;
  const shipment = anLtlShipment({ origin: { ...origin, address: monterrey }, pickup });
  const client = marketplace.open();
  const { rateRequestId } = await client.createRateRequest({ shipment, attempt: 1 });
  const rates = await until(
    async () => await client.listRates(rateRequestId),
    (found) => found.rates.length > 0,
  );
  expect(rates.rates.length).toBeGreaterThan(0);
});

test.each(['charges.protection.amount', 'insuranceQuote.cost', 'fees.0'])(
  'a premium that the marketplace puts at %s is found with premiumPath, and unknown without it',
  async (premiumPath) => {
    marketplace.sandbox.setSwitches({ premiumPosition: 'path', premiumPath });
    const shipment = aFurnitureShipment({ coverage: { minorUnits: 200_000, currency: 'USD' } });
    const premiumUnder = async (settings: Settings) =>
      (await marketplace.open({ settings }).getFixedPrice({ shipment, priceCorrelationId: null })).premium;
    expect(await premiumUnder({ premiumPath })).toEqual({ minorUnits: 3_000, currency: 'USD' });
    expect(await premiumUnder({})).toBe('unknown');
  },
);
