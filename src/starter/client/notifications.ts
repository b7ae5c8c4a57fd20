import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import {
  notificationDeliveryQuery,
  notificationsReplayAskedSignal,
  notificationsRetryAskedSignal,
} from '../../contract/messages';
import { DELIVERY_FAILING, notificationPairs } from '../../contract/search-attributes';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';
import type { NotificationDeliveryInput } from '../../contract/workflow-input';
import { summaryOf } from '../../domain/bounds';
import {
  replayableIds,
  type DeliveryLine,
  type DeliveryState,
  type FailingEndpoint,
} from '../../domain/notification-delivery';
import type { Notification, NotificationKind } from '../../domain/notifications';
import { notificationsWorkflowId, orderReference, type OrderKey } from '../../domain/workflow-id';
import { UserError } from '../../platform/user-error';
import { noNotifications, noWorkerAnswers } from './errors';
import { answerOf, describeLast } from './last-run';
import { listRuns } from './list-runs';

/** A notification that an endpoint waits for. */
export interface WaitingNotification {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly endpoint: string;
  /** When it happened. */
  readonly at: string;
  /** Since the last pause or report of a failure; 0 before the first attempt, and behind another notification. */
  readonly attempts: number;
  /** How the last attempt ended; null before the first. */
  readonly reason: string | null;
  /** Consign sends nothing until `retryNotifications`. */
  readonly isPaused: boolean;
}

/** The delivery of an order's notifications. */
export interface NotificationLog {
  /** The newest 50, the newest last. */
  readonly deliveries: readonly DeliveryLine[];
  readonly waiting: readonly WaitingNotification[];
  /** Those that can be replayed, the newest last. */
  readonly notifications: readonly Notification[];
  /** How many were dropped, because too many waited. */
  readonly leftOut: number;
}

/** An endpoint that keeps failing. */
export interface StuckEndpoint extends FailingEndpoint {
  readonly account: string;
  /** Orders whose notifications wait for it. */
  readonly orders: number;
}

/** The delivery log of an order. @throws ShipmentNotFoundError, NoWorkerError */
export async function notificationsOf(client: Client, order: OrderKey): Promise<NotificationLog> {
  const { state, found } = await deliveryOf(client, order);
  const { log, notifications, leftOut } = state;
  return { deliveries: log, waiting: await waitingOf(client, state, found), notifications, leftOut };
}

/**
 * Sends notifications of an order again, with the same ids, also after the order has ended.
 * @param fromId the first of them; null: all that are known
 * @returns how many
 * @throws ShipmentNotFoundError, NoWorkerError
 */
export async function replayNotifications(
  client: Client,
  order: OrderKey,
  fromId: string | null,
): Promise<number> {
  const { state } = await deliveryOf(client, order);
  const ids = replayableIds(state, fromId);
  if (fromId !== null && ids.length === 0)
    throw new UserError(`${orderReference(order.account, order.orderId)} has no notification ${fromId}.`);
  const input: NotificationDeliveryInput = { ...orderOf(state), batch: [], carried: state };
  await client.workflow.signalWithStart('notificationDelivery', {
    workflowId: notificationsWorkflowId(order),
    taskQueue: SHIPMENTS_QUEUE,
    args: [input],
    signal: notificationsReplayAskedSignal,
    signalArgs: [fromId],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: notificationPairs(order),
    memo: { failing: [] },
    staticSummary: summaryOf(`notifications of ${orderReference(order.account, order.orderId)}`),
  });
  return ids.length;
}

const orderOf = ({ account, orderId }: DeliveryState) => ({ account, orderId });

/** A failing delivery, as a list of workflows shows it. */
interface Failing {
  readonly workflowId: string;
  readonly account: string;
  readonly endpoints: readonly FailingEndpoint[];
}

/**
 * Deliveries to endpoints that keep failing. Asks only Temporal's visibility.
 * @param filter in Temporal's visibility language; undefined: of all accounts
 */
