import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import type { Runtime } from '@temporalio/worker';
import pino from 'pino';
import { createLog } from '../../../src/platform/log';
import { UserError } from '../../../src/platform/user-error';
import { reserveFreePort } from '../../../src/temporal/dev-server/free-port';
import { createCallMeter, createNotificationMeter, statusClass } from '../../../src/worker/call-metrics';
import { questionsOf, readClusterState } from '../../../src/worker/cluster-state';
import { installRuntime } from '../../../src/worker/install-runtime';
import { createStateGauges, startStateMetrics } from '../../../src/worker/state-metrics';
import { metricsOf, valueOf } from '../../support/metrics-text';
import { until } from '../../support/until';

const log = createLog('test', 'silent');
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A runtime that serves metrics. */
async function install(): Promise<{ runtime: Runtime; scrape: () => Promise<string> }> {
  const port = await reserveFreePort();
  const runtime = installRuntime({ host: '127.0.0.1', port }, log);
  closers.push(async () => await runtime.shutdown());
  return { runtime, scrape: async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text() };
}

test.each([
  [200, '2xx'],
  [204, '2xx'],
  [302, '3xx'],
  [404, '4xx'],
  [429, '429'],
  [503, '5xx'],
  ['noAnswer', 'noAnswer'],
  ['cancelled', 'cancelled'],
] as const)('a call that ended with %s counts as %s', (status, expected) => {
  expect(statusClass(status)).toBe(expected);
});

test('attempts to deliver notifications are counted by endpoint and answer', async () => {
  const { runtime, scrape } = await install();
  const count = createNotificationMeter(runtime.metricMeter);
  const answered = (status: number) => ({ kind: 'answered', status, text: 'words' }) as const;
  for (const answer of [answered(204), answered(503), answered(503), answered(410)])
    count({ account: 'acme', endpoint: 'erp', answer });
  count({ account: 'acme', endpoint: 'chat', answer: { kind: 'noAnswer', reason: 'no answer within 15 s' } });
  const text = await scrape();
  const value = (endpoint: string, status: string): number | undefined =>
    valueOf(text, 'consign_notifications_total', { account: 'acme', endpoint, status });
  expect(['2xx', '4xx', '5xx'].map((status) => value('erp', status))).toEqual([1, 1, 2]);
  expect(value('chat', 'noAnswer')).toBe(1);
  expect(text).not.toContain('words');
});

test('calls are counted for each account, and timed for all together', async () => {
  const { runtime, scrape } = await install();
  const meterOf = createCallMeter(runtime.metricMeter);
  meterOf('acme')({ operation: 'getListing', status: 200, durationMs: 120 });
  meterOf('acme')({ operation: 'getListing', status: 429, durationMs: 3 });
  meterOf('bolt')({ operation: 'getListing', status: 200, durationMs: 45_000 });
  const text = await scrape();
  const calls = { endpoint: 'getListing', status: '2xx' };
  expect(valueOf(text, 'consign_marketplace_calls_total', { ...calls, account: 'acme' })).toBe(1);
  expect(valueOf(text, 'consign_marketplace_calls_total', { ...calls, account: 'bolt' })).toBe(1);
  expect(valueOf(text, 'consign_marketplace_calls_total', { account: 'acme', status: '429' })).toBe(1);
  const duration = 'consign_marketplace_call_duration_seconds';
  expect(valueOf(text, `${duration}_bucket`, { ...calls, le: '0.1' })).toBe(0);
  expect(valueOf(text, `${duration}_bucket`, { ...calls, le: '0.25' })).toBe(1);
  expect(valueOf(text, `${duration}_bucket`, { ...calls, le: '60' })).toBe(2);
  expect(valueOf(text, `${duration}_sum`, calls)).toBeCloseTo(45.12);
  expect(metricsOf(text)).toContainEqual({
    name: duration,
    type: 'histogram',
    labels: ['endpoint', 'status'],
  });
});

test('a port in use is an error that names the address and what to do; the next one serves', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  closers.push(async () => await new Promise((resolve) => other.close(resolve)));
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  let error: unknown = null;
  try {
    installRuntime({ host: '127.0.0.1', port }, log);
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof UserError)) throw new Error(`it is served all the same: ${String(error)}`);
  expect(error.explain()).toMatch(new RegExp(`^Metrics cannot be served at 127.0.0.1:${port}: .*in use`));
  expect(error.explain()).toContain('CONSIGN_METRICS_ADDRESS');
  const { scrape } = await install();
  expect(await scrape()).not.toContain('service_name');
});

const AT = Date.parse('2035-03-06T12:00:00Z');
const started = new Date('2035-03-01T00:00:00Z');
const SHIPMENTS = {
  ...{ validating: 0, quoting: 0, listing: 1, awaitingBooking: 2, collectingRates: 0, accepting: 0 },
  ...{ booked: 40, inTransit: 0, delivered: 3 },
};

