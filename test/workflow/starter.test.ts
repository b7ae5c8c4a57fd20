import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { SHIPMENTS_QUEUE } from '../../src/contract/task-queue';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { ShipmentNotFoundError } from '../../src/starter/client/errors';
import { OrderConflictError } from '../../src/starter/client/order-conflict';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { StartableOrder } from '../../src/starter/client/start-order';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import type { WithdrawnResult } from '../../src/domain/shipment-result';
import { endSignal, type Ending } from '../support/scripted-shipments';
import {
  bundleScriptedShipments,
  startTestTemporal,
  until,
  untilEnded,
  type TestTemporal,
  type WorkflowBundle,
} from '../support/temporal';

const DOCUMENT = 'a'.repeat(64);
const OTHER_DOCUMENT = 'b'.repeat(64);
const STATEMENT = { checked: 'no listing carries the reference', by: 'pat' };

let temporal: TestTemporal;
let bundle: WorkflowBundle;
let shipments: ShipmentClient;

beforeAll(async () => {
  temporal = await startTestTemporal({ dynamicConfig: { 'frontend.WorkflowPauseEnabled': true } });
  bundle = await bundleScriptedShipments();
  shipments = new ShipmentClient(temporal.client);
});

afterAll(async () => await temporal.close());

let orders = 0;

/** An order that no other test has. */
function anOrder(over: Partial<StartableOrder> = {}): StartableOrder {
  orders += 1;
  return {
    shipment: aFurnitureShipment({ orderId: `SO-${orders}` }),
    account: { name: 'acme', environment: 'sandbox' },
    policy: DEFAULT_POLICY,
    documentHash: DOCUMENT,
    ...over,
  };
}

const changed = (order: StartableOrder): StartableOrder => ({ ...order, documentHash: OTHER_DOCUMENT });
const idOf = ({ shipment }: StartableOrder): string => shipmentWorkflowId(shipment.account, shipment.orderId);
const handleOf = (order: StartableOrder) => temporal.client.workflow.getHandle(idOf(order));
const withWorker = async <T>(use: () => Promise<T>): Promise<T> =>
  await temporal.withWorkers(bundle, { [SHIPMENTS_QUEUE]: {} }, use);

async function end(ending: Ending, ...ended: readonly StartableOrder[]): Promise<void> {
  for (const order of ended) await handleOf(order).signal(endSignal, ending);
  await withWorker(async () => {
    for (const order of ended) await untilEnded(temporal.client, idOf(order));
  });
}

async function withdraw(order: StartableOrder, listingIds: readonly string[] = []): Promise<void> {
  const result: WithdrawnResult = {
    ...{ kind: 'withdrawn', by: 'Pat', reason: 'the customer changed her mind' },
    ...{ at: '2035-03-01T12:00:00.000Z', listingIds },
  };
  await handleOf(order).signal(endSignal, 'complete', result);
  await withWorker(async () => await untilEnded(temporal.client, idOf(order)));
}

async function cancel(order: StartableOrder): Promise<void> {
  await handleOf(order).cancel();
  await withWorker(async () => await untilEnded(temporal.client, idOf(order)));
}

/** Started past the client, because the client never sets a time-out. */
async function startTimedOut(order: StartableOrder): Promise<void> {
  const handle = await temporal.client.workflow.start('furnitureShipment', {
    workflowId: idOf(order),
    taskQueue: 'nobody',
    workflowExecutionTimeout: '1 second',
    memo: { documentHash: order.documentHash },
  });
  await until(async () => (await handle.describe()).status.name === 'TIMED_OUT');
}

async function conflictOf(starting: Promise<unknown>): Promise<OrderConflictError> {
  const error = await starting.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OrderConflictError) return error;
  throw error ?? new Error('it was started');
}

