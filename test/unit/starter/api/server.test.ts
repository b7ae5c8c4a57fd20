import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { parseAccounts } from '../../../../src/accounts';
import { createFolderStore } from '../../../../src/platform/file-store';
import { createLog } from '../../../../src/platform/log';
import { TemporalUnreachableError } from '../../../../src/temporal/client-connection';
import { ApiError, type ProblemCode } from '../../../../src/starter/api/api-error';
import { serveBoard } from '../../../../src/starter/api/board';
import { ApiCounts } from '../../../../src/starter/api/counts';
import { OUTCOMES, problemOf } from '../../../../src/starter/api/problem-details';
import { createApi } from '../../../../src/starter/api/server';
import { ShipmentNotFoundError } from '../../../../src/starter/client/errors';
import { OrderConflictError } from '../../../../src/starter/client/order-conflict';
import type { ShipmentClient } from '../../../../src/starter/client/shipment-client';
import { CANARIES } from '../../../support/canaries';
import { valueOf } from '../../../support/metrics-text';
import { temporaryFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const TOKENS = `
apiTokens:
  all: { token: { env: ALL }, scopes: [read, start, decide], accounts: [acme] }
  reader: { token: { env: READER }, scopes: [read], accounts: [acme] }
  starter: { token: { env: STARTER }, scopes: [start], accounts: [acme] }
  hasty: { token: { env: HASTY }, scopes: [read], accounts: [acme] }
`;
const ENV = {
  ALL: 'token-of-all',
  READER: 'token-of-reader',
  STARTER: 'token-of-starter',
  HASTY: 'token-of-hasty',
};
const withoutTokens = read('examples/accounts.yaml').replace(/\n# Who may use the HTTP API[^]*/, '\n');
const accounts = parseAccounts(`${withoutTokens}${TOKENS}`, 'accounts.yaml', ENV);

const lines: string[] = [];
const calls: unknown[][] = [];
/** Notes each call, and answers like a client that finds nothing. */
let fault: Error | null = null;
let found: object = {};
const shipments = new Proxy({} as ShipmentClient, {
  get: (_, name) =>
    name === 'then'
      ? undefined
      : async (...args: unknown[]) => {
          calls.push([name, ...args]);
          if (fault !== null) throw fault;
          if (name === 'get') throw new ShipmentNotFoundError('No shipment acme/SO-1.');
          return await Promise.resolve(found);
        },
});

const counts = new ApiCounts();
let server: FastifyInstance;
let isUp = true;
beforeAll(async () => {
  server = await createApi({
    ...{ accounts, shipments, files: createFolderStore('/nowhere'), requestsPerMinute: 600 },
    isTemporalUp: async () => await Promise.resolve(isUp),
    counts,
    log: createLog('test', 'trace', { write: (line) => void lines.push(line) }),
  });
});
afterAll(async () => await server.close());

const ask = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD',
  url: string,
  over: InjectOptions & { token?: string } = {},
) => {
  const { token = ENV.ALL, headers, ...rest } = over;
  return await server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...rest,
  });
};

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly template: string;
  readonly url: string;
  readonly isPublic: boolean;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}

const openapi = async (): Promise<Document> => (await server.inject('/openapi.json')).json<Document>();

/** Every route that the OpenAPI document has. */
async function routes(): Promise<Route[]> {
  const { paths } = await openapi();
  const values: Record<string, string> = {
    account: 'acme',
    orderId: 'SO-1',
    listingId: '7',
    sha256: 'a'.repeat(64),
  };
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase() as Route['method'],
      template,
      url: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      isPublic: security?.length === 0,
    })),
  );
}

