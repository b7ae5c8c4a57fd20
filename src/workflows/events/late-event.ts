import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
  TemporalFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Asks } from '../../domain/asked-kind';
import { attributeOf, cutText, TEXT_BYTES } from '../../domain/bounds';
import { commandLines } from '../../domain/command-lines';
import type { EventPolicy } from '../../domain/event-policy';
import {
  judgeLateEvent,
  needsAttention,
  proofAfterEnd,
  type LateEventState,
  type LateFinding,
  type LateReading,
  type OrderEnd,
} from '../../domain/late-event';
import { boundedEvent, hintOf, type MarketplaceEvent } from '../../domain/marketplace-event';
import { delayAfter } from '../../domain/policy';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import type { LateEventInput } from '../../contract/workflow-input';
import { marketplaceActivities } from '../run/activity-groups';
import { countLateQuestion } from '../run/counters';
import { reasonOf } from '../run/failure-cause';
import * as messages from '../../contract/messages';
import {
  ACCOUNT,
  LISTING_ID,
  NEEDS_ATTENTION,
  ORDER_ID,
  SHIPMENT_PHASE,
} from '../../contract/search-attributes';
import { BEHIND_SHIPMENTS, readPatiently } from '../run/read-patiently';
import { runUntil } from '../run/run-until';

export interface LateEventResult {
  readonly events: number;
  /** Why the late event needs nothing more. */
  readonly outcome: string;
}

const MAX_EVENTS = 20;

/**
 * Handles an event of an order whose run is over. Ends at once when nothing is wrong. Asks a person while a listing
 * is live although its order ended without a booking, or while the price differs from the price at completion. After
 * an acknowledgement it waits for further events for a while, and asks again only if something changes.
 */
export async function lateEvent(input: LateEventInput): Promise<LateEventResult> {
  return await new LateEventRun(input).end();
}

class LateEventRun {
  private state: LateEventState;
  /** Events since the last look. Their content only matters if the order runs again. */
  private events: MarketplaceEvent[];
  private readonly policy: EventPolicy;

  constructor(private readonly input: LateEventInput) {
    const { account, orderId, listingId, policy, carried } = input;
    const fresh = { account: account.name, orderId, listingId, events: 0 };
    this.state = carried?.state ?? { ...fresh, asks: null, since: null, acknowledged: null };
    this.events = [...(carried?.events ?? [])];
    this.policy = policy;
    setHandler(messages.lateEventStateQuery, () => this.state);
    setHandler(messages.marketplaceEventReceivedSignal, (received) => {
      const event = boundedEvent(received);
      this.state = { ...this.state, events: this.state.events + 1 };
      if (this.events.length < MAX_EVENTS) this.events.push(event);
    });
    setHandler(messages.acknowledgeUpdate, (statement) => this.acknowledge(statement), {
      validator: (statement) => refuse(this.refuseAcknowledgement(statement)),
    });
  }

  async end(): Promise<LateEventResult> {
    this.show();
    if (this.input.carried === undefined) await condition(() => this.events.length > 0, '1 minute');
    for (let looks = 0; ; looks += 1) {
      const taken = this.events;
      this.events = [];
      const raced = await runUntil(
        async () => (await this.look(taken)) ?? (await this.wait(looks)),
        () => workflowInfo().continueAsNewSuggested,
      );
      if (raced.kind === 'interrupted') {
        this.events = [...taken, ...this.events].slice(0, MAX_EVENTS);
        await this.continueAsNew();
      }
      const outcome = raced.kind === 'done' ? raced.value : null;
      if (outcome !== null && this.events.length === 0) {
        this.state = { ...this.state, asks: null };
        this.show();
        await condition(allHandlersFinished);
        // No await between this line and the return, or an event would be lost.
        if (this.events.length === 0) return { events: this.state.events, outcome };
      }
      if (workflowInfo().continueAsNewSuggested) await this.continueAsNew();
    }
  }

  /** @returns why there is nothing to ask; null when a person must know */
  private async look(events: readonly MarketplaceEvent[]): Promise<string | null> {
    const { account, orderId } = this.input;
    const end = await marketplaceActivities(account.name).reads.getOrderEnd({ account, orderId });
    if (end.status === 'running') return await this.passOn(events);
    const listingId = this.state.listingId ?? end.listingId;
    const finding = judgeLateEvent({ account: account.name, orderId }, end, await this.read(end, listingId));
    this.take(finding, listingId);
    return finding.kind === 'nothing' ? finding.why : null;
  }

  /** The order runs again, and checks for itself whether the listing is its own. */
  private async passOn(events: readonly MarketplaceEvent[]): Promise<string | null> {
    const { account, orderId, listingId } = this.input;
    const hint = hintOf({ about: listingId ?? orderId, listingId }, this.now());
    const handle = getExternalWorkflowHandle(shipmentWorkflowId(account.name, orderId));
    try {
      for (const event of events.length === 0 ? [hint] : events)
        await handle.signal(messages.marketplaceEventReceivedSignal, event);
      return 'the order runs again and received the event';
    } catch (error) {
      if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
      // The order ended in the meantime: look again.
      this.events.push(...events);
      // Without a pause this would loop for ever next to a running order that takes no more signals.
      await sleep(this.policy.notFoundPace.initialMs, { summary: 'until the order is notified again' });
      return null;
    }
  }