test('a new order starts with its document hash, its wait and its identity', async () => {
  const order = anOrder();
  const started = await shipments.start(order);
  expect(started).toEqual({
    workflowId: `shipment/acme/${order.shipment.orderId}`,
    runId: expect.any(String),
    outcome: 'started',
  });
  const found = await handleOf(order).describe();
  expect(found).toMatchObject({
    runId: started.runId,
    type: 'furnitureShipment',
    taskQueue: SHIPMENTS_QUEUE,
  });
  expect(found.memo).toMatchObject({
    documentHash: DOCUMENT,
    waitingFor: expect.stringContaining('the check'),
  });
  expect(found.searchAttributes).toMatchObject({ OrderId: [order.shipment.orderId], Account: ['acme'] });
});

test('a shipment is started without any time-out of the run or the execution', async () => {
  const order = anOrder();
  await shipments.start(order);
  const { events } = await handleOf(order).fetchHistory();
  const attributes = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(Number(attributes?.workflowExecutionTimeout?.seconds ?? 0)).toBe(0);
  expect(Number(attributes?.workflowRunTimeout?.seconds ?? 0)).toBe(0);
});

test('the same document during a shipment returns the running shipment', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  expect(await shipments.start(order)).toMatchObject({ runId, outcome: 'already' });
});

test('another document during a shipment is a conflict that names both and what to do', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  const conflict = await conflictOf(shipments.start(changed(order)));
  expect(conflict).toMatchObject({ reason: 'otherDocument', workflowId: idOf(order) });
  for (const part of [
    idOf(order),
    'running',
    'a'.repeat(12),
    'b'.repeat(12),
    'another order id',
    '`consign revise FILE --by NAME --reason TEXT`',
  ])
    expect(conflict.message).toContain(part);
  expect((await handleOf(order).describe()).runId).toBe(runId);
});

test('a statement does not let another document replace a running shipment', async () => {
  const order = anOrder();
  await shipments.start(order);
  expect(await conflictOf(shipments.start(changed(order), STATEMENT))).toMatchObject({
    reason: 'otherDocument',
  });
});

test('a paused shipment counts as running: the same document finds it, another one conflicts', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  await temporal.client.workflowService.pauseWorkflowExecution({
    namespace: temporal.open.namespace,
    workflowId: idOf(order),
    runId,
    identity: 'test',
    reason: 'a person looks at it',
    requestId: runId,
  });
  expect((await handleOf(order).describe()).status.name).toBe('PAUSED');
  expect(await shipments.start(order)).toMatchObject({ runId, outcome: 'already' });
  expect(await conflictOf(shipments.start(changed(order)))).toMatchObject({ reason: 'otherDocument' });
});

test('a completed shipment is found by the same document, and never started again by any', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  await end('complete', order);
  expect(await shipments.start(order)).toMatchObject({ runId, outcome: 'already' });
  const conflict = await conflictOf(shipments.start(changed(order)));
  expect(conflict).toMatchObject({ reason: 'otherDocument' });
  expect(conflict.message).toContain('completed');
  expect(await conflictOf(shipments.start(changed(order), STATEMENT))).toMatchObject({
    reason: 'otherDocument',
  });
  expect((await handleOf(order).describe()).runId).toBe(runId);
});

test.each([
  ['the same document', (order: StartableOrder) => order],
  ['a changed document', changed],
])('a failed shipment is started again by %s', async (_which, second) => {
  const order = anOrder();
  const first = await shipments.start(order);
  await end('fail', order);
  const again = await shipments.start(second(order));
  expect(again.outcome).toBe('restarted');
  expect(again.runId).not.toBe(first.runId);
  expect(await shipments.start(second(order))).toEqual({ ...again, outcome: 'already' });
});

test('a shipment that was restarted with a changed document conflicts with the first one', async () => {
  const order = anOrder();
  await shipments.start(order);
  await end('fail', order);
  await shipments.start(changed(order));
  expect(await conflictOf(shipments.start(order))).toMatchObject({ reason: 'otherDocument' });
});

