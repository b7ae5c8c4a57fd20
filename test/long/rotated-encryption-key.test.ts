import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { followedListing } from '../../src/domain/shipment-state';
import type { Shipment } from '../../src/domain/shipment';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { numberedOrders } from '../support/builders';
import { consignProcess } from '../support/consign';
import { writeEncryptionFile } from '../support/encryption';
import { FAST_POLICY } from '../support/harness';
import { startProcessStack, type ProcessStack } from '../support/process-stack';
import { keyIdOf, payloadsIn, rawWorkflows, type RawWorkflow } from '../support/raw-temporal';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
let world: ProcessStack;
let shipments: ShipmentClient;
const { furniture, ltl } = numberedOrders('R');

beforeAll(async () => {
  folder = temporaryFolder();
  world = await startProcessStack(folder, {
    ...(await writeEncryptionFile(folder, { writeWith: 'first' })),
    ...{ CONSIGN_ACCOUNTS: 'examples/accounts.yaml', CONSIGN_LOG_LEVEL: 'warn', SANDBOX_SPEED: '10' },
  });
  shipments = new ShipmentClient(world.temporal.client);
}, 60_000);
afterAll(async () => await world?.close());

const account = { name: 'acme', environment: 'sandbox' } as const;
const started: Shipment[] = [];
async function start(...all: readonly Shipment[]): Promise<void> {
  for (const shipment of all)
    await shipments.start({ shipment, account, policy: FAST_POLICY, documentHash: shipment.orderId });
  started.push(...all);
}

const patience = { everyMs: 250 };
async function booked(...all: readonly Shipment[]): Promise<void> {
  for (const { account: name, orderId } of all)
    await until(async () => (await shipments.get(name, orderId)).state?.at.phase === 'booked', patience);
}
async function deliver(...all: readonly Shipment[]): Promise<void> {
  for (const { account: name, orderId } of all) {
    let listingId: string | null = null;
    // A worker that has just been started is slow to tell the state.
    await until(async () => {
      const { state } = await shipments.get(name, orderId);
      listingId = state === null ? null : followedListing(state);
      return listingId !== null;
    }, patience);
    await world.control(`/listings/${listingId}/advance`, { to: 'Delivered', kind: 'transit' });
  }
}

const raw = async (): Promise<RawWorkflow[]> =>
  await rawWorkflows(world.temporal.address, world.temporal.namespace);
const keysOf = (part: unknown): Set<string> =>
  new Set(payloadsIn(part).map(({ payload }) => keyIdOf(payload)));

/** The parts of a history that each process writes. */
const eventsOf = (one: RawWorkflow, attributes: string): unknown[] =>
  (one.history.events ?? []).flatMap((event) => {
    const own = (event as Readonly<Record<string, unknown>>)[attributes];
    return own == null ? [] : [own];
  });

test('keys that are rotated while shipments are open lose none, and every process writes with the new one', async () => {
  const { stack } = world;
  await world.control('/switches', { transit: 'manual' });
  const early = [furniture(), ltl(), furniture(), ltl()];
  await start(...early);
  await booked(...early);
  expect(await keysUsed()).toEqual(new Set(['first']));

  await writeEncryptionFile(folder, { writeWith: 'second', keys: ['first', 'second'] });
  const during = [furniture(), ltl()];
  await start(...during);
  await booked(...during);
  const [delivering = furniture(), ...others] = early;
  await deliver(delivering);
  expect(await shipments.result(delivering.account, delivering.orderId)).toMatchObject({ kind: 'delivered' });
  // Everything that is written from now on is of the second key: by the worker, the receiver and a new process.
  await until(async () => {
    const late = ltl();
    await start(late);
    await booked(late);
    const found = (await raw()).find(({ workflowId }) => workflowId.endsWith(`/${late.orderId}`));
    return [...keysOf(found)].join() === 'second';
  }, patience);
  const { err, code } = await consignProcess(['list'], { env: stack.env });
  expect({ err, code }).toEqual({ err: '', code: 0 });

  // A worker that starts now reads what was written with both.
  stack.partOf('worker').kill('SIGKILL');
  await stack.partOf('worker').exited;
  await stack.start('worker');
  const rest = started.filter((shipment) => shipment !== delivering);
  expect(rest).toEqual(expect.arrayContaining(others));
  await deliver(...rest);
  for (const { account: name, orderId } of rest)
    expect(await shipments.result(name, orderId)).toMatchObject({ kind: 'delivered' });

  const all = await raw();
  expect(all.flatMap((one) => eventsOf(one, 'workflowTaskFailedEventAttributes'))).toEqual([]);
  for (const attributes of [
    'workflowExecutionSignaledEventAttributes',
    'activityTaskCompletedEventAttributes',
    'workflowPropertiesModifiedEventAttributes',
  ])
    expect(keysOf(all.flatMap((one) => eventsOf(one, attributes)))).toEqual(new Set(['first', 'second']));
  const verdict: unknown = await (await fetch(`${stack.sandboxUrl}/_sandbox/ledger/verdict`)).json();
  expect(verdict).toMatchObject({ isClean: true, orders: started.length, withoutBooking: [] });

  // What was written with a key needs it for as long as Temporal keeps it.
  await writeEncryptionFile(folder, { writeWith: 'second' });
  const [one] = started;
  const without = await consignProcess(['show', `acme/${one?.orderId}`], { env: stack.env });
  expect(without).toMatchObject({
    ...{ code: 2, out: '' },
    err: 'A payload is encrypted with key first, which this process does not have. Add first to the keys of the encryption file.\n',
  });
  await writeEncryptionFile(folder, { writeWith: 'second', keys: ['second', 'first'] });
  for (const command of [['list'], ['show', `acme/${one?.orderId}`]])
    expect(await consignProcess(command, { env: stack.env })).toMatchObject({ code: 0, err: '' });
}, 240_000);

const keysUsed = async (): Promise<Set<string>> => keysOf(await raw());