  private async read(end: OrderEnd, listingId: string | null): Promise<LateReading> {
    if (listingId === null) return { kind: 'unnamed' };
    try {
      const { account } = this.input;
      const record = await readPatiently({
        account,
        listingId,
        proof: proofAfterEnd(end, listingId),
        policy: this.policy,
        priority: BEHIND_SHIPMENTS,
      });
      return record === null ? { kind: 'absent' } : { kind: 'record', record };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      return { kind: 'unreadable', reason: reasonOf(error) };
    }
  }

  private take(finding: LateFinding, listingId: string | null): void {
    const { asks, since } = this.state;
    if (finding.kind === 'nothing') return;
    const isSame = finding.key === asks?.key;
    if (!isSame) countLateQuestion(finding.matter);
    this.state = { ...this.state, listingId, asks: finding, since: isSame ? since : this.now() };
    this.show();
  }

  /**
   * Waits for an event or for the next look.
   * @returns why no further look is needed; null when it is time to look again
   */
  private async wait(looks: number): Promise<string | null> {
    const pause = delayAfter(this.policy.latePace, looks);
    const isNews = (): boolean => this.events.length > 0;
    for (const startedAt = Date.now(); ;) {
      const asked = needsAttention(this.state);
      const left = this.timeLeft();
      if (left <= 0) return asked ? 'nobody acknowledged it in time' : 'it was acknowledged';
      const rest = Math.min(left, startedAt + pause - Date.now());
      if (rest <= 0) return null;
      await condition(() => isNews() || needsAttention(this.state) !== asked, rest, {
        summary: asked ? 'for a person to acknowledge it' : 'until the listing is looked at again',
      });
      if (isNews()) return null;
      this.show();
    }
  }

  /** Milliseconds until this workflow ends by itself. A booking that no order follows waits as long as it exists. */
  private timeLeft(): number {
    const { acknowledged, asks, since } = this.state;
    const { acknowledgedMs, adjustmentWindowMs } = this.policy;
    if (!needsAttention(this.state) && acknowledged !== null)
      return Date.parse(acknowledged.at) + acknowledgedMs - Date.now();
    if (asks?.matter !== 'lateAdjustment' || since === null) return Number.POSITIVE_INFINITY;
    return Date.parse(since) + adjustmentWindowMs - Date.now();
  }

  private refuseAcknowledgement({ by, reason }: messages.Statement): string | null {
    if (by.trim() === '') return 'say who acknowledges it: `by` must not be empty';
    if (reason.trim() === '') return 'say why: `reason` must not be empty';
    return needsAttention(this.state) ? null : 'there is nothing to acknowledge';
  }

  private acknowledge({ by, reason }: messages.Statement): void {
    const key = this.state.asks?.key ?? '';
    this.state = { ...this.state, acknowledged: { by, reason, at: this.now(), key } };
  }

  private show(): void {
    const { account, orderId, listingId, asks, since, acknowledged } = this.state;
    const isAsking = needsAttention(this.state);
    upsertSearchAttributes([
      { key: ORDER_ID, value: orderId },
      { key: ACCOUNT, value: account },
      { key: SHIPMENT_PHASE, value: 'lateEvent' },
      { key: NEEDS_ATTENTION, value: isAsking },
      ...(listingId === null ? [] : [{ key: LISTING_ID, value: attributeOf(listingId) }]),
    ]);
    if (asks === null) return;
    const seen = acknowledged === null ? '' : ` Acknowledged by ${acknowledged.by}: ${acknowledged.reason}`;
    const command = commandLines.acknowledge({ account, orderId }, listingId);
    const text = isAsking
      ? `a person: ${asks.text} Once you have seen to it, run \`${command}\`.`
      : `${asks.text}${seen}`;
    const { matter } = asks;
    const memo: { readonly asks: Asks } = { asks: { kind: matter, since: since ?? this.now() } };
    const waitsFor = cutText(text, TEXT_BYTES.wait);
    upsertMemo({ ...memo, waitingFor: cutText(text, TEXT_BYTES.memo), waitsFor });
    setCurrentDetails(cutText(`**${asks.matter}**\n\n${text}`, TEXT_BYTES.details));
  }

  private async continueAsNew(): Promise<never> {
    await condition(allHandlersFinished);
    return await continueAsNew<typeof lateEvent>({
      ...this.input,
      carried: { state: this.state, events: this.events },
    });
  }

  private now(): string {
    return new Date().toISOString();
  }
}

function refuse(why: string | null): void {
  if (why !== null) throw ApplicationFailure.nonRetryable(why, 'Refused');
}
