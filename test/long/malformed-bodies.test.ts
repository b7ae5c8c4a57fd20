import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../src/platform/log';
import { createReceiver } from '../../src/webhooks/receiver';

const SECRET = 'Correct-Horse-7';
const OTHER_SECRET = 'bolt from the blue';
const BODIES = 10_000;
const AT_ONCE = 16;

let server: FastifyInstance;
let url: string;
/** The identifiers of the events that were forwarded. */
let forwarded: string[] = [];

beforeAll(async () => {
  const accounts = [{ name: 'acme', environment: 'sandbox' as const }];
  server = createReceiver({
    integrations: [
      { name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts },
      { name: 'bolt', secret: async () => await Promise.resolve(OTHER_SECRET), accounts: [] },
    ],
    router: {
      async route(_sender, { id }) {
        forwarded.push(id);
        return await Promise.resolve('signalled');
      },
    },
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => await server.close());

interface Sent {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const anEvent = (over: object = {}): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: randomUUID(), source: 'urn:marketplace', time: '2035-03-01T12:00:00Z' },
    ...{ type: 'Listing.Booked/v1', data: { listingId: 273679133 }, ...over },
  });
const good = anEvent();
const bodyOf = <T>(values: fc.Arbitrary<T>, body: (value: T) => string | Uint8Array): fc.Arbitrary<Sent> =>
  values.map((value) => ({ body: body(value) }));
const eventWith = (over: fc.Arbitrary<object>): fc.Arbitrary<Sent> => bodyOf(over, anEvent);

const noText = fc.constantFrom<unknown>(null, 7, -1e308, true, [], {}, [''], { toString: 1 });
const long = fc.integer({ min: 201, max: 5_000 }).map((length) => 'x'.repeat(length));
const depth = fc.integer({ min: 1, max: 20_000 });
const poison = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty');
const field = fc.constantFrom('id', 'type', 'source', 'specversion');
const headers = (named: Readonly<Record<string, string>>) => ({
  ...{ 'ce-specversion': '1.0', 'ce-id': '1', 'ce-type': 'T', 'ce-source': 'urn:x', ...named },
});

const KINDS: Readonly<Record<string, fc.Arbitrary<Sent>>> = {
  'an empty body': fc.constant({ body: '' }),
  'white space': bodyOf(fc.integer({ min: 1, max: 5_000 }), (length) => ' \n\t'.repeat(length)),
  'random bytes': bodyOf(fc.uint8Array({ maxLength: 2_000 }), (bytes) => bytes),
  'random text': bodyOf(fc.string({ unit: 'binary', maxLength: 500 }), (text) => text),
  'random JSON': bodyOf(fc.json({ maxDepth: 6 }), (text) => text),
  'a cut off event': bodyOf(fc.nat({ max: good.length - 1 }), (length) => good.slice(0, length)),
  'a comma too many': bodyOf(fc.constantFrom('}', ']'), (end) => good.replace(/}$/, `,${end}`)),
  'two documents': bodyOf(fc.constantFrom('', '\n', ' '), (between) => `${good}${between}${good}`),
  'single quotes': bodyOf(field, () => anEvent().replaceAll('"', "'")),
  'a page in HTML': bodyOf(fc.string(), (text) => `<!doctype html><title>${text}</title>`),
  'an event in XML': bodyOf(fc.string(), (text) => `<?xml version="1.0"?><event id="${text}"/>`),
  'a form': bodyOf(fc.webQueryParameters(), (text) => `id=1&specversion=1.0&${text}`),
  'a comment in JSON': bodyOf(field, (text) => `${good.slice(0, -1)}/* ${text} */}`),
  'no object': bodyOf(
    fc.constantFrom('null', '7', 'true', '"x"', '-0', JSON.stringify(good)),
    (text) => text,
  ),
  'an empty batch': bodyOf(fc.constantFrom('[]', ' [ ] ', '\uFEFF[]'), (text) => text),
  'a batch of no events': bodyOf(fc.array(noText, { minLength: 1, maxLength: 50 }), (all) =>
    JSON.stringify(all),
  ),
  'lists that are not closed': bodyOf(depth, (count) => '['.repeat(count)),
  'lists in lists': bodyOf(depth, (count) => '['.repeat(count) + ']'.repeat(count)),
  'objects that are not closed': bodyOf(depth, (count) => '{"data":'.repeat(count)),
  'a field that is missing': eventWith(field.map((name) => ({ [name]: undefined }))),
  'a field that is no text': eventWith(fc.tuple(field, noText).map(([name, value]) => ({ [name]: value }))),
  'an identifier that is too long': eventWith(long.map((id) => ({ id }))),
  'a type that is too long': eventWith(long.map((type) => ({ type }))),
  'an empty identifier or type': eventWith(fc.constantFrom({ id: '' }, { type: '' })),
  'another version': eventWith(
    fc.constantFrom('0.3', '1', '1.0.2', '2.0', '').map((specversion) => ({ specversion })),
  ),
  'numbers that are too large': bodyOf(fc.tuple(field, depth), ([name, digits]) =>
    anEvent({ [name]: 'HERE' }).replace('"HERE"', `${'9'.repeat(digits)}e9999`),
  ),
  'an event in a prototype': bodyOf(poison, (key) => `{"${key}":${good}}`),
  'binary mode without a field': field
    .map((name) => ({ body: good, headers: headers({ [`ce-${name}`]: '' }) }))
    .filter(({ headers: sent }) => sent['ce-source'] !== ''),
  'gzip that is none': fc.uint8Array().map((body) => ({ body, headers: { 'content-encoding': 'gzip' } })),
  'gzip that is cut off': fc
    .integer({ min: 1, max: 60 })
    .map((length) => ({ body: gzipSync(good).subarray(0, length), headers: { 'content-encoding': 'gzip' } })),
  'an unknown coding': fc
    .constantFrom('zstd', 'compress', 'constructor', '__proto__', 'gzip, zstd', '*')
    .map((coding) => ({ body: good, headers: { 'content-encoding': coding } })),
  'a body that is too large': bodyOf(fc.integer({ min: 1, max: 1_000 }), (more) =>
    anEvent({ filler: 'x'.repeat(256 * 1024 + more) }),
  ),
};

