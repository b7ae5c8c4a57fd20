import { patched, sleep } from '@temporalio/workflow';
import { assertNever } from '../domain/assert-never';
import { listingFingerprint, type ListingRecord } from '../domain/listing';
import { trackingFingerprint, type Tracking } from '../domain/tracking';
import { describeWaiting } from '../domain/waiting';
import {
  earlierAcceptances,
  takeEarlierFact,
  watchEarlierAcceptance,
  type EarlierFact,
} from './earlier-acceptances';
import { askAboutListing, overdueInMs, takeListingAnswer } from './listing-questions';
import { noteStraysOfEvents } from './our-listings';
import { paperSources, takePaper, type PaperFact } from './papers';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';
import { doubtUnknown, listingIdOf, readAfterEvents, takeRecord, takeTracking } from './take-record';

/** What Temporal shows of a summary; a question's text can be longer. */
const MAX_SUMMARY = 180;

/** One thing that became known while a listing is followed. */
type Fact =
  | { readonly kind: 'listing'; readonly record: ListingRecord }
  | { readonly kind: 'tracking'; readonly tracking: Tracking }
  | PaperFact
  | EarlierFact
  | { readonly kind: 'timeToLook' }
  | { readonly kind: 'settlementOver' };

/**
 * Takes the next fact about a listing, from its creation until its price is settled. Serves both kinds and every
 * phase from awaiting a booking on. Events, polls and the deadline race; after a burst of events the record is
 * read once, because an event is a hint and the record the truth.
 */
export async function followListing(run: ShipmentRun): Promise<void> {
  // A failure can have asked in its place.
  askAboutListing(run);
  try {
    await takeNextFact(run);
  } catch (error) {
    await doubtUnknown(run, error);
    throw error;
  }
}

async function takeNextFact(run: ShipmentRun): Promise<void> {
  const raced = await runUntil(
    async () => await Promise.race(sources(run)),
    () => run.inbox.length > 0 || run.hasAnswer() || run.isWithdrawn(),
  );
  const hasEvents = run.inbox.length > 0;
  if (hasEvents) await readAfterEvents(run);
  // A record that was polled before that reading is older, and must not have the last word.
  const isOutdated = hasEvents && raced.kind === 'done' && raced.value.kind === 'listing';
  if (raced.kind === 'done' && !isOutdated) await take(run, raced.value);
  await takeListingAnswer(run);
  if (!('listingId' in run.state)) return;
  askAboutListing(run);
  run.publish();
}

/** Everything that may happen next, as far as it is still unknown. The losers of the race are cancelled. */
function sources(run: ShipmentRun): Promise<Fact>[] {
  const { state } = run;
  const facts: Promise<Fact>[] = [watchListing(run)];
  if (state.phase === 'inTransit') facts.push(watchTracking(run));
  facts.push(...paperSources(run, listingIdOf(run)));
  const earlier = earlierAcceptances(run);
  if (state.unreadListingIds.length > 0) facts.push(nextLook(run));
  const overdueIn = overdueInMs(run);
  // 2026-11-28: earlier runs waited for it without limit.
  if (overdueIn !== null && overdueIn > 0 && patched('overdue-booking')) facts.push(overdue(overdueIn));
  facts.push(...earlier.map((acceptance) => watchEarlierAcceptance(run, acceptance)));
  // It does not complete while a second listing may cost a second truck, or while the proof of delivery may be on its
  // way; an attachment that does not come ends by itself.
  const open = [state.strays, state.wantedAttachments];
  if (state.phase === 'delivered' && open.every(({ length }) => length === 0)) {
    const endsAt = Date.parse(state.deliveredAt) + run.input.policy.settlementWindowMs;
    facts.push(settlement(Math.max(1, endsAt - Date.now())));
  }
  return facts;
}

async function watchListing(run: ShipmentRun): Promise<Fact> {
  const { account, policy } = run.input;
  const { listing, seenFingerprint } = run.state;
  // A state of an earlier version knows only the record.
  const knownFingerprint = seenFingerprint ?? (listing === null ? null : listingFingerprint(listing));
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace: policy.sweepPace };
  const what = describeWaiting(run.state, policy)?.what ?? 'a change';
  const summary = `waits for ${what}; reads listing ${input.listingId} until it changes`.slice(
    0,
    MAX_SUMMARY,
  );
  return {
    kind: 'listing',
    record: await run.activities.polls.watchListing.executeWithOptions({ summary }, [input]),
  };
}

async function watchTracking(run: ShipmentRun): Promise<Fact> {
  const { account, policy } = run.input;
  const known = run.state.tracking;
  const knownFingerprint = known === null ? null : trackingFingerprint(known);
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace: policy.trackingPace };
  const summary = 'asks where the shipment is';
  return {
    kind: 'tracking',
    tracking: await run.activities.polls.watchTracking.executeWithOptions({ summary }, [input]),
  };
}

/** An event named another listing, which could not be read. */
async function nextLook({ input }: ShipmentRun): Promise<Fact> {
  await sleep(input.policy.sweepPace.maximumMs, { summary: 'until a listing is read that could not be' });
  return { kind: 'timeToLook' };
}

async function overdue(ms: number): Promise<Fact> {
  await sleep(ms, { summary: 'until an accepted listing should be booked' });
  return { kind: 'timeToLook' };
}

async function settlement(ms: number): Promise<Fact> {
  await sleep(ms, { summary: 'until the price is settled' });
  return { kind: 'settlementOver' };
}

async function take(run: ShipmentRun, fact: Fact): Promise<void> {
  switch (fact.kind) {
    case 'listing': {
      const isRepair = run.state.listing !== null;
      await takeRecord(run, fact.record);
      if (isRepair) run.state = { ...run.state, repairs: run.state.repairs + 1 };
      return;
    }
    case 'tracking':
      takeTracking(run, fact.tracking);
      return;
    case 'billOfLading':
    case 'contacts':
    case 'attachment':
    case 'trackingLink':
      takePaper(run, fact);
      return;
    case 'earlierAcceptance':
      takeEarlierFact(run, fact);
      return;
    case 'timeToLook':
      await noteStraysOfEvents(run);
      return;
    case 'settlementOver':
      // An event that is still here may be the correction that all the waiting was for.
      if (run.inbox.length > 0) return;
      for (const id of run.state.unreadListingIds)
        run.notice(`listing ${id}, which an event named, could never be read`);
      run.enter({ phase: 'settled', listingId: listingIdOf(run) }, 'price settled; completed');
      return;
    default:
      assertNever(fact);
  }
}
