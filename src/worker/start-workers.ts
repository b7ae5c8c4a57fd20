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
import { marketplaceQueue, SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../contract/task-queue';
import type { AccountPin } from '../domain/account-pin';
import type { FileStore } from '../platform/file-store';
import type { MarketplaceAccount } from '../marketplace/account';
import { createMarketplace, type ClosableMarketplace } from '../marketplace/create-marketplace';
import { createCallMeter } from './call-metrics';

/** The parts of a worker process. */
export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly client: Client;
  readonly namespace: string;
  /** That of the client. */
  readonly dataConverter: DataConverter;
  readonly accounts: readonly MarketplaceAccount[];
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

/** Starts the workers: one for shipments, one for unrouted events, one for each account's marketplace calls. */
export async function startWorkers(parts: WorkerParts): Promise<ShipmentWorkers> {
  const { connection, namespace, client, files, accounts, shutdownGraceMs, workflowBundle } = parts;
  const { dataConverter, version = null, heldPatches = [] } = parts;
  const marketplaces = marketplacesOf(accounts);
  const activities = createActivities({
    marketplaceOf: (account) => marketplaces.marketplaceOf(account),
    client,
    files,
  });
  const { pauseForAccount, awaitAccount, countPaused } = activities;
  // These activities make no marketplace calls, and must not wait for an account's queue and limit.
  const withoutCalls = { pauseForAccount, awaitAccount, countPaused };
  const common = {
    ...{ connection, namespace, dataConverter, shutdownGraceTime: shutdownGraceMs },
    // Account queues too: all queues of one deployment switch to another build at once.
    ...(version === null ? {} : { workerDeploymentOptions: deploymentOptions(version) }),
    ...(heldPatches.length === 0 ? {} : { patchActivationCallback: without(heldPatches) }),
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
  const stopped = endOf(runs, marketplaces);
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
  marketplaces: { close(): Promise<void> },
): Promise<void> {
  try {
    await Promise.all(runs);
  } finally {
    await marketplaces.close();
  }
}
