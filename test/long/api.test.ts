import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closingAll } from '../../src/platform/closing';
import { startProcess, type SupervisedProcess } from '../../src/temporal/dev-server/supervise';
import { layLine, type CuttableLine } from '../support/cuttable-line';
import { layGrpcLine } from '../support/grpc-line';
import { startHarness, type Harness } from '../support/harness';
import { aFurnitureShipment } from '../support/builders';
import { until } from '../support/temporal';
import { startServer, withoutSettings, type WorldServer } from '../support/world-processes';
import { temporaryFolder } from '../support/temporary-folder';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');
/** The default of the accounts file for the sandbox. */
const TOKEN = 'demo-api-token';

let harness: Harness;
let folder: string;
let api: { readonly url: string; readonly process: SupervisedProcess };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
  folder = temporaryFolder('consign-api-');
  await symlink(path.join(ROOT, 'examples'), path.join(folder, 'examples'));
  api = await startApi(harness.temporal.open.address);
}, 60_000);
afterAll(async () => {
  await api?.process.stop();
  await harness?.close();
});

/** The program as a user starts it. */
async function startApi(address: string): Promise<typeof api> {
  const lines: string[] = [];
  const process = await startProcess({
    name: 'the HTTP API',
    command: globalThis.process.execPath,
    args: [path.join(ROOT, 'dist/src/starter/api/main.js')],
    env: {
      ...withoutSettings(globalThis.process.env, /^(?:TEMPORAL|CONSIGN|API)_/),
      ...{ TEMPORAL_ADDRESS: address, SANDBOX_URL: harness.sandbox.url },
      ...{ CONSIGN_FILES: harness.filesFolder, API_PORT: '0' },
    },
    cwd: ROOT,
    onLine: (line) => lines.push(line),
  });
  const listens = /listens at (http:\/\/127\.0\.0\.1:\d+)/;
  await until(async () => await Promise.resolve(lines.some((line) => listens.test(line))));
  return { url: listens.exec(lines.join('\n'))?.[1] ?? '', process };
}

interface Outage {
  readonly temporal: WorldServer;
  readonly line: CuttableLine;
}

const ask = async (place: string, at = api.url, init: RequestInit = {}): Promise<Response> =>
  await fetch(`${at}${place}`, { headers: { authorization: `Bearer ${TOKEN}` }, ...init });

/** An LTL order above its price limit. */
async function anAskingOrder(orderId: string): Promise<string> {
  const tiles = JSON.parse(await readFile(path.join(ROOT, 'examples/ltl-tiles.json'), 'utf8')) as object;
  const file = path.join(folder, `${orderId}.json`);
  const priceLimit = { amount: '1.00', currency: 'USD' };
  await writeFile(file, JSON.stringify({ ...tiles, orderId, priceLimit }));
  return file;
}

test("a program of Python's standard library quotes, starts, follows and answers", async () => {
  const file = await anAskingOrder('PY-1');
  const env = { ...process.env, CONSIGN_API_URL: api.url, CONSIGN_API_TOKEN: TOKEN };
  const program = path.join(ROOT, 'examples/api/ship.py');
  const { stdout } = await run('python3', ['-I', '-u', program, file], { env });
  expect(stdout).toMatch(/^quoted \d+\.\d\d USD\nstarted\n/);
  expect(stdout).toContain('\npriceApproval: accepted\n');
  expect(stdout).toMatch(/\nsettled\nCOMPLETED\n(?:\w+, \d+ bytes\n)+$/);
  expect(harness.ledgerOf(aFurnitureShipment({ orderId: 'PY-1' })).liveBookings).toBe(1);
  // Run again, it finds the order.
  const again = await run('python3', ['-I', '-u', program, file], { env });
  expect(again.stdout).toMatch(/\nalready\nsettled\nCOMPLETED\n/);
  expect(harness.ledgerOf(aFurnitureShipment({ orderId: 'PY-1' })).liveBookings).toBe(1);
});