test.each([
  ['the same document', (order: StartableOrder) => order],
  ['a changed document', changed],
])(
  "a shipment that Temporal's cancel ended is started again by %s only with a statement",
  async (_which, second) => {
    const order = anOrder();
    const first = await shipments.start(order);
    await cancel(order);
    const conflict = await conflictOf(shipments.start(second(order)));
    expect(conflict.reason).toBe('withdrawn');
    for (const part of [idOf(order), 'Temporal cancelled', '--checked', '--by NAME'])
      expect(conflict.message).toContain(part);
    const again = await shipments.start(second(order), STATEMENT);
    expect(again.outcome).toBe('restarted');
    expect(again.runId).not.toBe(first.runId);
  },
);

test.each([
  ['the same document', (order: StartableOrder) => order],
  ['a changed document', changed],
])(
  'a withdrawn order is a conflict for %s that names who, why and what to do, until a person states what was checked',
  async (_which, second) => {
    const order = anOrder();
    const first = await shipments.start(order);
    await withdraw(order, ['273679133']);
    const conflict = await conflictOf(shipments.start(second(order)));
    expect(conflict.reason).toBe('withdrawn');
    for (const part of [idOf(order), 'Pat', 'changed her mind', '273679133', '--checked', '--by NAME'])
      expect(conflict.explain()).toContain(part);
    // A log that keeps the message learns nothing of people.
    expect(conflict.message).not.toMatch(/Pat|mind/);
    expect((await handleOf(order).describe()).runId).toBe(first.runId);
    const again = await shipments.start(second(order), STATEMENT);
    expect(again.outcome).toBe('restarted');
    expect((await handleOf(order).describe()).memo).toMatchObject({
      restartStatement: STATEMENT,
      listingIds: ['273679133'],
    });
    expect(await shipments.start(second(order))).toEqual({ ...again, outcome: 'already' });
  },
);

test('a feed that repeats a withdrawn order ten times starts nothing', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  await withdraw(order);
  for (let repeat = 0; repeat < 10; repeat += 1)
    expect(await conflictOf(shipments.start(order))).toMatchObject({ reason: 'withdrawn' });
  expect((await handleOf(order).describe()).runId).toBe(runId);
  expect(await shipments.get('acme', order.shipment.orderId)).toMatchObject({
    status: 'COMPLETED',
    withdrawal: { by: 'Pat', reason: 'the customer changed her mind', listingIds: [] },
  });
});

test('in four-way races of starts with a statement a withdrawn order is started once', async () => {
  const order = anOrder();
  await shipments.start(order);
  await withdraw(order);
  const starts = await Promise.all(
    Array.from({ length: 4 }, async () => await shipments.start(order, STATEMENT)),
  );
  expect(starts.map(({ outcome }) => outcome).sort()).toEqual(['already', 'already', 'already', 'restarted']);
  expect(new Set(starts.map(({ runId }) => runId)).size).toBe(1);
});

test('a shipment that failed in another way than before booking is started again only with a statement', async () => {
  const order = anOrder();
  await shipments.start(order);
  await end('break', order);
  const conflict = await conflictOf(shipments.start(order));
  expect(conflict).toMatchObject({ reason: 'endedUnclearly', message: expect.stringContaining('failed') });
  expect(await shipments.start(order, STATEMENT)).toMatchObject({ outcome: 'restarted' });
});

test('a run that ended before it read the earlier listings hands them to the next one', async () => {
  const order = anOrder();
  await shipments.start(order);
  await withdraw(order, ['1', '2']);
  await shipments.start(order, STATEMENT);
  await handleOf(order).terminate();
  expect((await conflictOf(shipments.start(order))).message).toContain('its listing is 1, 2');
  await shipments.start(order, STATEMENT);
  expect((await handleOf(order).describe()).memo).toMatchObject({ listingIds: ['1', '2'] });
});

