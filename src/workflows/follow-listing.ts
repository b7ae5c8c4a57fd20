import { ActivityFailure, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { listingFingerprint, type ListingRecord } from '../domain/listing';
import { applyListing, canBeBooked, hasEnded } from '../domain/listing-progress';
import { trackingFingerprint, type BillOfLading, type Tracking } from '../domain/tracking';
import { leaveListing } from '../domain/shipment-state';
import { describeWaiting } from '../domain/waiting';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';
import { takeDown } from './take-down';

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
  if (hasEvents) {
    run.takeEvents();
    await readAgain(run);
  }
  // A record that was polled before that reading is older, and must not have the last word.
  const isOutdated = hasEvents && raced.kind === 'done' && raced.value.kind === 'listing';
  if (raced.kind === 'done' && !isOutdated) await take(run, raced.value);
  const answer = run.takeAnswer()?.kind;
  if (answer === 'rebook' || answer === 'close') {
    await endListing(run, answer);
    if (!('listingId' in run.state)) return;
  }
  askOrWithdrawQuestion(run);
  run.publish();
}

function listingIdOf(run: ShipmentRun): string {
  if (!('listingId' in run.state)) throw new TypeError(`phase ${run.state.phase} has no listing`);
  return run.state.listingId;
}

/** Everything that may happen next, as far as it is still unknown. The losers of the race are cancelled. */
function sources(run: ShipmentRun): Promise<Fact>[] {
  const { state } = run;
  const facts = [watchListing(run)];
  if (state.phase === 'inTransit') facts.push(watchTracking(run));
  if (state.bookedAt !== null && state.billOfLading === null) facts.push(billOfLading(run, state.bookedAt));
  if (state.bookedAt !== null && state.contacts === null) facts.push(contacts(run, state.bookedAt));
  if (state.phase === 'delivered') {
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

async function readAgain(run: ShipmentRun): Promise<void> {
  const { account } = run.input;
  await takeRecord(run, await run.activities.reads.getListing({ account, listingId: listingIdOf(run) }));
}

/** Where it is, is asked once at each step of the transit, besides the slower watch between them. */
async function takeRecord(run: ShipmentRun, record: ListingRecord): Promise<void> {
  const before = run.state.listing?.transitStatus ?? null;
  run.state = applyListing(run.state, record, run.now());
  run.publish();
  const now = run.state.listing?.transitStatus ?? null;
  if (now === before || (now !== 'PickedUp' && now !== 'Delivered')) return;
  try {
    const { account } = run.input;
    takeTracking(run, await run.activities.reads.getTracking({ account, listingId: record.listingId }));
  } catch (error) {
    // Where it is, is nice to know; the record already told what matters.
    if (!(error instanceof ActivityFailure)) throw error;
    run.note(`no tracking: ${error.cause?.message ?? error.message}`);
  }
}

function takeTracking(run: ShipmentRun, tracking: Tracking): void {
  const before = run.state.tracking?.lastKnownPlace ?? null;
  run.state = { ...run.state, tracking };
  if (tracking.lastKnownPlace !== null && tracking.lastKnownPlace !== before) {
    run.note(`last seen in ${tracking.lastKnownPlace}`);
  }
}

/**
 * Ends a listing whose booking ended, as a person said; proved by a reading of this moment, because the listing may
 * live again meanwhile. One that a carrier could still book is taken down first: neither a closed order nor one that
 * is booked anew may leave a listing behind that somebody takes.
 */
async function endListing(run: ShipmentRun, next: 'rebook' | 'close'): Promise<void> {
  await readAgain(run);
  const { listing } = run.state;
  if (listing === null || !hasEnded(run.state)) {
    run.note('nothing done: the listing lives again');
    return;
  }
  const { listingId } = listing;
  const why = canBeBooked(listing) ? await takeDown(run, listingId) : null;
  if (why !== null) {
    run.notice(`${next === 'rebook' ? 'not booked anew' : 'not closed'}: ${why}`);
  } else if (next === 'close') {
    run.enter({ phase: 'cancelled', reason: 'the booking ended and a person closed the order' }, 'closed');
  } else {
    run.state = leaveListing(run.state, listingId);
    run.note(`books anew; listing ${listingId} is left`);
    run.publish();
  }
}

/** A listing that ended asks; one that lives again takes the question back. */
function askOrWithdrawQuestion(run: ShipmentRun): void {
  const { question, listing } = run.state;
  if (hasEnded(run.state)) {
    if (question !== null) return;
    const text =
      `Listing ${listingIdOf(run)} is ${listing?.status ?? 'gone'} and is not on its way. ` +
      'Rebook the order, close it, or wait for the listing to come back.';
    run.open('listingEnded', text, ['rebook', 'close']);
  } else if (question?.kind === 'listingEnded') {
    run.note('the listing lives again; the question is taken back');
    run.close();
  }
}
