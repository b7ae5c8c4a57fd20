import { expect, test } from '@jest/globals';
import { orderSwitchesSchema } from '../../sandbox/model/switches';
import type { MarketplaceSettings } from '../../src/marketplace/account';
import { anLtlShipment, aStop } from '../support/builders';
import { until, usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();

async function askRates(settings: Partial<MarketplaceSettings> = {}, shipment = anLtlShipment()) {
  const client = marketplace.open({ settings });
  const { rateRequestId } = await client.createRateRequest({ shipment, attempt: 1 });
  return async () => (await client.listRates(rateRequestId)).rates;
}

test.each([true, false])(
  'rates arrive, each with price, carrier and expiry (with a currency: %s)',
  async (rateCurrencyType) => {
    marketplace.sandbox.setSwitches({ rateCurrencyType, totalCountExcess: 5, ratesPerRequest: 3 });
    const rates = await marketplace.requestRates();
    expect(rates).toHaveLength(3);
    for (const rate of rates) {
      expect(rate).toMatchObject({
        rateId: expect.stringMatching(/^\w{24}$/),
        totalPrice: { currency: 'USD' },
      });
      expect(rate.totalPrice.minorUnits).toBeGreaterThan(0);
      expect(Date.parse(rate.expiresAt)).toBeGreaterThan(Date.now());
      expect(rate.carrier.displayName).not.toBe('');
    }
  },
);

test.each([-3_600, -60, 60, 3_600])(
  "an expiry is converted to Consign's clock when the marketplace's clock is %i seconds ahead",
  async (clockSkewInSeconds) => {
    marketplace.sandbox.setSwitches({ clockSkewInSeconds, rateLifetimeInSeconds: 1_800 });
    const [rate] = await marketplace.requestRates();
    const after = (instant: string | null | undefined) => (Date.parse(instant ?? '') - Date.now()) / 1_000;
    expect(Math.abs(after(rate?.createdAt))).toBeLessThan(10);
    expect(Math.abs(after(rate?.expiresAt) - 1_800)).toBeLessThan(10);
  },
);

test.each(['noRates', 'lateRates'] as const)(
  'with the trouble %s the list is empty at first',
  async (what) => {
    marketplace.sandbox.trouble({ when: 'createRateRequest', what });
    expect(await (await askRates())()).toEqual([]);
  },
);

test.each([
  ['cheapestRateWithdrawn', 2],
  ['allRatesWithdrawn', 0],
] as const)('with the trouble %s, %i of three rates are left', async (what, left) => {
  // Long enough for a slow machine to read all three first.
  marketplace.sandbox.setClock({ steps: { rateWithdrawn: 40_000 } });
  marketplace.sandbox.setSwitches({ ratesPerRequest: 3 });
  marketplace.sandbox.trouble({ when: 'createRateRequest', what });
  const rates = await askRates();
  const all = await until(rates, ({ length }) => length === 3);
  const kept = await until(rates, ({ length }) => length === left);
  const cheapest = all.toSorted((a, b) => a.totalPrice.minorUnits - b.totalPrice.minorUnits)[0];
  expect(kept.map(({ rateId }) => rateId)).not.toContain(cheapest?.rateId);
});

test('flickeringRates hides a rate from one read and not from the next', async () => {
  marketplace.sandbox.setSwitches({ ratesPerRequest: 3 });
  marketplace.sandbox.trouble({ when: 'createRateRequest', what: 'flickeringRates' });
  const rates = await askRates();
  await until(rates, ({ length }) => length === 3);
  const lengths = [(await rates()).length, (await rates()).length, (await rates()).length];
  expect(lengths).toEqual([2, 3, 2]);
});

test('beyond the limits the list stays empty, silently', async () => {
  marketplace.sandbox.setSwitches({ ltlLimits: { handlingUnits: 1 } });
  marketplace.sandbox.setClock({ steps: { ratesFirst: 0, ratesLast: 0 } });
  expect(await (await askRates())()).toEqual([]);
});

test("another account's rate request is forbidden", async () => {
  const asked = marketplace.open().listRates('0123456789abcdef01234567');
  await expect(asked).rejects.toMatchObject({ status: 403, outcome: 'accountTrouble' });
});

const called = aStop({
  services: { inside: true, liftgate: true, callBeforeArrival: true, appointment: true },
});

test.each([
  ['object', 'callBeforeArrival'],
  ['object', 'callAhead'],
  ['names', 'callBeforeArrival'],
  ['names', 'callAhead'],
] as const)('stop accessorials are accepted as %s with %s', async (stopAccessorials, callAccessorial) => {
  const taken = stopAccessorials === 'names' ? 'list' : 'object';
  marketplace.sandbox.setSwitches({ stopAccessorials: taken, unknownFields: 'refused' });
  const shipment = anLtlShipment({ destination: called });
  await askRates({ stopAccessorials, callAccessorial }, shipment);
  const other = stopAccessorials === 'names' ? 'object' : 'names';
  await expect(askRates({ stopAccessorials: other, callAccessorial }, shipment)).rejects.toMatchObject({
    status: 400,
    outcome: 'rejected',
  });
});

test.each<Partial<MarketplaceSettings>>([
  { additionalServices: 'names' },
  { additionalServices: 'booleans' },
  { addressTypes: 'short' },
  { ltlUnits: 'unitCount' },
  { development: 'true', affiliate: 'partner-1' },
])('a rate request is accepted under %j', async (settings) => {
  marketplace.sandbox.setSwitches({ unknownFields: 'refused' });
  const services = ['ProtectFromFreezing', 'SortAndSegregate', 'BlindShipmentCoordination'];
  const rates = await askRates(settings, anLtlShipment({ services }));
  expect((await until(rates, ({ length }) => length > 0)).length).toBeGreaterThan(0);
});

test.each([
  ['given', false, true],
  ['true', false, false],
  ['true', true, true],
  ['off', false, true],
] as const)(
  'under the liftgate rule %s, a liftgate of %s at a residence is accepted: %s',
  async (liftgateRule, liftgate, isTaken) => {
    marketplace.sandbox.setSwitches({ liftgateRule });
    const stop = aStop({ services: { ...called.services, liftgate } });
    const asked = askRates({}, anLtlShipment({ origin: stop, destination: stop })).then(
      () => true,
      ({ outcome }: { outcome: string }) => outcome,
    );
    expect(await asked).toBe(isTaken ? true : 'rejected');
  },
);

/** A rate of a fresh rate request, ready to be accepted. */
async function offer(settings: Partial<MarketplaceSettings> = {}) {
  const client = marketplace.open({ settings });
  const [rate] = await marketplace.requestRates(client);
  const [method] = (await client.listPaymentMethods('ltl')).methods;
  const rateId = rate?.rateId ?? '';
  const paymentMethodId = method?.paymentMethodId ?? '';
  const accept = async (over: object = {}) =>
    await client.acceptRate({ rateId, paymentMethodId, coverage: usd(100_000), ...over });
  const status = async (executionId: string) => await client.getAcceptanceStatus({ rateId, executionId });
  return { rateId, accept, status };
}

/** The status of an acceptance once it no longer changes. */
async function endOf({ accept, status }: Awaited<ReturnType<typeof offer>>) {
  const receipt = await accept();
  if (receipt.kind === 'booked') return receipt;
  return await until(
    async () => await status(receipt.executionId),
    ({ kind }) => kind !== 'pending' && kind !== 'notVisible',
  );
}

test.each(['created', 'seeOther', 'statusCode201', 'doublyEncoded'] as const)(
  'an acceptance that is booked as %s names its listing',
  async (acceptanceBookedAnswer) => {
    marketplace.sandbox.setSwitches({ acceptanceBookedAnswer });
    expect(await marketplace.bookRate()).toMatch(/^\d{9}$/);
  },
);

test('an acceptance booked as statusCode201WithoutListing is in doubt, because it names no listing', async () => {
  marketplace.sandbox.setSwitches({ acceptanceBookedAnswer: 'statusCode201WithoutListing' });
  expect(await endOf(await offer())).toMatchObject({ kind: 'inDoubt', listingId: null });
  expect(marketplace.sandbox.order('acme/PO-7').liveBookings).toBe(1);
});

test.each(orderSwitchesSchema.shape.acceptancePendingAnswer.options)(
  'Consign waits for an acceptance that is pending as %s',
  async (acceptancePendingAnswer) => {
    marketplace.sandbox.setSwitches({ acceptancePendingAnswer });
    marketplace.sandbox.trouble({ when: 'acceptRate', what: 'pending' });
    const { accept, status } = await offer();
    const receipt = await accept();
    if (receipt.kind !== 'pending') throw new Error('booked at once');
    expect(await status(receipt.executionId)).toMatchObject({ kind: 'pending' });
  },
);

test('an acceptance is not visible for as many reads as acceptanceHiddenPolls says', async () => {
  marketplace.sandbox.setSwitches({ acceptanceHiddenPolls: 2 });
  marketplace.sandbox.trouble({ when: 'acceptRate', what: 'pending' });
  const { accept, status } = await offer();
  const receipt = await accept();
  if (receipt.kind !== 'pending') throw new Error('booked at once');
  const kinds = [];
  for (let read = 0; read < 3; read += 1) kinds.push((await status(receipt.executionId)).kind);
  expect(kinds).toEqual(['notVisible', 'notVisible', 'pending']);
});

test('the status of an acceptance may not be visible at first', async () => {
  const { accept, status } = await offer();
  marketplace.sandbox.setClock({ steps: { acceptanceVisible: 3_600_000 } });
  const receipt = await accept();
  if (receipt.kind !== 'pending') throw new Error('booked at once');
  expect(await status(receipt.executionId)).toEqual({ kind: 'notVisible' });
});

test.each([true, false])(
  'the older form of an acceptance (%s) names its listing',
  async (acceptanceAnswersAtOnce) => {
    marketplace.sandbox.setSwitches({ acceptanceAnswersAtOnce });
    expect(await endOf(await offer())).toEqual({
      kind: 'booked',
      listingId: expect.stringMatching(/^\d{9}$/),
    });
  },
);

test.each([
  [400, 'failed'],
  [409, 'failed'],
  [499, 'failed'],
  [500, 'inDoubt'],
  [503, 'inDoubt'],
] as const)(
  'an acceptance that ends with an inner %i is %s and says why',
  async (acceptanceFailureStatus, kind) => {
    marketplace.sandbox.setSwitches({
      ...{ acceptanceFailureStatus, acceptanceFailureReason: 'The truck broke down.' },
    });
    marketplace.sandbox.trouble({ when: 'acceptRate', what: 'failed' });
    expect(await endOf(await offer())).toMatchObject({
      kind,
      reason: `the acceptance ended with ${acceptanceFailureStatus}; 40001 id`,
      words: 'The truck broke down.',
    });
  },
);

test('an acceptance refused because the rate was already accepted may be about an earlier request', async () => {
  const acceptanceFailureReason = 'This rate has already been accepted.';
  marketplace.sandbox.setSwitches({ acceptanceFailureStatus: 409, acceptanceFailureReason });
  marketplace.sandbox.trouble({ when: 'acceptRate', what: 'failed' });
  expect(await endOf(await offer())).toEqual({
    ...{ kind: 'failed', statusCode: 409, words: acceptanceFailureReason },
    reason: 'the acceptance ended with 409; 40001 id; it speaks of something that exists already',
    ...{ isDuplicate: true, listingId: null },
  });
});

test('an acceptance that failed and left its listing is failed; one that says 500 although it booked is in doubt', async () => {
  for (const what of ['failedLeavingListing', 'bookedButFailed'] as const)
    marketplace.sandbox.trouble({ when: 'acceptRate', what, times: 1 });
  expect((await endOf(await offer())).kind).toBe('failed');
  expect((await endOf(await offer())).kind).toBe('inDoubt');
});

test('trouble with the acceptances of one order strikes that order only, one acceptance after the other', async () => {
  marketplace.sandbox.trouble({ when: 'acceptRate', whom: 'acme/other', what: 'pending', times: 1 });
  marketplace.sandbox.trouble({ when: 'acceptRate', whom: 'acme/PO-7', what: 'failed', times: 1 });
  marketplace.sandbox.trouble({ when: { request: 'acceptRate', after: 1 }, what: 'failed' });
  const orders = { 'acme/PO-7': { acceptanceFailureReason: 'The truck broke down.' } };
  marketplace.sandbox.setSwitches({ orders });
  expect(await endOf(await offer())).toMatchObject({ kind: 'failed', words: 'The truck broke down.' });
  expect((await endOf(await offer())).kind).toBe('booked');
  expect((await endOf(await offer())).kind).toBe('failed');
});

test.each([
  ['failedLeavingListing', 'failed', 1, 0],
  ['bookedButFailed', 'inDoubt', 1, 1],
] as const)(
  'every acceptance that is %s is %s, with %i listings of which %i are booked',
  async (what, kind, listings, liveBookings) => {
    marketplace.sandbox.trouble({ when: 'acceptRate', what });
    expect((await endOf(await offer())).kind).toBe(kind);
    const order = marketplace.sandbox.order('acme/PO-7');
    expect([order.listings.length, order.liveBookings]).toEqual([listings, liveBookings]);
  },
);

test('an acceptance that is bookedSilently stays pending for its order, and only the ledger shows the booking', async () => {
  marketplace.sandbox.trouble({ when: 'acceptRate', what: 'bookedSilently' });
  const { accept, status } = await offer();
  const receipt = await accept();
  if (receipt.kind !== 'pending') throw new Error('booked at once');
  await until(
    async () => await Promise.resolve(marketplace.sandbox.order('acme/PO-7').liveBookings),
    (bookings) => bookings === 1,
  );
  expect((await status(receipt.executionId)).kind).toBe('pending');
});

test.each([
  ['json', 'The truck broke down.'],
  ['doublyEncoded', 'The truck broke down.'],
  ['empty', null],
  ['null', null],
  ['notJson', 'Failed'],
] as const)(
  'a failed acceptance is failed when its response is %s',
  async (acceptanceFailureResponse, words) => {
    marketplace.sandbox.setSwitches({
      ...{ acceptanceFailureResponse, acceptanceFailureReason: 'The truck broke down.' },
    });
    marketplace.sandbox.trouble({ when: 'acceptRate', what: 'failed' });
    expect(await endOf(await offer())).toEqual({
      kind: 'failed',
      statusCode: 409,
      isDuplicate: false,
      reason: expect.stringMatching(/^the acceptance ended with 409(?:; 40001 id)?$/),
      words,
      listingId: null,
    });
  },
);

test('an acceptance that is failedThenBooked reads failed, and its booking is in the ledger', async () => {
  marketplace.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked' });
  expect((await endOf(await offer())).kind).toBe('failed');
  const order = await until(
    async () => await Promise.resolve(marketplace.sandbox.order('acme/PO-7')),
    ({ liveBookings }) => liveBookings === 1,
  );
  expect(order.liveBookings).toBe(1);
});

test('an acceptance whose status never shows the booking stays pending', async () => {
  const { rateId, accept, status } = await offer();
  marketplace.sandbox.trouble({ when: { request: 'acceptRate', match: rateId }, what: 'bookedSilently' });
  const receipt = await accept();
  if (receipt.kind !== 'pending') throw new Error('booked at once');
  await until(
    async () => await Promise.resolve(marketplace.sandbox.order('acme/PO-7').liveBookings),
    (bookings) => bookings === 1,
  );
  expect(await status(receipt.executionId)).toMatchObject({ kind: 'pending' });
});

test.each([
  ['accepted', 'nullCoverage', true],
  ['refused', 'nullCoverage', true],
  ['accepted', 'null', true],
  ['refused', 'null', false],
  ['accepted', 'empty', false],
] as const)(
  'where a null insurance is %s, coverage declined as %s is accepted: %s',
  async (nullInsurance, declinedInsurance, isTaken) => {
    marketplace.sandbox.setSwitches({ nullInsurance, unknownFields: 'refused' });
    const { accept } = await offer({ declinedInsurance });
    const taken = accept({ coverage: null }).then(
      () => true,
      ({ outcome }: { outcome: string }) => outcome,
    );
    expect(await taken).toBe(isTaken ? true : 'rejected');
  },
);

test.each([
  ['accepted', true],
  ['refused', 'rejected'],
] as const)(
  'where an emptyInsurance is %s, coverage declined with it is accepted: %s',
  async (emptyInsurance, ended) => {
    marketplace.sandbox.setSwitches({ emptyInsurance });
    const { accept } = await offer({ declinedInsurance: 'empty' });
    const taken = accept({ coverage: null }).then(
      () => true,
      ({ outcome }: { outcome: string }) => outcome,
    );
    expect(await taken).toBe(ended);
  },
);

test.each(['coverage', 'either'] as const)(
  'coverage is accepted where acceptances take %s',
  async (acceptanceInsurance) => {
    marketplace.sandbox.setSwitches({ acceptanceInsurance });
    expect((await endOf(await offer())).kind).toBe('booked');
  },
);

test.each([
  ['booksAgain', 'pending'],
  ['refused', 'inDoubt'],
] as const)('a second acceptance of a rate that %s is %s', async (repeatedAcceptance, expected) => {
  marketplace.sandbox.setSwitches({ repeatedAcceptance });
  const { accept } = await offer();
  await accept();
  const again = accept().then(
    ({ kind }) => kind,
    ({ outcome }: { outcome: string }) => outcome,
  );
  expect(await again).toBe(expected);
});

test.each([
  [{ coverage: { minorUnits: 100, currency: 'CAD' } }, /currency/i],
  [{ paymentMethodId: 'x'.repeat(36) }, /paymentMethodId/],
])('an acceptance with %j is account trouble, not a lost rate', async (over, reason) => {
  const { accept } = await offer();
  await expect(accept(over)).rejects.toMatchObject({
    status: 400,
    outcome: 'accountTrouble',
    message: expect.stringMatching(reason),
  });
});

test('a rate that has expired is rejected', async () => {
  marketplace.sandbox.setSwitches({ rateLifetimeInSeconds: 0 });
  const { accept } = await offer();
  await expect(accept()).rejects.toMatchObject({
    outcome: 'rejected',
    message: expect.stringContaining('expired'),
  });
});

test.each([
  ['normal', 3],
  ['none', 0],
  ['expired', 1],
] as const)('payment methods that are %s are listed', async (paymentMethods, atLeast) => {
  marketplace.sandbox.setSwitches({ paymentMethods });
  const { methods } = await marketplace.open().listPaymentMethods('ltl');
  expect(methods.length).toBeGreaterThanOrEqual(atLeast);
  expect(methods.filter(({ active, isPrimary }) => active && isPrimary).length).toBeLessThanOrEqual(1);
});

test('payment methods that are not implemented are account trouble', async () => {
  marketplace.sandbox.setSwitches({ paymentMethods: 'notImplemented' });
  await expect(marketplace.open().listPaymentMethods('ltl')).rejects.toMatchObject({
    status: 501,
    outcome: 'accountTrouble',
  });
});
