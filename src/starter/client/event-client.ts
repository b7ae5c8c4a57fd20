import { randomUUID } from 'node:crypto';
import { isGrpcDeadlineError, WorkflowFailedError, type Client } from '@temporalio/client';
import type { AccountPin } from '../../domain/account-pin';
import { DEFAULT_EVENT_POLICY, type EventPolicy } from '../../domain/event-policy';
import { REPLAY, type MarketplaceEvent } from '../../domain/marketplace-event';
import {
  eventWorkflowPrefixes,
  isAccountName,
  lateEventWorkflowId,
  parseLateEventWorkflowId,
  parseUnroutedEventWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';
import type { UnroutedEventInput, UnroutedEventResult } from '../../contract/workflow-input';
import { startLookUp } from '../../temporal/start-event-lookup';
import { commandLines } from '../../domain/command-lines';
import { UserError } from '../../platform/user-error';
import { acknowledgeUpdate, lateEventStateQuery, type Statement } from '../../contract/messages';
import { NoAnswerError } from './errors';
import { answerOf } from './last-run';
import { listRuns, type ReadRun } from './list-runs';
import { sendUpdate } from './send-answer';
import { visibilityPage } from './visibility-page';

/** `foreign`: the listing belongs to no Consign order. `unrouted`: it is still being read, or cannot be read. */
export type EventKind = 'foreign' | 'unrouted' | 'late';

/** Events of one listing that no running shipment received. */
export interface EventSummary {
  readonly kind: EventKind;
  readonly account: string;
  readonly listingId: string | null;
  /** Set for late events only: for the others, the order of the listing is unknown. */
  readonly orderId: string | null;
  readonly status: string;
  readonly needsAttention: boolean;
  readonly says: string | null;
  readonly startedAt: string;
}

/** An event of an order that has ended. */
export interface LateEvent extends EventSummary {
  /** Of the listing. Only a worker can answer it: null while none does. */
  readonly cancellationLink: string | null;
}

/** Which events a list contains. */
export interface EventListOptions {
  /** By default all kinds. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** By default all accounts. */
  readonly accounts?: readonly string[] | undefined;
  /** The maximum number of entries; 50 by default. */
  readonly limit?: number | undefined;
}

/** Which part of the list of events. */
export interface EventPageOptions extends EventListOptions {
  /** The `next` of the part before; the first part without it. */
  readonly cursor?: string | undefined;
}

/** A part of the list of events. */
export interface EventPage {
  readonly events: readonly EventSummary[];
  /** Where the next part begins; null after the last one. */
  readonly next: string | null;
}

const KINDS = ['foreign', 'unrouted', 'late'] as const satisfies readonly EventKind[];
/** The worker retries a listing that is not found for a minute. */
const REPLAY_DEADLINE_MS = 90_000;

/** What the list shows: events whose order was found are of no further interest. */
const QUERY: Readonly<Record<EventKind, string>> = {
  foreign: "(WorkflowType = 'unroutedEvent' AND ShipmentPhase = 'foreign')",
  unrouted:
    "(WorkflowType = 'unroutedEvent' AND ExecutionStatus != 'Completed' AND ExecutionStatus != 'ContinuedAsNew')",
  late: "(WorkflowType = 'lateEvent' AND ExecutionStatus = 'Running')",
};

/** Both kinds of workflow name the account in their id. */
const ofAccounts = (accounts: readonly string[]): string => {
  const begins = accounts
    .flatMap(eventWorkflowPrefixes)
    .map((prefix) => `WorkflowId STARTS_WITH '${prefix}'`);
  return `(${begins.join(' OR ')})`;
};

/** Events of some kinds and accounts, in Temporal's visibility language. @throws UserError for an odd account */
export function eventsFilter({
  kinds = KINDS,
  accounts,
}: Pick<EventListOptions, 'kinds' | 'accounts'>): string {
  if (accounts?.some((name) => !isAccountName(name)) === true)
    throw new UserError('An account name has at most 40 lower-case letters, digits and dashes.');
  const ofKinds = kinds.map((kind) => QUERY[kind]).join(' OR ');
  return accounts === undefined ? ofKinds : `(${ofKinds}) AND ${ofAccounts(accounts)}`;
}

/** Lists and replays events that no running shipment received. For people: it queries the visibility store. */
export class EventClient {
  constructor(
    private readonly client: Client,
    private readonly policy: EventPolicy = DEFAULT_EVENT_POLICY,
  ) {}

  /** The newest first. */
  async list({ kinds = KINDS, accounts, limit = 50 }: EventListOptions = {}): Promise<EventSummary[]> {
    if (kinds.length === 0 || accounts?.length === 0) return [];
    return await this.find(eventsFilter({ kinds, accounts }), limit);
  }

  /** A part of the list. */
  async page({ kinds = KINDS, accounts, limit = 50, cursor }: EventPageOptions = {}): Promise<EventPage> {
    if (kinds.length === 0 || accounts?.length === 0) return { events: [], next: null };
    const { runs, next } = await visibilityPage(this.client, eventsFilter({ kinds, accounts }), {
      limit,
      cursor,
    });
    return { events: runs.flatMap((run) => toEvent(run) ?? []), next };
  }

  /** The late events of one order that ask a person, or that a person has acknowledged. */
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
   * Finds the order of a listing again, whatever an earlier search found, and waits for the answer.
   * @throws NoAnswerError when the listing cannot be read
   * @throws ServiceError when there is no answer within `deadlineMs` for another reason
   */
  async replay(
    account: AccountPin,
    listingId: string,
    deadlineMs = REPLAY_DEADLINE_MS,
  ): Promise<UnroutedEventResult> {
    if (!/^\d{1,12}$/.test(listingId))
      throw new UserError(`A listing id has up to 12 digits; \`${commandLines.events()}\` shows the ids.`);
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
      if (error instanceof WorkflowFailedError)
        throw new NoAnswerError(error.cause?.message ?? error.message, { cause: error });
      if (!isGrpcDeadlineError(error)) throw error;
      const { memo } = await handle.describe();
      if (typeof memo?.['waitingFor'] !== 'string') throw error;
      const why = `${memo['waitingFor']}; Consign reads it again by itself`;
      throw new NoAnswerError(why, { cause: error });
    }
  }

  /** Records that a person handled a late event. Repeating is safe: it is refused then. @throws WorkflowUpdateFailedError */
  async acknowledge(order: OrderKey & { readonly listingId: string | null }, by: Statement): Promise<void> {
    const workflowId = lateEventWorkflowId(order.account, order.orderId, order.listingId);
    await sendUpdate(this.client.workflow.getHandle(workflowId), acknowledgeUpdate, { args: [by] });
  }

  private async find(query: string, limit: number): Promise<EventSummary[]> {
    const summaries: EventSummary[] = [];
    for await (const found of listRuns(this.client, { query, pageSize: Math.min(limit, 200) })) {
      const event = toEvent(found);
      if (event === null) continue;
      summaries.push(event);
      if (summaries.length >= limit) break;
    }
    return summaries;
  }
}

/** @returns null for another workflow */
function toEvent({
  workflowId,
  searchAttributes,
  memo,
  status,
  startTime,
  undecryptable,
}: ReadRun): EventSummary | null {
  const late = parseLateEventWorkflowId(workflowId);
  const named = late ?? parseUnroutedEventWorkflowId(workflowId);
  if (named === null) return null;
  const { ShipmentPhase, NeedsAttention } = searchAttributes;
  const isForeign = ShipmentPhase?.[0] === 'foreign';
  const says = memo?.waitingFor;
  return {
    kind: late === null ? (isForeign ? 'foreign' : 'unrouted') : 'late',
    ...{ account: named.account, listingId: named.listingId, orderId: late?.orderId ?? null },
    status: status.name,
    needsAttention: NeedsAttention?.[0] === true,
    says: typeof says === 'string' ? says : undecryptable,
    startedAt: startTime.toISOString(),
  };
}
