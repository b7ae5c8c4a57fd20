import { ActivityFailure, isCancellation, sleep } from '@temporalio/workflow';
import { summaryOf } from '../../domain/bounds';
import { proofOf } from '../../domain/candidates';
import { nextLateAt } from '../../domain/lateness';
import type { ListingRecord } from '../../domain/listing';
import { seenOf } from '../../domain/listing-progress';
import type { PaperFact } from '../../domain/paper-fact';
import type { PollPace } from '../../domain/policy';
import type { IsoInstant } from '../../domain/shipment';
import { sweepPaceOf } from '../../domain/sweep-pace';
import type { Tracking } from '../../domain/tracking';
import type { Want } from '../../domain/wants';
import { awaitEarlierBooking, type EarlierFact } from '../listing/earlier-acceptances';
import { unverifiedOf } from '../listing/apply-record';
import { BEHIND_ORDERS, orderPriority } from '../run/activity-groups';
import { isAccountTrouble, statusOf } from '../run/failure-cause';
import type { ShipmentRun } from '../run/shipment-run';
import { askForAttachment, askForPapers } from './ask-for-paper';

/** A record, and the fingerprint that was known when its watch began; null when none was. */
export interface PolledListing {
  readonly record: ListingRecord;
  readonly known: string | null;
}

/** A piece of news while following a listing. */
export type Fact =
  | { readonly kind: 'listing'; readonly polled: PolledListing }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isMissing: boolean }
  | { readonly kind: 'tracking'; readonly tracking: Tracking }
  | PaperFact
  | EarlierFact
  | { readonly kind: 'timeToLook' }
  | { readonly kind: 'imageDue' }
  | { readonly kind: 'settlementOver' };

type Of<K extends Want['kind']> = Extract<Want, { readonly kind: K }>;

/** The activity or timer that serves each want. */
const BRING: { readonly [K in Want['kind']]: (run: ShipmentRun, want: Of<K>) => Promise<Fact> } = {
  record: bringRecord,
  tracking: bringTracking,
  papers: async (run, { listingId, asking, wanted }) =>
    await askForPapers(run, { listingId, asking }, wanted),
  attachment: async (run, { listingId, asking, attachmentId }) => ({
    ...{ kind: 'attachment', attachmentId },
    found: await askForAttachment(run, { listingId, asking }, attachmentId),
  }),
  evidence: bringEvidence,
  earlierAcceptance: bringEarlierAcceptance,
  nextLook: async ({ input }) =>
    await timeToLook(input.policy.sweepPace.maximumMs, 'until a listing is read that could not be'),
  nextTry: async ({ input }) =>
    await timeToLook(input.policy.sweepPace.initialMs, 'until the change of the listing is tried again'),
  overdue: async (_, { at }) => await timeToLook(untilMs(at), 'until an accepted listing should be booked'),
  image: async (_, { at }) => {
    await sleep(untilMs(at), { summary: 'until an image is sent again' });
    return { kind: 'imageDue' };
  },
  settlement: async (_, { at }) => {
    await sleep(untilMs(at), { summary: 'until the price is settled' });
    return { kind: 'settlementOver' };
  },
};

export async function bring<K extends Want['kind']>(
  run: ShipmentRun,
  want: Of<K> & { readonly kind: K },
): Promise<Fact> {
  return await BRING[want.kind](run, want);
}

const untilMs = (at: IsoInstant): number => Math.max(1, Date.parse(at) - Date.now());

async function timeToLook(ms: number, summary: string): Promise<Fact> {
  await sleep(ms, { summary });
  return { kind: 'timeToLook' };
}

async function bringEarlierAcceptance(
  run: ShipmentRun,
  { executionId }: Of<'earlierAcceptance'>,
): Promise<Fact> {
  const acceptance = run.state.earlierAcceptances.find((known) => known.executionId === executionId);
  if (acceptance === undefined) throw new TypeError(`no earlier acceptance ${executionId}`);
  return await awaitEarlierBooking(run, acceptance);
}

/** Something that was just read is read again only after its pace. */
const isDue = (readAt: number | null, { initialMs }: PollPace): boolean =>
  readAt === null || Date.now() - readAt >= initialMs;

async function bringRecord(run: ShipmentRun, { listingId, tellAfterMs }: Of<'record'>): Promise<Fact> {
  const { account, policy } = run.input;
  const { unreadable } = run.state;
  // Any successful reading is news of an unreadable listing.
  const known = unreadable === null ? seenOf(run.state) : null;
  const pace = sweepPaceOf(run.state, policy);
  const summary = summaryOf(`reads listing ${listingId} until it changes`);
  // The first reading belongs to the order's start; later ones can wait.
  const priority = known === null ? orderPriority() : BEHIND_ORDERS;
  const isNew = known === null && unreadable === null;
  const { failingReading } = run;
  const failingSinceMs = failingReading?.listingId === listingId ? failingReading.sinceMs : null;
  const input = {
    ...{ account, listingId, knownFingerprint: known, pace, tellAfterMs, failingSinceMs },
    ...proofOf(run.state, listingId),
    isDue: isNew || isDue(run.listingReadAt, pace),
    returnAt: nextLateAt(run.state, { ...run.input, now: run.now() }),
  };
  try {
    const record = await run.activities.polls.watchListing.executeWithOptions({ summary, priority }, [input]);
    return { kind: 'listing', polled: { record, known } };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error)) throw error;
    // Nobody has seen a listing that only the order's own write named: it is in doubt at once.
    if (unverifiedOf(run) !== null) throw error;
    return { kind: 'unreadable', reason: run.why(error), isMissing: statusOf(error) === 404 };
  }
}

/** The position is not essential, so a failure stops nothing. */
async function bringTracking(run: ShipmentRun, { listingId, known }: Of<'tracking'>): Promise<Fact> {
  const { account, policy } = run.input;
  const pace = policy.trackingPace;
  // Counts from the start of the activity, which runs as long as the known tracking stays the same.
  const { trackingReadAt: readAt } = run;
  const positionDueInMs = readAt === null ? 0 : readAt + policy.trackingPositionMs - Date.now();
  const input = { account, listingId, known, pace, positionDueInMs };
  try {
    const tracking = await run.activities.polls.watchTracking.executeWithOptions(
      { summary: 'asks where the shipment is' },
      [{ ...input, isDue: known === null || isDue(readAt, pace) }],
    );
    return { kind: 'tracking', tracking };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error)) throw error;
    run.addTimeline(`no tracking: ${run.why(error)}`);
    return await timeToLook(pace.maximumMs, 'until tracking is asked for again');
  }
}

/** Refused contacts prove nothing either way, and stop nothing. */
async function bringEvidence(run: ShipmentRun, { listingId }: Of<'evidence'>): Promise<Fact> {
  const { account, policy } = run.input;
  const input = { account, listingId, pace: policy.sweepPace };
  const summary = 'looks for contacts, because the status of the listing is unknown';
  try {
    const contacts = await run.activities.polls.pollContacts.executeWithOptions({ summary }, [input]);
    return { kind: 'papers', papers: { contacts }, unavailable: [] };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error)) throw error;
    run.addTimeline(`no contacts: ${run.why(error)}`);
    return await timeToLook(policy.sweepPace.maximumMs, 'until contacts are looked for again');
  }
}