test('without a valid token every route but health and readiness is closed, and no body is read', async () => {
  const all = await routes();
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter(({ isPublic }) => isPublic).map(({ url }) => url)).toEqual(['/health', '/ready']);
  for (const { method, url, isPublic } of all) {
    if (isPublic) continue;
    for (const authorization of ['', 'Bearer wrong', `Basic ${ENV.ALL}`]) {
      const answer = await ask(method, url, { headers: { authorization }, payload: 'x'.repeat(600_000) });
      expect([url, answer.statusCode, answer.headers['www-authenticate']]).toEqual([url, 401, 'Bearer']);
      expect(answer.json()).toMatchObject({ code: 'unauthorized', type: '/docs/errors.md#unauthorized' });
    }
  }
  expect(calls).toEqual([]);
});

test('a token that may only read can neither start nor decide, and nobody reaches a foreign account', async () => {
  const closed = (await routes()).filter(({ isPublic }) => !isPublic);
  const forReaders = closed.filter(({ method }) => method !== 'GET');
  expect(forReaders.length).toBeGreaterThan(8);
  for (const { method, url } of forReaders)
    expect((await ask(method, url, { token: ENV.READER, payload: {} })).statusCode).toBe(403);
  const ofAccounts = closed.filter(({ url }) => url.includes('acme'));
  expect(ofAccounts.length).toBeGreaterThan(12);
  for (const { method, url } of ofAccounts)
    for (const name of ['beta', 'nobody'])
      expect((await ask(method, url.replace('acme', name), { payload: {} })).statusCode).toBe(403);
  for (const url of ['/shipments', '/attention', '/events', '/due', '/accounts'])
    expect((await ask('GET', `${url}?account=beta`)).statusCode).toBe(403);
  expect(calls).toEqual([]);
});

