import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createLog } from '../../src/platform/log';
import { clientConnectionOf } from '../../src/temporal/client-connection';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter } from '../../src/webhooks/router';
import { layLine } from '../support/cuttable-line';
import { startHarness } from '../support/harness';
import { startServer } from '../support/world-processes';

const SECRET = 'test-secret';
const ACCOUNTS = [{ name: 'acme', environment: 'sandbox' }] as const;
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function startReceiver(client: Client): Promise<string> {
  const server = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: ACCOUNTS }],
    router: createEventRouter(client),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  closers.push(async () => await server.close());
  return await server.listen({ host: '127.0.0.1', port: 0 });
}

async function send(url: string, listingId: string): Promise<number> {
  const event = {
    ...{ specversion: '1.0', id: randomUUID(), source: 'urn:x', time: '2035-03-01T12:00:00Z' },
    ...{ type: 'Listing.StatusChanged/v1', data: { listingId } },
  };
  const answer = await fetch(`${url}/webhooks/acme/${SECRET}`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  await answer.arrayBuffer();
  return answer.status;
}

interface Outage {
  readonly lengthMs: number;
  readonly begin: (world: Awaited<ReturnType<typeof aWorld>>) => Promise<void> | void;
  readonly end: (world: Awaited<ReturnType<typeof aWorld>>) => Promise<void> | void;
}

/** A receiver whose Temporal server is at the other end of a line. */
async function aWorld() {
  const { address, temporal } = await startServer(null, (close) => closers.push(close));
  const line = await layLine(address);
  closers.push(async () => await line.close());
  const connection = await Connection.connect(
    clientConnectionOf({ connectionOptions: { address: line.address } }),
  );
  closers.push(async () => await connection.close());
  return { temporal, line, url: await startReceiver(new Client({ connection })) };
}

// By then gRPC's own back-off would be more than ten seconds.
test.each<[string, Outage]>([
  [
    'the line is cut for 33 s',
    { lengthMs: 33_000, begin: ({ line }) => line.cut(), end: ({ line }) => line.mend() },
  ],
  [
    'the server is killed and starts again after 33 s',
    {
      lengthMs: 33_000,
      begin: async ({ temporal }) => await temporal.kill(),
      end: async ({ temporal }) => await temporal.restart(),
    },
  ],
  [
    'the server stands still for 33 s',
    {
      lengthMs: 33_000,
      begin: ({ temporal }) => temporal.signal('SIGSTOP'),
      end: ({ temporal }) => temporal.signal('SIGCONT'),
    },
  ],
])(
  'the receiver accepts events within 5 s after Temporal is back: %s',
  async (which, { lengthMs, begin, end }) => {
    const world = await aWorld();
    expect(await send(world.url, '1')).toBe(200);
    await begin(world);
    const statuses = new Set<number>();
    // A busy machine lets a stopped server answer once more.
    await send(world.url, '1');
    for (const startedAt = Date.now(); Date.now() - startedAt < lengthMs; await delay(500))
      statuses.add(await send(world.url, '1'));
    expect(statuses).toEqual(new Set([503]));
    await end(world);
    const backAt = performance.now();
    while ((await send(world.url, '1')) !== 200) await delay(50);
    const ms = performance.now() - backAt;
    print(`${which}: taken ${ms.toFixed(0)} ms after Temporal was back`);
    expect(ms).toBeLessThan(5_000);
  },
  180_000,
);

test.each([
  ['a byte of its body a second', 'content-length: 1000\r\n\r\n{', ' '],
  ['a chunk a second', 'transfer-encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ['a byte of its headers a second', 'x-more: ', 'x'],
])('a request that sends %s is ended after 10 s', async (which, head, drop) => {
  const { url } = await aWorld();
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const startedAt = performance.now();
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  socket.write(`POST /webhooks/acme HTTP/1.1\r\nhost: x\r\n${head}`);
  const dripping = setInterval(() => socket.writable && socket.write(drop), 1_000);
  await once(socket, 'close');
  clearInterval(dripping);
  const ms = performance.now() - startedAt;
  print(`${which}: ended after ${ms.toFixed(0)} ms`);
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(ms).toBeGreaterThan(9_900);
  expect(ms).toBeLessThan(14_000);
});

const FLOOD = 1_500;
const FLOOD_MS = 34_000;

test('1,500 events of unknown listings in 34 s cost few reads, and leave few look-ups open', async () => {
  const harness = await startHarness({ hasWebhooks: false });
  closers.push(async () => await harness.close());
  const url = await startReceiver(harness.temporal.client);
  const startedAt = performance.now();
  const sent: Promise<number>[] = [];
  for (let number = 0; number < FLOOD; number += 1) {
    sent.push(send(url, String(700_000_000 + number)));
    await delay(Math.max(0, startedAt + (number * FLOOD_MS) / FLOOD - performance.now()));
  }
  const statuses = await Promise.all(sent);
  const seconds = (performance.now() - startedAt) / 1_000;
  const taken = statuses.filter((status) => status === 200).length;
  const reads = harness.sandbox.requests('getListing').length;
  const running = "WorkflowType = 'unroutedEvent' AND ExecutionStatus = 'Running'";
  const { count: open } = await harness.temporal.client.workflow.count(running);
  print(`${FLOOD} events in ${seconds.toFixed(0)} s: ${taken} looked up, ${reads} reads, ${open} open`);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(taken).toBeLessThanOrEqual(200 + 5 * seconds + 1);
  expect(open).toBeLessThanOrEqual(taken);
  expect(reads).toBeLessThanOrEqual(3 * taken);
}, 180_000);
