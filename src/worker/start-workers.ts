import { ApplicationFailure } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import {
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

/** What a worker process is made of. */
export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly client: Client;
  readonly namespace: string;
  readonly accounts: readonly MarketplaceAccount[];
  readonly files: FileStore;
  /** The bundle that the build made, or the code of one made now. */
  readonly workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  readonly shutdownGraceMs: number;
  /** How many open shipments stay in memory. */
  readonly cachedWorkflows: number;
  /** Which build these workers are; unversioned when left out. */
  readonly version?: WorkerVersion | null;
  /** Patches that are not applied yet; where a history has one, it is. */
  readonly heldPatches?: readonly string[];
}

/** Every worker of this process as one. */
export interface ShipmentWorkers {
  /** Resolves once all have stopped; rejects when one fails. */
  readonly stopped: Promise<void>;
  /** Stops taking tasks and lets running activities finish. */
  stop(): Promise<void>;
}

function marketplacesOf(accounts: readonly MarketplaceAccount[]) {
  const clients = new Map(
    accounts.map((account) => [account.name, { account, client: createMarketplace(account) }]),
  );
  return {
    marketplaceOf({ name, environment }: AccountPin): ClosableMarketplace {
      const found = clients.get(name);
      if (found?.account.environment === environment) return found.client;
      const why =
        found === undefined
          ? `account ${name} is not configured on this worker`
          : `account ${name} is configured for ${found.account.environment}, the shipment was started for ${environment}`;
      throw ApplicationFailure.nonRetryable(why, FailureType.AccountMismatch);
    },
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map(async ({ client }) => await client.close()));
    },
  };
}

/**
 * Shipments live for weeks and builds do not: each goes on with the build that is current. A pinned one would need its
 * first build's workers until it is over.
 */
function deploymentOptions(version: WorkerVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

/** Asked only where no history has the patch yet. */
function without(held: readonly string[]): PatchActivationCallback {
  return ({ patchId }) => !held.includes(patchId);
}

/** Starts the workers: one for shipments, one for unrouted events, one for each account's marketplace calls. */
export async function startWorkers(parts: WorkerParts): Promise<ShipmentWorkers> {
  const { connection, namespace, client, files, accounts, shutdownGraceMs, workflowBundle } = parts;
  const { version = null, heldPatches = [] } = parts;
  const marketplaces = marketplacesOf(accounts);
  const activities = createActivities({
    marketplaceOf: (account) => marketplaces.marketplaceOf(account),
    client,
    files,
  });
  const { pauseForAccount, awaitAccount, countPaused } = activities;
  // They make no call of the marketplace, so that no account's queue and limit holds them up.
  const withoutCalls = { pauseForAccount, awaitAccount, countPaused };
  const common = {
    ...{ connection, namespace, shutdownGraceTime: shutdownGraceMs },
    // Accounts' queues too: of one deployment all queues turn to another build at once.
    ...(version === null ? {} : { workerDeploymentOptions: deploymentOptions(version) }),
    ...(heldPatches.length === 0 ? {} : { patchActivationCallback: without(heldPatches) }),
    // How long a task waits for a worker that has just died before another one may take it.
    stickyQueueScheduleToStartTimeout: '3 seconds',
    // A busy machine must not pass for a workflow that hangs: ending its script can end the whole process.
    isolateExecutionTimeout: '1 minute',
  };
  const workers = await Promise.all([
    Worker.create({
      ...{ ...common, taskQueue: SHIPMENTS_QUEUE, workflowBundle, activities: withoutCalls },
      maxCachedWorkflows: parts.cachedWorkflows,
    }),
    // Few at once: a flood of events that are not ours must not crowd out the shipments.
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
  // One that fails takes the others with it: half a worker looks healthy and is not.
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
