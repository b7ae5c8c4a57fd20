import { ActivityFailure, isCancellation, sleep } from '@temporalio/workflow';
import { summaryOf } from '../../domain/bounds';
import type { ListingRecord } from '../../domain/listing';
import { listingStanding, seenOf } from '../../domain/listing-progress';
import { proofOf, unreadIds } from '../../domain/candidates';
import type { PollPace, ShipmentPolicy } from '../../domain/policy';
import type { In, ShipmentState } from '../../domain/shipment-state';
import { sweepPaceOf } from '../../domain/sweep-pace';
import { isDelivered, markOf, type Tracking } from '../../domain/tracking';
import { BEHIND_ORDERS, FIRST } from '../run/activity-groups';
import { earlierAcceptanceWatch, type EarlierFact } from '../listing/earlier-acceptances';
import { isAccountTrouble, statusOf } from '../run/failure-cause';
import { overdueInMs } from './listing-questions';
import type { PaperFact } from './ask-for-paper';
import { paperWatches } from './papers';
import type { ShipmentRun } from '../run/shipment-run';
import { claimOf, listingIdOf } from '../listing/take-record';
import { imageWatch } from './upload-images';
import type { Watch } from '../run/watches';

export const LISTING_WATCH = 'listing';

/** A record, and the fingerprint that was known when the watch which brings it began; null: none. */
export interface PolledListing {
  readonly record: ListingRecord;
  readonly known: string | null;
}

/** One thing that became known while a listing is followed. */
export type Fact =
  | { readonly kind: 'listing'; readonly polled: PolledListing }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isMissing: boolean }
  | { readonly kind: 'tracking'; readonly tracking: Tracking }
  | PaperFact
  | EarlierFact
  | { readonly kind: 'timeToLook' }
  | { readonly kind: 'imageDue' }
  | { readonly kind: 'settlementOver' };

/** Everything that may happen next to a listing that is followed, as far as it is still unknown. */
export function* listingWatches(run: ShipmentRun): Generator<Watch<Fact>> {
  const { state } = run;
  yield recordWatch(run);
  if (isTracked(state)) yield trackingWatch(run);
  yield* paperWatches(run, listingIdOf(run));
  if (isUnknown(state)) yield evidenceWatch(run);
  yield* imageWatch(run);
  if (unreadIds(state).length > 0) yield nextLook(run);
  if (run.amendment?.isPutOff === true) yield nextTry(run);
  const overdueIn = overdueInMs(run);
  if (overdueIn !== null && overdueIn > 0) yield overdue(run, overdueIn);
  for (const acceptance of state.earlierAcceptances) yield earlierAcceptanceWatch(run, acceptance);
  if (state.at.phase === 'delivered' && run.blockedBecause('complete') === null)
    yield settlement(settlementEnd(state.at, unreadIds(state), run.input.policy));
}

/** Epoch milliseconds. It is put off for a while by a listing that could not be read: it may be a second truck. */
function settlementEnd(
  { readsOnSince, deliveredAt }: In<'delivered'>,
  unreadListingIds: readonly string[],
  policy: ShipmentPolicy,
): number {
  return readsOnSince !== null && unreadListingIds.length > 0
    ? Date.parse(readsOnSince) + policy.documentWindowMs
    : Date.parse(deliveredAt) + policy.settlementWindowMs;
}

/** What was read a moment ago is looked at again only after its pace. */
const isDue = (readAt: number | null, { initialMs }: PollPace): boolean =>
  readAt === null || Date.now() - readAt >= initialMs;

function recordWatch(run: ShipmentRun): Watch<Fact> {
  const { account, policy } = run.input;
  const { unreadable } = run.state;
  // Any reading is news of a listing that could not be read.
  const knownFingerprint = unreadable === null ? seenOf(run.state) : null;
  const pace = sweepPaceOf(run.state, policy);
  const listingId = listingIdOf(run);
  const input = {
    ...{ account, listingId, knownFingerprint, pace },
    ...proofOf(run.state, listingId),
    tellAfterMs: tellAfterMs(run),
  };
  const summary = summaryOf(`reads listing ${listingId} until it changes`);
  // The first reading belongs to the order's start, the others can wait.
  const priority = knownFingerprint === null ? FIRST : BEHIND_ORDERS;
  return {
    name: LISTING_WATCH,
    // Of what is known only what decides: a status that goes back to what it was must not look unchanged. The rest is not:
    // each beginning is six lines of the history, and a sweep that finds what an event has told costs no more.
    dependsOn: [listingId, input.tellAfterMs, decisiveOf(run.state)],
    bring: async (): Promise<Fact> => {
      try {
        const isNew = knownFingerprint === null && unreadable === null;
        const { watchListing } = run.activities.polls;
        const { failingReading } = run;
        const failingSinceMs = failingReading?.listingId === listingId ? failingReading.sinceMs : null;
        const record = await watchListing.executeWithOptions({ summary, priority }, [
          { ...input, isDue: isNew || isDue(run.listingReadAt, pace), failingSinceMs },
        ]);
        return { kind: 'listing', polled: { record, known: knownFingerprint } };
      } catch (error) {
        if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
          throw error;
        // What our own write named, and nobody has seen, is doubted at once.
        if (claimOf(run) !== null) throw error;
        return { kind: 'unreadable', reason: run.why(error), isMissing: statusOf(error) === 404 };
      }
    },
  };
}

