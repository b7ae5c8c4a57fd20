import { condition, patched, sleep } from '@temporalio/workflow';
import { assertNever } from '../domain/assert-never';
import type { ListingRecord } from '../domain/listing';
import { seenOf } from '../domain/listing-progress';
import { trackingFingerprint, type Tracking } from '../domain/tracking';
import { describeWaiting } from '../domain/waiting';
import {
  earlierAcceptanceWatch,
  earlierAcceptances,
  takeEarlierFact,
  type EarlierFact,
} from './earlier-acceptances';
import { askAboutListing, overdueInMs, takeListingAnswer } from './listing-questions';
import { noteStraysOfEvents } from './our-listings';
import { paperWatches, takePaper, type PaperFact } from './papers';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';
import { doubtUnknown, listingIdOf, readAfterEvents, takeRecord, takeTracking } from './take-record';
import { watchKey, Watches, type Watch } from './watches';

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
 * Takes facts about a listing, from its creation until its price is settled. Serves both kinds and every phase from
 * awaiting a booking on. Events, polls and deadlines race; after a burst of events the record is read once, because an
 * event is a hint and the record the truth.
 */
export async function followListing(run: ShipmentRun): Promise<void> {
  // A failure can have asked in its place.
  askAboutListing(run);
  try {
    await takeFacts(run);
  } catch (error) {
    await doubtUnknown(run, error);
    throw error;
  }
}

/** Takes facts until the driver has something else to do; nothing runs on by then. */
async function takeFacts(run: ShipmentRun): Promise<void> {
  // 2026-11-28: earlier runs began all their watches anew for each fact.
  if (!patched('kept-watches')) {
    await takeFact(run, await raceForFact(run));
    return;
  }
  const watches = new Watches<Fact>();
  // Whatever kept the driver from following it until now, the first look is at once.
  let isDue = true;
  try {
    do {
      await watches.keep(wantedWatches(run, isDue));
      await condition(() => watches.hasFact() || isInterrupted(run));
      await takeFact(run, watches.take());
      run.reconsiderCancel();
      isDue = false;
    } while (isFollowed(run) && !run.isWithdrawn() && !run.isLong());
  } finally {
    await watches.end();
  }
}

const isInterrupted = (run: ShipmentRun): boolean =>
  run.inbox.length > 0 || run.hasAnswer() || run.isWithdrawn();

const isFollowed = ({ state }: ShipmentRun): boolean => 'listingId' in state && state.phase !== 'settled';

async function raceForFact(run: ShipmentRun): Promise<Fact | null> {
  const raced = await runUntil(
    async () => {
      const facts: Promise<Fact>[] = [];
      for (const { bring } of wantedWatches(run, true)) facts.push(bring());
      return await Promise.race(facts);
    },
    () => isInterrupted(run),
  );
  return raced.kind === 'done' ? raced.value : null;
}

/** @param fact null when something else than a watch woke us */
async function takeFact(run: ShipmentRun, fact: Fact | null): Promise<void> {
  const hasEvents = run.inbox.length > 0;
  if (hasEvents) await readAfterEvents(run);
  // A record that was polled before that reading is older, and must not have the last word.
  const isOutdated = hasEvents && fact?.kind === 'listing';
  if (fact !== null && !isOutdated) await keepFact(run, fact);
  await takeListingAnswer(run);
  if (!isFollowed(run)) return;
  askAboutListing(run);
  run.publish();
}

/**
 * Everything that may happen next, as far as it is still unknown.
 * @param isDue whether what is watched from now on is looked at at once, rather than after its pace
 */
function* wantedWatches(run: ShipmentRun, isDue: boolean): Generator<Watch<Fact>> {
  const { state } = run;
  yield listingWatch(run, isDue);
  if (state.phase === 'inTransit') yield trackingWatch(run, isDue);
  yield* paperWatches(run, listingIdOf(run));
  const earlier = earlierAcceptances(run);
  if (state.unreadListingIds.length > 0) yield nextLook(run);
  const overdueIn = overdueInMs(run);
  // 2026-11-28: earlier runs waited for it without limit.
  if (overdueIn !== null && overdueIn > 0 && patched('overdue-booking')) yield overdue(run, overdueIn);
  for (const acceptance of earlier) yield earlierAcceptanceWatch(run, acceptance);
  // It does not complete while a second listing may cost a second truck, or while the proof of delivery may be on its
  // way; an attachment that does not come ends by itself.
  const open = [state.strays, state.wantedAttachments];
  if (state.phase === 'delivered' && open.every(({ length }) => length === 0))
    yield settlement(Date.parse(state.deliveredAt) + run.input.policy.settlementWindowMs);
}

function listingWatch(run: ShipmentRun, isDue: boolean): Watch<Fact> {
  const { account, policy } = run.input;
  const knownFingerprint = seenOf(run.state);
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace: policy.sweepPace };
  const what = describeWaiting(run.state, policy)?.what ?? 'a change';
  const summary = `waits for ${what}; reads listing ${input.listingId} until it changes`.slice(
    0,
    MAX_SUMMARY,
  );
  return {
    // What the web UI shows of it must stay true.
    key: watchKey('listing', input, summary),
    bring: async () => ({
      kind: 'listing',
      record: await run.activities.polls.watchListing.executeWithOptions({ summary }, [
        { ...input, isDue: isDue || knownFingerprint === null },
      ]),
    }),
  };
}

function trackingWatch(run: ShipmentRun, isDue: boolean): Watch<Fact> {
  const { account, policy } = run.input;
  const known = run.state.tracking;
  const knownFingerprint = known === null ? null : trackingFingerprint(known);
  const input = { account, listingId: listingIdOf(run), knownFingerprint, pace: policy.trackingPace };
  const summary = 'asks where the shipment is';
  return {
    key: watchKey('tracking', input),
    bring: async () => ({
      kind: 'tracking',
      tracking: await run.activities.polls.watchTracking.executeWithOptions({ summary }, [
        { ...input, isDue: isDue || knownFingerprint === null },
      ]),
    }),
  };
}

/** An event named another listing, which could not be read. */
function nextLook({ input }: ShipmentRun): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(input.policy.sweepPace.maximumMs, { summary: 'until a listing is read that could not be' });
    return { kind: 'timeToLook' };
  };
  return { key: watchKey('nextLook'), bring };
}

function overdue({ state }: ShipmentRun, ms: number): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(ms, { summary: 'until an accepted listing should be booked' });
    return { kind: 'timeToLook' };
  };
  return { key: watchKey('overdue', state.phaseSince), bring };
}

function settlement(endsAt: number): Watch<Fact> {
  const bring = async (): Promise<Fact> => {
    await sleep(Math.max(1, endsAt - Date.now()), { summary: 'until the price is settled' });
    return { kind: 'settlementOver' };
  };
  return { key: watchKey('settlement', endsAt), bring };
}

async function keepFact(run: ShipmentRun, fact: Fact): Promise<void> {
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
