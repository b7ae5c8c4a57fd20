import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { SearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time';
import type { Command } from 'commander';
import { parseAccounts } from '../../src/accounts';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { marketplaceQueue, SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../../src/contract/task-queue';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { AttentionEntry, AttentionReport } from '../../src/starter/client/attention';
import { renderAttention } from '../../src/starter/cli/commands/attention';
import { attentionCommand, eventsCommand } from '../../src/starter/cli/syntax/decide';
import { listCommand } from '../../src/starter/cli/syntax/follow-orders';
import { doctorCommand } from '../../src/starter/cli/syntax/set-up';
import type { CliContext } from '../../src/starter/cli/context';
import { findWorkers } from '../../src/starter/client/pollers';
import { checkNamespace, checkWorkers } from '../../src/starter/cli/doctor';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { WORKFLOW_BUNDLE } from '../../src/worker/workflow-bundle';
import { aFurnitureShipment } from '../support/builders';
import { startTestTemporal, until, type Queues, type TestTemporal } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

let temporal: TestTemporal;
let shipments: ShipmentClient;
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });

beforeAll(async () => {
  const dynamicConfig = { 'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 2 };
  temporal = await startTestTemporal({ dynamicConfig });
  shipments = new ShipmentClient(temporal.client);
}, 60_000);
afterAll(async () => await temporal?.close());
afterEach(async () => {
  process.exitCode = undefined;
  for (const { workflowId } of await shipments.list({ query: "ExecutionStatus = 'Running'" }))
    await temporal.client.workflow.getHandle(workflowId).terminate('the test is over');
  await until(async () => (await shipments.count("ExecutionStatus = 'Running'")) === 0);
});

async function start(orderId: string): Promise<void> {
  const shipment = aFurnitureShipment({ orderId, priceLimit: usd(1) });
  const account = { name: 'acme', environment: 'sandbox' } as const;
  await shipments.start({ shipment, account, policy: DEFAULT_POLICY, documentHash: 'test' });
}

const withWorkers = async (queues: Queues, use: () => Promise<void>): Promise<void> =>
  await temporal.withWorkers({ code: readFileSync(WORKFLOW_BUNDLE, 'utf8') }, queues, use);

/** Visibility is told a little later than the workflow itself. */
async function foundBy(patienceMs: number, orderId: string): Promise<AttentionEntry> {
  const found: AttentionEntry[] = [];
  await until(async () => {
    const { entries } = await shipments.attention({ patienceMs });
    found.push(...entries.filter(({ shipment }) => shipment.orderId === orderId));
    return found.length > 0;
  });
  const [entry] = found;
  if (entry === undefined) throw new Error('nothing was found');
  return entry;
}

/** The queues whose tasks wait, once so many shipments do. */
async function stuckFor(patienceMs: number, count: number): Promise<AttentionReport['queues']> {
  const found: AttentionReport['queues'][] = [];
  await until(async () => {
    const { queues } = await shipments.attention({ patienceMs });
    found.push(queues);
    return queues.some((queue) => queue.shipments === count);
  });
  return found.at(-1) ?? [];
}

/** Without a worker; as far as its search attributes say. */
async function startIn(
  orderId: string,
  searchAttributes: SearchAttributes,
  memo = {},
): Promise<WorkflowHandle> {
  return await temporal.client.workflow.start('furnitureShipment', {
    workflowId: shipmentWorkflowId('acme', orderId),
    taskQueue: SHIPMENTS_QUEUE,
    searchAttributes,
    memo,
  });
}

type ToCommand = (context: CliContext) => Command;

async function runCommand(toCommand: ToCommand, options: readonly string[], over: Partial<CliContext> = {}) {
  const printed: string[] = [];
  const context = {
    print: (text: string) => void printed.push(text),
    withShipments: async (use: (...parts: unknown[]) => Promise<unknown>) =>
      await use(shipments, temporal.client),
    ...over,
  } as unknown as CliContext;
  await toCommand(context).parseAsync(options, { from: 'user' });
  const { exitCode } = process;
  process.exitCode = undefined;
  return { printed: printed.join('\n'), exitCode };
}

const run = async (...options: readonly string[]) => await runCommand(attentionCommand, options);
const nothing = (): void => undefined;

test('shipments without a worker are one line of their queue, and not before their time', async () => {
  for (const orderId of ['SO-1', 'SO-1b', 'SO-1c']) await start(orderId);
  const since = expect.any(String);
  expect(await stuckFor(0, 3)).toEqual([
    { queue: SHIPMENTS_QUEUE, workers: 0, build: null, shipments: 3, since },
  ]);
  const report = await shipments.attention({ patienceMs: 0 });
  expect(
    renderAttention(report).match(/queue shipments: no worker polls it; 3 shipments have been waiting/g),
  ).toHaveLength(1);
  expect(await shipments.attention()).toMatchObject({ entries: [], queues: [] });
});

test('a shipment is shown at once if its queue never had a worker', async () => {
  await start('SO-0');
  const queue = { name: SHIPMENTS_QUEUE, kind: 'workflow' } as const;
  expect((await findWorkers(temporal.client, queue))?.serving).toHaveLength(0);
  const began = Date.now();
  const { state, waitingFor } = await shipments.get('acme', 'SO-0');
  expect({ state, waitingFor }).toEqual({ state: null, waitingFor: expect.any(String) });
  expect(Date.now() - began).toBeLessThan(2_000);
  await withWorkers({ [SHIPMENTS_QUEUE]: {} }, async () => {
    await until(async () => (await shipments.get('acme', 'SO-0')).state !== null);
    expect((await findWorkers(temporal.client, queue))?.serving).toHaveLength(1);
    expect((await findWorkers(temporal.client, { ...queue, name: 'nobody' }))?.serving).toHaveLength(0);
  });
});

test("an account's activity without a worker is reported with its queue", async () => {
  await start('SO-2');
  const isStarted = async () =>
    (
      await temporal.client.workflow.getHandle(shipmentWorkflowId('acme', 'SO-2')).describe()
    ).raw.pendingActivities?.some(({ activityType }) => activityType?.name === 'getFixedPrice') === true;
  await withWorkers({ [SHIPMENTS_QUEUE]: {} }, async () => await until(isStarted));
  expect(await stuckFor(0, 1)).toEqual([
    { queue: marketplaceQueue('acme'), workers: 0, build: null, shipments: 1, since: expect.any(String) },
  ]);
});

test('an activity that waits for its next attempt has a worker, however long it has been tried', async () => {
  const getFixedPrice = async () => await Promise.reject(new Error('the marketplace is away'));
  await start('SO-6');
  const attempt = async () =>
    (await temporal.client.workflow.getHandle(shipmentWorkflowId('acme', 'SO-6')).describe()).raw
      .pendingActivities?.[0]?.attempt ?? 0;
  await withWorkers({ [SHIPMENTS_QUEUE]: {}, [marketplaceQueue('acme')]: { getFixedPrice } }, async () => {
    // The second wait is of 4 seconds, and the first one is over by then.
    await until(async () => (await attempt()) >= 3);
    const report = await shipments.attention({ patienceMs: 1_500 });
    expect(report).toMatchObject({ entries: [], queues: [], looked: 1 });
  });
});

test('a workflow whose task fails is reported', async () => {
  const workflowId = shipmentWorkflowId('acme', 'SO-3');
  const options = { workflowId, taskQueue: SHIPMENTS_QUEUE, args: [{}] };
  await temporal.client.workflow.start('furnitureShipment', options);
  await withWorkers({ [SHIPMENTS_QUEUE]: {} }, async () => {
    expect((await foundBy(600_000, 'SO-3')).reasons).toEqual([
      { kind: 'taskFailure', text: expect.stringContaining('WorkflowTaskFailed') },
    ]);
  });
});

test('an open question is reported, monitoring gets an exit code, and other workflows are left out', async () => {
  await temporal.client.workflow.start('unroutedEvent', { workflowId: 'event/1', taskQueue: 'nobody' });
  const LISTED = { commodityCode: 'Furniture', unlisted: [], trouble: null };
  const fixedPrice = {
    price: usd(9),
    listPrice: usd(8),
    premium: null,
    total: usd(9),
    priceCorrelationId: null,
  };
  const getFixedPrice = async () => await Promise.resolve({ answer: fixedPrice, addressTypes: LISTED });
  expect(await run('--fail')).toMatchObject({
    exitCode: undefined,
    printed: expect.stringContaining('Nothing'),
  });
  await start('SO-4');
  await withWorkers({ [SHIPMENTS_QUEUE]: {}, [marketplaceQueue('acme')]: { getFixedPrice } }, async () => {
    const { reasons } = await foundBy(600_000, 'SO-4');
    expect(reasons).toEqual([{ kind: 'question', text: expect.stringContaining('above the limit') }]);
  });
  expect((await run('--json', '--fail')).exitCode).toBe(1);
  const { printed, exitCode } = await run();
  expect(exitCode).toBeUndefined();
  expect(printed).toContain('acme/SO-4');
  expect(printed).toContain('1 needs a person; 1 shipment in progress');
});

test('doctor reports queues without a worker, and that the namespace is fit', async () => {
  expect(await checkNamespace(temporal.client, temporal.open.namespace)).toMatchObject([{ state: 'good' }]);
  const queues = { [UNROUTED_EVENTS_QUEUE]: {}, [marketplaceQueue('served')]: { nothing } };
  const isHeard = async () => {
    const found = await checkWorkers(temporal.client, ['served']);
    const polled = Object.keys(queues).map((queue) => found.find(({ text }) => text.startsWith(`${queue}:`)));
    return polled.every((finding) => finding?.state === 'good');
  };
  await withWorkers(queues, async () => {
    await until(isHeard);
    const found = await checkWorkers(temporal.client, ['served', 'forgotten']);
    expect(found.map(({ state, text }) => [text.split(':')[0], state])).toContainEqual([
      'unrouted-events',
      'good',
    ]);
    expect(found.at(-1)).toMatchObject({
      state: 'bad',
      text: 'marketplace/forgotten: no worker polled in the last 75 s',
      remedy: expect.stringContaining('npx consign-worker'),
    });
  });
  await temporal.client.connection.workflowService.registerNamespace({
    namespace: 'short',
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await until(async () => {
    const found = await checkNamespace(temporal.client, 'short').catch(() => []);
    return found.some(({ state, text }) => state === 'bad' && text.includes('for 1 days'));
  });
});

test('doctor ends with an exit code only if something is bad', async () => {
  const folder = temporaryFolder();
  const text = readFileSync(path.join(__dirname, '..', '..', 'examples', 'accounts.yaml'), 'utf8');
  const accounts = parseAccounts(text, 'accounts.yaml', {});
  const { CONSIGN_FILES } = process.env;
  process.env.CONSIGN_FILES = folder;
  const queues = {
    [SHIPMENTS_QUEUE]: {},
    [UNROUTED_EVENTS_QUEUE]: {},
    [marketplaceQueue('acme')]: { nothing },
  };
  await withWorkers(queues, async () => {
    await until(async () =>
      (await checkWorkers(temporal.client, ['acme'])).every(({ state }) => state === 'good'),
    );
    const { printed, exitCode } = await runCommand(doctorCommand, ['--json'], {
      accounts: async () => await Promise.resolve(accounts),
    });
    expect(JSON.parse(printed)).not.toContainEqual(expect.objectContaining({ state: 'bad' }));
    expect(exitCode).toBeUndefined();
  });
  process.env.CONSIGN_FILES = path.join(__filename, 'no-folder');
  const { printed, exitCode } = await runCommand(doctorCommand, [], {
    accounts: async () => await Promise.resolve(accounts),
  });
  expect(printed).toContain('set CONSIGN_FILES to a writable folder or bucket');
  expect(exitCode).toBe(2);
  if (CONSIGN_FILES === undefined) delete process.env.CONSIGN_FILES;
  else process.env.CONSIGN_FILES = CONSIGN_FILES;
});

const ORDER = {
  orderOf: async (text: string) =>
    await Promise.resolve({ account: 'acme', orderId: text.split('/')[1] ?? '' }),
};

test.each([
  ['SO-20', { ListingId: ['273679133'], ShipmentPhase: ['booked'] }, 'its listing is 273679133'],
  ['SO-21', { ShipmentPhase: ['listing'] }, 'a booking may have been in progress'],
  ['SO-22', { ShipmentPhase: ['accepting'] }, 'a booking may have been in progress'],
])('a terminated shipment %s of %j needs a person until it is acknowledged', async (orderId, known, said) => {
  await (await startIn(orderId, known)).terminate('by mistake');
  expect((await foundBy(600_000, orderId)).reasons).toEqual([
    { kind: 'endedUnclearly', text: expect.stringContaining(said) },
  ]);
  const { printed, exitCode } = await run('--fail');
  expect(exitCode).toBe(1);
  expect(printed).toContain(`consign events acknowledge acme/${orderId}`);
  expect((await runCommand(listCommand, ['--attention'])).printed).toContain(`acme/${orderId}`);
  const acknowledge = ['acknowledge', `acme/${orderId}`, '--by', 'Pat', '--reason', 'nothing is booked'];
  expect((await runCommand(eventsCommand, acknowledge, ORDER)).printed).toBe('Acknowledgement accepted.');
  expect(await run('--fail')).toMatchObject({ exitCode: undefined });
});

test('a terminated shipment needs nobody once it was started again with a statement', async () => {
  await (await startIn('SO-23', { ListingId: ['1'], ShipmentPhase: ['inTransit'] })).terminate();
  await foundBy(600_000, 'SO-23');
  const order = {
    ...{ shipment: aFurnitureShipment({ orderId: 'SO-23' }), policy: DEFAULT_POLICY, documentHash: 'test' },
    account: { name: 'acme', environment: 'sandbox' as const },
  };
  await shipments.start(order, { checked: 'listing 1 was cancelled', by: 'Pat' });
  expect((await shipments.attention()).entries).toEqual([]);
  // The new run knows the listing too.
  await temporal.client.workflow.getHandle(shipmentWorkflowId('acme', 'SO-23')).terminate();
  await foundBy(600_000, 'SO-23');
  const acknowledge = ['acknowledge', 'acme/SO-23', '--by', 'Pat', '--reason', 'nothing is booked'];
  expect((await runCommand(eventsCommand, acknowledge, ORDER)).printed).toBe('Acknowledgement accepted.');
});

test('a terminated shipment that had sent nothing needs nobody', async () => {
  await (await startIn('SO-24', { ShipmentPhase: ['quoting'] })).terminate();
  await until(async () => (await shipments.count("OrderId = 'SO-24' OR ExecutionStatus = 'Terminated'")) > 0);
  expect((await shipments.attention()).entries).toEqual([]);
});

test("a shipment needs a person once its policy's time for an unreadable record is over", async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await startIn('SO-26', { ShipmentPhase: ['booked'] }, { unreadableSince: ago(70) });
  await startIn('SO-27', { ShipmentPhase: ['booked'] }, { unreadableSince: null });
  expect((await foundBy(600_000, 'SO-26')).reasons).toMatchObject([{ kind: 'unreadable' }]);
  const { entries } = await shipments.attention();
  expect(entries.map(({ shipment }) => shipment.orderId)).toEqual(['SO-26']);
});