async function post(
  { body, headers: sent = {} }: Sent,
  at = '/webhooks/acme',
  secret = SECRET,
): Promise<number> {
  const answer = await fetch(`${url}${at}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-webhook-secret': secret, ...sent },
  });
  await answer.arrayBuffer();
  return answer.status;
}

type Statuses = Record<string, number>;

async function statusesOf(requests: readonly (() => Promise<number>)[]): Promise<Statuses> {
  const statuses: Statuses = {};
  const left = [...requests];
  const sendSome = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const status = await next();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return statuses;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const shown = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} times ${status}`)
    .join(', ');

test('10,000 malformed bodies of 32 kinds are each refused, none is forwarded, and no answer is 5xx', async () => {
  const kinds = Object.entries(KINDS);
  expect(kinds).toHaveLength(32);
  forwarded = [];
  const all: Statuses = {};
  for (const [index, [kind, bodies]] of kinds.entries()) {
    const size =
      Math.floor(((index + 1) * BODIES) / kinds.length) - Math.floor((index * BODIES) / kinds.length);
    const sent = fc.sample(bodies, { numRuns: size, seed: index });
    const statuses = await statusesOf(sent.map((one) => async () => await post(one)));
    print(`${kind}: ${shown(statuses)}`);
    for (const [status, count] of Object.entries(statuses)) all[status] = (all[status] ?? 0) + count;
    expect([kind, Object.keys(statuses).filter((status) => !['400', '413', '415'].includes(status))]).toEqual(
      [...[kind, []]],
    );
  }
  print(`in all: ${shown(all)}; forwarded: ${forwarded.length}`);
  expect(Object.values(all).reduce((sum, count) => sum + count)).toBe(BODIES);
  expect(forwarded).toEqual([]);
  expect(await post({ body: anEvent({ id: 'good' }) })).toBe(200);
  expect(forwarded).toEqual(['good']);
}, 300_000);

const GUESSES: readonly string[] = [
  ...['', '0', 'null', 'undefined', '*', '%00', "' or '1'='1", '../acme', 'Bearer', 'é'],
  ...[
    SECRET.slice(0, -1),
    `${SECRET}x`,
    `x${SECRET}`,
    SECRET.toLowerCase(),
    encodeURIComponent(OTHER_SECRET),
  ],
  ...[Buffer.from(SECRET).toString('base64'), 'x'.repeat(1_900)],
];

const PLACES: Readonly<Record<string, (guess: string) => Promise<number>>> = {
  'in the path': async (guess) =>
    await post({ body: anEvent() }, `/webhooks/acme/${encodeURIComponent(guess)}`, 'x'),
  'as a bearer token': async (guess) =>
    await post({ body: anEvent(), headers: { authorization: `Bearer ${guess}` } }, '/webhooks/acme', 'x'),
  'in the header': async (guess) => await post({ body: anEvent() }, '/webhooks/acme', guess),
};

test('51 forged requests are each refused with 401, and none is forwarded', async () => {
  forwarded = [];
  let count = 0;
  for (const [place, forge] of Object.entries(PLACES)) {
    count += GUESSES.length;
    const statuses = await statusesOf(GUESSES.map((guess) => async () => await forge(guess)));
    print(`forged ${place}: ${shown(statuses)}`);
    expect(statuses).toEqual({ 401: GUESSES.length });
  }
  expect(count).toBe(51);
  expect(forwarded).toEqual([]);
});
