import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MockAgent } from 'undici';
import { createMarketplace, type ClosableMarketplace } from '../../../src/marketplace/create-marketplace';
import { ApiError, UnexpectedResponseError } from '../../../src/marketplace/errors';
import { fuzzing } from '../../support/fuzzing';
import { domainSchemas } from './domain-schemas';
import { goodAnswers } from './good-answers';
import { anAccount } from './server';
import { aFurnitureShipment, anLtlShipment } from './shipments';

type Call = keyof typeof domainSchemas;
interface Reply {
  readonly status: number;
  readonly body: string;
  readonly location: string;
}

const ORIGIN = 'http://marketplace.test';
const parameters = fuzzing(100);
let agent: MockAgent;
let marketplace: ClosableMarketplace;
let reply: Reply = { status: 200, body: '', location: '' };

beforeAll(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  const pool = agent.get(ORIGIN);
  for (const method of ['GET', 'POST']) {
    pool
      .intercept({ path: (path) => !path.includes('signin'), method })
      .reply(() => ({
        statusCode: reply.status,
        data: reply.body,
        responseOptions: { headers: reply.location === '' ? {} : { location: reply.location } },
      }))
      .persist();
  }
  pool
    .intercept({ path: /signin/, method: 'POST' })
    .reply(200, '{}', { headers: { 'set-cookie': 'ticket=1' } })
    .persist();
  const web = { username: async () => 'pat', password: async () => 'hush' };
  marketplace = createMarketplace(anAccount(ORIGIN, { web }), { dispatcher: agent });
});
afterAll(async () => {
  await marketplace.close();
  await agent.close();
});

const listing = { listingId: '273679133', checksum: null, changes: { title: 'Oak table' } };
const draft = {
  shipment: aFurnitureShipment(),
  listPrice: { minorUnits: 100, currency: 'USD' },
  priceCorrelationId: null,
  sendId: 's-1',
};
const calls: Record<Call, () => Promise<unknown>> = {
  getFixedPrice: async () =>
    await marketplace.getFixedPrice({ shipment: aFurnitureShipment(), priceCorrelationId: null }),
  getListing: async () => await marketplace.getListing('273679133'),
  isListingUpdated: async () => await marketplace.isListingUpdated(listing),
  getListingContacts: async () => await marketplace.getListingContacts('1'),
  getTracking: async () => await marketplace.getTracking('1'),
  getBillOfLading: async () => await marketplace.getBillOfLading('1'),
  getListingAttachment: async () =>
    await marketplace.getListingAttachment({ listingId: '1', attachmentId: '9001' }),
  listRates: async () => await marketplace.listRates('x'),
  getAcceptanceStatus: async () => await marketplace.getAcceptanceStatus({ rateId: 'r', executionId: 'e' }),
  listPaymentMethods: async () => await marketplace.listPaymentMethods('ltl'),
  listAddressTypes: async () => await marketplace.listAddressTypes('Tables'),
  getTrackingLink: async () => await marketplace.getTrackingLink('1'),
  createListing: async () => await marketplace.createListing(draft),
  createRateRequest: async () =>
    await marketplace.createRateRequest({ shipment: anLtlShipment(), attempt: 1 }),
  acceptRate: async () => await marketplace.acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage: null }),
};
const bodyOf = (call: Call): unknown =>
  call === 'isListingUpdated' ? goodAnswers.getListing : goodAnswers[call as keyof typeof goodAnswers];

/** The places of a body, and the body itself. */
function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path])),
  ];
}

type Mutation =
  { readonly kind: 'drop' } | { readonly kind: 'set'; readonly value: unknown } | { readonly kind: 'extra' };

function mutate(body: unknown, [name, ...rest]: readonly (string | number)[], mutation: Mutation): unknown {
  if (name === undefined) {
    if (mutation.kind === 'drop') return undefined;
    if (mutation.kind === 'set') return mutation.value;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { ...body, constructor: 1, 'nobody knows': { value: 'x', label: 'y' } }
      : body;
  }
  if (typeof body !== 'object' || body === null) return body;
  const inner = (body as Record<string, unknown>)[name];
  const changed = mutate(inner, rest, mutation);
  if (Array.isArray(body)) return body.map((entry: unknown, at) => (at === Number(name) ? changed : entry));
  return { ...body, [name]: changed };
}