test('docs/api.md lists every request with its scopes', async () => {
  const scopesOf = new Map<string, readonly string[]>();
  for (const { method, url, template, isPublic } of await routes()) {
    if (isPublic) continue;
    const needed = new Set<string>();
    // Each of them lacks every scope but one.
    for (const token of [ENV.READER, ENV.STARTER]) {
      const { body } = await ask(method, url, { token, payload: {} });
      for (const scope of /lacks the scope ([a-z ]+)/.exec(body)?.[1]?.split(' and ') ?? [])
        needed.add(scope);
    }
    scopesOf.set(`${method} ${template}`, [...needed]);
  }
  const rows = read('docs/api.md')
    .split('\n')
    .filter((line) => /^\| `(?:GET|POST|PUT) /.test(line));
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/`((?:GET|POST|PUT) [^`]+)`/g)].map(([, request = '']) => request),
  );
  const real = (await routes()).map(({ method, template }) => `${method} ${template}`);
  expect(listed.toSorted()).toEqual(real.toSorted());
  for (const row of rows) {
    const [, requests = '', , scopes = ''] = row.split('|');
    const [, method = '', template = ''] = /`(\w+) ([^`]+)`/.exec(requests) ?? [];
    const isNeeded = [...scopes.matchAll(/`(\w+)`/g)].map(([, scope = '']) => scope);
    expect([template, (scopesOf.get(`${method} ${template}`) ?? []).toSorted()]).toEqual([
      template,
      isNeeded.toSorted(),
    ]);
  }
});

test.each([
  [
    'no JSON',
    'PUT',
    '/shipments/acme/SO-1',
    { payload: '{"name": Zebulon', headers: { 'content-type': 'application/json' } },
    400,
    'invalidRequest',
  ],
  [
    'no body',
    'PUT',
    '/shipments/acme/SO-1',
    { headers: { 'content-type': 'application/json' } },
    400,
    'invalidRequest',
  ],
  [
    'YAML',
    'PUT',
    '/shipments/acme/SO-1',
    { payload: 'name: Zebulon', headers: { 'content-type': 'application/yaml' } },
    415,
    'wrongMediaType',
  ],
  [
    'plain text',
    'PUT',
    '/shipments/acme/SO-1',
    { payload: 'Zebulon', headers: { 'content-type': 'text/plain' } },
    415,
    'wrongMediaType',
  ],
  [
    'too much',
    'PUT',
    '/shipments/acme/SO-1',
    { payload: { name: 'Zebulon'.repeat(60_000) } },
    413,
    'tooLarge',
  ],
  ['a list', 'PUT', '/shipments/acme/SO-1', { payload: ['Zebulon'] }, 400, 'invalidRequest'],
  ['an odd order id', 'GET', '/shipments/acme/Zebulon%20Quux', {}, 400, 'invalidRequest'],
  ['a broken path', 'GET', '/shipments/acme/%E0%A4%A', {}, 400, 'invalidRequest'],
  ['an unknown path', 'GET', '/Zebulon', {}, 404, 'unknownPath'],
  ['another method', 'DELETE', '/shipments/acme/SO-1', {}, 404, 'unknownPath'],
  ['an unknown shipment', 'GET', '/shipments/acme/SO-1', {}, 404, 'notFound'],
] as const)(
  '%s is a problem with its code, and neither answer nor log repeats it',
  async (_, method, url, over, status, code) => {
    const answer = await ask(method, url, over);
    expect(answer.json()).toMatchObject({
      status,
      code,
      type: expect.any(String),
      title: expect.any(String),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(`${answer.body}${lines.join('')}`).not.toContain('Zebulon');
  },
);

test.each(['sofa.jpg', '/etc/passwd', 'http://127.0.0.1/sofa.jpg'])(
  'an order whose image is %s is as invalid for a check as for a quote and a start',
  async (image) => {
    const order = { ...JSON.parse(read('examples/furniture-sofa.json')), images: [image] };
    const problem = { path: '$.images[0]', problem: 'is not an https URL' };
    const checked = await ask('POST', '/orders/validate', { payload: order });
    expect(checked.json()).toMatchObject({ ok: false, problems: [problem] });
    const quoted = await ask('POST', '/quotes', { payload: { order } });
    expect(quoted.json()).toMatchObject({
      code: 'invalidOrder',
      errors: [{ ...problem, path: '$.order.images[0]' }],
    });
    const started = await ask('PUT', `/shipments/acme/${order.orderId}`, { payload: order });
    expect(started.json()).toMatchObject({ code: 'invalidOrder', errors: [problem] });
  },
);

test.each([
  ['/shipments?limit=0&phase=flying&colour=red', ['query.phase', 'query.limit', 'query']],
  ['/shipments?cursor=%27%20OR%201', ['query.cursor']],
  ["/shipments?listingId=1'", ['query.listingId']],
  ["/shipments?search=x'%20OR%20OrderId='y", ['query.search']],
  ['/shipments?search=x', ['query.search']],
  ['/shipments?search=%22a%22', ['query.search']],
  ['/due?on=tomorrow', ['query.on']],
  ['/events?kind=all', ['query.kind']],
])('every problem of the query %s is reported', async (url, paths) => {
  const { code, errors } = (await ask('GET', url)).json<{ code: string; errors: { path: string }[] }>();
  expect(code).toBe('invalidRequest');
  expect(errors.map((error) => error.path)).toEqual(paths);
});

test.each([
  [{}, ['$.kind']],
  [{ kind: 'approve' }, ['$.reason']],
  [{ kind: 'approve', reason: ' ', by: 'Pat' }, ['$.reason', '$']],
  [{ kind: 'resend', reason: 'nothing exists' }, ['$.questionId']],
  [{ kind: 'abandon', reason: 'nothing exists' }, ['$.questionId']],
  [{ kind: 'premium', reason: 'x', premiumMinorUnits: 1.5 }, ['$.premiumMinorUnits']],
  [{ kind: 'revise', reason: 'x' }, ['$.kind']],
])('the answer %j is refused', async (payload, paths) => {
  const answer = await ask('POST', '/shipments/acme/SO-1/answer', { payload });
  expect(answer.json<{ errors: { path: string }[] }>().errors.map((error) => error.path)).toEqual(paths);
});

test.each([
  ['answer', { kind: 'approve', reason: 'fits' }, 'answer', { kind: 'approve', reason: 'fits', by: 'all' }],
  [
    'answer',
    { kind: 'adopt', reason: 'seen', listingId: '7', questionId: 'q1' },
    'answer',
    { kind: 'adopt', reason: 'seen', listingId: '7', questionId: 'q1', by: 'all' },
  ],
  ['cancel', { reason: 'moved' }, 'cancel', { reason: 'moved', by: 'all' }],
  ['documents/retry', { reason: 'they have it' }, 'retryDocuments', { reason: 'they have it', by: 'all' }],
  [
    'acknowledge',
    { reason: 'seen', listingId: '7' },
    'acknowledge',
    { reason: 'seen', listingId: '7', by: 'all' },
  ],
])('POST %s with %j is what the token decides', async (action, payload, method, statement) => {
  calls.length = 0;
  expect((await ask('POST', `/shipments/acme/SO-1/${action}`, { payload })).statusCode).toBe(200);
  expect(calls).toEqual([[method, 'acme', 'SO-1', statement]]);
});

test.each([
  ['shipments/acme/SO-1/notifications/replay', 'replayNotifications', ['acme', 'SO-1', undefined]],
  [
    'shipments/acme/SO-1/notifications/replay?from=run-1.7',
    'replayNotifications',
    ['acme', 'SO-1', 'run-1.7'],
  ],
  ['accounts/acme/notifications/retry', 'retryNotifications', ['acme', undefined]],
  ['accounts/acme/notifications/retry?endpoint=erp', 'retryNotifications', ['acme', 'erp']],
])('POST /%s does what the command does, without a body', async (place, method, args) => {
  calls.length = 0;
  expect((await ask('POST', `/${place}`)).statusCode).toBe(200);
  expect(calls).toEqual([[method, ...args]]);
});

test.each([
  ['shipments/acme/SO-1/notifications/replay?from=%27', ['query.from']],
  ['accounts/acme/notifications/retry?endpoint=Erp%20', ['query.endpoint']],
  ['accounts/acme/notifications/test?endpoint=erp&account=beta', ['query']],
])('POST /%s is refused with the place of each problem', async (place, paths) => {
  const { code, errors } = (await ask('POST', `/${place}`)).json<{
    code: string;
    errors: { path: string }[];
  }>();
  expect([code, errors.map(({ path }) => path)]).toEqual(['invalidRequest', paths]);
});

test('a test of endpoints is refused for an account without any, and only the log says which secret is missing', async () => {
  const none = await ask('POST', '/accounts/acme/notifications/test');
  expect(none.json()).toMatchObject({ status: 400, code: 'invalidInput' });
  const text = `${withoutTokens.replace('source: acme', "source: acme\n    notifications: [{ name: erp, url: 'http://127.0.0.1:9/', secrets: [{ env: SECRET_OF_ERP }] }]")}${TOKENS}`;
  const logged: string[] = [];
  const other = await createApi({
    ...{ shipments, files: createFolderStore('/nowhere') },
    accounts: parseAccounts(text, 'accounts.yaml', ENV),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'info', { write: (line) => void logged.push(line) }),
  });
  const headers = { authorization: `Bearer ${ENV.ALL}` };
  const answer = await other.inject({ method: 'POST', url: '/accounts/acme/notifications/test', headers });
  expect(answer.json()).toMatchObject({ status: 500, code: 'invalidSettings' });
  expect(answer.body).not.toContain('SECRET_OF_ERP');
  expect(logged.join('')).toContain('SECRET_OF_ERP');
  await other.close();
});

test.each([
  ['PO-77', "(OrderId STARTS_WITH 'PO-77' OR ListingId = 'PO-77' OR ReferenceNumbers = 'PO-77')"],
  ['88%20%2F%201', "(OrderId STARTS_WITH '88 / 1' OR ListingId = '88 / 1' OR ReferenceNumbers = '88 / 1')"],
  ['%20123%20', "(OrderId STARTS_WITH '123' OR ListingId = '123' OR ReferenceNumbers = '123')"],
])('the search %s looks for the order, the listing and the references', async (search, query) => {
  calls.length = 0;
  expect((await ask('GET', `/shipments?search=${search}`)).statusCode).toBe(200);
  expect(calls).toEqual([['page', expect.objectContaining({ query: expect.stringContaining(query) })]]);
});

test.each([
  [ENV.ALL, 'all', ['read', 'start', 'decide']],
  [ENV.READER, 'reader', ['read']],
  [ENV.STARTER, 'starter', ['start']],
])('the answer to the token %s has its name, scopes and accounts', async (token, name, scopes) => {
  expect((await ask('GET', '/token', { token })).json()).toEqual({ name, scopes, accounts: ['acme'] });
});

test('the board is served without a token and without a limit, and runs nothing but its own files', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<script type="module" src="./assets/a.js"></script>');
  writeFileSync(path.join(folder, 'assets', 'a.js'), 'export {};');
  const board = Fastify();
  await serveBoard(board, folder);
  for (const place of ['/', '/board']) expect((await board.inject(place)).headers.location).toBe('/board/');
  const page = await board.inject('/board/');
  expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-cache']);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|data:|https?:/);
  const script = await board.inject('/board/assets/a.js');
  expect(script.headers['cache-control']).toContain('immutable');
  for (const place of ['/board/..%2fserver.test.ts', '/board/%2e%2e/package.json', '/board/assets/b.js'])
    expect([403, 404]).toContain((await board.inject(place)).statusCode);
  await board.close();
});

test('the type of each problem is a page that anybody can read, with its own heading', async () => {
  for (const code of Object.keys(OUTCOMES) as ProblemCode[]) {
    const { type } = problemOf(new ApiError(code, 'x'));
    const { pathname, hash } = new URL(type, 'http://api/shipments/acme/SO-1');
    const page = await server.inject(pathname);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const headings = [...page.body.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings).toContain(code);
    expect(hash).toBe(`#${code.toLowerCase()}`);
  }
  for (const file of ['generate.js', 'images/board-events-1280-light.png', '%2e%2e/README.md', 'none.md'])
    expect([403, 404]).toContain((await server.inject(`/docs/${file}`)).statusCode);
});

