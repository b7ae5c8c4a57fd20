import { ApplicationFailure, type DataConverter } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import {
  Runtime,
  Worker,
  type NativeConnection,
  type PatchActivationCallback,
  type WorkerDeploymentOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import { createActivities } from '../activities';
import type { WorkerVersion } from '../platform/config';
import { FailureType } from '../domain/failure-type';
import {
  marketplaceQueue,
  notificationsQueue,
  SHIPMENTS_QUEUE,
  UNROUTED_EVENTS_QUEUE,
} from '../contract/task-queue';
import type { NotificationSender } from '../activities/dependencies';
import type { NotificationEndpoint } from '../notifications/endpoint';
import { sendEvent } from '../notifications/send';
import { createDispatcher } from '../platform/network/dispatcher';
import type { AccountPin } from '../domain/account-pin';
import type { FileStore } from '../platform/file-store';
import type { MarketplaceAccount } from '../marketplace/account';
import { createMarketplace, type ClosableMarketplace } from '../marketplace/create-marketplace';
import { NO_TRACING, type Tracing } from '../tracing';
import { createCallMeter, createNotificationMeter } from './call-metrics';

/** The parts of a worker process. */
export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly client: Client;
  readonly namespace: string;
  /** That of the client. */
  readonly dataConverter: DataConverter;
  readonly accounts: readonly MarketplaceAccount[];
  /** The endpoints of each account that names some, or an empty list; none when left out. */
  readonly endpoints?: ReadonlyMap<string, readonly NotificationEndpoint[]>;
  readonly files: FileStore;
  /** The bundle from the build, or the code of a bundle made now. */
  readonly workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  readonly shutdownGraceMs: number;
  /** How many open shipments stay in memory. */
  readonly cachedWorkflows: number;
  /** Which build these workers are; unversioned when left out. */
  readonly version?: WorkerVersion | null;
  /** Patches that are not applied yet, except where a history already has one. */
  readonly heldPatches?: readonly string[];
  readonly tracing?: Tracing;
}

/** All workers of this process together. */
export interface ShipmentWorkers {
  /** Resolves once all have stopped; rejects when one fails. */
  readonly stopped: Promise<void>;
  /** Stops taking tasks and lets running activities finish. */
  stop(): Promise<void>;
}

function marketplacesOf(accounts: readonly MarketplaceAccount[]) {
  const meterOf = createCallMeter(Runtime.instance().metricMeter);
  const clients = new Map(
    accounts.map((account) => [
      account.name,
      { account, client: createMarketplace(account, { onCall: meterOf(account.name) }) },
    ]),
  );
  return {
    marketplaceOf({ name, environment }: AccountPin): ClosableMarketplace {
      const found = clients.get(name);
      if (found?.account.environment === environment) return found.client;
      const why =
        found === undefined
          ? `account ${name} is not configured on this worker`
          : `account ${name} is configured for ${found.account.environment}, but the shipment was started for ${environment}`;
      throw ApplicationFailure.nonRetryable(why, FailureType.AccountMismatch);
    },
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map(async ({ client }) => await client.close()));
    },
  };
}

/** Sends notifications, and counts what becomes of them. */
function notificationSender(
  endpoints: ReadonlyMap<string, readonly NotificationEndpoint[]>,
  accounts: readonly MarketplaceAccount[],
  tracing: Tracing,
): NotificationSender & { close(): Promise<void> } {
  const dispatcher = createDispatcher({ connections: SENDING_AT_ONCE });
  const count = createNotificationMeter(Runtime.instance().metricMeter);
  return {
    endpointsOf({ name, environment }) {
      const account = accounts.find((one) => one.name === name);
      if (account?.environment === environment) return endpoints.get(name) ?? [];
      const why = `account ${name} is not configured on this worker for ${environment}`;
      // Retried: nothing is sent to the endpoints of another environment.
      throw ApplicationFailure.retryable(why, FailureType.AccountMismatch);
    },
    async send({ name: account }, endpoint, event) {
      const traceparent = tracing.traceparent();
      const traced = traceparent === null ? event : { ...event, traceparent };
      const answer = await sendEvent(endpoint, traced, dispatcher);
      count({ account, endpoint: endpoint.name, answer });
      return answer;
    },
    close: async () => await dispatcher.destroy(),
  };
}

