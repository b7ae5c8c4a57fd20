import { expect, test } from '@jest/globals';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { until, usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();

test.each([
  ['bare', 'booked'],
  ['lowerCase', 'booked'],
  ['idName', 'booked'],
  ['numberLabel', 'booked'],
  ['words', 'assigned to carrier'],
  ['unknown', 'reconsidered'],
] as const)(
  'a status in the form %s is read as %s, with the date of the booking',
  async (statusForm, status) => {
    marketplace.sandbox.setSwitches({ statusForm });
    const listing = await marketplace.open().getListing(await marketplace.bookedListing());
    expect(listing.status?.toLowerCase()).toBe(status);
    expect(listing.bookedOn).not.toBeNull();
  },
);

test.each(['name', 'number', 'untyped', 'renamed'] as const)(
  "the order's reference is read under any type: %s",
  async (referenceForm) => {
    marketplace.sandbox.setSwitches({ referenceForm });
    const listing = await marketplace.open().getListing(await marketplace.createListing());
    expect(listing.referenceNumbers.map(({ number }) => number)).toContain('acme/SO-1');
  },
);

test('a record without references is read', async () => {
  marketplace.sandbox.setSwitches({ referenceForm: 'none' });
  const listing = await marketplace.open().getListing(await marketplace.createListing());
  expect([listing.referenceNumbers, listing.postalCodes]).toEqual([[], ['75207', '78703']]);
});

test.each(['charges.protection.amount', 'insuranceQuote.cost'])(
  'a premium at %s, which no setting names, is unknown and never zero',
  async (premiumPath) => {
    marketplace.sandbox.setSwitches({ premiumPosition: 'path', premiumPath });
    const shipment = aFurnitureShipment({ coverage: usd(200_000) });
    const answer = await marketplace.open().getFixedPrice({ shipment, priceCorrelationId: null });
    expect(answer).toMatchObject({ premium: 'unknown' });
  },
);

test.each(['unit', 'line'] as const)(
  'an item of one piece weighs the same where the weight is that of the %s',
  async (furnitureWeight) => {
    marketplace.sandbox.setSwitches({ furnitureWeight });
    const listing = await marketplace.open().getListing(await marketplace.createListing());
    expect(listing.totalWeightInGrams).toBe(64_411);
  },
);

test.each([
  ['request', 'taken'],
  ['stops', 'rejected'],
] as const)(
  'additional services where they belong to the %s are %s',
  async (additionalServicesIn, outcome) => {
    marketplace.sandbox.setSwitches({ additionalServicesIn });
    const shipment = anLtlShipment({ services: ['SortAndSegregate'] });
    const asked = marketplace.open().createRateRequest({ shipment, attempt: 1 });
    const ended = await asked.then(
      () => 'taken',
      (error: { outcome: string }) => error.outcome,
    );
    expect(ended).toBe(outcome);
  },
);

test.each(['statusCode200ListingId', 'statusCode200Href'] as const)(
  'under %s the acceptance status passes on the listing that it names',
  async (acceptanceBookedAnswer) => {
    marketplace.sandbox.setSwitches({ acceptanceBookedAnswer });
    const client = marketplace.open();
    const [rate] = await marketplace.requestRates(client);
    const {
      methods: [method],
    } = await client.listPaymentMethods('ltl');
    const { rateId = '' } = rate ?? {};
    const { paymentMethodId = '' } = method ?? {};
    const receipt = await client.acceptRate({ rateId, paymentMethodId, coverage: null });
    const executionId = receipt.kind === 'pending' ? receipt.executionId : '';
    const listing = await until(
      async () => await Promise.resolve(marketplace.sandbox.order('acme/PO-7').listings[0]),
      (found) => found !== undefined,
    );
    const status = await client.getAcceptanceStatus({ rateId, executionId });
    expect(status.kind).not.toBe('failed');
    expect(JSON.stringify(status)).toContain(String(listing?.listingId));
  },
);
