import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { parseAccounts } from '../../../src/accounts';
import type { MarketplaceEvent } from '../../../src/domain/marketplace-event';
import { ReceiverCounts } from '../../../src/webhooks/counts';
import { eventDelayMs } from '../../../src/webhooks/event-delay';
import type { Integration } from '../../../src/webhooks/integration';
import { createReceiver, type ReceiverOptions } from '../../../src/webhooks/receiver';
import type { Routed } from '../../../src/webhooks/router';
import { metricsOf, seriesOf, valueOf } from '../../support/metrics-text';
import { temporaryFolder } from '../../support/temporary-folder';

const SECRET = 'correct horse battery staple';
const LISTING = 273679133;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Started {
  readonly url: string;
  readonly server: FastifyInstance;
  /** What reached the router, and by which integration. */
  readonly taken: (MarketplaceEvent & { readonly by: string })[];
  readonly logged: Readonly<Record<string, unknown>>[];
}

interface Options extends Partial<Omit<ReceiverOptions, 'router'>> {
  readonly outcome?: (event: MarketplaceEvent) => Promise<Routed> | Routed;
}

/** A receiver whose events go nowhere but into a list; everything before that is real. */
async function start({ outcome = () => 'signalled', ...options }: Options = {}): Promise<Started> {
  const taken: Started['taken'] = [];
  const logged: Started['logged'] = [];
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(JSON.parse(chunk.toString('utf8')));
      done();
    },
  });
  const accounts = [{ name: 'acme', environment: 'sandbox' as const }];
  const server = createReceiver({
    integrations: ['acme', 'bolt'].map((name) => ({
      ...{ name, accounts, secret: async () => await Promise.resolve(SECRET) },
    })),
    router: {
      async route({ name }, event) {
        const routed = await outcome(event);
        taken.push({ ...event, by: name });
        return routed;
      },
    },
    isTemporalUp: async () => await Promise.resolve(true),
    log: pino({ level: 'info' }, lines),
    ...options,
  });
  closers.push(async () => await server.close());
  return { server, taken, logged, url: await server.listen({ host: '127.0.0.1', port: 0 }) };
}