test.each([
  ['the same document', (order: StartableOrder) => order],
  ['a changed document', changed],
])('a terminated shipment is started again by %s only with a statement', async (_which, second) => {
  const order = anOrder();
  const first = await shipments.start(order);
  await handleOf(order).terminate();
  const conflict = await conflictOf(shipments.start(second(order)));
  expect(conflict.reason).toBe('endedUnclearly');
  for (const part of [
    idOf(order),
    'terminated',
    'A booking may exist',
    'its listing is unknown',
    '--checked',
  ])
    expect(conflict.message).toContain(part);
  const again = await shipments.start(second(order), STATEMENT);
  expect(again.outcome).toBe('restarted');
  expect(again.runId).not.toBe(first.runId);
  expect((await handleOf(order).describe()).memo).toMatchObject({ restartStatement: STATEMENT });
});

test('a shipment that ended unclearly names its listing', async () => {
  const order = anOrder();
  const handle = await temporal.client.workflow.start('furnitureShipment', {
    workflowId: idOf(order),
    taskQueue: 'nobody',
    searchAttributes: { ListingId: ['273679133'] },
  });
  await handle.terminate();
  expect((await conflictOf(shipments.start(order))).message).toContain('its listing is 273679133');
});

test('a shipment that timed out is started again only with a statement', async () => {
  const order = anOrder();
  await startTimedOut(order);
  const conflict = await conflictOf(shipments.start(order));
  expect(conflict.reason).toBe('endedUnclearly');
  expect(conflict.message).toContain('timed out');
  expect(await shipments.start(order, STATEMENT)).toMatchObject({ outcome: 'restarted' });
});

test('the same order id under two accounts is two orders', async () => {
  const order = anOrder();
  const other = {
    ...order,
    shipment: aFurnitureShipment({ orderId: order.shipment.orderId, account: 'globex' }),
    account: { name: 'globex', environment: 'sandbox' as const },
  };
  const [first, second] = [await shipments.start(order), await shipments.start(other)];
  expect([first.outcome, second.outcome]).toEqual(['started', 'started']);
  expect(second.workflowId).toBe(`shipment/globex/${order.shipment.orderId}`);
});

test('an order cannot be started once as furniture and once as LTL', async () => {
  const order = anOrder();
  await shipments.start(order);
  const asLtl = changed({ ...order, shipment: anLtlShipment({ orderId: order.shipment.orderId }) });
  expect(await conflictOf(shipments.start(asLtl))).toMatchObject({ reason: 'otherDocument' });
  expect((await handleOf(order).describe()).type).toBe('furnitureShipment');
});

test('in 25 four-way races for a new order exactly one starts it and the others find that run', async () => {
  for (let round = 0; round < 25; round += 1) {
    const order = anOrder();
    const starts = await Promise.all(Array.from({ length: 4 }, async () => await shipments.start(order)));
    expect(starts.map(({ outcome }) => outcome).sort()).toEqual(['already', 'already', 'already', 'started']);
    expect(new Set(starts.map(({ runId }) => runId)).size).toBe(1);
  }
});

test('in 25 races between two documents of a new order one is started and the other conflicts', async () => {
  for (let round = 0; round < 25; round += 1) {
    const order = anOrder();
    const starts = await Promise.allSettled(
      [order, changed(order), order, changed(order)].map(async (one) => await shipments.start(one)),
    );
    const won = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const lost = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []));
    expect(won.map(({ outcome }) => outcome).sort()).toEqual(['already', 'started']);
    expect(new Set(won.map(({ runId }) => runId)).size).toBe(1);
    expect(lost.map((error) => error instanceof OrderConflictError)).toEqual([true, true]);
  }
});

test('in 25 four-way races after a failure exactly one restarts the order and the others find that run', async () => {
  const failed = Array.from({ length: 25 }, () => anOrder());
  const before = await Promise.all(failed.map(async (order) => await shipments.start(order)));
  await end('fail', ...failed);
  for (const [round, order] of failed.entries()) {
    const starts = await Promise.all(Array.from({ length: 4 }, async () => await shipments.start(order)));
    expect(starts.map(({ outcome }) => outcome).sort()).toEqual([
      'already',
      'already',
      'already',
      'restarted',
    ]);
    const runs = new Set(starts.map(({ runId }) => runId));
    expect(runs.size).toBe(1);
    expect(runs.has(before[round]?.runId ?? '')).toBe(false);
  }
});

