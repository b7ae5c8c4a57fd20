import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { closingAll, type OnClose } from '../../src/platform/closing';
import { createLog } from '../../src/platform/log';
import { clientConnectionOf } from '../../src/temporal/client-connection';
import type { Environment } from '../../src/temporal/dev-server/supervise';
import { startSandbox, type OrderLedger, type Sandbox, type SandboxOptions } from '../../sandbox';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter } from '../../src/webhooks/router';
import { layGrpcLine, type GrpcLine } from './grpc-line';
import { FAST_POLICY } from './harness';
import { until } from './temporal';
import {
  startServer,
  startWorkerProcess,
  withoutSettings,
  type WorldServer,
  type WorldWorker,
} from './world-processes';
import { temporaryFolder } from './temporary-folder';

const WAIT_MS = 100_000;
/** Looking costs the processes that are looked at, of which there are many at once. */
const LOOK_EVERY_MS = 250;
/** Moments pass. */
const REACH_EVERY_MS = 20;
const SECRET = 'test-secret';
const ACCOUNT = { name: 'acme', environment: 'sandbox' } as const;

/** The write of each kind of order, by its activity, which is named as the endpoint. */
export const WRITE_OF = { furniture: 'createListing', ltl: 'acceptRate' } as const;

export interface WorldOptions {
  /** Whether the marketplace tells of bookings; else nothing but the write itself, or a person, can. */
  readonly hasWebhooks: boolean;
  /** Whether the Temporal server has a database file, so that it can be killed and goes on where it was. */
  readonly isPersistent: boolean;
  /** Of the worker process alone, beside what every worker is given. */
  readonly workerEnvironment?: Environment;
  /** The accounts file, as YAML; that of the examples when left out. */
  readonly accounts?: string;
  /** Whether the orders notify the endpoints of the accounts file. */
  readonly notifies?: boolean;
  /** How the marketplace is, beside its fast clock. */
  readonly sandbox?: SandboxOptions;
}

/** A worker that is a process of its own, which meets its Temporal server only over a line that the test holds. */
export interface World extends WorldWorker {
  readonly sandbox: Sandbox;
  readonly line: GrpcLine;
  readonly temporal: WorldServer;
  /** Of the server itself. */
  readonly address: string;
  /** Of the worker process. */
  readonly env: Environment;
  /** The test's own, straight to the server. */
  readonly client: Client;
  start(shipment: Shipment, policy: Partial<ShipmentPolicy>): Promise<void>;
  /** Waits until the view fulfils the condition; fails with the last view and the worker's last lines when it does not in time. */
  until(shipment: Shipment, condition: (view: ShipmentView) => boolean): Promise<ShipmentView>;
  ledgerOf(shipment: Shipment): OrderLedger;
  /** How often Temporal saw the order's write end in this way. */
  timesWrite(shipment: Shipment, end: 'completed' | 'timedOut'): Promise<number>;
  /** Waits until Temporal has given the order's write up. */
  untilTimedOut(shipment: Shipment): Promise<void>;
  /** Waits for a moment of the processes, as patiently as a busy machine needs. */
  reach(moment: () => boolean | Promise<boolean>): Promise<void>;
}

/** Builds the world, and takes it down again however `use` ends. */
export async function withWorld(options: WorldOptions, use: (world: World) => Promise<void>): Promise<void> {
  await closingAll(async (onClose) => await use(await build(options, onClose)));
}

