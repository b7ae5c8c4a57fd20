import { condition } from '@temporalio/workflow';
import { assertNever } from '../../domain/assert-never';
import { recordWitness, unreadIds } from '../../domain/candidates';
import { applyLateness } from '../../domain/lateness';
import { listingFingerprint } from '../../domain/listing';
import { applyListing, seenOf } from '../../domain/listing-progress';
import { formatMoney } from '../../domain/money';
import { missedEventTypes } from '../../domain/missed-events';
import { askAgain } from '../../domain/missing-papers';
import { applyPaper, giveUpPaper, type PaperFact } from '../../domain/paper-fact';
import { applyPriceWatch } from '../../domain/price-watch';
import { wantsOf, type Following, type Want } from '../../domain/wants';
import type { MarketplaceEvent } from '../../domain/marketplace-event';
import { applyAmendment } from './amend-listing';
import { applyEarlierFact, type EarlierFact } from '../listing/earlier-acceptances';
import { askAboutListing, applyListingAnswer } from './listing-questions';
import { bring, type Fact, type PolledListing } from './listing-watches';
import { noteDuplicatesOfEvents } from '../listing/candidates';
import type { ShipmentRun } from '../run/shipment-run';
import {
  doubtUnknown,
  listingIdOf,
  readAfterEvents,
  readAgainIfReadable,
  applyRecord,
  applyTracking,
} from '../listing/apply-record';
import { countMissedEvent } from '../run/counters';
import { endImages, uploadImages } from './upload-images';
import { Watches } from '../run/watches';
import { followedListing } from '../../domain/shipment-state';

/**
 * Applies facts about a listing, from its creation until its price is settled. Serves both kinds, in every phase from
 * awaitingBooking on. Events, polls and deadlines race. A burst of events causes one read, because an event is a hint
 * and the record is the truth.
 */
export async function followListing(run: ShipmentRun): Promise<void> {
  // A failure may have replaced the question about the listing.
  askAboutListing(run);
  try {
    await applyFacts(run, listingIdOf(run));
  } catch (error) {
    await doubtUnknown(run, error);
    throw error;
  }
}

const isInterrupted = (run: ShipmentRun): boolean =>
  run.inbox.length > 0 || run.hasAnswer() || run.amendment?.isPutOff === false || run.withdrawal.canBeDone();

const isFollowed = ({ state }: ShipmentRun, listingId: string): boolean =>
  followedListing(state) === listingId && state.at.phase !== 'settled';

const followingOf = (run: ShipmentRun): Following => ({
  ...{ now: run.now(), policy: run.input.policy, lastPickupOn: run.input.shipment.pickup.latest },
  isAmendmentPutOff: run.amendment?.isPutOff === true,
});

/** Applies facts until the phase loop has something else to do; by then nothing is left running. */
async function applyFacts(run: ShipmentRun, listingId: string): Promise<void> {
  const watches = new Watches<Want, Fact>(async (want) => await bring(run, want));
  try {
    do {
      const { wantedAttachments } = run.state;
      await watches.keep(wantsOf(run.state, followingOf(run)));
      const isWanted = (): boolean => run.state.wantedAttachments !== wantedAttachments;
      await condition(() => watches.hasNews() || isInterrupted(run) || isWanted() || run.isLong());
      await applyNews(run, watches, listingId);
      run.withdrawal.reconsiderCancel();
    } while (isFollowed(run, listingId) && !run.withdrawal.canBeDone() && !run.isLong());
  } finally {
    await endWatches(run, watches, listingId);
  }
}

/** Keeps what the watches found, unless it is asked for again anyway. */
async function endWatches(run: ShipmentRun, watches: Watches<Want, Fact>, listingId: string): Promise<void> {
  const { facts } = await watches.end();
  if (isFollowed(run, listingId)) for (const fact of facts) if (isOnce(fact)) keepOnce(run, fact);
}

async function applyNews(run: ShipmentRun, watches: Watches<Want, Fact>, listingId: string): Promise<void> {
  const { facts, failure } = watches.take();
  // Kept first: a failure below must not lose these.
  for (const fact of facts) if (isOnce(fact)) keepOnce(run, fact);
  const hasEvents = run.inbox.length > 0;
  const hint = run.inbox.some((event) => isAbout(event, listingId));
  const { tracking, at } = run.state;
  const transit = transitOf(run);
  if (hasEvents) {
    await readAfterEvents(run);
    // A record that was polled in the meantime may be older, and must not have the last word.
    watches.forget('record');
  }
  for (const fact of facts) {
    if (isOnce(fact) || (hasEvents && fact.kind !== 'tracking')) continue;
    if (fact.kind === 'tracking' && run.state.tracking !== tracking) continue;
    // Other news may change whether the order can complete. The settlement deadline then fires again at once.
    if (fact.kind === 'settlementOver' && (facts.length > 1 || run.hasAnswer())) continue;
    await keepFact(run, fact);
  }
  watchPriceAndDays(run);
  // After delivery no further event makes a paper ready; the delivery itself is a last reason to ask.
  if (at.phase !== 'delivered' && (hint || transitOf(run) !== transit)) run.state = askAgain(run.state);
  endImages(run);
  // Acting on an answer can take long, and pause for the account: a watch's failure from before is no news
  // afterwards.
  if (run.hasAnswer() || run.amendment !== null) await endWatches(run, watches, listingId);
  await applyListingAnswer(run);
  if (!isFollowed(run, listingId)) return;
  await applyAmendment(run);
  if (!isFollowed(run, listingId)) return;
  if (failure !== null) throw failure.error;
  askAboutListing(run);
  run.publish();
}

