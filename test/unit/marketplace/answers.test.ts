import { afterEach, expect, test } from '@jest/globals';
import { parseTimestamp } from '../../../src/marketplace/schemas/common';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';
import { aFurnitureShipment } from './shipments';
import { NO_EXTRAS } from '../../support/builders';

afterEach(closeAll);

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });

async function answering(status: number, body: unknown, headers?: Record<string, string>) {
  const { url } = await startServer(reply(status, body, headers));
  return aMarketplace(anAccount(url));
}

const ask = { shipment: aFurnitureShipment(), priceCorrelationId: null };

test.each([
  [{ insuranceQuote: { coverageAmount: { amount: 2500 }, premium: { amount: 31.25, currencyType: 'USD' } } }],
  [{ insurance: { premium: { amount: '31.25' } } }],
  [{ premium: { amount: 31.25 }, insuranceQuote: { coverageAmount: { amount: 2500 } } }],
])('the premium is found in %j', async (place) => {
  const marketplace = await answering(200, {
    price: 120.10000000000001,
    nypAmount: '100',
    priceCorrelationId: 'c',
    ...place,
  });
  expect(await marketplace.getFixedPrice(ask)).toEqual({
    price: usd(12010),
    listPrice: usd(10000),
    priceCorrelationId: 'c',
    premium: usd(3125),
    total: usd(15135),
  });
});

test.each([
  [{ insuranceQuote: { coverageAmount: { amount: 1 } } }],
  [{}],
  [{ insuranceQuote: null, insurance: { premium: null } }],
  [{ insuranceQuote: { premium: 'n/a' } }],
  [{ insuranceQuote: { premium: { amount: -3 } } }],
  [{ insuranceQuote: 'on request' }],
])('coverage answered by %j has an unknown premium, and the price is still read', async (place) => {
  const marketplace = await answering(200, { price: 120, nypAmount: 100, priceCorrelationId: 'c', ...place });
  expect(await marketplace.getFixedPrice(ask)).toEqual({
    price: usd(12000),
    listPrice: usd(10000),
    priceCorrelationId: 'c',
    premium: 'unknown',
    isListedAtTotal: false,
  });
});

test('a premium in another currency than the price is an error that names the field', async () => {
  const premium = { amount: 9, currencyType: 'CAD' };
  const marketplace = await answering(200, { price: 120, nypAmount: 100, insuranceQuote: { premium } });
  expect(await failureOf(marketplace.getFixedPrice(ask))).toMatchObject({
    name: 'UnexpectedResponseError',
    expected: expect.stringContaining('currencyType of the premium'),
  });
});

test('a fixed price without the listing price names the field', async () => {
  const marketplace = await answering(200, { price: 120 });
  expect(await failureOf(marketplace.getFixedPrice(ask))).toMatchObject({
    expected: expect.stringContaining('nypAmount'),
  });
});

const record = {
  listingId: 273679133,
  title: 'Oak table',
  status: { value: 'Booked', label: 'Réservé', shortLabel: 'R' },
  transitStatus: { value: 'Dispatched', label: 'x', shortLabel: 'y' },
  paymentStatus: null,
  hasPendingBookingRequest: false,
  serviceProvider: { userId: 88, displayName: 'Fast Freight' },
  billOfLadingNumber: 4711,
  namedPrice: {
    value: 650.5,
    label: '$650.50',
    shortLabel: '$650',
    currencyType: { value: 'USD', label: 'US dollar' },
  },
  totalCost: { value: '700', label: '$700' },
  bookedOn: '2030-05-01T10:20:30.1234567Z',
  completedOn: '0001-01-01T00:00:00',
  checksum: 'abc',
  referenceNumbers: [
    { number: 'acme/o-1042', type: { value: 'ThirdPartyOrderNumber', label: 'x' } },
    { number: 'c-1', type: 10, referenceNumberLabel: null },
  ],
  route: { items: [{ address: { postalCode: '78701' } }, { address: { postalCode: '80202' } }] },
  items: [{ anything: 1 }],
  totalWeightInGrams: { value: '80000', label: '80 kg' },
  surprise: { is: 'welcome' },
};