/** Requests of one account's notifications at once: a slow endpoint takes no more of this process. */
const SENDING_AT_ONCE = 20;

/**
 * Shipments live for weeks and builds do not: each shipment continues with the current build. A pinned shipment would
 * need the workers of its first build until it ends.
 */
function deploymentOptions(version: WorkerVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

/** Called only when no history has the patch yet. */
function without(held: readonly string[]): PatchActivationCallback {
  return ({ patchId }) => !held.includes(patchId);
}

/**
 * Starts the workers: one for shipments, one for unrouted events, and for each account one for marketplace calls and, if
 * it has endpoints, one for notifications.
 */
export async function startWorkers(parts: WorkerParts): Promise<ShipmentWorkers> {
  const { connection, namespace, client, files, accounts, shutdownGraceMs, workflowBundle } = parts;
  const {
    dataConverter,
    version = null,
    heldPatches = [],
    endpoints = new Map(),
    tracing = NO_TRACING,
  } = parts;
  const marketplaces = marketplacesOf(accounts);
  const sender = notificationSender(endpoints, accounts, tracing);
  const activities = createActivities({
    marketplaceOf: (account) => marketplaces.marketplaceOf(account),
    client,
    files,
    notifications: sender,
  });
  const { listEndpoints, deliverNotification } = activities;
  const { pauseForAccount, awaitAccount, countPaused } = activities;
  // These activities make no marketplace calls, and must not wait for an account's queue and limit.
  const withoutCalls = { pauseForAccount, awaitAccount, countPaused };
  const common = {
    ...{ connection, namespace, dataConverter, shutdownGraceTime: shutdownGraceMs },
    // Account queues too: all queues of one deployment switch to another build at once.
    ...(version === null ? {} : { workerDeploymentOptions: deploymentOptions(version) }),
    ...(heldPatches.length === 0 ? {} : { patchActivationCallback: without(heldPatches) }),
    interceptors: { activity: [...tracing.activityInterceptors] },
    // How long a task waits for a worker that has just died before another worker may take it.
    stickyQueueScheduleToStartTimeout: '3 seconds',
    // A slow machine must not look like a hanging workflow: ending its script can end the whole process.
    isolateExecutionTimeout: '1 minute',
  };
  const workers = await Promise.all([
    Worker.create({
      ...{ ...common, taskQueue: SHIPMENTS_QUEUE, workflowBundle, activities: withoutCalls },
      maxCachedWorkflows: parts.cachedWorkflows,
    }),
    // Few at once: a flood of foreign events must not crowd out the shipments.
    Worker.create({
      ...common,
      taskQueue: UNROUTED_EVENTS_QUEUE,
      workflowBundle,
      maxConcurrentWorkflowTaskExecutions: 4,
      maxCachedWorkflows: 50,
    }),
    ...accounts.map(
      async ({ name }) => await Worker.create({ ...common, taskQueue: marketplaceQueue(name), activities }),
    ),
    // An account whose list became empty still has notifications to give up.
    ...[...endpoints.keys()].map(
      async (name) =>
        await Worker.create({
          ...{ ...common, taskQueue: notificationsQueue(name) },
          activities: { listEndpoints, deliverNotification },
          maxConcurrentActivityTaskExecutions: SENDING_AT_ONCE,
        }),
    ),
  ]);
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // When one worker fails, stop all: a process with half its workers looks healthy but is not.
  const runs = workers.map(async (worker) => {
    try {
      await worker.run();
    } finally {
      stop();
    }
  });
  const stopped = endOf(runs, [marketplaces, sender]);
  return {
    stopped,
    stop: async () => {
      stop();
      await stopped;
    },
  };
}

async function endOf(
  runs: readonly Promise<void>[],
  used: readonly { close(): Promise<void> }[],
): Promise<void> {
  try {
    await Promise.all(runs);
  } finally {
    await Promise.all(used.map(async (one) => await one.close()));
  }
}
