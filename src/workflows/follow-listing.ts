import { ActivityFailure, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { listingFingerprint, type ListingRecord } from '../domain/listing';
import { trackingFingerprint, type BillOfLading, type Tracking } from '../domain/tracking';
import { describeWaiting } from '../domain/waiting';
import { askAboutListing, takeListingAnswer } from './listing-questions';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';
import { listingIdOf, readAfterEvents, takeRecord, takeTracking } from './take-record';

/** What Temporal shows of a summary; a question's text can be longer. */
const MAX_SUMMARY = 180;

/** One thing that became known while a listing is followed. */
type Fact =
  | { readonly kind: 'listing'; readonly record: ListingRecord }
  | { readonly kind: 'tracking'; readonly tracking: Tracking }
  | { readonly kind: 'billOfLading'; readonly billOfLading: BillOfLading | 'unavailable' }
  | { readonly kind: 'contacts'; readonly contacts: 'known' | 'unavailable' }
  | { readonly kind: 'settlementOver' };

/**
 * Takes the next fact about a listing, from its creation until its price is settled. Serves both kinds and every
 * phase from awaiting a booking on. Events, polls and the deadline race; after a burst of events the record is
 * read once, because an event is a hint and the record the truth.
 */
export async function followListing(run: ShipmentRun): Promise<void> {
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
  const facts = [watchListing(run)];
  if (state.phase === 'inTransit') facts.push(watchTracking(run));
  if (state.bookedAt !== null && state.billOfLading === null) facts.push(billOfLading(run, state.bookedAt));
  if (state.bookedAt !== null && state.contacts === null) facts.push(contacts(run, state.bookedAt));
  // It does not complete while a second listing may cost a second truck.
  if (state.phase === 'delivered' && state.strays.length === 0) {
    const endsAt = Date.parse(state.deliveredAt) + run.input.policy.settlementWindowMs;
    facts.push(settlement(Math.max(1, endsAt - Date.now())));
  }
  return facts;
}

async function watchListing(run: ShipmentRun): Promise<Fact> {
  const { account, policy } = run.input;
  const known = run.state.listing;
  const knownFingerprint = known === null ? null : listingFingerprint(known);
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

async function settlement(ms: number): Promise<Fact> {
  await sleep(ms, { summary: 'until the price is settled' });
  return { kind: 'settlementOver' };
}

type PaperInput = Parameters<Activities['pollContacts']>[0];
type PaperOptions = { readonly scheduleToCloseTimeout: number; readonly summary: string };

/** A paper is asked for only so long after booking; then it is unavailable, which is a notice and no failure. */
async function awaitPaper<T>(
  run: ShipmentRun,
  bookedAt: string,
  summary: string,
  poll: (options: PaperOptions, args: [PaperInput]) => Promise<T>,
): Promise<T | 'unavailable'> {
  const { account, policy } = run.input;
  const scheduleToCloseTimeout = Date.parse(bookedAt) + policy.documentWindowMs - Date.now();
  if (scheduleToCloseTimeout <= 0) return 'unavailable';
  const input = { account, listingId: listingIdOf(run), pace: policy.documentPace };
  try {
    return await poll({ scheduleToCloseTimeout, summary }, [input]);
  } catch (error) {
    if (error instanceof ActivityFailure && error.retryState === 'TIMEOUT') return 'unavailable';
    throw error;
  }
}

async function billOfLading(run: ShipmentRun, bookedAt: string): Promise<Fact> {
  const found = await awaitPaper(
    run,
    bookedAt,
    'waits for the bill of lading',
    async (options, args) => await run.activities.polls.pollBillOfLading.executeWithOptions(options, args),
  );
  return { kind: 'billOfLading', billOfLading: found };
}

async function contacts(run: ShipmentRun, bookedAt: string): Promise<Fact> {
  const found = await awaitPaper(
    run,
    bookedAt,
    "waits for the carrier's contacts",
    async (options, args) => await run.activities.polls.pollContacts.executeWithOptions(options, args),
  );
  return { kind: 'contacts', contacts: found };
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
      run.state = { ...run.state, billOfLading: fact.billOfLading };
      if (fact.billOfLading === 'unavailable') run.notice('the bill of lading did not become ready');
      else run.note(`bill of lading ${fact.billOfLading.billOfLadingNumber} is ready`);
      return;
    case 'contacts':
      run.state = { ...run.state, contacts: fact.contacts };
      run.note(
        fact.contacts === 'known' ? 'contacts of the carrier are ready' : 'contacts did not become ready',
      );
      return;
    default:
      // An event that is still here may be the correction that all the waiting was for.
      if (run.inbox.length > 0) return;
      run.enter({ phase: 'settled', listingId: listingIdOf(run) }, 'price settled; completed');
  }
}
