import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { EventPolicy } from '../../src/domain/event-policy';
import type { QuestionKind } from '../../src/domain/question';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { createFolderStore, type FileStore } from '../../src/platform/file-store';
import { DEFAULT_SETTINGS, type MarketplaceAccount } from '../../src/marketplace/account';
import { startSandbox, type OrderLedger, type Sandbox, type SandboxOptions } from '../../sandbox';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { NotificationEndpoint } from '../../src/notifications/endpoint';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter } from '../../src/webhooks/router';
import { createLog } from '../../src/platform/log';
import type { EmbeddedOptions } from '../../src/temporal/connect';
import { readWorkflowBundle } from '../../src/worker/workflow-bundle';
import { startWorkers, type ShipmentWorkers } from '../../src/worker/start-workers';
import { connectWorkers, startTestTemporal, type TestTemporal } from './temporal';
import { temporaryFolder } from './temporary-folder';

const pace = { initialMs: 150, maximumMs: 500 };
/** Of what events tell anyway: each look costs the machine of the tests more than it tells. */
const slowPace = { initialMs: 400, maximumMs: 2_000 };

/** The real policy with a clock for tests. */
export const FAST_POLICY: ShipmentPolicy = {
  ...DEFAULT_POLICY,
  rates: { ...DEFAULT_POLICY.rates, minimumWaitMs: 200, quietMs: 300, enough: 3, maximumWaitMs: 4_000, pace },
  acceptance: { pace, failureWaitMs: 300, windowMs: 30_000 },
  doubtWaitMs: 400,
  unreadableAfterMs: 1_500,
  notSentPace: pace,
  sweepPace: slowPace,
  sweepWidening: 1,
  trackingPace: slowPace,
  documentPace: pace,
  documentWindowMs: 60_000,
  settlementWindowMs: 1_000,
};

const ROOT = path.join(__dirname, '..', '..');
const KEY = 'sandbox-key';
/** Of the integration `acme` of the receiver. */
export const SECRET = 'test-secret';
/** A person who answers. */
export const BY = { by: 'Pat', reason: 'seen on the website' };
const WEB_LOGIN = {
  username: async () => await Promise.resolve('shipper@example.com'),
  password: async () => await Promise.resolve('sandbox-password'),
};

/** The real server, the sandbox, real workers and the receiver, in one test process. */
export interface Harness {
  readonly temporal: TestTemporal;
  readonly sandbox: Sandbox;
  readonly shipments: ShipmentClient;
  readonly files: FileStore;
  /** Where `files` keeps them, for `CONSIGN_FILES`. */
  readonly filesFolder: string;
  /** Of the receiver, for its `/health`. */
  readonly receiverUrl: string;
  start(shipment: Shipment, policy?: Partial<ShipmentPolicy>): Promise<void>;
  /** As before the account had endpoints. */
  startWithoutNotifications(shipment: Shipment): Promise<void>;
  /** Waits until the view fulfils the condition; fails with the last view when it does not in time. */
  until(shipment: Shipment, condition: (view: ShipmentView) => boolean): Promise<ShipmentView>;
  ended(shipment: Shipment): Promise<ShipmentView>;
  /** The id of the shipment's open question, once it is of that kind and another than `not`. */
  asked(shipment: Shipment, kind: QuestionKind, not?: string): Promise<string>;
  handleOf(shipment: Shipment): WorkflowHandle;
  /** An outage of every worker, for as long as `during` takes. */
  withoutWorkers<T>(during: () => Promise<T>): Promise<T>;
  /** What the marketplace's own ledger shows for the order. */
  ledgerOf(shipment: Shipment): OrderLedger;
  /** Saves the history of the shipment, or of another workflow, when histories are being recorded (`RECORD_HISTORIES=1`). */
  record(shipment: Shipment, name: string, workflowId?: string): Promise<void>;
  close(): Promise<void>;
}

const WAIT_MS = 100_000;