function watchPriceAndDays(run: ShipmentRun): void {
  const { shipment, policy } = run.input;
  const moment = { shipment, policy, now: run.now() };
  run.state = applyLateness(applyPriceWatch(run.state, moment), moment);
}

const transitOf = ({ state }: ShipmentRun): string | null => state.listing?.transitStatus ?? null;

const isAbout = ({ listingIds }: MarketplaceEvent, listingId: string): boolean =>
  listingIds.length === 0 || listingIds.includes(listingId);

type OnceFact = PaperFact | EarlierFact;

const ONCE: ReadonlySet<Fact['kind']> = new Set<OnceFact['kind']>([
  ...(['papers', 'attachment', 'earlierAcceptance'] as const),
]);

/** Facts that a watch asks for only within a window, so the result may not come a second time. */
const isOnce = (fact: Fact): fact is OnceFact => ONCE.has(fact.kind);

function keepOnce(run: ShipmentRun, fact: OnceFact): void {
  if (fact.kind === 'earlierAcceptance') applyEarlierFact(run, fact);
  else run.state = applyPaper(run.state, fact, run.now());
  if (fact.kind === 'papers' && fact.papers.contacts !== undefined) applyEvidence(run);
}

/** Only a booked listing has contacts. */
function applyEvidence(run: ShipmentRun): void {
  const { listing } = run.state;
  if (listing === null || run.state.at.phase !== 'awaitingBooking') return;
  run.state = recordWitness(run.state, listing.listingId, 'contacts');
  run.state = applyListing(run.state, listing, run.now());
}

/** The watch continues while events are read, so its result may already be known, or be older than what is known. */
async function applyPolled(run: ShipmentRun, { record, known }: PolledListing): Promise<void> {
  const { listing } = run.state;
  const seen = seenOf(run.state);
  const isKnown = listing !== null && run.state.unreadable === null;
  const isOvertaken = isKnown && known !== seen && listingFingerprint(record) !== seen;
  if (isOvertaken) await readAgainIfReadable(run);
  else applyRecord(run, record);
  if (listing === null || seenOf(run.state) === seen) return;
  run.update({ repairs: run.state.repairs + 1 });
  for (const type of missedEventTypes(listing, run.state.listing ?? record)) countMissedEvent(type);
}

async function keepFact(run: ShipmentRun, fact: Fact): Promise<void> {
  if (isOnce(fact)) {
    keepOnce(run, fact);
    return;
  }
  switch (fact.kind) {
    case 'listing':
      await applyPolled(run, fact.polled);
      return;
    case 'unreadable': {
      const { reason, isMissing } = fact;
      const { unreadableAfterMs } = run.input.policy;
      // An event has caused a successful reading since the watch first failed.
      if (run.listingReadAt !== null && Date.now() - run.listingReadAt < unreadableAfterMs) return;
      const since = new Date(Date.now() - unreadableAfterMs).toISOString();
      run.update({ unreadable: { since, reason, isMissing } });
      run.addTimeline(`listing ${listingIdOf(run)} cannot be read: ${reason}`);
      return;
    }
    case 'tracking':
      applyTracking(run, fact.tracking);
      return;
    case 'timeToLook':
      await noteDuplicatesOfEvents(run);
      return;
    case 'imageDue':
      await uploadImages(run);
      return;
    case 'settlementOver': {
      const { at } = run.state;
      if (at.phase !== 'delivered') return;
      // An unhandled event may be the very price correction that the order waited for.
      if (run.inbox.length > 0 || run.blockedBecause('complete') !== null || readsOn(run)) return;
      for (const id of unreadIds(run.state))
        run.addWarning(`listing ${id}, which an event named, could never be read`);
      // A completed order no longer waits for its bill of lading.
      if (run.state.billOfLading === null) run.state = giveUpPaper(run.state, 'billOfLading', run.now());
      if (run.state.priceChange !== null)
        run.addWarning(`nobody approved the price of ${formatMoney(run.state.priceChange.price)}`);
      if (run.state.question !== null) run.close();
      const { listingId, deliveredAt } = at;
      run.enter({ phase: 'settled', listingId, deliveredAt }, 'price settled; completed');
      return;
    }
    default:
      assertNever(fact);
  }
}

/** Whether an unreadable listing that an event named keeps the order open for a while longer. */
function readsOn(run: ShipmentRun): boolean {
  const { at } = run.state;
  if (at.phase !== 'delivered' || unreadIds(run.state).length === 0 || at.readsOnSince !== null) return false;
  run.keepPhase({ ...at, readsOnSince: run.now() });
  return true;
}