test.each([
  ['bare', record],
  ['wrapped', { totalCount: 9, items: [record] }],
])('a %s listing record is read by its values', async (_, body) => {
  expect(await (await answering(200, body)).getListing('273679133')).toEqual({
    listingId: '273679133',
    title: 'Oak table',
    status: 'Booked',
    transitStatus: 'Dispatched',
    paymentStatus: null,
    cancellationStatus: null,
    hasPendingBookingRequest: false,
    carrier: { userId: '88', displayName: 'Fast Freight' },
    billOfLadingNumber: '4711',
    namedPrice: usd(65050),
    acceptedPrice: null,
    totalCost: usd(70000),
    cancellationLink: null,
    bookedOn: '2030-05-01T10:20:30.123Z',
    completedOn: null,
    expiresOn: null,
    lastUpdatedOn: null,
    checksum: 'abc',
    referenceNumbers: [
      { number: 'acme/o-1042', type: 'ThirdPartyOrderNumber', label: null },
      { number: 'c-1', type: '10', label: null },
    ],
    postalCodes: ['78701', '80202'],
    deliveryWindow: null,
    totalWeightInGrams: 80000,
    readBy: expect.stringMatching(/^[0-9a-f]{8}$/u),
    extras: expect.any(Object),
  });
});

const extrasOf = async (over: object) =>
  (await (await answering(200, { ...record, ...over })).getListing('273679133')).extras;
test('prices, dates and transit steps of a record that no decision uses are read too', async () => {
  const price = (value: number | string) => ({ value, label: `$${value}`, shortLabel: `$${value}` });
  const priceDetails = { lineItems: [{ description: 'Reweigh', amount: price(20) }] };
  const thirdParty = { provenance: 'acme', revision: '3' };
  const over = {
    ...{ nextTransitStatus: { value: 'PickedUp', label: 'Ramassé' }, availableTransitStatuses: ['PickedUp'] },
    ...{
      previousTransitStatus: 'ReadyForDispatch',
      serviceTypes: [{ value: 'BlanketWrap', label: 'x' }, null],
    },
    ...{ createdOn: '2030-05-01T10:20:30.1234567Z', activatedOn: '2030-05-01T11:00:00' },
    ...{ cancelledOn: '0001-01-01T00:00:00', archivedOn: '2030-06-01' },
    ...{ offerPrice: { price: price(640) }, bookingDeposit: price('50.5'), minimumBidAmount: null },
    amountDueToServiceProvider: { amount: 600, currencyType: 'CAD' },
    ...{ priceDetails, thirdParty, quoteRequestId: 'q-1', questionsAsked: 2, totalBidsPlaced: 0 },
  };
  expect(await extrasOf(over)).toEqual({
    ...NO_EXTRAS,
    ...{ nextTransitStatus: 'PickedUp', previousTransitStatus: 'ReadyForDispatch' },
    ...{ availableTransitStatuses: ['PickedUp'], serviceTypes: ['BlanketWrap'] },
    ...{ createdOn: '2030-05-01T10:20:30.123Z', activatedOn: '2030-05-01T11:00:00.000Z' },
    archivedOn: '2030-06-01T00:00:00.000Z',
    prices: {
      ...{ offerPrice: usd(64_000), bookingDeposit: usd(5_050) },
      amountDueToServiceProvider: { minorUnits: 60_000, currency: 'CAD' },
    },
    ...{ priceDetails, thirdParty, quoteRequestId: 'q-1', questionsAsked: 2, totalBidsPlaced: 0 },
  });
});

test('an unexpected form of a field that no decision uses does not fail the reading of the status', async () => {
  const odd = {
    ...{ createdOn: 'soon', archivedOn: 5, bookingDeposit: { value: 'much' }, offerPrice: [1] },
    ...{ nextTransitStatus: true, availableTransitStatuses: 'PickedUp', serviceTypes: [{ x: 1 }, [2]] },
    ...{ priceDetails: { lines: 'x'.repeat(5_000) }, thirdParty: 'acme', questionsAsked: -1.5 },
    ...{ quoteRequestId: {}, totalBidsPlaced: [] },
  };
  expect(await extrasOf(odd)).toEqual(NO_EXTRAS);
});

test('an empty list of listings is not found', async () => {
  const marketplace = await answering(200, { totalCount: 0, items: [] });
  expect(await failureOf(marketplace.getListing('1'))).toMatchObject({ name: 'ApiError', status: 404 });
});

test("another listing's record is refused", async () => {
  expect(await failureOf((await answering(200, record)).getListing('1'))).toMatchObject({
    name: 'UnexpectedResponseError',
  });
});

