import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  log,
  ParentClosePolicy,
  setHandler,
  startChild,
  TemporalFailure,
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
import type { LateEventInput, UnroutedEventInput, UnroutedEventResult } from '../../contract/workflow-input';
import type { lateEvent } from './late-event';
import { marketplaceEventReceivedSignal } from '../../contract/messages';
import { SHIPMENT_PHASE } from '../../contract/search-attributes';
import { BEHIND_SHIPMENTS, readPatiently } from '../run/read-patiently';
import { runUntil } from '../run/run-until';

/** So many wait at once: each of them has the shipment read its listing, and one would do for that. */
const MAX_EVENTS = 20;
/** With those that are kept for an attachment only. */
const MAX_KEPT = 120;

/**
 * Finds out whose an event is that names only a listing: reads the listing, whose references name the order, and
 * passes the event on; when the order is over, to a `lateEvent`. One run for each listing, however many events come: of
 * those for which there is no room, what no reading could tell is kept.
 *
 * A listing that cannot be read is read again for as long as the policy says; then it fails, and the next event looks
 * again. Only a listing that was read is foreign.
 */
export async function unroutedEvent(input: UnroutedEventInput): Promise<UnroutedEventResult> {
  const { carried } = input;
  const events: MarketplaceEvent[] = [...(carried?.events ?? [])];
  let { taken, replays } = carried ?? { taken: 0, replays: 0 };
  setHandler(marketplaceEventReceivedSignal, (heard) => {
    const event = boundedEvent(heard);
    taken += 1;
    if (event.type === REPLAY) replays += 1;
    if (isToWait(events, event)) events.push(event);
  });
  await condition(() => events.length > 0, '1 minute');
  const looked = await ownerOf(input, (looks) => (looks < LOOKS_BY_EVENT ? taken : replays));
  if (looked.kind === 'tooLong') {
    const { looks, endsAt } = looked;
    // No await between this and the handlers' last word, or an event would be lost.
    return await continueAsNew<typeof unroutedEvent>({
      ...input,
      carried: { events, taken, replays, looks, endsAt },
    });
  }
  const { order } = looked;
  upsertSearchAttributes([{ key: SHIPMENT_PHASE, value: order === null ? 'foreign' : 'routed' }]);
  if (order === null) return { workflowId: null, events: taken };
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  // No await between the last look at the list and the return, or an event would be lost.
  while (events.length > 0) await passAllOn({ ...input, order, workflowId }, events.splice(0));
  return { workflowId, events: taken };
}

interface Owner extends UnroutedEventInput {
  readonly order: OrderKey;
  readonly workflowId: string;
}

/** The first one tells whether the order still takes events; the others follow it. */
async function passAllOn(owner: Owner, [first, ...others]: readonly MarketplaceEvent[]): Promise<void> {
  if (first === undefined) return;
  const { workflowId, order } = owner;
  const why = await passOn(workflowId, first);
  if (why !== null) log.info('the owner of an event is over', { workflowId, reason: why });
  else {
    const refusals = await Promise.all(others.map(async (event) => await passOn(workflowId, event)));
    if (refusals.every((refusal) => refusal === null)) return;
  }
  // It ended before, or between two of them; what is told twice costs one more look.
  await passToLateEvent(owner, order, first);
  const late = lateEventWorkflowId(owner.account.name, order.orderId, owner.listingId);
  const untold = await Promise.all(
    others.map(async (event) => ((await passOn(late, event)) === null ? [] : [event])),
  );
  for (const event of untold.flat()) await passToLateEvent(owner, order, event);
}

/** Whether an event is to be passed on: once, and beyond the limit only for an attachment that none before it names. */
function isToWait(waiting: readonly MarketplaceEvent[], heard: MarketplaceEvent): boolean {
  const { attachmentIds = [] } = heard;
  if (waiting.some((event) => keyOf(event) === keyOf(heard))) return false;
  if (waiting.length < MAX_EVENTS) return true;
  if (waiting.length >= MAX_KEPT) return false;
  const named = new Set(waiting.flatMap((event) => event.attachmentIds ?? []));
  return attachmentIds.some((attachmentId) => !named.has(attachmentId));
}

/** @returns why the workflow takes no event any more; null when it took this one */
async function passOn(workflowId: string, event: MarketplaceEvent): Promise<string | null> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(marketplaceEventReceivedSignal, event);
    return null;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return error.message;
  }
}

/** Started, or signalled where it runs; each can be just over when the other is tried. */
async function passToLateEvent(
  { account, listingId, policy }: UnroutedEventInput,
  { orderId }: OrderKey,
  event: MarketplaceEvent,
): Promise<void> {
  const input: LateEventInput = { account, orderId, listingId, policy };
  const workflowId = lateEventWorkflowId(account.name, orderId, listingId);
  for (let round = 0; round < 5; round += 1) {
    try {
      const child = await startChild<typeof lateEvent>('lateEvent', {
        ...{ workflowId, args: [input] },
        parentClosePolicy: ParentClosePolicy.ABANDON,
      });
      await child.signal(marketplaceEventReceivedSignal, event);
      return;
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
    }
    if ((await passOn(workflowId, event)) === null) return;
  }
  throw ApplicationFailure.nonRetryable(`${workflowId} could not receive event ${event.id}`);
}

/**
 * So many looks follow on an event each; later ones come by the pace alone, or a flood would fill the history. A person who
 * asks is no flood.
 */
const LOOKS_BY_EVENT = 20;

type Looked =
  /** Null where the listing's references name none of the account's orders. */
  | { readonly kind: 'found'; readonly order: OrderKey | null }
  /** A flood has filled the history: the next run looks on. */
  | { readonly kind: 'tooLong'; readonly looks: number; readonly endsAt: number };

/**
 * The order that the listing's references name.
 * @param reasons counts what is reason enough to look at once, after so many looks
 * @throws ApplicationFailure when it cannot be read for longer than the policy waits, or does not exist
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

/** Said in this workflow's own failure, which is what people see. */
function asOwn(error: unknown, listingId: string): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const cause = error instanceof ActivityFailure ? error.cause : null;
  if (!(cause instanceof ApplicationFailure)) throw error;
  const text = cutText(`listing ${listingId} cannot be read: ${cause.message}`, TEXT_BYTES.failure);
  return ApplicationFailure.nonRetryable(text, cause.type);
}
