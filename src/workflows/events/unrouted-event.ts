import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  log,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { cutText, summaryOf, TEXT_BYTES } from '../../domain/bounds';
import type { EventPolicy } from '../../domain/event-policy';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { orderNamedBy } from '../../domain/listing-proof';
import { boundedEvent, keyOf, REPLAY, type MarketplaceEvent } from '../../domain/marketplace-event';
import { delayAfter } from '../../domain/policy';
import { lateEventWorkflowId, shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import type { UnroutedEventInput, UnroutedEventResult } from '../../contract/workflow-input';
import { marketplaceEventReceivedSignal } from '../../contract/messages';
import { SHIPMENT_PHASE } from '../../contract/search-attributes';
import { passOn, passToLateEvent } from '../run/pass-on-event';
import { BEHIND_SHIPMENTS, readPatiently } from '../run/read-patiently';
import { runUntil } from '../run/run-until';

/** The most events that wait at once: each makes the shipment read its listing, and one such read is enough. */
const MAX_EVENTS = 20;
/** Including events that are kept only for an attachment. */
const MAX_KEPT = 120;

/**
 * Finds the order of an event that names only a listing. Reads the listing, whose references name the order, and
 * passes the event on: to the order, or to a `lateEvent` if the order is over. One run for each listing, for any
 * number of events. When there is no room for more events, those with new attachments are still kept, because no
 * reading shows attachments.
 *
 * A listing that cannot be read is read again for as long as the policy says. Then the workflow fails, and the next
 * event starts it again. Only a listing that was read can be foreign.
 */
export async function unroutedEvent(input: UnroutedEventInput): Promise<UnroutedEventResult> {
  const { carried } = input;
  const events: MarketplaceEvent[] = [...(carried?.events ?? [])];
  let { taken, replays } = carried ?? { taken: 0, replays: 0 };
  setHandler(marketplaceEventReceivedSignal, (received) => {
    const event = boundedEvent(received);
    taken += 1;
    if (event.type === REPLAY) replays += 1;
    if (isToWait(events, event)) events.push(event);
  });
  await condition(() => events.length > 0, '1 minute');
  const looked = await ownerOf(input, (looks) => (looks < LOOKS_BY_EVENT ? taken : replays));
  if (looked.kind === 'tooLong') {
    const { looks, endsAt } = looked;
    // No await between the last signal handler and this line, or an event would be lost.
    return await continueAsNew<typeof unroutedEvent>({
      ...input,
      carried: { events, taken, replays, looks, endsAt },
    });
  }
  const { order } = looked;
  upsertSearchAttributes([{ key: SHIPMENT_PHASE, value: order === null ? 'foreign' : 'routed' }]);
  if (order === null) return { workflowId: null, events: taken };
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  // No await between the last check of the list and the return, or an event would be lost.
  while (events.length > 0) await passAllOn({ ...input, order, workflowId }, events.splice(0));
  return { workflowId, events: taken };
}

interface Owner extends UnroutedEventInput {
  readonly order: OrderKey;
  readonly workflowId: string;
}

/** The first event shows whether the order still takes events; the others follow. */
async function passAllOn(owner: Owner, [first, ...others]: readonly MarketplaceEvent[]): Promise<void> {
  if (first === undefined) return;
  const { workflowId, order } = owner;
  const why = await passOn(workflowId, first);
  if (why !== null) log.info('the owner of an event is over', { workflowId, reason: why });
  else {
    const refusals = await Promise.all(others.map(async (event) => await passOn(workflowId, event)));
    if (refusals.every((refusal) => refusal === null)) return;
  }
  // The order ended before, or between two events. An event that is passed on twice only costs one more look.
  const { account, listingId, policy } = owner;
  const ended = { account, orderId: order.orderId, listingId, policy };
  await passToLateEvent(ended, first);
  const late = lateEventWorkflowId(account.name, order.orderId, listingId);
  const untold = await Promise.all(
    others.map(async (event) => ((await passOn(late, event)) === null ? [] : [event])),
  );
  for (const event of untold.flat()) await passToLateEvent(ended, event);
}

/** Whether to keep an event: each once, and beyond the limit only those with an attachment that no kept event names. */
function isToWait(waiting: readonly MarketplaceEvent[], received: MarketplaceEvent): boolean {
  const { attachmentIds = [] } = received;
  if (waiting.some((event) => keyOf(event) === keyOf(received))) return false;
  if (waiting.length < MAX_EVENTS) return true;
  if (waiting.length >= MAX_KEPT) return false;
  const named = new Set(waiting.flatMap((event) => event.attachmentIds ?? []));
  return attachmentIds.some((attachmentId) => !named.has(attachmentId));
}

/**
 * How many looks an event can trigger. Later looks follow only the pace, or a flood of events would fill the history.
 * A person's request always triggers one.
 */
const LOOKS_BY_EVENT = 20;

type Looked =
  /** Null when the listing's references name no order of the account. */
  | { readonly kind: 'found'; readonly order: OrderKey | null }
  /** A flood of events has filled the history; the next run continues. */
  | { readonly kind: 'tooLong'; readonly looks: number; readonly endsAt: number };

/**
 * The order that the listing's references name.
 * @param reasons counts the reasons to look at once, given the number of looks so far
 * @throws ApplicationFailure when the listing does not exist, or cannot be read for longer than the policy allows
 */
async function ownerOf(input: UnroutedEventInput, reasons: (looks: number) => number): Promise<Looked> {
  const { listingId, carried, policy } = input;
  const endsAt = carried?.endsAt ?? Date.now() + policy.unreadableMs;
  const isLong = (): boolean => workflowInfo().continueAsNewSuggested;
  for (let looks = carried?.looks ?? 0; ; looks += 1) {
    const before = reasons(looks);
    try {
      const read = await runUntil(async () => await readNamed(input, policy), isLong);
      if (read.kind === 'interrupted') return { kind: 'tooLong', looks, endsAt };
      return { kind: 'found', order: orderNamedBy(read.value, input.account.name) };
    } catch (error) {
      const failure = asOwn(error, listingId);
      const ms = delayAfter(policy.unreadablePace, looks);
      if (failure.type === FailureType.NotFound || Date.now() + ms > endsAt) throw failure;
      upsertMemo({ waitingFor: cutText(failure.message, TEXT_BYTES.memo) });
      await condition(() => reasons(looks) > before || isLong(), ms, {
        summary: summaryOf(`until listing ${listingId} is read again`),
      });
      if (isLong()) return { kind: 'tooLong', looks: looks + 1, endsAt };
    }
  }
}

async function readNamed(
  { account, listingId }: UnroutedEventInput,
  policy: EventPolicy,
): Promise<ListingRecord> {
  const record = await readPatiently({ account, listingId, policy, priority: BEHIND_SHIPMENTS });
  if (record !== null) return record;
  throw ApplicationFailure.nonRetryable(
    `the marketplace knows no listing ${listingId}`,
    FailureType.NotFound,
  );
}

/** Puts the reason into this workflow's own failure, which people see first. */
function asOwn(error: unknown, listingId: string): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const cause = error instanceof ActivityFailure ? error.cause : null;
  if (!(cause instanceof ApplicationFailure)) throw error;
  const text = cutText(`listing ${listingId} cannot be read: ${cause.message}`, TEXT_BYTES.failure);
  return ApplicationFailure.nonRetryable(text, cause.type);
}
