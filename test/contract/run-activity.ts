import { CompleteAsyncError } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createActivities, type Activities } from '../../src/activities';
import type { ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { NO_ENDPOINTS } from '../support/notifications';

/** The run that inputs of writes name as their own. */
export const RUN_ID = 'run-1';
export const ACCOUNT = { name: 'acme', environment: 'sandbox' } as const;

export interface ActivityRun {
  /** The result, or the failure that Temporal would be given. */
  readonly outcome: unknown;
  /** The marks that were set before a write was sent. */
  readonly marks: readonly unknown[];
}

/** Runs one attempt of a real activity, with nothing of Temporal but a client that takes the mark of writes. */
export async function runActivity<Name extends keyof Activities>(
  client: ClosableMarketplace,
  name: Name,
  input: Parameters<Activities[Name]>[0],
  attempt = 1,
): Promise<ActivityRun> {
  const marks: unknown[] = [];
  const delivered: unknown[] = [];
  const deliver = async (_token: unknown, outcome: unknown): Promise<void> => {
    await Promise.resolve(delivered.push(outcome));
  };
  const heartbeat = async (_token: unknown, details: unknown): Promise<void> => {
    await Promise.resolve(marks.push(details));
  };
  const activities = createActivities({
    marketplaceOf: () => client,
    client: {
      activity: { heartbeat, complete: deliver, fail: deliver },
      withDeadline: async (_deadline: unknown, call: () => Promise<unknown>) => await call(),
    } as unknown as Client,
    files: {
      put: async () => await Promise.resolve('sha'),
      get: async () => await Promise.resolve(Buffer.from('PNG')),
    },
    notifications: NO_ENDPOINTS,
  });
  const environment = new MockActivityEnvironment(
    { workflowExecution: { workflowId: 'w', runId: RUN_ID }, heartbeatTimeoutMs: 30_000, attempt },
    { logger: new DefaultLogger('ERROR') },
  );
  const activity = activities[name] as (given: unknown) => Promise<unknown>;
  const outcome = await environment.run(activity, input).catch((error: unknown) => error);
  // A write delivers its own outcome; what it then throws only says so.
  return { outcome: outcome instanceof CompleteAsyncError ? delivered[0] : outcome, marks };
}
