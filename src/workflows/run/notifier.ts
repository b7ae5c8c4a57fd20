import {
  condition,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  sleep,
  startChild,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { summaryOf } from '../../domain/bounds';
import { newsOf, notifiedOrder, type Notification, type Notified } from '../../domain/notifications';
import { delayAfter, type PollPace } from '../../domain/policy';
import type { ShipmentState } from '../../domain/shipment-state';
import { notificationsWorkflowId, orderReference } from '../../domain/workflow-id';
import { notificationsRaisedSignal } from '../../contract/messages';
import { notificationPairs } from '../../contract/search-attributes';
import type { NotificationDeliveryInput } from '../../contract/workflow-input';
import type { CarriedNotifications, Order } from './input';

/** Between tries to reach the workflow that delivers. */
const PACE: PollPace = { initialMs: 1_000, maximumMs: 5 * 60_000 };

/**
 * Notifies the endpoints of the shipment's account, through a workflow that outlives the shipment. Sending runs in the
 * background: it holds nothing up, and none of its failures concerns the shipment.
 */
export class Notifier {
  private notified: Notified;
  /** How many notifications the order has raised. */
  private raised: number;
  /** Those that the other workflow does not have for certain. */
  private outbox: readonly Notification[];
  private hasDelivery: boolean;

  constructor(carried: CarriedNotifications) {
    ({
      notified: this.notified,
      raised: this.raised,
      outbox: this.outbox,
      hasDelivery: this.hasDelivery,
    } = carried);
  }

  get carried(): CarriedNotifications {
    const { notified, raised, outbox, hasDelivery } = this;
    return { notified, raised, outbox, hasDelivery };
  }

  /** Raises what is new in the state. */
  notify(state: ShipmentState, { shipment, account }: Order, hasFailed = false): void {
    const { notified, news } = newsOf(this.notified, state, hasFailed);
    this.notified = notified;
    if (news.length === 0) return;
    const at = new Date().toISOString();
    const order = notifiedOrder(state, { environment: account.environment, labels: shipment.labels });
    // Not the first run of the order: after a reset the same numbers mean other news.
    const { runId } = workflowInfo();
    this.outbox = [
      ...this.outbox,
      ...news.map((one, index) => {
        const number = this.raised + index + 1;
        return { id: `${runId}.${number}`, number, at, order, news: one };
      }),
    ];
    this.raised += news.length;
  }

  /** Sends each batch of notifications, for as long as the run lasts. */
  async send(order: Order): Promise<void> {
    for (let failures = 0; ;) {
      await condition(() => this.outbox.length > 0);
      const batch = this.outbox;
      if (await this.sendBatch(order, batch)) {
        this.outbox = this.outbox.slice(batch.length);
        failures = 0;
      } else {
        await sleep(delayAfter(PACE, failures), { summary: 'until the notifications are sent again' });
        failures += 1;
      }
    }
  }

  /** Waits until nothing is left to send. */
  async sent(): Promise<void> {
    await condition(() => this.outbox.length === 0);
  }

  /** Signals the workflow that delivers, or starts it. Either may just have become wrong when it is tried. */
  private async sendBatch(order: Order, batch: readonly Notification[]): Promise<boolean> {
    const tries = [async () => await signal(order, batch), async () => await start(order, batch)];
    for (const attempt of this.hasDelivery ? tries : tries.toReversed()) {
      if (await succeeds(attempt)) {
        this.hasDelivery = true;
        return true;
      }
    }
    return false;
  }
}

async function succeeds(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return false;
  }
}

async function signal({ shipment }: Order, batch: readonly Notification[]): Promise<void> {
  await getExternalWorkflowHandle(notificationsWorkflowId(shipment)).signal(notificationsRaisedSignal, batch);
}

async function start({ shipment, account }: Order, batch: readonly Notification[]): Promise<void> {
  const { orderId } = shipment;
  const input: NotificationDeliveryInput = { account, orderId, batch };
  await startChild<(input: NotificationDeliveryInput) => Promise<unknown>>('notificationDelivery', {
    ...{ workflowId: notificationsWorkflowId(shipment), args: [input] },
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: notificationPairs(shipment),
    memo: { failing: [] },
    staticSummary: summaryOf(`notifications of ${orderReference(account.name, orderId)}`),
  });
}