export async function startHarness(
  options: SandboxOptions & {
    readonly hasWebhooks?: boolean;
    readonly embedded?: EmbeddedOptions;
    /** What is different of the account `acme`: how it proves itself, and its settings. */
    readonly account?: Pick<Partial<MarketplaceAccount>, 'auth' | 'settings'>;
    /** How long a state of a shipment is waited for; milliseconds. */
    readonly patienceMs?: number;
    /** How the receiver has events treated that no shipment takes. */
    readonly eventPolicy?: EventPolicy;
    /** With keys, everything that Temporal keeps is encrypted. */
    readonly dataConverter?: DataConverter;
    /** The client by which activities mark and report; the test's own when left out. */
    readonly activityClient?: (temporal: TestTemporal) => Promise<Client>;
    /** The account's endpoints, which the test may change; none when left out. */
    readonly endpoints?: readonly NotificationEndpoint[];
    /** The endpoints of a second account, `beta`, which the workers then serve too, without webhooks. */
    readonly endpointsOfBeta?: readonly NotificationEndpoint[];
    /** Where the workers serve their metrics; nowhere when left out. */
    readonly metricsPort?: number;
  } = {},
): Promise<Harness> {
  const {
    hasWebhooks = true,
    activityClient,
    embedded,
    account: ofAccount,
    metricsPort,
    endpoints,
    endpointsOfBeta,
    ...others
  } = options;
  const { dataConverter = {}, eventPolicy, patienceMs = WAIT_MS, ...sandboxOptions } = others;
  const [temporal, sandbox] = await Promise.all([
    startTestTemporal(embedded, dataConverter),
    startSandbox({ port: 0, ...sandboxOptions }),
  ]);
  const folder = temporaryFolder();
  const files = createFolderStore(folder);
  const native = await connectWorkers(temporal.open, metricsPort);
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const activitiesClient = activityClient === undefined ? temporal.client : await activityClient(temporal);
  const ofAccounts = { acme: endpoints, beta: endpointsOfBeta };
  const parts = {
    connection: native,
    client: activitiesClient,
    namespace: temporal.open.namespace,
    dataConverter,
    accounts: [
      marketplaceAccount(sandbox.url, { web: WEB_LOGIN, ...ofAccount }),
      ...(endpointsOfBeta === undefined ? [] : [marketplaceAccount(sandbox.url, { name: 'beta' })]),
    ],
    endpoints: new Map(
      Object.entries(ofAccounts).flatMap(([name, own]) => (own === undefined ? [] : [[name, own] as const])),
    ),
    files,
    workflowBundle: { code: await readWorkflowBundle(dataConverter) },
    shutdownGraceMs: 5_000,
    cachedWorkflows: 1_000,
  };
  let workers = await startWorkers(parts);
  const receiver = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: [account] }],
    router: createEventRouter(temporal.client, eventPolicy === undefined ? {} : { policy: eventPolicy }),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  const receiverUrl = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const shipments = new ShipmentClient(temporal.client);

  if (hasWebhooks) sandbox.addWebhook({ url: `${receiverUrl}/webhooks/acme/${SECRET}` });

  const until: Harness['until'] = async ({ account: name, orderId }, condition) => {
    const deadline = Date.now() + patienceMs;
    for (let looks = 0; ; looks += 1) {
      const view = await shipments.get(name, orderId);
      if (condition(view)) return view;
      if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(view, null, 1)}`);
      // A pace for the looking: each look costs the servers more than the shipment itself.
      await delay(Math.min(300, 60 + 20 * looks));
    }
  };
  return {
    ...{ temporal, sandbox, shipments, files, filesFolder: folder, receiverUrl, until },
    async start(shipment, policy = {}) {
      const of = { ...account, name: shipment.account };
      const order = { shipment, account: of, policy: { ...FAST_POLICY, ...policy }, documentHash: 'test' };
      await shipments.start({ ...order, notifies: endpoints !== undefined });
    },
    async startWithoutNotifications(shipment) {
      await shipments.start({ shipment, account, policy: FAST_POLICY, documentHash: 'test' });
    },
    async asked(shipment, kind, not = '') {
      const { state } = await until(
        shipment,
        (view) => view.state?.question?.kind === kind && view.state.question.id !== not,
      );
      return state?.question?.id ?? '';
    },
    handleOf: ({ account: name, orderId }) =>
      temporal.client.workflow.getHandle(shipmentWorkflowId(name, orderId)),
    async ended(shipment) {
      const id = shipmentWorkflowId(shipment.account, shipment.orderId);
      const over = temporal.client.workflow.getHandle(id).result();
      await Promise.race([over.catch(() => null), delay(WAIT_MS, null, { ref: false })]);
      // On a busy machine a worker can be slow to tell the state.
      return await until(shipment, ({ status, state }) => status !== 'RUNNING' && state !== null);
    },
    async withoutWorkers(during) {
      await workers.stop();
      try {
        return await during();
      } finally {
        workers = await startWorkers(parts);
      }
    },
    ledgerOf: ({ account: name, orderId }) => sandbox.order(`${name}/${orderId}`),
    async record({ account: name, orderId }, fileName, workflowId = shipmentWorkflowId(name, orderId)) {
      if (process.env.RECORD_HISTORIES === undefined) return;
      const handle = temporal.client.workflow.getHandle(workflowId);
      // Stack traces name the folder of whoever records; the file is to travel.
      const history = historyToJSON(await handle.fetchHistory()).replaceAll(`${ROOT}/`, '');
      writeFileSync(path.join(__dirname, '..', 'fixtures', 'histories', `${fileName}.json`), `${history}\n`);
    },
    close: async () => await closeAll(workers, native, receiver, sandbox, temporal),
  };
}

async function closeAll(
  workers: ShipmentWorkers,
  native: NativeConnection,
  ...[receiver, sandbox, temporal]: [{ close(): PromiseLike<unknown> }, Sandbox, TestTemporal]
): Promise<void> {
  await workers.stop();
  await native.close();
  await receiver.close();
  await sandbox.close();
  await temporal.close();
}

export function marketplaceAccount(
  baseUrl: string,
  over: Partial<MarketplaceAccount> = {},
): MarketplaceAccount {
  return {
    name: 'acme',
    environment: 'sandbox',
    baseUrl,
    webUrl: baseUrl,
    auth: { kind: 'apiKey', key: async () => await Promise.resolve(KEY) },
    source: 'acme',
    integratorId: 'acme-integrator',
    userId: null,
    settings: DEFAULT_SETTINGS,
    ...over,
  };
}
