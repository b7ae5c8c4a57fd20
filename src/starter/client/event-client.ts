import { sendUpdate } from './send-answer';
import { randomUUID } from 'node:crypto';
import { isGrpcDeadlineError, type Client } from '@temporalio/client';
import type { AccountPin } from '../../domain/account-pin';
import { DEFAULT_EVENT_POLICY, type EventPolicy } from '../../domain/event-policy';
import { REPLAY, type MarketplaceEvent } from '../../domain/marketplace-event';
import {
  lateEventWorkflowId,
  parseLateEventWorkflowId,
  parseUnroutedEventWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';
import type { UnroutedEventInput, UnroutedEventResult } from '../../contract/workflow-input';
import { startLookUp } from '../../temporal/start-event-lookup';
import { ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';
import { acknowledgeUpdate, lateEventStateQuery, type Statement } from '../../contract/messages';
import { answerOf } from './last-run';

/** `foreign`: the listing was read and names no order of ours; `unrouted`: being looked up, or not to be read. */
export type EventKind = 'foreign' | 'unrouted' | 'late';

/** Events of one listing that no running shipment took. */
export interface EventSummary {
  readonly kind: EventKind;
  readonly account: string;
  readonly listingId: string | null;
  /** Only of late events: whose listing the others have is what nobody knows. */
  readonly orderId: string | null;
  readonly status: string;
  readonly needsAttention: boolean;
  readonly says: string | null;
  readonly startedAt: string;
}

/** One of an order that is over. */
export interface LateEvent extends EventSummary {
  /** Of the listing; a memo does not hold it. Null too while no worker answers. */
  readonly cancellationLink: string | null;
}

/** Shown by a list for people: events whose owner was found are of no interest any more. */
const QUERY: Readonly<Record<EventKind, string>> = {
  foreign: "(WorkflowType = 'unroutedEvent' AND ShipmentPhase = 'foreign')",
  unrouted:
    "(WorkflowType = 'unroutedEvent' AND ExecutionStatus != 'Completed' AND ExecutionStatus != 'ContinuedAsNew')",
  late: "(WorkflowType = 'lateEvent' AND ExecutionStatus = 'Running')",
};

/** Reads and moves on what became of events that no running shipment took. For people: it asks the visibility store. */
export class EventClient {
  constructor(
    private readonly client: Client,
    private readonly policy: EventPolicy = DEFAULT_EVENT_POLICY,
  ) {}

  /** The newest first. */
  async list(options: {
    readonly kinds: readonly EventKind[];
    readonly limit: number;
  }): Promise<EventSummary[]> {
    return await this.find(options.kinds.map((kind) => QUERY[kind]).join(' OR '), options.limit);
  }

  /** Those of one order that are over and that a person is asked about, or has acknowledged. */
  async lateEventsOf({ account, orderId }: OrderKey): Promise<LateEvent[]> {
    const found = await this.find(`${QUERY.late} AND Account = '${account}' AND OrderId = '${orderId}'`, 20);
    return await Promise.all(
      found.map(async (event) => {
        const workflowId = lateEventWorkflowId(account, orderId, event.listingId);
        const state = await answerOf(this.client, { workflowId }, lateEventStateQuery);
        return { ...event, cancellationLink: state?.asks?.cancellationLink ?? null };
      }),
    );
  }

  /**
   * Looks up again, now, whose a listing is, whatever was found out before, and waits for the answer.
   * @throws WorkflowFailedError when the listing cannot be read
   * @throws UserError when it cannot, and a look-up is under way that reads it again later
   * @throws ServiceError when there is no answer within `deadlineMs` for another reason
   */
  async replay(account: AccountPin, listingId: string, deadlineMs: number): Promise<UnroutedEventResult> {
    const input: UnroutedEventInput = { account, listingId, policy: { ...this.policy, unreadableMs: 0 } };
    const time = new Date().toISOString();
    const event: MarketplaceEvent = {
      ...{ id: `replay-${randomUUID()}`, type: REPLAY, time },
      listingIds: [listingId],
    };
    const handle = await startLookUp(this.client, input, { event, reuse: 'ALLOW_DUPLICATE' });
    try {
      return await this.client.withDeadline(
        Date.now() + deadlineMs,
        async (): Promise<UnroutedEventResult> => await handle.result(),
      );
    } catch (error) {
      if (!isGrpcDeadlineError(error)) throw error;
      const { memo } = await handle.describe();
      if (typeof memo?.['waitingFor'] !== 'string') throw error;
      const why = `${memo['waitingFor']}; it is read again by itself`;
      throw new UserError(why, { exitCode: ExitCode.Failed, cause: error });
    }
  }

  /** A person has seen it. Repeating is safe: what is acknowledged already refuses. @throws WorkflowUpdateFailedError */
  async acknowledge(order: OrderKey & { readonly listingId: string | null }, by: Statement): Promise<void> {
    const workflowId = lateEventWorkflowId(order.account, order.orderId, order.listingId);
    await sendUpdate(this.client.workflow.getHandle(workflowId), acknowledgeUpdate, { args: [by] });
  }

  private async find(query: string, limit: number): Promise<EventSummary[]> {
    const summaries: EventSummary[] = [];
    for await (const found of this.client.workflow.list({ query, pageSize: Math.min(limit, 200) })) {
      const late = parseLateEventWorkflowId(found.workflowId);
      const named = late ?? parseUnroutedEventWorkflowId(found.workflowId);
      if (named === null) continue;
      const { ShipmentPhase, NeedsAttention } = found.searchAttributes;
      const isForeign = ShipmentPhase?.[0] === 'foreign';
      const says = found.memo?.waitingFor;
      summaries.push({
        kind: late === null ? (isForeign ? 'foreign' : 'unrouted') : 'late',
        ...{ account: named.account, listingId: named.listingId, orderId: late?.orderId ?? null },
        status: found.status.name,
        needsAttention: NeedsAttention?.[0] === true,
        says: typeof says === 'string' ? says : null,
        startedAt: found.startTime.toISOString(),
      });
      if (summaries.length >= limit) break;
    }
    return summaries;
  }
}
