import { afterEach, expect, test } from '@jest/globals';
import { ask, closeSandboxes, errorFields, fixedPriceBody, quickSandbox } from './marketplace-client';

afterEach(closeSandboxes);

const coverage = {
  insurance: { coverageAmount: { amount: 2400, currencyType: 'USD', commodity: 'Furniture' } },
};

test('a fixed price has the price with and without service charges and a correlation id', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody() });
  expect(reply.status).toBe(200);
  expect(Number(reply.body['price'])).toBeGreaterThan(Number(reply.body['nypAmount']));
  expect(reply.body['priceCorrelationId']).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u);
  expect(reply.body).not.toHaveProperty('insuranceQuote');
});

test('the same request costs the same, and a longer or heavier one more', async () => {
  const sandbox = await quickSandbox();
  const priceOf = async (changes: object): Promise<number> => {
    const reply = await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody(changes) });
    return Number(reply.body['price']);
  };
  const price = await priceOf({});
  expect(await priceOf({})).toBe(price);
  expect(await priceOf({ destinationPostalCode: '98101' })).toBeGreaterThan(price);
  expect(await priceOf({ items: [{ ...fixedPriceBody().items[0], unitCount: 3 }] })).toBeGreaterThan(price);
});

test.each([
  ['insuranceQuote', { insuranceQuote: { coverageAmount: { amount: 2400 }, premium: { amount: 36 } } }],
  ['insurance', { insurance: { premium: { amount: 36 } } }],
  ['top', { premium: { amount: 36 } }],
] as const)('with premiumPosition %s the premium is found there', async (premiumPosition, expected) => {
  const sandbox = await quickSandbox({ switches: { premiumPosition } });
  const reply = await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody(coverage) });
  expect(reply.body).toMatchObject(expected);
});

test('with premiumPosition missing no premium is in the answer at all', async () => {
  const sandbox = await quickSandbox({ switches: { premiumPosition: 'missing' } });
  const reply = await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody(coverage) });
  expect(reply.text).toContain('coverageAmount');
  expect(reply.text).not.toContain('premium');
});

test.each([
  [
    'brackets',
    { 'items[0][unitCount]': '1', 'items[0][weightInGrams]': '64410', 'items[0][lengthInMeters]': '2.1' },
  ],
  [
    'dots',
    { 'items[0].unitCount': '1', 'items[0].weightInGrams': '64410', 'items[0].lengthInMeters': '2.1' },
  ],
])('a form-encoded body that nests with %s is read', async (_how, nested) => {
  const sandbox = await quickSandbox();
  const { source, originPostalCode, destinationPostalCode } = fixedPriceBody();
  const size = { 'items[0][heightInMeters]': '0.86', 'items[0][widthInMeters]': '0.96' };
  const form = { source, originPostalCode, destinationPostalCode, ...size, ...nested };
  expect((await ask(sandbox, 'POST', '/v2/fixedprice', { form })).text).toContain('nypAmount');
});

test('a form-encoded body may carry its items as JSON text', async () => {
  const sandbox = await quickSandbox({ switches: { fixedPriceBody: 'form' } });
  const { items, ...rest } = fixedPriceBody();
  const form = { ...rest, items: JSON.stringify(items) };
  expect((await ask(sandbox, 'POST', '/v2/fixedprice', { form })).status).toBe(200);
  expect((await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody() })).status).toBe(400);
});

test('every problem of a fixed price request is named in one answer', async () => {
  const sandbox = await quickSandbox();
  const item = {
    heightInMeters: '0.86',
    lengthInMeters: 0,
    widthInMeters: 0.96,
    weightInGrams: 1.5,
    unitCount: 0,
  };
  const json = { source: 'Acme Inc', originPostalCode: '7520', destinationCountryCode: 'MX', items: [item] };
  const reply = await ask(sandbox, 'POST', '/v2/fixedprice', { json });
  expect(reply.status).toBe(400);
  expect(errorFields(reply).sort()).toEqual([
    'destinationCountryCode',
    'destinationPostalCode',
    'items[0].heightInMeters',
    'items[0].lengthInMeters',
    'items[0].unitCount',
    'items[0].weightInGrams',
    'originPostalCode',
    'source',
  ]);
  expect(reply.body['errors']).toContainEqual({
    code: 40006,
    field: 'source',
    reason: 'must be lower case letters and digits only',
    severity: 'Error',
  });
});

test('Canada is priced, but protection is for moves within the US', async () => {
  const sandbox = await quickSandbox();
  const canada = { destinationPostalCode: 'M5V 2T6', destinationCountryCode: 'CA' };
  const priced = await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody(canada) });
  expect(priced.status).toBe(200);
  const json = fixedPriceBody({ ...canada, ...coverage });
  expect(errorFields(await ask(sandbox, 'POST', '/v2/fixedprice', { json }))).toEqual(['insurance']);
});

test('a correlation id that is sent comes back', async () => {
  const sandbox = await quickSandbox();
  const priceCorrelationId = '3f2f4c06-5b1e-4a53-9d0c-4e1a8b7d6c5f';
  const reply = await ask(sandbox, 'POST', '/v2/fixedprice', {
    json: fixedPriceBody({ priceCorrelationId }),
  });
  expect(reply.body).toMatchObject({ priceCorrelationId });
});
