import { afterEach, expect, test } from '@jest/globals';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';

afterEach(closeAll);

async function answering(body: unknown) {
  const { url } = await startServer(reply(200, body));
  return aMarketplace(anAccount(url));
}

const rate = { id: 'good', expires: '2030-05-08T10:00:00Z', totalPrice: { value: 400.5 } };
const listRates = async (items: readonly unknown[]) => await (await answering({ items })).listRates('x');

test.each<[string, unknown, string]>([
  ['expires null', { ...rate, expires: null }, 'items[1].expires'],
  ['expires that is no time', { ...rate, expires: 'soon' }, 'items[1].expires'],
  ['a price of 0', { ...rate, totalPrice: { value: 0 } }, 'items[1].totalPrice'],
  ['a price of null', { ...rate, totalPrice: { value: null } }, 'items[1].totalPrice'],
  ['a price that may be 1.234 or 1234', { ...rate, totalPrice: '1,234' }, 'items[1].totalPrice'],
  [
    'a price in no currency',
    { ...rate, totalPrice: { value: 5, currencyType: 'EURO' } },
    'items[1].totalPrice',
  ],
  ['no id', { ...rate, id: null }, 'items[1].id'],
  ['nothing', null, 'items[1]'],
  ['a text', 'n/a', 'items[1]'],
])('a rate with %s hides no other, and is named', async (_, bad, place) => {
  const { rates, leftOut } = await listRates([{ ...rate, id: 'first' }, bad, rate]);
  expect(rates.map(({ rateId }) => rateId)).toEqual(['first', 'good']);
  expect(leftOut).toEqual({ count: 1, where: [place] });
});

test.each<[string, number]>([
  ['1,234.56', 123_456],
  ['1.234,56', 123_456],
  ['12,345,678', 1_234_567_800],
  ['1234.5', 123_450],
])('the price %s is %i cents', async (value, minorUnits) => {
  const { rates } = await listRates([{ ...rate, totalPrice: { value } }]);
  expect(rates[0]?.totalPrice.minorUnits).toBe(minorUnits);
});

test('invalid fields that only describe a rate count as absent', async () => {
  const { rates, leftOut } = await listRates([
    {
      ...rate,
      created: 'yesterday',
      serviceType: [1],
      pickupTimeframe: { delay: '1-2' },
      deliveryTimeframe: 'fast',
      bidder: {
        userId: 5,
        displayName: {},
        feedback: { count: 'many', starRating: 'N/A', percentPositive: 99 },
      },
    },
  ]);
  expect(leftOut.count).toBe(0);
  expect(rates[0]).toMatchObject({
    ...{ rateId: 'good', createdAt: null, serviceType: null },
    ...{ pickupDelayInDays: null, deliveryDelayInDays: null },
    carrier: {
      userId: '5',
      displayName: 'carrier 5',
      feedbackCount: null,
      percentPositive: 99,
      starRating: null,
    },
  });
});

test('of many bad rates the first ten are named and all are counted', async () => {
  const { leftOut } = await listRates(Array.from({ length: 40 }, () => ({ ...rate, expires: null })));
  expect(leftOut.count).toBe(40);
  expect(leftOut.where).toHaveLength(10);
});

const card = { id: 'card', type: 'creditcard', isPrimary: true, active: true };

test.each<[string, unknown, object | null]>([
  ['of month and year 0', { month: 0, year: 0 }, null],
  ['with a year of two digits', { month: 5, year: 31 }, { month: 5, year: 2031 }],
  ['with a year of two digits as text', { month: '05', year: '31' }, { month: 5, year: 2031 }],
  ['with a month of 13', { month: 13, year: 2031 }, null],
  ['as a text', '05/31', null],
])('a card with an expiration %s is read', async (_, expiration, expected) => {
  const marketplace = await answering({ items: [{ ...card, expiration }] });
  const { methods, leftOut } = await marketplace.listPaymentMethods('ltl');
  expect(methods).toMatchObject([{ paymentMethodId: 'card', active: true, expiration: expected }]);
  expect(leftOut.count).toBe(0);
});

test.each<[unknown, string]>([
  [{ ...card, id: null }, 'items[0].id'],
  [{ ...card, id: {} }, 'items[0].id'],
  [7, 'items[0]'],
])('a payment method without an id hides no other: %j', async (bad, place) => {
  const { methods, leftOut } = await (await answering({ items: [bad, card] })).listPaymentMethods('ltl');
  expect(methods.map(({ paymentMethodId }) => paymentMethodId)).toEqual(['card']);
  expect(leftOut).toEqual({ count: 1, where: [place] });
});

const ours = { number: 'acme/SO-1', type: 'ThirdPartyOrderNumber' };
const record = { listingId: 77, status: 'Booked', referenceNumbers: [ours] };

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'acme/SO-2'],
  ['one without a number', { type: 'Other' }],
  ['one whose number is an object', { number: {}, type: 'Other' }],
])('a reference that is %s hides no other', async (_, bad) => {
  const marketplace = await answering({ ...record, referenceNumbers: [bad, ours, bad] });
  const { referenceNumbers } = await marketplace.getListing('77');
  expect(referenceNumbers.map(({ number }) => number)).toEqual(['acme/SO-1']);
});

