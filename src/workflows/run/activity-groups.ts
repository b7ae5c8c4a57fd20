import type { Priority } from '@temporalio/common';
import {
  ActivityCancellationType,
  proxyActivities,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { DEFAULT_POLICY } from '../../domain/default-policy';
import { READ_PACE } from '../../domain/read-pace';
import { isImported } from '../../contract/import-priority';
import { marketplaceQueue, SHIPMENTS_QUEUE } from '../../contract/task-queue';

type Reads = Pick<
  Activities,
  | 'getFixedPrice'
  | 'getListing'
  | 'getOrderEnd'
  | 'createRateRequest'
  | 'getAcceptanceStatus'
  | 'listPaymentMethods'
>;
type Writes = Pick<
  Activities,
  'createListing' | 'updateListing' | 'deleteListing' | 'uploadListingImage' | 'acceptRate'
>;
type Polls = Pick<
  Activities,
  'collectRates' | 'pollAcceptance' | 'watchListing' | 'watchTracking' | 'pollContacts'
>;
type Documents = Pick<Activities, 'pollPapers' | 'fetchListingAttachment'>;

type PauseActivities = Pick<Activities, 'pauseForAccount' | 'awaitAccount' | 'countPaused'>;
type AccountTests = Pick<Activities, 'tryAccount' | 'pollAccount'>;

export interface MarketplaceActivities {
  readonly reads: ReturnType<typeof proxyActivities<Reads>>;
  readonly writes: ReturnType<typeof proxyActivities<Writes>>;
  readonly polls: ReturnType<typeof proxyActivities<Polls>>;
  readonly documents: ReturnType<typeof proxyActivities<Documents>>;
}

/**
 * Priorities under an account's call limit. New orders come first: their writes, and the reads that these need. Those of
 * imported orders come next. A poll for changes can wait a little longer.
 */
const BEFORE_ALL: Priority = { priorityKey: 1 };
const FIRST: Priority = { priorityKey: 2 };
const BETWEEN: Priority = { priorityKey: 3 };
export const BEHIND_ORDERS: Priority = { priorityKey: 4 };

/** Of the calls that take this workflow's order to its listing. */
export const orderPriority = (): Priority => (isImported(workflowInfo().priority) ? BETWEEN : FIRST);

/**
 * Repeated until it answers, more and more slowly: the marketplace may be away for hours, and the order is not lost.
 */
const READ: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  // Detects a dead worker; a slow marketplace gets more time.
  heartbeatTimeout: '8 seconds',
  retry: {
    initialInterval: READ_PACE.initialMs,
    backoffCoefficient: 2,
    maximumInterval: READ_PACE.maximumMs,
  },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
};

/**
 * A poll's own failures carry their delay, so this applies only to a lost worker. It must not grow with the attempts,
 * because a poll has many.
 */
const POLL: ActivityOptions = { retry: { initialInterval: '1 second', backoffCoefficient: 1 } };

/**
 * One attempt, and no schedule-to-close: a write that waits for a worker was not sent, however long it waits. The
 * heartbeat time-out detects a lost worker; the mark in its details says whether the request was under way.
 */
const WRITE: ActivityOptions = {
  startToCloseTimeout: '1 hour',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};

/** All activity groups of one account, on the account's own task queue. */
export function marketplaceActivities(
  account: string,
  heartbeatTimeout: number = DEFAULT_POLICY.writeTimeoutMs,
): MarketplaceActivities {
  const taskQueue = marketplaceQueue(account);
  // A poll's own failures carry the delay until the next try; the retry policy is for an unreachable marketplace.
  const poll = { ...READ, ...POLL, taskQueue };
  const priority = orderPriority();
  const { collectRates } = proxyActivities<Polls>({ ...poll, priority });
  const { pollAcceptance } = proxyActivities<Polls>({ ...poll, priority: BETWEEN });
  const { watchListing, watchTracking, pollContacts } = proxyActivities<Polls>({
    ...poll,
    priority: BEHIND_ORDERS,
  });
  return {
    reads: proxyActivities<Reads>({ ...READ, taskQueue, priority }),
    writes: proxyActivities<Writes>({ ...WRITE, heartbeatTimeout, taskQueue, priority }),
    polls: { collectRates, pollAcceptance, watchListing, watchTracking, pollContacts },
    // A large file may arrive slowly, and an expired address is tried twice.
    documents: proxyActivities<Documents>({
      ...READ,
      startToCloseTimeout: '3 minutes',
      taskQueue,
      priority: BEHIND_ORDERS,
    }),
  };
}

/**
 * Used while the account is in trouble. On the workflows' task queue, because these activities make no marketplace
 * calls and must not wait for the account's call limit.
 */
export const pauseActivities = proxyActivities<PauseActivities>({
  ...{ ...READ, ...POLL },
  taskQueue: SHIPMENTS_QUEUE,
});

/** Test calls of an account in trouble, ahead of everything under the same limit. */
export function accountTests(account: string): ReturnType<typeof proxyActivities<AccountTests>> {
  return proxyActivities<AccountTests>({
    ...{ ...READ, ...POLL },
    taskQueue: marketplaceQueue(account),
    priority: BEFORE_ALL,
  });
}