test('an unknown order is not found, and the message says where to look', async () => {
  const asking = shipments.get('acme', 'SO-never');
  await expect(asking).rejects.toThrow(ShipmentNotFoundError);
  await expect(asking).rejects.toMatchObject({
    message: 'No shipment acme/SO-never.',
    hint: expect.stringContaining('consign list'),
  });
});

test('without a running worker a shipment still says what it waits for', async () => {
  const order = anOrder();
  const { runId } = await shipments.start(order);
  expect(await shipments.get('acme', order.shipment.orderId)).toEqual({
    workflowId: idOf(order),
    runId,
    status: 'RUNNING',
    waitingFor: expect.stringContaining('the check of the order'),
    state: null,
    failure: null,
    withdrawal: null,
  });
});

test('with a running worker a shipment returns its state', async () => {
  const order = anOrder();
  await shipments.start(order);
  const view = await withWorker(async () => await shipments.get('acme', order.shipment.orderId));
  expect(view.state).toMatchObject({ at: { phase: 'validating' }, orderId: order.shipment.orderId });
});

test('a shipment whose worker cannot answer the query still says what it waits for', async () => {
  const order = anOrder();
  const ltl = { ...order, shipment: anLtlShipment({ orderId: order.shipment.orderId }) };
  await shipments.start(ltl);
  const view = await withWorker(async () => await shipments.get('acme', order.shipment.orderId));
  expect(view).toMatchObject({
    status: 'RUNNING',
    state: null,
    waitingFor: expect.stringContaining('the check'),
  });
});

test('a failed shipment says why', async () => {
  const order = anOrder();
  await shipments.start(order);
  await end('fail', order);
  expect(await shipments.get('acme', order.shipment.orderId)).toMatchObject({
    status: 'FAILED',
    failure: 'the marketplace refused the order',
  });
});

test('the list finds shipments by their attributes, and nothing but shipments', async () => {
  const order = anOrder();
  await shipments.start(order);
  await temporal.client.workflow.start('unroutedEvent', {
    workflowId: 'unroutedEvent/acme/1',
    taskQueue: 'nobody',
  });
  const query = `OrderId = '${order.shipment.orderId}' AND Account = 'acme' AND ShipmentKind = 'furniture'`;
  await until(async () => (await shipments.list({ query })).length > 0);
  expect(await shipments.list({ query })).toEqual([
    {
      workflowId: idOf(order),
      account: 'acme',
      orderId: order.shipment.orderId,
      kind: 'furniture',
      phase: 'validating',
      status: 'RUNNING',
      needsAttention: false,
      listingId: null,
      waitingFor: expect.stringContaining('the check of the order'),
      waitsFor: 'the check of the order, and its fixed price',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  const all = await shipments.list({ limit: 500 });
  expect(all.every(({ workflowId }) => workflowId.startsWith('shipment/'))).toBe(true);
});

test('an order that was started again is listed once, by its last run', async () => {
  const order = anOrder();
  await shipments.start(order);
  await end('fail', order);
  const { runId } = await shipments.start(order);
  const query = `OrderId = '${order.shipment.orderId}'`;
  await until(async () => (await shipments.count(query)) === 2);
  expect(await shipments.list({ query })).toMatchObject([{ workflowId: idOf(order), status: 'RUNNING' }]);
  expect((await handleOf(order).describe()).runId).toBe(runId);
});

test('the list keeps to its limit, and an "or" in the filter does not widen the choice', async () => {
  await Promise.all([anOrder(), anOrder(), anOrder()].map(async (order) => await shipments.start(order)));
  await until(async () => (await shipments.list()).length >= 3);
  expect(await shipments.list({ limit: 2 })).toHaveLength(2);
  const query = "WorkflowType = 'unroutedEvent' OR WorkflowType = 'another'";
  expect(await shipments.list({ query })).toEqual([]);
});