const deep = (levels: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    1e21,
    9_007_199_254_740_992,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    'NaN',
    'Infinity',
    '9'.repeat(400),
    '1e5',
    '-5',
    '0x10',
    'x'.repeat(20_000),
    '\u0000',
    '\ud800',
    '<b>',
    'javascript:alert(1)',
    '2030-02-30T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '2030-05-01T25:61:00Z',
    { value: null },
    { value: {} },
    { value: 'Réservé', label: 'Booked' },
    { value: 1e308 },
    { amount: 'x' },
    { amount: 5, currencyType: 'dollars' },
    { amount: 5, currencyType: 'usd' },
    { amount: 5, currencyType: 'CAD' },
    '12/05/2030',
    'USD 5.00',
    deep(300),
  ),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'drop' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'extra' } as const) },
  { weight: 6, arbitrary: odd.map((value) => ({ kind: 'set', value }) as const) },
);

/** Neither NaN nor Infinity, at any depth: JSON would carry them on as null. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.values(value).every(isPlain);
}

/** What is wrong with how a call ends: null for a value of its type, or the one error that names the field. */
async function troubleOf(call: Call): Promise<unknown> {
  try {
    const value = await calls[call]();
    const { error } = domainSchemas[call].safeParse(value);
    if (error !== undefined) return { value, issues: error.issues };
    return call === 'getListingContacts' || isPlain(value) ? null : { value, issues: 'not plain JSON' };
  } catch (error) {
    // A list without listings says that there is none.
    const isOfListing = call === 'getListing' || call === 'isListingUpdated';
    if (isOfListing && error instanceof ApiError && error.status === 404) return null;
    if (!(error instanceof UnexpectedResponseError)) return error;
    const { expected, message } = error;
    const namesField = /^[\w[\].' ]+ \(.+\)|header|JSON body/u.test(expected) && message.includes(expected);
    return namesField ? null : error;
  }
}

const reads = (Object.keys(domainSchemas) as Call[]).filter((call) => bodyOf(call) !== undefined);

test.each(reads)('the good answer to %s is read', async (call) => {
  reply = { status: 200, body: JSON.stringify(bodyOf(call)), location: '' };
  expect(domainSchemas[call].safeParse(await calls[call]()).error).toBeUndefined();
});

test.each(reads)('a mistake in an answer to %s is reported, or does not matter', async (call) => {
  const body = bodyOf(call);
  const paths = pathsOf(body);
  const change = fc.tuple(fc.constantFrom(...paths), mutation);
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (changes, isList) => {
        const changed = changes.reduce<unknown>((value, [path, how]) => mutate(value, path, how), body);
        const whole = isList && call === 'getListing' ? { totalCount: 1, items: [changed] } : changed;
        reply = { status: 200, body: JSON.stringify(whole) ?? '', location: '' };
        expect(await troubleOf(call)).toBeNull();
      },
    ),
    parameters,
  );
});

const bodies = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    '[]',
    '{}',
    '"x"',
    '5',
    '1e400',
    '{',
    '<html><title>Sign in</title></html>',
    '\ufeff{}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ),
  fc.json(),
  fc.string(),
);
test.each(reads)('a body that is none of %s is reported', async (call) => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      reply = { status: 200, body, location: '' };
      expect(await troubleOf(call)).toBeNull();
    }),
    fuzzing(60),
  );
});

const locations = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '/',
    '//',
    'https://h',
    'https://h/v2/listings/',
    'https://h/v2/listings/1',
    '/v2/listings/%',
    '/v2/listings/a%20b',
    'x'.repeat(500),
    '/v2/raterequests/rates',
    '/v2/rates/r/acceptance/status/',
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
);
test.each([
  ['createListing', 201],
  ['createRateRequest', 201],
  ['acceptRate', 201],
  ['acceptRate', 202],
  ['getAcceptanceStatus', 201],
  ['getAcceptanceStatus', 303],
] as const)('a Location of %s (%i) names an id or is reported', async (call, status) => {
  await fc.assert(
    fc.asyncProperty(locations, bodies, async (location, body) => {
      reply = { status, body, location };
      expect(await troubleOf(call)).toBeNull();
    }),
    parameters,
  );
});

test('no answer to an acceptance counts as a booking without a listing', async () => {
  const response = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constant(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    odd,
  );
  const statusCode = fc.oneof(fc.integer({ min: -1, max: 700 }), odd);
  await fc.assert(
    fc.asyncProperty(response, statusCode, async (inner, code) => {
      reply = { status: 200, body: JSON.stringify({ response: inner, statusCode: code }), location: '' };
      expect(await troubleOf('getAcceptanceStatus')).toBeNull();
    }),
    parameters,
  );
});