test('rates with missing fields are read', async () => {
  const rate = {
    id: 'r1',
    created: '2030-05-01T10:00:00',
    expires: '2030-05-08T10:00:00.5Z',
    totalPrice: { value: 412.5, label: '412,50 $' },
    serviceType: { value: 'LtlTransportOnly' },
    pickupTimeframe: { delay: null, timeFrameType: { value: 'on' } },
    deliveryTimeframe: { delay: 3 },
    bidder: {
      userId: 5,
      displayName: 'Line',
      feedback: { count: 10, percentPositive: 98.5, starRating: 4.8 },
    },
  };
  const marketplace = await answering(200, { totalCount: 5, items: [rate] });
  expect((await marketplace.listRates('x')).rates).toEqual([
    {
      rateId: 'r1',
      createdAt: '2030-05-01T10:00:00.000Z',
      expiresAt: '2030-05-08T10:00:00.500Z',
      totalPrice: usd(41250),
      accountCurrency: 'USD',
      serviceType: 'LtlTransportOnly',
      transportMode: null,
      vehicleType: null,
      pickupDelayInDays: null,
      deliveryDelayInDays: 3,
      additionalInformation: null,
      carrier: {
        userId: '5',
        displayName: 'Line',
        feedbackCount: 10,
        percentPositive: 98.5,
        starRating: 4.8,
      },
    },
  ]);
});

test('a long text of a carrier is cut, because it is kept with every rate', async () => {
  const rate = { id: 'r1', expires: '2030-05-08T10:00:00Z', totalPrice: { value: 4 } };
  const items = [{ ...rate, additionalInformation: 'x'.repeat(501) }];
  const [read] = (await (await answering(200, { items })).listRates('x')).rates;
  expect(read?.additionalInformation).toBe(`${'x'.repeat(500)}…`);
});

test.each([
  [{ expires: 'soon', totalPrice: { value: 1 } }, 'items[0].expires'],
  [{ expires: '2030-05-08T10:00:00Z', totalPrice: { label: '$1' } }, 'items[0].totalPrice'],
])('a rate that cannot be read names its field', async (rate, field) => {
  const marketplace = await answering(200, { items: [{ id: 'r', ...rate }] });
  expect(await marketplace.listRates('x')).toEqual({
    ...{ rates: [], clock: 'worker' },
    leftOut: { count: 1, where: [field] },
  });
});

const acceptance = { rateId: 'r', paymentMethodId: 'p', coverage: null };

test.each([
  [202, 'http://127.0.0.1/v2/rates/r/acceptance/status/e-1', { kind: 'pending', executionId: 'e-1' }],
  [201, 'http://127.0.0.1/v2/listings/77', { kind: 'booked', listingId: '77' }],
])('an acceptance answered %i with Location %s is %j', async (status, location, receipt) => {
  expect(await (await answering(status, '', { location })).acceptRate(acceptance)).toEqual(receipt);
});

const status = { rateId: 'r', executionId: 'e' };
const listing = { location: 'http://127.0.0.1/v2/listings/77' };

test.each([
  [201, '', listing, { kind: 'booked', listingId: '77' }],
  [303, '', listing, { kind: 'booked', listingId: '77' }],
  [201, '', {}, { kind: 'inDoubt' }],
  [404, 'x', {}, { kind: 'notVisible' }],
  [200, {}, {}, { kind: 'pending', statusCode: null }],
  [200, { response: null, statusCode: 0 }, {}, { kind: 'pending', statusCode: 0 }],
  [200, { response: 'no json', statusCode: '202' }, {}, { kind: 'pending', statusCode: 202 }],
  [200, { response: '{"listingId":77}', statusCode: 201 }, {}, { kind: 'booked', listingId: '77' }],
  [200, { response: '"{\\"ListingId\\":77}"', statusCode: 201 }, {}, { kind: 'booked', listingId: '77' }],
  [200, { response: '"https://h/v2/listings/77"', statusCode: 201 }, {}, { kind: 'booked', listingId: '77' }],
  [200, { response: '', statusCode: 201 }, listing, { kind: 'booked', listingId: '77' }],
  [200, { response: '', statusCode: 201 }, {}, { kind: 'inDoubt' }],
  [
    200,
    { response: '{"reason":"too late"}', statusCode: 400 },
    {},
    { kind: 'failed', statusCode: 400, reason: 'the acceptance ended with 400', words: 'too late' },
  ],
  [200, { response: null, statusCode: 410 }, {}, { kind: 'failed', statusCode: 410 }],
  [200, { response: 'boom', statusCode: 500 }, {}, { kind: 'inDoubt' }],
  [200, { response: '{"listingId":77}', statusCode: 200 }, {}, { kind: 'pending', listingId: '77' }],
  [
    200,
    { response: '{"href":"/v2/listings/77;jsessionid=1"}', statusCode: 200 },
    {},
    { kind: 'pending', listingId: '77' },
  ],
  [
    200,
    { response: '{"headers":{"Location":"https://h/v2/listings/77"}}', statusCode: 200 },
    {},
    { kind: 'pending', listingId: '77' },
  ],
  [200, { response: '{"listingId":77}', statusCode: 0 }, {}, { kind: 'pending', listingId: '77' }],
  [200, { response: '{"message":"taken"}', statusCode: 200 }, {}, { kind: 'pending', listingId: null }],
  [200, { response: '<html><body>Bad Request</body></html>', statusCode: 400 }, {}, { kind: 'inDoubt' }],
])('an acceptance status %i %j %j reads as %j', async (code, body, headers, expected) => {
  const marketplace = await answering(code, body, headers);
  expect(await marketplace.getAcceptanceStatus(status)).toMatchObject(expected);
});

