import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareShape } from '../../../../src/marketplace/conformance/shape';
import { fixedPriceResponseSchema } from '../../../../src/marketplace/schemas/fixed-price';
import { paymentMethodListSchema } from '../../../../src/marketplace/schemas/payment-methods';
import { rateListSchema } from '../../../../src/marketplace/schemas/rates';
import { contactsSchema, trackingSchema } from '../../../../src/marketplace/schemas/tracking';

const trio = (value: string) => ({ value, label: value, shortLabel: value });

const rate = {
  id: '0123456789abcdef01234567',
  created: '2035-03-01T00:00:00Z',
  expires: '2035-03-08T00:00:00Z',
  totalPrice: { value: 500.5, label: '$500.50', shortLabel: '$500' },
  serviceType: trio('LtlTransportOnly'),
  transportMode: trio('Trucking'),
  vehicleType: trio('Van'),
  pickupTimeframe: { delay: 0, timeFrameType: trio('Relative') },
  deliveryTimeframe: { delay: 3 },
  additionalInformation: null,
  bidder: {
    userId: 1,
    displayName: 'Jane Roe Freight',
    feedback: { count: 3, percentPositive: 99, starRating: 5 },
  },
};
const known = { serviceType: ['LtlTransportOnly'], transportMode: ['Trucking'], vehicleType: ['Van'] };
const ratesOf = (...items: unknown[]) => compareShape(rateListSchema, { totalCount: 1, items }, { known });

test('an answer as expected has no difference, and its unread fields are named with their kinds', () => {
  expect(ratesOf(rate)).toEqual({
    differences: [],
    unreadFields: [
      { path: 'items[].pickupTimeframe.timeFrameType', kinds: ['object'] },
      { path: 'items[].pickupTimeframe.timeFrameType.value', kinds: ['string'] },
      { path: 'totalCount', kinds: ['number'] },
    ],
    absentFields: [],
    unknownValues: [],
  });
});

test('a field of another kind is reported by its path and the two kinds, once for a whole list', () => {
  const wrong = { ...rate, id: {}, totalPrice: 'from 500', expires: 'soon' };
  expect(ratesOf(wrong, wrong, rate).differences).toEqual([
    { path: 'items[].id', expected: expect.stringContaining('string'), received: 'object' },
    { path: 'items[].expires', expected: 'ISO 8601 timestamp', received: 'string' },
    { path: 'items[].totalPrice', expected: 'number or object', received: 'string' },
  ]);
});

test('a completely different body is one difference', () => {
  expect(compareShape(rateListSchema, [rate]).differences).toEqual([
    { path: '(whole answer)', expected: 'object', received: 'array' },
  ]);
  expect(compareShape(rateListSchema, { rates: [] })).toMatchObject({
    differences: [{ path: 'items', expected: 'array', received: 'nothing' }],
    absentFields: ['items'],
    unreadFields: [{ path: 'rates', kinds: ['empty array'] }],
  });
});

test('a field that only some elements have says in how many it is missing', () => {
  const { bidder: _, ...nameless } = rate;
  expect(ratesOf(rate, nameless, nameless).absentFields).toEqual(['items[].bidder (in 2 of 3)']);
  expect(ratesOf(nameless).absentFields).toEqual(['items[].bidder']);
});

test('a new value of an open list is shown, if it is a code', () => {
  const odd = { ...rate, serviceType: trio('DroneTransport'), transportMode: 'Jane Roe, +1 512 555 0100' };
  expect(ratesOf(odd).unknownValues).toEqual([
    { path: 'items[].serviceType', value: 'DroneTransport' },
    { path: 'items[].transportMode', value: null },
  ]);
});

test('a field name that may be an id is not shown', () => {
  const { unreadFields } = compareShape(contactsSchema, {
    '+15125550100': { phone: 'x' },
    consignee: { a1b2c3d4: 1 },
  });
  expect(unreadFields).toEqual([
    { path: '(name not shown)', kinds: ['object'] },
    { path: '(name not shown).phone', kinds: ['string'] },
    { path: 'consignee', kinds: ['object'] },
    { path: 'consignee.(name not shown)', kinds: ['number'] },
  ]);
});

test('an amount in one form does not miss the fields of the other forms', () => {
  const { differences, absentFields } = compareShape(fixedPriceResponseSchema, {
    ...{ price: '119.10', nypAmount: 100, priceCorrelationId: 'c' },
    insuranceQuote: { premium: { amount: 3, currencyType: 'USD' } },
  });
  expect(differences).toEqual([]);
  expect(absentFields).toEqual(['insurance', 'premium']);
});

/** Field names of real answers, so that the walk goes deep; `value` and `type` are where codes stand. */
const names = fc.constantFrom(
  ...[
    'items',
    'id',
    'totalPrice',
    'value',
    'label',
    'currencyType',
    'bidder',
    'feedback',
    'displayName',
    'expires',
  ],
  ...['serviceType', 'type', 'expiration', 'month', 'price', 'nypAmount', 'insurance', 'premium', 'amount'],
  ...['shipmentTrackingStatuses', 'mostRecentAddress', 'city', 'consignee', 'unheardOf'],
);
/** Leaves that cannot be part of anything else in a report. */
const leafText = fc.oneof(
  fc.nat().map((number) => `Leaf${number}x`),
  fc.nat().map((number) => `leaf ${number}, Jane <x@example.com>`),
);
const leafNumber = fc.integer({ min: 10_000_000, max: 99_999_999 });

const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(leafText, leafNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(names, tie('body'), { maxKeys: 6 }),
  ),
}));

function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

test.each([
  ['rates', rateListSchema],
  ['payment methods', paymentMethodListSchema],
  ['a fixed price', fixedPriceResponseSchema],
  ['tracking', trackingSchema],
  ['contacts', contactsSchema],
])(
  'whatever is returned instead of %s, the report contains no value except codes of open lists',
  (_, schema) => {
    fc.assert(
      fc.property(body, (answer) => {
        const report = compareShape(schema, answer);
        const shown = new Set(report.unknownValues.map(({ value }) => value));
        const text = JSON.stringify({
          ...report,
          unknownValues: report.unknownValues.map(({ path }) => path),
        });
        for (const leaf of leavesOf(answer)) {
          expect(text).not.toContain(String(leaf));
        }
        for (const value of shown) expect(value ?? 'Leaf0x').toMatch(/^Leaf\d+x$/);
      }),
      { numRuns: 300 },
    );
  },
);
