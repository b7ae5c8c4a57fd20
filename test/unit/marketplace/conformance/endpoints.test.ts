import { expect, test } from '@jest/globals';
import { endpointReport } from '../../../../src/marketplace/conformance/endpoints';
import { isConforming } from '../../../../src/domain/conformance';
import { ApiError, ConnectionError, UnexpectedResponseError } from '../../../../src/marketplace/errors';
import { renderConformance } from '../../../../src/starter/cli/show-conformance';
import { aListing } from '../../../support/builders';

const request = { operation: 'getFixedPrice', method: 'POST', path: '/v2/fixedprice' } as const;
const seen = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });
const price = { price: 119.1, nypAmount: 100, priceCorrelationId: 'c-1' };

test('an answer that the client reads completely fits', () => {
  const report = endpointReport('getFixedPrice', { seen: seen(price), error: null });
  expect(report).toMatchObject({
    endpoint: 'POST /v2/fixedprice',
    status: 200,
    verdict: 'fits',
    differences: [],
  });
  expect(isConforming(report)).toBe(true);
});

test('another status of success is a difference', () => {
  const report = endpointReport('createRateRequest', { seen: seen({}, 200), error: null });
  expect(report.differences).toEqual([{ path: '(status)', expected: '201', received: '200' }]);
  expect(isConforming(report)).toBe(false);
});

test('something that the client misses although the shape fits is a difference too', () => {
  const error = new UnexpectedResponseError({
    ...{ request, outcome: 'rejected', status: 200, expected: 'insuranceQuote.premium.amount' },
  });
  const report = endpointReport('getFixedPrice', { seen: seen(price), error });
  expect(report).toMatchObject({ verdict: 'differs', differences: [{ path: '(as a whole)' }] });
});

test.each([
  ['no JSON', '<html>Jane</html>', 'no JSON'],
  ['an empty body', '', 'nothing'],
  ['a body that broke off', null, 'an answer that broke off'],
])('%s is a difference', (_, body, received) => {
  const report = endpointReport('listRates', { seen: { status: 200, body }, error: null });
  expect(report.differences).toEqual([{ path: '(body)', expected: 'JSON', received }]);
});

test.each([
  ['getTracking', 404, 'notThere'],
  ['getListingContacts', 403, 'notThere'],
  ['listPaymentMethods', 501, 'notThere'],
  ['listRates', 404, 'refused'],
  ['getFixedPrice', 500, 'refused'],
] as const)('%s answered with %i is %s, and the body is not compared', (operation, status, verdict) => {
  const report = endpointReport(operation, { seen: { status, body: '{"reason":"Jane"}' }, error: null });
  expect(report).toMatchObject({ status, verdict, differences: [], unreadFields: [] });
});

test('a missing answer gives its code as the reason, and a refused token is distinguished', () => {
  const gone = new ConnectionError({ request, outcome: 'notSent', code: 'ECONNREFUSED', reason: 'gone' });
  expect(endpointReport('getFixedPrice', { seen: null, error: gone })).toMatchObject({
    ...{ verdict: 'noAnswer', status: null, trouble: 'ECONNREFUSED' },
  });
  const token = { operation: 'grantToken', method: 'POST', path: '/oauth/token' } as const;
  const refused = new ApiError({ request: token, outcome: 'accountTrouble', status: 401, reasons: [] });
  expect(endpointReport('getFixedPrice', { seen: null, error: refused })).toMatchObject({
    ...{ verdict: 'refused', status: 401, trouble: 'no token was given' },
  });
});

test('a listing is compared in both of its forms', () => {
  const record = { listingId: 1, title: 'Jane', status: { value: 'Frozen' }, items: [{ title: 'x' }] };
  for (const body of [record, { totalCount: 1, items: [record] }]) {
    const report = endpointReport('getListing', { seen: seen(body), error: null });
    expect(report).toMatchObject({
      verdict: 'fits',
      unknownValues: [{ path: '[].status', value: 'Frozen' }],
    });
    expect(report.unreadFields).toContainEqual({ path: '[].items', kinds: ['array'] });
  }
  const broken = endpointReport('getListing', { seen: seen({ ...record, listingId: null }), error: null });
  expect(broken.differences).toEqual([
    { path: '[].listingId', expected: expect.stringContaining('string'), received: 'null' },
  ]);
});

test('the text has version, day, environment and differences, and no content', () => {
  const secret = aListing().listingId;
  const reports = [
    endpointReport('getListing', {
      seen: seen({ listingId: secret, status: 'Frozen', lister: { userId: 1, links: [] } }),
      error: null,
    }),
    endpointReport('listRates', { seen: seen({ items: [{ id: '' }] }), error: null }),
  ];
  const text = renderConformance({ version: '0.1.0', date: '2035-03-01', environment: 'sandbox' }, reports);
  expect(text).toContain("Consign 0.1.0, conformance of the marketplace's sandbox on 2035-03-01");
  expect(text).toContain('[].status = Frozen');
  expect(text).toContain(
    '  fields that Consign does not read:\n    []: lister\n    [].lister: userId, links\n',
  );
  expect(text).toContain('items[].expires: expected string, received nothing');
  expect(text).toContain('1 of 2 endpoints do not conform');
  expect(text).not.toContain(secret);
});