test('payment methods are read, and 501 is trouble of the account', async () => {
  const item = {
    id: 'pm',
    type: { value: 'creditcard' },
    isPrimary: true,
    active: true,
    expiration: { month: 5, year: '2031' },
  };
  const marketplace = await answering(200, { items: [item, { id: 'pm2', type: { value: 'payonterms' } }] });
  expect((await marketplace.listPaymentMethods('ltl')).methods).toEqual([
    {
      paymentMethodId: 'pm',
      type: 'creditcard',
      isPrimary: true,
      active: true,
      expiration: { month: 5, year: 2031 },
    },
    { paymentMethodId: 'pm2', type: 'payonterms', isPrimary: false, active: false, expiration: null },
  ]);
  expect(await failureOf((await answering(501, '')).listPaymentMethods('ltl'))).toMatchObject({
    outcome: 'accountTrouble',
  });
});

test('tracking is read by content, with or without a location', async () => {
  const full = {
    shipmentTrackingStatuses: [
      { dateSet: '2030-05-02T08:00:00Z', status: { value: 'PickedUp', label: 'Ramassé' }, sequence: 1 },
      { label: 'x', name: 'Delivered', at: null },
    ],
    mostRecentLocation: [{ latitude: 31.5, longitude: '-97.1', at: 'x' }],
    mostRecentAddress: [{ city: 'Waco', state: 'TX' }],
    shipmentTrackingSummaryModel: { eta: '2030-05-03', status: { value: 'PickedUp', label: 'Ramassé' } },
    carrierContactModel: { name: 'Bob', phoneNumber: '+1 555 0100' },
  };
  expect(await (await answering(200, full)).getTracking('1')).toEqual({
    statuses: [
      { status: 'PickedUp', setAt: '2030-05-02T08:00:00.000Z' },
      { status: 'Delivered', setAt: null },
    ],
    lastKnownPlace: 'Waco, TX',
    latitude: 31.5,
    longitude: -97.1,
    summary: full.shipmentTrackingSummaryModel,
    carrierContact: full.carrierContactModel,
  });
  expect(await (await answering(200, {})).getTracking('1')).toEqual({
    statuses: [],
    lastKnownPlace: null,
    latitude: null,
    longitude: null,
    summary: null,
    carrierContact: null,
  });
});

test('a summary or contact that is no object, or far too large, is dropped, and the tracking is still read', async () => {
  const odd = {
    shipmentTrackingStatuses: ['PickedUp'],
    shipmentTrackingSummaryModel: 'on its way',
    carrierContactModel: { name: 'x'.repeat(5_000) },
  };
  expect(await (await answering(200, odd)).getTracking('1')).toMatchObject({
    statuses: [{ status: 'PickedUp', setAt: null }],
    summary: null,
    carrierContact: null,
  });
});

test('a bill of lading has its number as text, and a 404 stays a 404', async () => {
  const marketplace = await answering(200, {
    billOfLadingNumber: 4711,
    document: { href: 'https://d/x?sig=1' },
  });
  expect(await marketplace.getBillOfLading('1')).toEqual({
    billOfLadingNumber: '4711',
    documentUrl: 'https://d/x?sig=1',
  });
  expect(await failureOf((await answering(404, '')).getBillOfLading('1'))).toMatchObject({
    name: 'ApiError',
    status: 404,
  });
});

test('contacts pass through unchanged', async () => {
  const contacts = { Shipper: { a: 1 }, serviceProvider: {}, locations: [] };
  expect(await (await answering(200, contacts)).getListingContacts('1')).toEqual(contacts);
});

test.each([
  ['2030-05-01T10:20:30Z', '2030-05-01T10:20:30.000Z'],
  ['2030-05-01T10:20:30.1234567Z', '2030-05-01T10:20:30.123Z'],
  ['2030-05-01T10:20:30', '2030-05-01T10:20:30.000Z'],
  ['2030-05-01T10:20:30.5+02:00', '2030-05-01T08:20:30.500Z'],
  ['2030-05-01', '2030-05-01T00:00:00.000Z'],
  ['2030-13-01T00:00:00Z', null],
  ['soon', null],
])('the timestamp %s is %s', (text, instant) => {
  expect(parseTimestamp(text)).toBe(instant);
});
