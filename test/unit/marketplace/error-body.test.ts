import { afterEach, expect, test } from '@jest/globals';
import { readErrorBody } from '../../../src/marketplace/error-body';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';
import { aFurnitureShipment } from './shipments';

afterEach(closeAll);

test('the documented shape gives reason, codes and fields', () => {
  const body = {
    reason: 'Invalid',
    errors: [{ code: 40006, field: 'title', reason: 'too long', severity: 'Error' }],
  };
  expect(readErrorBody(JSON.stringify(body))).toEqual({
    reason: 'Invalid',
    codes: ['40006'],
    fields: [{ field: 'title', code: '40006', reason: 'too long' }],
  });
});

test('the shape with developer messages gives the same', () => {
  const body = {
    errors: [{ errorCode: '40001', field: 'date', developerMessage: 'too early', userMessage: 'x' }],
  };
  expect(readErrorBody(JSON.stringify(body))).toEqual({
    reason: null,
    codes: ['40001'],
    fields: [{ field: 'date', code: '40001', reason: 'too early' }],
  });
});

test.each([
  ['a gateway', '{"message":"Forbidden"}', 'Forbidden'],
  ['OAuth', '{"error":"invalid_client","error_description":"unknown"}', 'invalid_client: unknown'],
  ['HTML', '<html><head><title>502 Bad\n Gateway</title></head><body>x</body></html>', '502 Bad Gateway'],
  ['HTML without a title', '<html><body><h1>Oops</h1></body></html>', 'Oops'],
  ['plain text', 'try later', 'try later'],
  ['a JSON string', '"no"', 'no'],
  ['nothing', '', null],
  ['null', 'null', null],
  ['a number', '7', null],
  ['odd types', '{"reason":{"a":1},"errors":7}', null],
])('%s becomes one reason', (_, body, reason) => {
  expect(readErrorBody(body)).toEqual({ reason, codes: [], fields: [] });
});

test.each([
  ['text', 'x'.repeat(100_000)],
  ['page', `<p>${'x'.repeat(100_000)}`],
  ['JSON', JSON.stringify({ reason: 'x'.repeat(100_000) })],
])('an endless %s is cut', (_, body) => {
  expect(readErrorBody(body).reason?.length).toBeLessThanOrEqual(16 * 1024);
});

test.each([
  ['a list', Array.from({ length: 5_000 }, (_, at) => ({ field: `f${at}`, reason: 'bad' }))],
  ['texts', Array.from({ length: 5_000 }, () => 'bad')],
  ['fields', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, ['bad']]))],
])('twenty of thousands of errors in the form of %s are read', (_, errors) => {
  expect(readErrorBody(JSON.stringify({ errors })).fields).toHaveLength(20);
});

test('an error shows neither the key nor anything of a contact, even when the service echoes them', async () => {
  const { url } = await startServer((request, response) => {
    const echo = `bad request ${request.headers.authorization} ${request.body.slice(0, 200)} ada@example.com Ada Byron gate code 4471`;
    reply(400, {
      reason: echo,
      errors: [{ code: 40010, field: 'x', reason: 'phone 512-555-0147 at 12 Elm St' }],
    })(request, response);
  });
  const error = await failureOf(
    aMarketplace(anAccount(url)).createListing({
      shipment: aFurnitureShipment(),
      listPrice: { minorUnits: 65000, currency: 'USD' },
      priceCorrelationId: null,
      sendId: 's-1',
    }),
  );
  const text = `${String(error)} ${JSON.stringify(error)}`;
  for (const secret of [
    'key-secret-1',
    'ada@example.com',
    'Ada Byron',
    '512-555-0147',
    '12 Elm St',
    '4471',
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(text).toContain('40010');
});