test('without its files there is no board, and the API answers as always', async () => {
  const server = Fastify();
  await serveBoard(server, temporaryFolder());
  expect((await server.inject('/board/')).statusCode).toBe(404);
  await server.close();
});

test('the OpenAPI document is 3.1, with the whole order, and every reference leads somewhere', async () => {
  const document = await openapi();
  expect(document.openapi).toBe('3.1.0');
  const names = Object.keys(document.components.schemas);
  const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
  expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
  expect(JSON.stringify(document.components.schemas)).toContain('handlingUnit');
  expect(JSON.stringify(document)).not.toContain('SCHEMA__');
});

test('the reference page has no script in its text', async () => {
  const page = await server.inject('/reference/');
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const scripts = [...page.body.matchAll(/<script src="\.([^"]+)"/g)].map(([, source = '']) => source);
  expect(scripts.length).toBe(3);
  for (const source of scripts) expect((await server.inject(`/reference${source}`)).statusCode).toBe(200);
});

test('health says that the process runs, and readiness whether Temporal answers; both without a token or a limit', async () => {
  for (let count = 0; count < 150; count += 1) expect((await server.inject('/health')).statusCode).toBe(200);
  expect((await server.inject('/ready')).json()).toEqual({ temporal: 'up' });
  isUp = false;
  const { statusCode, body } = await server.inject('/ready');
  expect([statusCode, JSON.parse(body)]).toEqual([503, { temporal: 'down' }]);
  isUp = true;
});