/** The parts of the last record on which the booking depends, as they were read. */
const decisiveOf = ({ listing }: ShipmentState): readonly unknown[] => [
  ...[listing?.status, listing?.cancellationStatus, listing?.hasPendingBookingRequest],
  ...[listing?.bookedOn, listing?.completedOn],
];

/** A listing that was never seen may not exist at all; one that is known to be unreadable is told of once. */
function tellAfterMs(run: ShipmentRun): number | null {
  if (claimOf(run) !== null) return 0;
  return run.state.unreadable === null ? run.input.policy.unreadableAfterMs : null;
}

/** On its way; after the delivery until the tracking tells of it too, which is late where nobody waits for it. */
const isTracked = ({ at, tracking }: ShipmentState): boolean =>
  at.phase === 'inTransit' || (at.phase === 'delivered' && !isDelivered(tracking));

function trackingWatch(run: ShipmentRun): Watch<Fact> {
  const { account, policy } = run.input;
  const { tracking, lastSeen } = run.state;
  const known = tracking === null ? null : markOf(tracking, lastSeen);
  const pace = policy.trackingPace;
  const input = { account, listingId: listingIdOf(run), known, pace };
  // Counted from when it is started: it goes on for as long as what is known stays the same.
  const { trackingReadAt: readAt } = run;
  const positionDueInMs = readAt === null ? 0 : readAt + policy.trackingPositionMs - Date.now();
  const summary = 'asks where the shipment is';
  const bring = async (): Promise<Fact> => {
    try {
      return {
        kind: 'tracking',
        tracking: await run.activities.polls.watchTracking.executeWithOptions({ summary }, [
          { ...input, isDue: known === null || isDue(readAt, pace), positionDueInMs },
        ]),
      };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
        throw error;
      // Where it is, is only nice to know.
      run.note(`no tracking: ${run.why(error)}`);
      await sleep(pace.maximumMs, { summary: 'until tracking is asked for again' });
      return { kind: 'timeToLook' };
    }
  };
  return { name: 'tracking', dependsOn: [input], bring };
}

/** Nobody knows what its status means, and nothing in its record shows a booking. */
const isUnknown = ({ at, listing }: ShipmentState): boolean =>
  at.phase === 'awaitingBooking' && listing !== null && listingStanding(listing) === 'unknown';

/** Contacts are there only once a listing is booked, whatever its status is called. */
function evidenceWatch(run: ShipmentRun): Watch<Fact> {
  const { account, policy } = run.input;
  const input = { account, listingId: listingIdOf(run), pace: policy.sweepPace };
  const summary = 'looks for contacts, because the status of the listing is unknown';
  const bring = async (): Promise<Fact> => {
    try {
      const contacts = await run.activities.polls.pollContacts.executeWithOptions({ summary }, [input]);
      return { kind: 'papers', papers: { contacts }, unavailable: [] };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
        throw error;
      // Contacts that are refused show nothing either way, and stop nothing.
      run.note(`no contacts: ${run.why(error)}`);
      await sleep(policy.sweepPace.maximumMs, { summary: 'until contacts are looked for again' });
      return { kind: 'timeToLook' };
    }
  };
  return { name: 'evidence', dependsOn: [input], bring };
}

/** An event named another listing, which could not be read. */
function nextLook({ input }: ShipmentRun): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(input.policy.sweepPace.maximumMs, { summary: 'until a listing is read that could not be' });
    return { kind: 'timeToLook' };
  };
  return { name: 'nextLook', dependsOn: [], bring };
}

/** The open listing is to be changed, and something that the change depends on could not be read. */
function nextTry({ input }: ShipmentRun): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(input.policy.sweepPace.initialMs, {
      summary: 'until the change of the listing is tried again',
    });
    return { kind: 'timeToLook' };
  };
  return { name: 'nextTry', dependsOn: [], bring };
}

function overdue({ state }: ShipmentRun, ms: number): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(ms, { summary: 'until an accepted listing should be booked' });
    return { kind: 'timeToLook' };
  };
  return { name: 'overdue', dependsOn: [state.phaseSince], bring };
}

function settlement(endsAt: number): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(Math.max(1, endsAt - Date.now()), { summary: 'until the price is settled' });
    return { kind: 'settlementOver' };
  };
  return { name: 'settlement', dependsOn: [endsAt], bring };
}