const anEvent = (over: object = {}): Record<string, unknown> => ({
  ...{ specversion: '1.0', id: randomUUID(), source: 'urn:marketplace', time: '2035-03-01T12:00:00Z' },
  ...{ type: 'Listing.Booked/v1', data: { listingId: LISTING } },
  ...over,
});
const text = JSON.stringify;
const jsonBytes = (value: unknown): Buffer => Buffer.from(text(value));

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function post(
  { url }: Started,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  at = '/webhooks/acme',
): Promise<Answer> {
  const answer = await fetch(`${url}${at}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-webhook-secret': SECRET, ...headers },
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

interface Health {
  readonly events: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly onlyRefusals: readonly { readonly integration: string | null; readonly count: number }[];
}
const healthOf = async ({ url }: Started): Promise<Health> =>
  (await (await fetch(`${url}/health`)).json()) as Health;
const counted = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

test.each<[string, Record<string, string>, (event: object) => Uint8Array]>([
  ['structured', { 'content-type': 'application/cloudevents+json; charset=utf-8' }, jsonBytes],
  ['as plain JSON', {}, jsonBytes],
  ['in a batch of one', { 'content-type': 'application/cloudevents-batch+json' }, (e) => jsonBytes([e])],
  ['in a list of one, as plain JSON', {}, (event) => jsonBytes([event])],
  [
    'after a byte order mark',
    {},
    (event) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), jsonBytes(event)]),
  ],
  ['in UTF-16', {}, (event) => Buffer.from(`\uFEFF${text(event)}`, 'utf16le')],
  ['in UTF-16, the other way round', {}, (event) => Buffer.from(`\uFEFF${text(event)}`, 'utf16le').swap16()],
  ['in gzip', { 'content-encoding': 'gzip' }, (event) => gzipSync(jsonBytes(event))],
  ['in gzip, by its old name', { 'content-encoding': 'X-GZIP' }, (event) => gzipSync(jsonBytes(event))],
  ['in deflate', { 'content-encoding': 'deflate' }, (event) => deflateSync(jsonBytes(event))],
  ['in brotli', { 'content-encoding': 'br' }, (event) => brotliCompressSync(jsonBytes(event))],
  [
    'packed twice',
    { 'content-encoding': 'deflate, gzip' },
    (event) => gzipSync(deflateSync(jsonBytes(event))),
  ],
  ['not packed, and says so', { 'content-encoding': 'identity' }, jsonBytes],
  [
    'in gzip after a byte order mark',
    { 'content-encoding': 'gzip' },
    (e) => gzipSync(Buffer.from(`\uFEFF${text(e)}`)),
  ],
])('an event is accepted %s', async (_how, headers, pack) => {
  const receiver = await start();
  const event = anEvent();
  expect(await post(receiver, pack(event), headers)).toMatchObject({ status: 200, text: '' });
  expect(receiver.taken).toMatchObject([{ id: event.id, listingIds: [String(LISTING)], by: 'acme' }]);
});

const BINARY = {
  ...{ 'ce-specversion': '1.0', 'ce-id': 'b-1', 'ce-type': 'Listing.Booked/v1', 'ce-source': 'urn:x' },
};

test.each<[string, Record<string, string>, string | Uint8Array, readonly string[]]>([
  [
    'with JSON as its data',
    { 'ce-time': '2035-03-01T12:00:00Z' },
    text({ listingId: LISTING }),
    ['273679133'],
  ],
  ['with packed data', { 'content-encoding': 'gzip' }, gzipSync(text({ listingId: LISTING })), ['273679133']],
  [
    'without data',
    { 'ce-source': 'https://api.example/v2/listings/273679133', 'content-type': 'text/plain' },
    '',
    ['273679133'],
  ],
  ['with data that is no JSON', { 'content-type': 'application/xml' }, '<x/>', []],
  ['with an encoded attribute', { 'ce-source': 'urn%3Ax%C3%A9/listings/7' }, '', ['7']],
])('an event in binary mode is accepted %s', async (_which, headers, body, listingIds) => {
  const receiver = await start();
  expect(await post(receiver, body, { ...BINARY, ...headers })).toMatchObject({ status: 200, text: '' });
  expect(receiver.taken).toMatchObject([{ id: 'b-1', type: 'Listing.Booked/v1', listingIds }]);
});

test.each([
  ['id', { 'ce-id': '' }],
  ['type', { 'ce-type': '' }],
  ['specversion', { 'ce-specversion': '0.3' }],
])('an event in binary mode without a valid %s is refused', async (name, headers) => {
  const receiver = await start();
  const answer = await post(receiver, '{}', { ...BINARY, ...headers });
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(`${name}: `) });
  expect(receiver.taken).toEqual([]);
});

test.each([[1], [3], [250]])('a batch of %i is accepted as one event each', async (size) => {
  const receiver = await start();
  const events = Array.from({ length: size }, () => anEvent());
  expect((await post(receiver, text(events))).status).toBe(200);
  expect(receiver.taken.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});

test('an invalid event of a batch is refused with its position, and the others are accepted', async () => {
  const receiver = await start();
  const answer = await post(
    receiver,
    text([anEvent({ id: 'a' }), anEvent({ id: '' }), 7, anEvent({ id: 'b' })]),
  );
  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(/event 2: .*id: .*event 3: /);
  expect(receiver.taken.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(counted((await healthOf(receiver)).refused)).toEqual({ noEvent: 2 });
});

test.each<[string, Routed, readonly string[], string]>([
  ['Temporal takes none: the rest waits too', 'unavailable', ['a', 'b'], '5'],
  ['one listing too many is unknown: the others are taken', 'overBudget', ['a', 'b', 'c'], '30'],
])('the sender must retry a batch when %s', async (_when, routed, tried, retryAfter) => {
  const receiver = await start({ outcome: ({ id }) => (id === 'b' ? routed : 'signalled') });
  const answer = await post(receiver, text(['a', 'b', 'c'].map((id) => anEvent({ id }))));
  expect(answer).toMatchObject({ status: 503, text: '' });
  expect(answer.headers.get('retry-after')).toBe(retryAfter);
  expect(receiver.taken.map(({ id }) => id)).toEqual(tried);
});

test.each([
  ['/webhooks/acme/', {}],
  ['//webhooks//acme//', {}],
  [`/webhooks/acme/${encodeURIComponent(SECRET)}/`, { 'x-webhook-secret': 'x' }],
  ['/webhooks/acme', { 'x-webhook-secret': 'x', authorization: `bearer ${SECRET}` }],
  ['/webhooks/acme', { 'x-webhook-secret': 'x', authorization: `BEARER ${SECRET}` }],
  ['/webhooks/acme/', { 'x-webhook-secret': 'x', authorization: `bEaReR  ${SECRET}` }],
])('an event is accepted at %s with %j', async (at, headers) => {
  const receiver = await start();
  expect((await post(receiver, text(anEvent()), headers, at)).status).toBe(200);
  expect(receiver.taken).toHaveLength(1);
});

test.each<readonly [string, number, string, string | Uint8Array, Record<string, string>, string?]>([
  ['a wrong secret', 401, 'unauthorized', '{}', { 'x-webhook-secret': 'guessed-secret' }],
  ['an unknown integration', 404, 'unknownIntegration', '{}', {}, '/webhooks/private-name'],
  ['an unknown path', 404, 'unknownPath', '{}', {}, '/private-path'],
  ['a path that is none', 400, 'unreadableUrl', '{}', {}, '/webhooks/%ZZprivate'],
  ['a large body', 413, 'tooLarge', 'x'.repeat(256 * 1024 + 1), {}],
  ['a bomb', 413, 'tooLarge', gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }],
  [
    'a large body that is packed',
    413,
    'tooLarge',
    gzipSync(text(anEvent({ data: { filler: 'x'.repeat(256 * 1024) } }))),
    { 'content-encoding': 'gzip' },
  ],
  ['an unknown coding', 415, 'unknownCoding', '{}', { 'content-encoding': 'zstd' }],
  ['a coding of a prototype', 415, 'unknownCoding', '{}', { 'content-encoding': 'constructor' }],
  ['an unknown coding among others', 415, 'unknownCoding', '{}', { 'content-encoding': 'compress, gzip' }],
  ...[';;;', 'json', 'text', 'a/b/c', 'private type; charset=utf-8'].map(
    (type) => [`the type ${type}`, 415, 'noMediaType', text(anEvent()), { 'content-type': type }] as const,
  ),
  ['gzip that is none', 400, 'unreadableCoding', 'private-body', { 'content-encoding': 'gzip' }],
  [
    'gzip that is cut off',
    400,
    'unreadableCoding',
    gzipSync('private-body').subarray(0, 20),
    { 'content-encoding': 'gzip' },
  ],
  ['a body that is no JSON', 400, 'noJson', 'private-body', {}],
  ['a body that is no event', 400, 'noEvent', text({ secret: 'private-body' }), {}],
  ['an empty batch', 400, 'noEvent', '[]', {}],
])('%s is refused with %i, says why, and is counted and logged as %s', async (...given) => {
  const [, status, as, body, headers, at] = given;
  const receiver = await start();
  const answer = await post(receiver, body, headers, at);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toEqual({ reason: expect.stringMatching(/\w{3}/) });
  expect(receiver.taken).toEqual([]);
  const health = await healthOf(receiver);
  expect([counted(health.refused), counted(health.events), health.failed]).toEqual([{ [as]: 1 }, {}, 0]);
  const lines = receiver.logged.filter(({ msg }) => msg === 'request refused');
  expect(lines).toEqual([expect.objectContaining({ status: as, reason: JSON.parse(answer.text).reason })]);
  expect(answer.text + text(receiver.logged)).not.toMatch(/private|guessed|correct horse|webhooks\/acme|%ZZ/);
});

test('a refusal of an unknown coding names the supported ones', async () => {
  const answer = await post(await start(), '{}', { 'content-encoding': 'zstd' });
  expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
});

/** The integrations of an accounts file whose secret is in a file. */
async function withSecretFile(): Promise<{ integrations: readonly Integration[]; file: string }> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'webhook-secret');
  await writeFile(file, SECRET);
  const account = `acme: { environment: sandbox, baseUrl: http://127.0.0.1:1, auth: { apiKey: { env: KEY } }, source: acme }`;
  const accounts = `accounts:\n  ${account}\nintegrations:\n  acme: { secret: { file: ${file} }, accounts: [acme] }\n`;
  return { file, ...parseAccounts(accounts, 'accounts.yaml', {}) };
}

test.each<[string, (file: string) => Promise<unknown>]>([
  ['has vanished', async (file) => await rm(file)],
  ['is empty', async (file) => await writeFile(file, '')],
])("a secret's file that %s is an internal error: 503 without a text, logged", async (_what, spoil) => {
  const { integrations, file } = await withSecretFile();
  const receiver = await start({ integrations });
  expect((await post(receiver, text(anEvent()))).status).toBe(200);
  await spoil(file);
  await expectFailure(receiver, await post(receiver, text(anEvent())));
  await writeFile(file, SECRET);
  expect((await post(receiver, text(anEvent()))).status).toBe(200);
});

test('an error while an event is routed is an internal error: 503 without a text, logged', async () => {
  let isBroken = true;
  const outcome = (): Routed => {
    if (isBroken) throw new TypeError('a bug');
    return 'signalled';
  };
  const receiver = await start({ outcome });
  await expectFailure(receiver, await post(receiver, text(anEvent())));
  isBroken = false;
  expect((await post(receiver, text(anEvent()))).status).toBe(200);
});

async function expectFailure(receiver: Started, answer: Answer): Promise<void> {
  expect(answer).toMatchObject({ status: 503, text: '' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const health = await healthOf(receiver);
  expect([health.failed, counted(health.refused)]).toEqual([1, {}]);
  expect(receiver.logged.filter(({ level }) => level === 50)).toEqual([
    expect.objectContaining({
      integration: 'acme',
      err: expect.objectContaining({ message: expect.any(String) }),
    }),
  ]);
}

const HEAD = `POST /webhooks/acme HTTP/1.1\r\nhost: x\r\nx-webhook-secret: ${SECRET}\r\ncontent-type: application/json\r\n`;

/** Sends a byte now and then. @returns what is answered, once the receiver hangs up, and after how long */
async function drip({ url }: Started, head: string, drop: string): Promise<{ said: string; ms: number }> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const startedAt = performance.now();
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  socket.on('error', () => undefined);
  socket.write(head);
  const dripping = setInterval(() => socket.writable && socket.write(drop), 50);
  await once(socket, 'close');
  clearInterval(dripping);
  return { said, ms: performance.now() - startedAt };
}

test.each([
  ['a byte of its body now and then', `${HEAD}content-length: 100000\r\n\r\n{`, ' '],
  ['a chunk now and then', `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
  ['a byte of its headers now and then', `${HEAD}x-more: `, 'x'],
  ['nothing after its headers', `${HEAD}content-length: 100000\r\n\r\n`, ''],
])('a request that sends %s is ended in time, and is counted once', async (_which, head, drop) => {
  const receiver = await start({ requestMs: 500 });
  const { said, ms } = await drip(receiver, head, drop);
  expect(said).toMatch(/^HTTP\/1\.1 408 .*in time/s);
  // Time for a busy machine; Node by itself would look after 30 s.
  expect(ms).toBeLessThan(5_000);
  await delay(50);
  const health = await healthOf(receiver);
  expect(health.failed).toBe(0);
  expect(counted(health.refused)).toEqual({ tooSlow: 1 });
  expect((await post(receiver, text(anEvent()))).status).toBe(200);
});

test('a sender that hangs up is not an internal error', async () => {
  const receiver = await start();
  const socket = net.connect(Number(new URL(receiver.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${HEAD}content-length: 1000\r\n\r\n{`);
  await delay(50);
  socket.destroy();
  for (let looks = 0; looks < 100; looks += 1) {
    if ((await healthOf(receiver)).refused.brokenOff === 1) break;
    await delay(20);
  }
  const health = await healthOf(receiver);
  expect([health.failed, counted(health.refused)]).toEqual([0, { brokenOff: 1 }]);
});

const ONLY_REFUSALS = /^every request since then was refused/;
const toldBy = ({ logged }: Started) => logged.filter(({ msg }) => ONLY_REFUSALS.test(String(msg)));

test.each<[string, Record<string, string>, string, string | null]>([
  ['a wrong secret', { 'x-webhook-secret': 'guessed' }, '/webhooks/acme', 'acme'],
  ['a body that is no event', {}, '/webhooks/acme', 'acme'],
  ['an unknown integration', {}, '/webhooks/amce', null],
])('a period of only refusals, by %s, is logged and shown until an event is accepted', async (...given) => {
  const [, headers, at, integration] = given;
  const receiver = await start({ onlyRefusalsMs: 300 });
  // Another integration, all of whose events are good.
  await post(receiver, '{}', headers, at);
  expect((await healthOf(receiver)).onlyRefusals).toEqual([]);
  if (integration !== null) await post(receiver, text(anEvent()), {}, '/webhooks/bolt');
  expect(receiver.taken).toHaveLength(integration === null ? 0 : 1);
  await untilSo(() => toldBy(receiver).length > 0);
  expect(toldBy(receiver)[0]).toMatchObject({ level: 50, count: 1, ...(integration && { integration }) });
  expect((await healthOf(receiver)).onlyRefusals).toEqual([
    { integration, count: 1, since: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  await post(receiver, '{}', headers, at);
  await untilSo(() => toldBy(receiver).length > 1);
  expect(toldBy(receiver)[1]).toMatchObject({ count: 2 });
  expect((await post(receiver, text(anEvent()))).status).toBe(200);
  expect((await healthOf(receiver)).onlyRefusals).toEqual([]);
});

test('strangers who look for pages are counted, and do not count as trouble', async () => {
  const receiver = await start({ onlyRefusalsMs: 50 });
  for (const at of ['/', '/admin', '/webhooks'])
    expect((await fetch(`${receiver.url}${at}`)).status).toBe(404);
  await delay(120);
  const health = await healthOf(receiver);
  expect([counted(health.refused), health.onlyRefusals]).toEqual([{ unknownPath: 3 }, []]);
  expect(toldBy(receiver)).toEqual([]);
});

test('Prometheus and /health show the same counts', async () => {
  const counts = new ReceiverCounts();
  const outcomes: Routed[] = ['signalled', 'foreign', 'late', 'unavailable'];
  const receiver = await start({ counts, outcome: () => outcomes.shift() ?? 'signalled' });
  for (const type of ['Listing.Booked/v1', 'Listing.Booked/v1', 'Listing.StatusChanged/v1', 'Odd.Type/v9'])
    await post(receiver, text(anEvent({ type })));
  await post(receiver, text(anEvent({ type: `Odd.Type/${LISTING}` })), {}, '/webhooks/bolt');
  await post(receiver, 'no json');
  await post(receiver, '{}', { 'x-webhook-secret': 'guessed' }, '/webhooks/bolt');
  await post(receiver, '{}', {}, '/webhooks/other');
  const { events, refused, failed } = await healthOf(receiver);
  expect(events).toEqual({
    ...{ signalled: 2, foreign: 1, late: 1, unavailable: 1, unknownType: 2 },
    ...{ unrouted: 0, completed: 0, withoutClue: 0, overBudget: 0 },
  });
  expect([counted(refused), failed]).toEqual([{ noJson: 1, unauthorized: 1, unknownIntegration: 1 }, 0]);
  const page = await counts.registry.metrics();
  const ofEvents = seriesOf(page).filter(({ name }) => name === 'consign_events_total');
  expect(ofEvents.map(({ labels, value }) => [...Object.values(labels), value])).toEqual([
    ['acme', 'Listing.Booked/v1', 'signalled', 1],
    ['acme', 'Listing.Booked/v1', 'foreign', 1],
    ['acme', 'Listing.StatusChanged/v1', 'late', 1],
    ['acme', 'other', 'unavailable', 1],
    ['bolt', 'other', 'signalled', 1],
  ]);
  const refusals = 'consign_event_refusals_total';
  expect(valueOf(page, refusals, { integration: 'acme', reason: 'noJson' })).toBe(1);
  expect(valueOf(page, refusals, { integration: 'bolt', reason: 'unauthorized' })).toBe(1);
  expect(valueOf(page, refusals, { integration: 'none', reason: 'unknownIntegration' })).toBe(1);
  expect(valueOf(page, 'consign_receiver_failures_total')).toBe(0);
  expect(page).not.toMatch(new RegExp(`${LISTING}|Odd|guessed|webhooks`));
});

test('how late events arrive is timed, by the time that they name', async () => {
  const counts = new ReceiverCounts();
  const receiver = await start({ counts });
  const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
  for (const time of [ago(2), ago(100), ago(100_000), 'yesterday', '2035-03-01 12:00:00'])
    await post(receiver, text(anEvent({ time })));
  const page = await counts.registry.metrics();
  const below = (le: string): number | undefined =>
    valueOf(page, 'consign_event_delay_seconds_bucket', { le });
  expect([below('1'), below('5'), below('60'), below('300'), below('86400'), below('+Inf')]).toEqual([
    ...[0, 1, 1, 2, 2, 3],
  ]);
  expect(metricsOf(page).map(({ name, type }) => [name, type])).toEqual([
    ['consign_events_total', 'counter'],
    ['consign_event_delay_seconds', 'histogram'],
    ['consign_event_refusals_total', 'counter'],
    ['consign_receiver_failures_total', 'counter'],
  ]);
});

test.each([
  ['2035-03-01T11:59:00Z', 60_000],
  ['2035-03-01T13:59:00+02:00', 60_000],
  ['2035-03-01T11:59:59.250Z', 750],
  // The sender's clock is ahead.
  ['2035-03-01T12:04:00Z', 0],
  ['2035-03-01T12:06:00Z', null],
  ['2035-03-01T11:59:00', null],
  ['1741000000', null],
  ['', null],
])('an event that names the time %j was under way for %s ms', (time, delayMs) => {
  expect(eventDelayMs(time, Date.parse('2035-03-01T12:00:00Z'))).toBe(delayMs);
});

async function untilSo(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); await delay(10))
    if (Date.now() > deadline) throw new Error(`still not so: ${condition.toString()}`);
}