test('invalid optional fields of a record count as absent', async () => {
  const marketplace = await answering({
    ...record,
    ...{ title: {}, bookedOn: 'soon', billOfLadingNumber: [], totalWeightInGrams: 'heavy' },
    ...{ hasPendingBookingRequest: 'no', serviceProvider: 7, namedPrice: { value: 5, currencyType: 'EURO' } },
    route: { items: [{ address: { postalCode: '75207' } }, null, 'x', { address: { postalCode: 78703 } }] },
  });
  expect(await marketplace.getListing('77')).toMatchObject({
    ...{ status: 'Booked', title: '', bookedOn: null, billOfLadingNumber: null, totalWeightInGrams: null },
    ...{ hasPendingBookingRequest: null, carrier: null, namedPrice: null },
    postalCodes: ['75207', '', '', '78703'],
    referenceNumbers: [{ number: 'acme/SO-1' }],
  });
});

const instant = (day: string): string => `${day}T00:00:00.000Z`;

test.each<[string, unknown, object | null]>([
  [
    'two days',
    { earliestArrival: instant('2035-03-08'), latestArrival: instant('2035-03-10') },
    { earliestOn: '2035-03-08', latestOn: '2035-03-10' },
  ],
  [
    'a last day, as it is sent',
    { latestArrival: '2035/03/10' },
    { earliestOn: null, latestOn: '2035-03-10' },
  ],
  [
    'a late hour of its own zone',
    { latestArrival: '2035-03-10T23:00:00-06:00' },
    { earliestOn: null, latestOn: '2035-03-10' },
  ],
  [
    'one day that is none',
    { earliestArrival: 'soon', latestArrival: instant('2035-03-10') },
    { earliestOn: null, latestOn: '2035-03-10' },
  ],
  ['days that are none', { earliestArrival: '2035-02-30', latestArrival: {} }, null],
  [
    'a last day before the first',
    { earliestArrival: instant('2035-03-10'), latestArrival: instant('2035-03-08') },
    null,
  ],
  ['the year of "never"', { latestArrival: '0001-01-01T00:00:00' }, null],
  ['a text', 'next week', null],
])('the delivery of a record with %s is read, or counts as absent', async (_, timeFrame, expected) => {
  const pickup = { address: { postalCode: '75207' }, timeFrame: { latestArrival: instant('2035-03-01') } };
  const items = [pickup, { address: { postalCode: '78703' }, timeFrame }];
  const { deliveryWindow, postalCodes } = await (
    await answering({ ...record, route: { items } })
  ).getListing('77');
  expect(deliveryWindow).toEqual(expected);
  expect(postalCodes).toEqual(['75207', '78703']);
});

test.each([[null], ['x'], [{ listingId: null }], [{ status: 'Booked' }]])(
  'in a list of listings %j does not hide the requested one',
  async (bad) => {
    expect(await (await answering({ items: [bad, record, bad] })).getListing('77')).toMatchObject({
      listingId: '77',
    });
    expect(await failureOf((await answering({ items: [bad] })).getListing('77'))).toMatchObject({
      name: 'UnexpectedResponseError',
    });
  },
);

test('an unreadable place or status of the tracking hides no other', async () => {
  const marketplace = await answering({
    shipmentTrackingStatuses: [null, 7, { statusName: 'PickedUp' }, [], 'Delivered'],
    mostRecentLocation: [null, { latitude: 'N/A', longitude: 3 }, { latitude: '31.5', longitude: -97.1 }],
    mostRecentAddress: ['x', { city: {}, state: null }, { city: 'Waco', state: 'TX' }],
  });
  expect(await marketplace.getTracking('77')).toMatchObject({
    ...{ latitude: 31.5, longitude: -97.1, lastKnownPlace: 'Waco, TX' },
    statuses: [{ status: 'PickedUp' }, { status: 'Delivered' }],
  });
});

test('an unreadable address type hides no other', async () => {
  const marketplace = await answering({ items: [null, { value: '' }, { value: 'Residence', label: {} }] });
  expect(await marketplace.listAddressTypes('x')).toEqual([{ value: 'Residence', label: 'Residence' }]);
});

test.each([
  ['fileSize', 'big'],
  ['dateCreated', 'soon'],
  ['notes', {}],
])('an attachment whose %s is wrong is read', async (field, value) => {
  const attachment = { attachmentId: 'a-1', uri: 'https://files.example/a-1', [field]: value };
  expect(
    await (await answering(attachment)).getListingAttachment({ listingId: '77', attachmentId: 'a-1' }),
  ).toMatchObject({
    ...{ attachmentId: 'a-1', uri: 'https://files.example/a-1' },
    ...{ fileSizeInBytes: null, createdAt: null, notes: null },
  });
});
