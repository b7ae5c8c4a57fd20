import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  TimeoutFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { summaryOf } from '../domain/bounds';
import { FailureType } from '../domain/failure-type';
import {
  dropQueue,
  dropQueues,
  endDelivery,
  failingEndpoints,
  isWaiting,
  nextNotification,
  noDeliveries,
  receiveNotifications,
  replayNotifications,
  resumeQueues,
  routeNotifications,
  troubleQueue,
  type DeliveryState,
  type EndpointQueue,
} from '../domain/notification-delivery';
import type { Notification } from '../domain/notifications';
import {
  notificationDeliveryQuery,
  notificationsRaisedSignal,
  notificationsReplayAskedSignal,
  notificationsRetryAskedSignal,
} from '../contract/messages';
import { DELIVERING, DELIVERY_FAILING, SHIPMENT_PHASE } from '../contract/search-attributes';
import { notificationsQueue } from '../contract/task-queue';
import type { NotificationDeliveryInput } from '../contract/workflow-input';
import { runUntil } from './run/run-until';

type Deliveries = Pick<Activities, 'listEndpoints' | 'deliverNotification'>;

/** Longer than the request may take. */
const DELIVERY: ActivityOptions = { startToCloseTimeout: '30 seconds' };
/** Until the failure is reported. */
const AT_FIRST = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '10 minutes',
} as const;
/** From then on. */
const LATER = { initialInterval: '10 minutes', backoffCoefficient: 2, maximumInterval: '1 hour' } as const;

/** Then everything is given up that waits for a paused endpoint. The shipment starts another workflow for its next news. */
const IDLE = '60 days';

/**
 * Delivers the notifications of one order to each endpoint of its account: in order, each until the endpoint accepts
 * it. Endpoints do not wait for each other. An endpoint that fails for too long, or answers 410, is paused until a
 * person resumes it. Ends when the shipment has ended and nothing waits.
 */
export async function notificationDelivery(input: NotificationDeliveryInput): Promise<DeliveryState> {
  return await new Delivering(input).end();
}

class Delivering {
  private state: DeliveryState;
  /** Names of endpoints that are being sent to. */
  private readonly sending = new Set<string>();
  /** How often a person asked for a retry of each endpoint, and of all. */
  private readonly retries = new Map<string | null, number>();
  private hasFinished = false;
  private stages = 0;
  private readonly deliveries: ReturnType<typeof proxyActivities<Deliveries>>;
  private shown: string;

  constructor(private readonly input: NotificationDeliveryInput) {
    const { account, orderId, batch, carried } = input;
    this.state = receiveNotifications(carried ?? noDeliveries(account, orderId), batch);
    this.deliveries = proxyActivities<Deliveries>({
      ...DELIVERY,
      retry: LATER,
      taskQueue: notificationsQueue(account.name),
    });
    this.shown = JSON.stringify(workflowInfo().memo?.['failing'] ?? []);
    setHandler(notificationDeliveryQuery, () => this.state);
    setHandler(notificationsRaisedSignal, (raised) => {
      this.state = receiveNotifications(this.state, raised);
    });
    setHandler(notificationsReplayAskedSignal, (fromId) => {
      this.state = replayNotifications(this.state, fromId);
    });
    setHandler(notificationsRetryAskedSignal, (endpoint) => {
      this.state = resumeQueues(this.state, endpoint);
      this.retries.set(endpoint, this.retriesOf(endpoint) + 1);
    });
  }

  async end(): Promise<DeliveryState> {
    // The signal that started it may come a moment later.
    if (!isWaiting(this.state)) await condition(() => isWaiting(this.state), '1 minute');
    for (;;) {
      while (this.state.unrouted.length > 0) await this.route();
      for (const { endpoint } of this.state.queues) this.startSending(endpoint);
      this.show();
      // No await between these looks and the end of the run, or a signal would be lost.
      if (this.state.hasEnded && !isWaiting(this.state)) return this.state;
      if (this.isLong() && this.sending.size === 0) return await this.continueAsNew();
      if (!(await this.hasNews())) return dropQueues(this.state, new Date().toISOString());
    }
  }

  /** Waits for a signal, or the end of a sending. @returns false when nothing happened for too long */
  private async hasNews(): Promise<boolean> {
    this.hasFinished = false;
    const before = this.state;
    const isNews = (): boolean => this.hasFinished || this.state !== before;
    if (this.sending.size === 0) return await condition(isNews, IDLE, { summary: 'until there is news' });
    await condition(isNews);
    return true;
  }

