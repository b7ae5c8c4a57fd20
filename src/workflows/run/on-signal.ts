import { workflowInfo } from '@temporalio/workflow';
import { recordWitness, leftIds } from '../../domain/candidates';
import { attachmentsNamed, wantAttachments } from '../../domain/documents';
import {
  ATTACHMENT_ADDED,
  boundedEvent,
  hintOf,
  type MarketplaceEvent,
} from '../../domain/marketplace-event';
import { askAgain } from '../../domain/missing-papers';
import { classifyEvent } from '../../domain/seen-events';
import { acceptanceOfOutcome, listingIdOfOutcome, type LateOutcome } from '../../domain/send-outcome';
import {
  doubtOf,
  followedListing,
  followedListings,
  keepEarlierAcceptance,
} from '../../domain/shipment-state';
import type { ShipmentRun } from './shipment-run';

/** Drops doubled events, because signals have no idempotency key. */
export function onMarketplaceEvent(run: ShipmentRun, received: MarketplaceEvent): void {
  const event = boundedEvent(received);
  const { kind, seen } = classifyEvent(run.state, event);
  run.update({ ...seen });
  if (kind === 'doubled') return;
  const attachmentIds = attachmentsNamed(event, leftIds(run.state));
  if (kind === 'quarantined') {
    run.addTimeline(`event ${event.id} came again and says something else; only the listing is read again`);
    // No reading shows attachments, so a person must know about these.
    const named = attachmentIds.join(', ');
    if (named !== '') run.addWarning(`not fetched, because event ${event.id} names them anew: ${named}`);
    run.receive({ ...event, type: 'hint' });
    return;
  }
  keepWord(run, event);
  // The event itself is the news, because the record does not contain attachments.
  const isOfThem = isOfAttachments(run, event);
  if (!isOfThem) run.receive(event);
  countUnnamed(run, event);
  const before = run.state.wantedAttachments.length;
  wantNamed(run, attachmentIds);
  const isNew = run.state.wantedAttachments.length > before;
  // After delivery no further event makes another paper ready.
  if (isOfThem && isNew && run.state.at.phase !== 'delivered') run.state = askAgain(run.state);
}

/** Whether the event only announces attachments of the followed listing, whose record was already read. */
function isOfAttachments(
  { state }: ShipmentRun,
  { type, attachmentIds = [], listingIds }: MarketplaceEvent,
): boolean {
  const followed = followedListing(state);
  const isOfOthers = listingIds.some((listingId) => listingId !== followed);
  const isKnown = followed !== null && state.listing !== null && !isOfOthers;
  return type === ATTACHMENT_ADDED && attachmentIds.length > 0 && isKnown;
}

/**
 * Records what the event says about its listings, or else about the followed one. It counts only once a reading shows
 * whose they are.
 */
function keepWord(run: ShipmentRun, { says, listingIds }: MarketplaceEvent): void {
  if (says === undefined) return;
  const followed = followedListings(run.state);
  for (const listingId of listingIds.length > 0 ? listingIds.slice(0, 5) : followed)
    run.state = recordWitness(run.state, listingId, says);
}

/** No event of the contract names this many; a notice says how many were left out. */
function countUnnamed(run: ShipmentRun, { id, leftOut }: MarketplaceEvent): void {
  if (leftOut === undefined) return;
  const { listings, orders, attachments } = leftOut;
  run.leaveOut({ listings, attachments });
  run.addTimeline(
    `event ${id} names too much: ${listings} listings, ${orders} orders and ${attachments} attachments of it are left out`,
  );
}

/** Kept outside the inbox, because no list could name an attachment again. */
function wantNamed(run: ShipmentRun, attachmentIds: readonly string[]): void {
  const { wantedAttachments, refused } = wantAttachments(run.state, attachmentIds, run.now());
  run.update({ wantedAttachments });
  run.leaveOut({ attachments: refused.length });
}

/** An outcome that no doubt waits for, because its write was sent again, may still name a listing of this order. */
export function onLateOutcome(run: ShipmentRun, outcome: LateOutcome): void {
  run.lateOutcomes.add(outcome);
  const listingId = listingIdOfOutcome(outcome);
  const attempt = doubtOf(run.state)?.attempt ?? null;
  const isAwaited = attempt?.runId === outcome.runId && attempt.activityId === outcome.activityId;
  const acceptance = isAwaited ? null : acceptanceOfOutcome(outcome);
  if (listingId !== null) run.hintOwn(listingId);
  else if (acceptance !== null) onLateAcceptance(run, acceptance.rateId, acceptance.executionId);
  else if (outcome.end.kind === 'done')
    run.addTimeline(
      `${workflowInfo().workflowId} heard late that activity ${outcome.activityId} had its effect`,
    );
}

/** The carrier of this acceptance may still book, besides the current one. */
function onLateAcceptance(run: ShipmentRun, rateId: string, executionId: string): void {
  const { rates, earlierAcceptances } = run.state;
  if (earlierAcceptances.some((known) => known.executionId === executionId)) return;
  const pending = run.state.at.phase === 'accepting' ? run.state.at.pending : null;
  // Its report was received, and only the acknowledgement was lost.
  if (pending?.executionId === executionId) return;
  const carrier = rates.find((rate) => rate.rateId === rateId)?.carrier.displayName ?? 'an earlier carrier';
  run.state = keepEarlierAcceptance(run.state, {
    ...{ rateId, executionId, carrier },
    ...{ since: run.now(), leftOn: run.now(), said: { kind: 'considered' } },
  });
  run.addTimeline(`an earlier acceptance by ${carrier} was accepted, as a late report shows`);
  // Wakes the waiting phase, which then watches this acceptance too.
  run.receive(hintOf({ about: executionId, listingId: null }, run.now()));
}