async function* failingDeliveries(client: Client, filter: string | undefined): AsyncGenerator<Failing> {
  const only = filter === undefined ? '' : ` AND (${filter})`;
  const query = `WorkflowType = 'notificationDelivery' AND ExecutionStatus = 'Running' AND ShipmentPhase = '${DELIVERY_FAILING}'${only}`;
  for await (const { workflowId, searchAttributes, memo, undecryptable, startTime } of listRuns(client, {
    query,
    pageSize: 200,
  })) {
    const name = searchAttributes.Account?.[0];
    const failing = memo?.failing;
    if (typeof name !== 'string') continue;
    if (Array.isArray(failing)) yield { workflowId, account: name, endpoints: failing.filter(isFailing) };
    else if (undecryptable !== null) {
      const since = startTime.toISOString();
      yield {
        ...{ workflowId, account: name },
        endpoints: [{ endpoint: 'unknown', since, reason: undecryptable, isPaused: false }],
      };
    }
  }
}

const isFailing = (entry: unknown): entry is FailingEndpoint =>
  typeof entry === 'object' && entry !== null && 'endpoint' in entry && 'since' in entry;

/** The endpoints that keep failing, each once, with the number of orders that wait for it. */
export async function stuckEndpoints(
  client: Client,
  { query, limit }: { readonly query: string | undefined; readonly limit: number },
): Promise<StuckEndpoint[]> {
  const found = new Map<string, StuckEndpoint>();
  let seen = 0;
  for await (const { account, endpoints } of failingDeliveries(client, query)) {
    for (const failing of endpoints) {
      const key = `${account}/${failing.endpoint}`;
      const { orders = 0, since = failing.since, isPaused = false } = found.get(key) ?? {};
      found.set(key, {
        ...{ ...failing, account, orders: orders + 1 },
        since: since < failing.since ? since : failing.since,
        isPaused: isPaused || failing.isPaused,
      });
    }
    seen += 1;
    if (seen === limit) break;
  }
  return [...found.values()];
}

/**
 * Tries endpoints that keep failing again, at once, for all orders that wait for them.
 * @param endpoint null: all of the account
 * @returns for how many orders
 */
export async function retryNotifications(
  client: Client,
  account: string,
  endpoint: string | null,
): Promise<number> {
  let count = 0;
  for await (const { workflowId, endpoints } of failingDeliveries(client, `Account = '${account}'`)) {
    if (endpoint !== null && endpoints.every((failing) => failing.endpoint !== endpoint)) continue;
    if (await signalRetry(client, workflowId, endpoint)) count += 1;
  }
  return count;
}

async function signalRetry(client: Client, workflowId: string, endpoint: string | null): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).signal(notificationsRetryAskedSignal, endpoint);
    return true;
  } catch (error) {
    // It has ended since it was listed.
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

interface FoundDelivery {
  readonly state: DeliveryState;
  readonly found: WorkflowExecutionDescription;
}

async function deliveryOf(client: Client, order: OrderKey): Promise<FoundDelivery> {
  const workflowId = notificationsWorkflowId(order);
  const found = await describeLast(client, workflowId);
  if (found === null) throw noNotifications(order);
  const state = await answerOf(client, { workflowId, runId: found.runId }, notificationDeliveryQuery);
  if (state !== null) return { state, found };
  throw noWorkerAnswers(workflowId);
}

async function waitingOf(
  client: Client,
  { queues, notifications }: DeliveryState,
  { raw }: WorkflowExecutionDescription,
): Promise<WaitingNotification[]> {
  const byId = new Map(notifications.map((notification) => [notification.id, notification]));
  const waiting = queues.flatMap(({ endpoint, trouble, waiting }) =>
    waiting.flatMap((id) => {
      const { news, at } = byId.get(id) ?? {};
      return news === undefined || at === undefined ? [] : [{ id, kind: news.kind, endpoint, at, trouble }];
    }),
  );
  return await Promise.all(
    waiting.map(async ({ trouble, ...one }) => {
      const pending = raw.pendingActivities?.find(({ activityId }) =>
        activityId?.startsWith(`${one.endpoint}/${one.id}/`),
      );
      const failure = await decodeOptionalFailureToOptionalError(
        client.options.loadedDataConverter,
        pending?.lastFailure,
      );
      return {
        ...one,
        // Temporal counts the attempt that is under way or due.
        attempts: (pending?.attempt ?? 1) - 1,
        reason: failure?.message ?? trouble?.reason ?? null,
        isPaused: trouble?.isPaused ?? false,
      };
    }),
  );
}