  /** Asks each time, because the accounts file may have changed. */
  private async route(): Promise<void> {
    const { account, unrouted } = this.state;
    const endpoints = await this.deliveries.listEndpoints.executeWithOptions(
      { retry: AT_FIRST, summary: 'endpoints of the account' },
      [{ account }],
    );
    const later = this.state.unrouted.filter((id) => !unrouted.includes(id));
    this.state = { ...routeNotifications({ ...this.state, unrouted }, endpoints), unrouted: later };
  }

  /** Sends what waits for the endpoint, in the background. */
  private startSending(endpoint: string): void {
    if (this.sending.has(endpoint) || nextNotification(this.state, endpoint) === null) return;
    if (this.isLong()) return;
    this.sending.add(endpoint);
    const finish = (): void => {
      this.sending.delete(endpoint);
      this.hasFinished = true;
    };
    void this.send(endpoint).then(finish);
  }

  private async send(endpoint: string): Promise<void> {
    while (!this.isLong()) {
      const next = nextNotification(this.state, endpoint);
      const queue = this.queueOf(endpoint);
      if (next === null || queue === null) return;
      await this.deliver(queue, next);
      this.show();
    }
  }

  /** Tries until the endpoint accepts the notification, the patience of this stage is over, or a person asks for a retry. */
  private async deliver(queue: EndpointQueue, notification: Notification): Promise<void> {
    const { endpoint, reportAfterMs, pauseAfterMs, trouble } = queue;
    const { account } = this.state;
    const startedAt = Date.now();
    const since = trouble?.since ?? new Date(startedAt).toISOString();
    const leftMs = Date.parse(since) + pauseAfterMs - startedAt;
    const retriesBefore = this.retriesOf(endpoint) + this.retriesOf(null);
    try {
      const raced = await runUntil(
        async () =>
          await this.deliveries.deliverNotification.executeWithOptions(
            {
              retry: trouble === null ? AT_FIRST : LATER,
              scheduleToCloseTimeout: trouble === null ? reportAfterMs : Math.max(reportAfterMs, leftMs),
              activityId: this.activityIdOf(endpoint, notification),
              summary: summaryOf(`${notification.news.kind} to ${endpoint}`),
            },
            [{ account, endpoint, notification }],
          ),
        () => this.retriesOf(endpoint) + this.retriesOf(null) > retriesBefore || this.isLong(),
      );
      if (raced.kind === 'interrupted') return;
      const delivered = { id: notification.id, endpoint, outcome: 'delivered' as const, ...raced.value };
      this.state = endDelivery(this.state, { ...delivered, at: new Date().toISOString() });
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      this.fail(queue, error, since);
    }
  }

  private fail({ endpoint, trouble }: EndpointQueue, { cause }: ActivityFailure, since: string): void {
    const last = cause instanceof TimeoutFailure ? cause.cause : cause;
    // No worker could try, which says nothing about the endpoint.
    if (!(last instanceof ApplicationFailure)) return;
    // By then every worker has the new accounts file.
    if (last.type === FailureType.EndpointUnknown) {
      this.state = dropQueue(this.state, endpoint, new Date().toISOString());
      return;
    }
    const isPaused = last.type === FailureType.EndpointGone || trouble !== null;
    this.state = troubleQueue(this.state, endpoint, { since, reason: last.message, isPaused });
  }

  /** Names what is delivered, for readers without a worker. Unique: a cancelled attempt may still run. */
  private activityIdOf(endpoint: string, { id }: Notification): string {
    this.stages += 1;
    return `${endpoint}/${id}/${this.stages}`;
  }

  private queueOf(endpoint: string): EndpointQueue | null {
    return this.state.queues.find((queue) => queue.endpoint === endpoint) ?? null;
  }

  private retriesOf(endpoint: string | null): number {
    return this.retries.get(endpoint) ?? 0;
  }

  private isLong(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  /** For `consign attention`, which needs no worker. */
  private show(): void {
    const failing = failingEndpoints(this.state);
    const key = JSON.stringify(failing);
    if (key === this.shown) return;
    this.shown = key;
    const phase = failing.length === 0 ? DELIVERING : DELIVERY_FAILING;
    upsertSearchAttributes([{ key: SHIPMENT_PHASE, value: phase }]);
    upsertMemo({ failing });
  }

  private async continueAsNew(): Promise<never> {
    return await continueAsNew<typeof notificationDelivery>({
      ...{ ...this.input, batch: [], carried: this.state },
    });
  }
}
