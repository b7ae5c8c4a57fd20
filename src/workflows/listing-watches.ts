import { ActivityFailure, isCancellation, sleep } from '@temporalio/workflow';
import type { ListingRecord } from '../domain/listing';
import { isAskedAgain } from '../domain/missing-papers';
import { seenOf } from '../domain/listing-progress';
import type { PollPace, ShipmentPolicy } from '../domain/policy';
import type { ShipmentState } from '../domain/shipment-state';
import { trackingFingerprint, type Tracking } from '../domain/tracking';
import { describeWaiting } from '../domain/waiting';
import { earlierAcceptanceWatch, type EarlierFact } from './earlier-acceptances';
import { isAccountTrouble, reasonOf } from './failure-cause';
import { overdueInMs } from './listing-questions';
import { paperWatches, type PaperFact } from './papers';
import type { ShipmentRun } from './shipment-run';
import { listingIdOf } from './take-record';
import { imageWatch } from './upload-images';
import type { Watch } from './watches';

/** What Temporal shows of a summary; a question's text can be longer. */
const MAX_SUMMARY = 180;

export const LISTING_WATCH = 'listing';

type Delivered = Extract<ShipmentState, { readonly phase: 'delivered' }>;

/** One thing that became known while a listing is followed. */
export type Fact =
  | { readonly kind: 'listing'; readonly record: ListingRecord }
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
  if (state.phase === 'inTransit') yield trackingWatch(run);
  yield* paperWatches(run, listingIdOf(run));
  yield* imageWatch(run);
  if (state.unreadListingIds.length > 0) yield nextLook(run);
  const overdueIn = overdueInMs(run);
  if (overdueIn !== null && overdueIn > 0) yield overdue(run, overdueIn);
  for (const acceptance of state.earlierAcceptances) yield earlierAcceptanceWatch(run, acceptance);
  // It does not complete while a second listing may cost a second truck, or while the proof of delivery may be on its
  // way; an attachment that does not come ends by itself.
  const askedAgain = state.missingPapers.filter(({ paper }) => isAskedAgain(state, paper));
  const open = [state.strays, state.wantedAttachments, askedAgain];
  if (state.phase === 'delivered' && open.every(({ length }) => length === 0))
    yield settlement(settlementEnd(state, run.input.policy));
}

/** Epoch milliseconds. It is put off for a while by a listing that could not be read: it may be a second truck. */
function settlementEnd(state: Delivered, policy: ShipmentPolicy): number {
  const { readsOnSince, deliveredAt, unreadListingIds } = state;
  return readsOnSince !== undefined && unreadListingIds.length > 0
    ? Date.parse(readsOnSince) + policy.documentWindowMs
    : Date.parse(deliveredAt) + policy.settlementWindowMs;
}

/** What was read a moment ago is looked at again only after its pace. */
const isDue = (knownFingerprint: string | null, readAt: number | null, { initialMs }: PollPace): boolean =>
  knownFingerprint === null || readAt === null || Date.now() - readAt >= initialMs;

function recordWatch(run: ShipmentRun): Watch<Fact> {
  const { account, policy } = run.input;
  const knownFingerprint = seenOf(run.state);
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace: policy.sweepPace };
  const what = describeWaiting(run.state, policy)?.what ?? 'a change';
  const summary = `waits for ${what}; reads listing ${input.listingId} until it changes`.slice(
    0,
    MAX_SUMMARY,
  );
  return {
    name: LISTING_WATCH,
    // What the web UI shows of it must stay true.
    dependsOn: [input, summary],
    bring: async () => ({
      kind: 'listing',
      record: await run.activities.polls.watchListing.executeWithOptions({ summary }, [
        {
          ...input,
          isDue: isDue(knownFingerprint, run.listingReadAt, policy.sweepPace),
        },
      ]),
    }),
  };
}

function trackingWatch(run: ShipmentRun): Watch<Fact> {
  const { account, policy } = run.input;
  const known = run.state.tracking;
  const knownFingerprint = known === null ? null : trackingFingerprint(known);
  const pace = policy.trackingPace;
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace };
  const summary = 'asks where the shipment is';
  const bring = async (): Promise<Fact> => {
    try {
      return {
        kind: 'tracking',
        tracking: await run.activities.polls.watchTracking.executeWithOptions({ summary }, [
          { ...input, isDue: isDue(knownFingerprint, run.trackingReadAt, pace) },
        ]),
      };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
        throw error;
      // Where it is, is only nice to know.
      run.note(`no tracking: ${reasonOf(error)}`);
      await sleep(pace.maximumMs, { summary: 'until tracking is asked for again' });
      return { kind: 'timeToLook' };
    }
  };
  return { name: 'tracking', dependsOn: [input], bring };
}

/** An event named another listing, which could not be read. */
function nextLook({ input }: ShipmentRun): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(input.policy.sweepPace.maximumMs, { summary: 'until a listing is read that could not be' });
    return { kind: 'timeToLook' };
  };
  return { name: 'nextLook', dependsOn: [], bring };
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