test('a token has its limit of requests, and another token is not held by it', async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 600; count += 1)
    statuses.add((await ask('GET', '/events', { token: ENV.HASTY })).statusCode);
  expect(statuses).toEqual(new Set([200]));
  const refused = await ask('GET', '/events', { token: ENV.HASTY });
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'tooManyRequests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('GET', '/events', { token: ENV.READER })).statusCode).toBe(200);
});

test('the log has a line for each request, without URL, token or content', async () => {
  lines.length = 0;
  await ask('POST', '/shipments/acme/SO-77/cancel', { payload: { reason: CANARIES.name } });
  const [line = ''] = lines.filter((one) => one.includes('"msg":"request"'));
  expect(JSON.parse(line)).toMatchObject({
    method: 'POST',
    route: '/shipments/:account/:orderId/cancel',
    status: 200,
  });
  expect(lines.join('')).not.toMatch(/SO-77|token-of|Zebulon/);
});

/** How much a metric grows while something happens. */
async function growth(
  name: string,
  labels: Readonly<Record<string, string>>,
  what: () => Promise<unknown>,
): Promise<number> {
  const read = async (): Promise<number> => valueOf(await counts.registry.metrics(), name, labels) ?? 0;
  const before = await read();
  await what();
  return (await read()) - before;
}