test('questions are counted by kind, with the time of the oldest', () => {
  const asks = (kind: string, since: string) => ({ memo: { asks: { kind, since } }, startTime: started });
  const questions = questionsOf([
    asks('inDoubt', '2035-03-06T11:00:00Z'),
    asks('inDoubt', '2035-03-06T10:00:00Z'),
    asks('lateAdjustment', '2035-03-06T11:30:00Z'),
    { memo: { unreadableSince: '2035-03-06T09:00:00Z' }, startTime: started },
  ]);
  expect(Object.fromEntries(questions)).toEqual({
    inDoubt: { count: 2, oldestAtMs: Date.parse('2035-03-06T10:00:00Z') },
    lateAdjustment: { count: 1, oldestAtMs: Date.parse('2035-03-06T11:30:00Z') },
    unreadable: { count: 1, oldestAtMs: Date.parse('2035-03-06T09:00:00Z') },
  });
});

test.each([
  ['no memo', undefined],
  ['a kind that this version does not know', { asks: { kind: 'SO-10482', since: '2035-03-06T11:00:00Z' } }],
  ['a memo of another form', { asks: 'inDoubt', unreadableSince: 7 }],
])('a question with %s has the kind `other`', (_what, memo) => {
  expect([...questionsOf([{ memo, startTime: started }]).keys()]).toEqual(['other']);
});

test('a question that is answered, and an account that is resumed, count 0 again', async () => {
  const { runtime, scrape } = await install();
  const show = createStateGauges(runtime.metricMeter, ['acme', 'bolt']);
  const questions = questionsOf([
    { memo: { asks: { kind: 'inDoubt', since: '2035-03-06T11:00:00Z' } }, startTime: started },
  ]);
  show({ shipments: SHIPMENTS, questions, paused: new Set(['bolt']) }, AT);
  const before = await scrape();
  const kind = { kind: 'inDoubt' };
  expect(valueOf(before, 'consign_open_shipments', { phase: 'booked' })).toBe(40);
  expect(valueOf(before, 'consign_open_questions', kind)).toBe(1);
  expect(valueOf(before, 'consign_oldest_question_age_seconds', kind)).toBe(3_600);
  expect(valueOf(before, 'consign_open_questions', { kind: 'noRates' })).toBe(0);
  expect(valueOf(before, 'consign_account_paused', { account: 'bolt' })).toBe(1);
  expect(valueOf(before, 'consign_account_paused', { account: 'acme' })).toBe(0);
  expect(valueOf(before, 'consign_cluster_state_timestamp_seconds')).toBe(AT / 1_000);
  show({ shipments: { ...SHIPMENTS, booked: 0 }, questions: new Map(), paused: new Set() }, AT + 30_000);
  const after = await scrape();
  expect(valueOf(after, 'consign_open_shipments', { phase: 'booked' })).toBe(0);
  expect(valueOf(after, 'consign_open_questions', kind)).toBe(0);
  expect(valueOf(after, 'consign_oldest_question_age_seconds', kind)).toBe(0);
  expect(valueOf(after, 'consign_account_paused', { account: 'bolt' })).toBe(0);
});

/** A Temporal whose visibility knows endlessly many workflows, or is down. */
function aClient(asked: string[], isDown: () => boolean = () => false): Client {
  const asks = { kind: 'inDoubt', since: '2035-03-06T11:00:00Z' };
  const found = { memo: { asks }, searchAttributes: { Account: ['acme'] }, startTime: started };
  const answer = (query: string): void => {
    asked.push(query);
    if (isDown()) throw new Error('Temporal is away');
  };
  const workflow = {
    async count(query: string) {
      answer(query);
      return await Promise.resolve({ count: 5 });
    },
    async *list({ query }: { readonly query: string }) {
      answer(query);
      for (;;) yield await Promise.resolve(found);
    },
  };
  const withDeadline = async <T>(_at: number, call: () => Promise<T>): Promise<T> => await call();
  return { workflow, withDeadline } as unknown as Client;
}

test('the state is read by one count for each phase and two lists of bounded length', async () => {
  const asked: string[] = [];
  const { shipments, questions, paused } = await readClusterState(aClient(asked));
  expect(asked).toHaveLength(11);
  expect(new Set(asked).size).toBe(11);
  for (const query of asked) expect(query).toContain("ExecutionStatus = 'Running'");
  expect(Object.values(shipments)).toEqual(Array.from({ length: 9 }, () => 5));
  expect(questions.get('inDoubt')?.count).toBe(1_000);
  expect([...paused]).toEqual(['acme']);
});

test('a state that cannot be read is logged, and the gauges show how old they are', async () => {
  const { runtime, scrape } = await install();
  const lines: string[] = [];
  let isDown = true;
  const stop = startStateMetrics({
    ...{ client: aClient([], () => isDown), accounts: ['acme'], meter: runtime.metricMeter, everyMs: 50 },
    log: pino({}, { write: (line: string) => lines.push(line) }),
  });
  closers.unshift(async () => await Promise.resolve(stop()));
  await until(() => lines.length > 0);
  expect(lines[0]).toContain('Temporal is away');
  expect(valueOf(await scrape(), 'consign_cluster_state_timestamp_seconds')).toBeUndefined();
  isDown = false;
  await until(async () => valueOf(await scrape(), 'consign_account_paused', { account: 'acme' }) === 1);
  const readAt = valueOf(await scrape(), 'consign_cluster_state_timestamp_seconds') ?? 0;
  expect(Math.abs(Date.now() / 1_000 - readAt)).toBeLessThan(10);
});