test('every example of docs/api.md runs', async () => {
  const page = await readFile(path.join(ROOT, 'docs/api.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(3);
  const script = blocks.join('\n').replaceAll('http://127.0.0.1:4030', api.url);
  const commands = script.match(/\bcurl\b/g) ?? [];
  // As the API asks with 503 and `retry-after` while workers have no time.
  const patient = 'curl() { command curl --retry 5 "$@"; }';
  const { stdout } = await run('bash', ['-e', '-c', `${patient}\n${script}`], { cwd: folder }).catch(
    ({ message, stdout: answers }: Error & { readonly stdout: string }) => {
      throw new Error(`${message}\nAnswers:\n${answers}`);
    },
  );
  expect(commands.length).toBeGreaterThan(8);
  expect(stdout).toContain('"outcome":"started"');
  expect(stdout).toContain('event: end');
  expect(stdout).toContain('"kind":"priceApproval"');
  expect(stdout).toContain('"outcome":"accepted"');
});

test.each(['openapi.json', 'asyncapi.json'])('a linter finds nothing to report in %s', async (name) => {
  const file = path.join(folder, name);
  const isOpenApi = name === 'openapi.json';
  const text = isOpenApi
    ? await (await ask('/openapi.json')).text()
    : await readFile(path.join(ROOT, 'schema', name), 'utf8');
  await writeFile(file, text);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const redocly = path.join(ROOT, 'node_modules/.bin/redocly');
  // JSON Schema allows it: the form of a pickup is one of several, of which LTL requires the one with `on`.
  const skipped = ['--skip-rule', 'no-required-schema-properties-undefined'];
  const args = ['lint', '--extends', 'recommended', ...skipped, '--format', 'json', file];
  const { stdout } = await run(redocly, args, { env, cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});

/** Two seconds, and more on a machine that does other things too. Without its own limits the SDK takes 21. */
const QUICK_MS = 6_000;

/** What a request answers, and that it does so soon. */
async function answeredSoon(place: string, url: string, init?: RequestInit): Promise<Response> {
  const sentAt = Date.now();
  const signal = AbortSignal.timeout(5 * QUICK_MS);
  const answer = await ask(place, url, { ...init, signal });
  const tookMs = Date.now() - sentAt;
  expect({ place, tookMs, isSoon: tookMs < QUICK_MS }).toEqual({ place, tookMs, isSoon: true });
  return answer;
}

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** A request of each kind: a read, a start, an update, a list, a stream. */
async function requestsOfEachKind(): Promise<readonly (readonly [place: string, init?: RequestInit])[]> {
  const order = await readFile(await anAskingOrder('OUT-1'), 'utf8');
  const cancel = { method: 'POST', headers, body: JSON.stringify({ reason: 'moved' }) };
  return [
    ['/shipments/acme/OUT-1'],
    ['/shipments/acme/OUT-1', { method: 'PUT', headers, body: order }],
    ['/shipments/acme/OUT-1/cancel', cancel],
    ['/shipments'],
    ['/shipments/acme/OUT-1/events'],
  ];
}

test.each([
  ['is killed', async ({ temporal }: Outage) => await temporal.kill(), 'restart'],
  ['freezes', ({ temporal }: Outage) => temporal.signal('SIGSTOP'), 'thaw'],
  ['is cut off', ({ line }: Outage) => line.cut(), 'mend'],
  ['hears everything, but its answers are lost', ({ line }: Outage) => line.mute(), 'mend'],
] as const)(
  'when Temporal %s, every request is answered with 503 soon, and everything goes on when it is back',
  async (_, begin, end) => {
    await closingAll(async (onClose) => {
      const { address, temporal } = await startServer(temporaryFolder(), onClose);
      const line = await layLine(address);
      onClose(async () => await line.close());
      const other = await startApi(line.address);
      onClose(async () => await other.process.stop());
      expect((await ask('/shipments/acme/NONE', other.url)).status).toBe(404);
      await begin({ temporal, line });
      for (const [place, init] of await requestsOfEachKind()) {
        const refused = await answeredSoon(place, other.url, init);
        expect([place, refused.status, refused.headers.get('retry-after')]).toEqual([place, 503, '5']);
        expect(['temporalUnreachable', 'notConfirmed']).toContain(
          ((await refused.json()) as { readonly code: string }).code,
        );
      }
      expect((await answeredSoon('/ready', other.url)).status).toBe(503);
      expect((await answeredSoon('/health', other.url)).status).toBe(200);
      if (end === 'restart') await temporal.restart();
      else if (end === 'thaw') temporal.signal('SIGCONT');
      else line.mend();
      await until(async () => (await ask('/ready', other.url)).status === 200);
      await until(async () => (await ask('/shipments/acme/NONE', other.url)).status === 404);
    });
  },
);

test('an answer of Temporal that only takes long is awaited', async () => {
  const line = await layGrpcLine(harness.temporal.open.address);
  const other = await startApi(line.address);
  const hold = line.hold({ method: 'StartWorkflowExecution', texts: ['SLOW-1'], what: 'answer' });
  const body = await readFile(await anAskingOrder('SLOW-1'), 'utf8');
  const heldAt = Date.now();
  const started = ask('/shipments/acme/SLOW-1', other.url, { method: 'PUT', headers, body });
  await until(async () => await Promise.resolve(hold.count() === 1));
  // Longer than an outage is waited for.
  await until(async () => await Promise.resolve(Date.now() - heldAt > 2 * QUICK_MS));
  expect(hold.count()).toBe(1);
  hold.release();
  expect((await started).status).toBe(201);
  await other.process.stop();
  await line.close();
});

test('on SIGTERM an open stream ends, and the process with it', async () => {
  const other = await startApi(harness.temporal.open.address);
  const document: unknown = JSON.parse(await readFile(await anAskingOrder('TERM-1'), 'utf8'));
  const put = { method: 'PUT', headers, body: JSON.stringify(document) };
  expect((await ask('/shipments/acme/TERM-1', other.url, put)).status).toBe(201);
  const stream = await ask('/shipments/acme/TERM-1/events', other.url);
  const text = stream.text();
  const stoppedAt = Date.now();
  other.process.kill('SIGTERM');
  expect(await text).toContain('event: shipment');
  expect((await other.process.exited).code).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(5_000);
});