async function build(options: WorldOptions, onClose: OnClose): Promise<World> {
  const folder = temporaryFolder();
  const { address, temporal } = await startServer(options.isPersistent ? folder : null, onClose);
  const connection = await Connection.connect(clientConnectionOf({ connectionOptions: { address } }));
  onClose(async () => await connection.close());
  const client = new Client({ connection });
  const sandbox = await startSandbox({ port: 0, clock: { speed: 10 }, ...options.sandbox });
  onClose(async () => await sandbox.close());
  if (options.hasWebhooks) sandbox.addWebhook({ url: await listenForEvents(client, onClose) });
  const line = await layGrpcLine(address);
  onClose(async () => await line.close());
  const env = {
    ...withoutSettings(process.env, /^(TEMPORAL|CONSIGN|SANDBOX)_/),
    ...{ TEMPORAL_ADDRESS: line.address, SANDBOX_URL: sandbox.url },
    ...{
      CONSIGN_ACCOUNTS: await accountsFile(options, folder),
      CONSIGN_FILES: folder,
      CONSIGN_LOG_LEVEL: 'error',
    },
    ...options.workerEnvironment,
  };
  const workers = await startWorkerProcess(env, onClose);
  const orders = orderHandles(client, sandbox, {
    notifies: options.notifies === true,
    workerLines: workers.workerLines,
  });
  return { ...{ sandbox, line, temporal, address, client, env }, ...workers, ...orders };
}

async function accountsFile({ accounts }: WorldOptions, folder: string): Promise<string> {
  if (accounts === undefined) return 'examples/accounts.yaml';
  const file = path.join(folder, 'accounts.yaml');
  await writeFile(file, accounts);
  return file;
}

async function listenForEvents(client: Client, onClose: OnClose): Promise<string> {
  const receiver = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: [ACCOUNT] }],
    router: createEventRouter(client),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  onClose(async () => await receiver.close());
  return `${await receiver.listen({ host: '127.0.0.1', port: 0 })}/webhooks/acme/${SECRET}`;
}

type OrderHandles = Pick<World, 'start' | 'until' | 'ledgerOf' | 'timesWrite' | 'untilTimedOut' | 'reach'>;

function orderHandles(
  client: Client,
  sandbox: Sandbox,
  { notifies, workerLines }: { readonly notifies: boolean } & Pick<World, 'workerLines'>,
): OrderHandles {
  const shipments = new ShipmentClient(client);
  const timesWrite: World['timesWrite'] = async ({ account, orderId, kind }, end) => {
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    const { events } = await handle.fetchHistory();
    return countEnds(events ?? [], WRITE_OF[kind], end);
  };
  return {
    timesWrite,
    untilTimedOut: async (shipment) =>
      await until(async () => (await timesWrite(shipment, 'timedOut')) > 0, {
        ...{ patienceMs: WAIT_MS, everyMs: LOOK_EVERY_MS },
      }),
    async until({ account, orderId }, condition) {
      const deadline = Date.now() + WAIT_MS;
      for (;;) {
        const view = await shipments.get(account, orderId);
        if (condition(view)) return view;
        if (Date.now() > deadline)
          throw new Error(
            `still not so: ${JSON.stringify(view, null, 1)}\nthe worker wrote:\n${workerLines().slice(-20).join('\n')}`,
          );
        await delay(LOOK_EVERY_MS);
      }
    },
    reach: async (moment) =>
      await until(async () => await moment(), { patienceMs: WAIT_MS, everyMs: REACH_EVERY_MS }),
    async start(shipment, policy) {
      const whole = { ...FAST_POLICY, ...policy };
      const order = { shipment, account: ACCOUNT, policy: whole, documentHash: 'test' };
      await shipments.start({ ...order, notifies });
    },
    ledgerOf: ({ account, orderId }) => sandbox.order(`${account}/${orderId}`),
  };
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

function countEnds(
  events: readonly HistoryEvent[],
  activityType: string,
  end: 'completed' | 'timedOut',
): number {
  const scheduled = new Set(
    events
      .filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activityType)
      .map(({ eventId }) => String(eventId)),
  );
  const ends = events.map((event) =>
    end === 'completed'
      ? event.activityTaskCompletedEventAttributes
      : event.activityTaskTimedOutEventAttributes,
  );
  return ends.filter((ending) => ending != null && scheduled.has(String(ending.scheduledEventId))).length;
}
