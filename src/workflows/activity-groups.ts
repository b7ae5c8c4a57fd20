import { ActivityCancellationType, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { DEFAULT_POLICY } from '../domain/default-policy';
import { READ_PACE } from '../domain/read-pace';
import { marketplaceQueue } from '../domain/task-queue';

type Reads = Pick<
  Activities,
  | 'getFixedPrice'
  | 'getListing'
  | 'getOrderEnd'
  | 'createRateRequest'
  | 'getAcceptanceStatus'
  | 'getTracking'
  | 'listPaymentMethods'
  | 'pauseForAccount'
  | 'listAddressTypes'
>;
type Writes = Pick<
  Activities,
  'createListing' | 'updateListing' | 'deleteListing' | 'uploadListingImage' | 'acceptRate'
>;
type Polls = Pick<
  Activities,
  'collectRates' | 'pollAcceptance' | 'watchListing' | 'watchTracking' | 'pollContacts' | 'pollTrackingLink'
>;
type Documents = Pick<Activities, 'pollBillOfLading' | 'fetchListingAttachment'>;

export interface MarketplaceActivities {
  readonly reads: ReturnType<typeof proxyActivities<Reads>>;
  readonly writes: ReturnType<typeof proxyActivities<Writes>>;
  readonly polls: ReturnType<typeof proxyActivities<Polls>>;
  readonly documents: ReturnType<typeof proxyActivities<Documents>>;
}

/** Asked again until it answers, ever more slowly: the marketplace may be away for hours, the order is not lost. */
const READ: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  // A worker that died is noticed by this; the answer of a slow marketplace is waited for longer.
  heartbeatTimeout: '8 seconds',
  retry: {
    initialInterval: READ_PACE.initialMs,
    backoffCoefficient: 2,
    maximumInterval: READ_PACE.maximumMs,
  },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
};

/**
 * A poll's own failures carry their delay, so that this is for a lost worker only; it must not grow with the attempts,
 * of which a poll has many.
 */
const POLL: ActivityOptions = { retry: { initialInterval: '1 second', backoffCoefficient: 1 } };

/**
 * One attempt, and no schedule-to-close: a write that waits for a worker was not sent, however long it waits. The
 * heartbeat time-out tells a lost worker; the mark in its details, whether the request was under way.
 */
const WRITE: ActivityOptions = {
  startToCloseTimeout: '1 hour',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};

/** The activities of one account, on its own task queue, in the ways of calling them. */
export function marketplaceActivities(
  account: string,
  heartbeatTimeout: number = DEFAULT_POLICY.writeTimeoutMs,
): MarketplaceActivities {
  const taskQueue = marketplaceQueue(account);
  return {
    reads: proxyActivities<Reads>({ ...READ, taskQueue }),
    writes: proxyActivities<Writes>({ ...WRITE, heartbeatTimeout, taskQueue }),
    // A poll's own failures carry the delay until the next try; the policy's is for an unreachable marketplace.
    polls: proxyActivities<Polls>({ ...READ, ...POLL, taskQueue }),
    // Megabytes may come slowly, and an address that has expired is tried twice.
    documents: proxyActivities<Documents>({ ...READ, startToCloseTimeout: '3 minutes', taskQueue }),
  };
}