test.each([
  ['GET', '/shipments/acme/SO-1', { route: '/shipments/:account/:orderId', method: 'GET', status: '404' }],
  ['PUT', '/shipments/acme/SO-1', { route: '/shipments/:account/:orderId', method: 'PUT', status: '422' }],
  ['GET', '/health', { route: '/health', method: 'GET', status: '200' }],
  ['GET', '/Zebulon', { route: 'none', method: 'none', status: '404' }],
  ['DELETE', '/shipments/acme/SO-1', { route: 'none', method: 'none', status: '404' }],
  ['GET', '/shipments/acme/%E0%A4%A', { route: 'none', method: 'none', status: '400' }],
] as const)(
  '%s %s is counted and timed by its pattern, and never by its path',
  async (method, url, labels) => {
    const sent = async (): Promise<unknown> => await ask(method, url, { payload: {} });
    expect(await growth('consign_api_requests_total', labels, sent)).toBe(1);
    const { route } = labels;
    const timed = { route, method: labels.method };
    expect(await growth('consign_api_request_duration_seconds_count', timed, sent)).toBe(1);
    expect(await counts.registry.metrics()).not.toMatch(/SO-1|Zebulon|acme/);
  },
);

test.each([
  ['unauthorized', { token: 'wrong' }],
  ['forbidden', { token: ENV.STARTER }],
  ['tooManyRequests', { token: ENV.HASTY }],
  ['temporalUnreachable', {}],
  ['notFound', {}],
] as const)('a request that is refused as %s is counted by that code', async (code, over) => {
  if (code === 'temporalUnreachable') fault = new TemporalUnreachableError('Temporal did not answer.');
  const times = code === 'tooManyRequests' ? 601 : 1;
  const refused = async (): Promise<void> => {
    for (let count = 0; count < times; count += 1) await ask('GET', '/shipments/acme/SO-1', over);
  };
  expect(await growth('consign_api_problems_total', { code }, refused)).toBeGreaterThan(0);
  fault = null;
});

test.each([
  ['started', { outcome: 'started' }],
  ['already', { outcome: 'already' }],
  ['restarted', { outcome: 'restarted' }],
  ['conflict', new OrderConflictError('The order was withdrawn.', 'shipment/acme/PO-1', 'withdrawn')],
  ['temporalUnreachable', new TemporalUnreachableError('Temporal did not answer.')],
] as const)('a start that ends as %s is counted by that outcome', async (outcome, end) => {
  const order = JSON.parse(read('examples/ltl-tiles.json')) as { readonly orderId: string };
  if (end instanceof Error) fault = end;
  else found = end;
  const start = async (): Promise<unknown> =>
    await ask('PUT', `/shipments/acme/${order.orderId}`, { payload: order });
  expect(await growth('consign_api_starts_total', { outcome }, start)).toBe(1);
  fault = null;
  found = {};
});

test('an invalid order counts as a start by its problem', async () => {
  const start = async (): Promise<unknown> =>
    await ask('PUT', '/shipments/acme/SO-1', { payload: { account: 'acme' } });
  expect(await growth('consign_api_starts_total', { outcome: 'invalidOrder' }, start)).toBe(1);
});
