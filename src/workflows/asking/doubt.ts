import { ActivityFailure, condition, sleep } from '@temporalio/workflow';
import { isUnguarded } from '../../domain/blocked';
import { unreadIds } from '../../domain/candidates';
import { isPerhapsEarlier, type OpenDoubt } from '../../domain/doubt';
import type { ListingRecord } from '../../domain/listing';
import { sortLateOutcome, type SendOutcome } from '../../domain/send-outcome';
import { proveAdoption } from '../listing/adopt-listing';
import { proveIfReadable } from '../listing/candidates';
import { runUntil } from '../run/run-until';
import type { ShipmentRun } from '../run/shipment-run';
import { noteDuplicate, retireDuplicates } from '../listing/duplicate-listings';

const NEVER = Number.POSITIVE_INFINITY;

/** Polls the marketplace until it says how a write ended; null when it cannot say. */
export type Watch<T> = () => Promise<SendOutcome<T> | null>;

export type Settlement<T> =
  /** The worker that sent the write, or the marketplace, reported how it ended. */
  | { readonly kind: 'reported'; readonly outcome: SendOutcome<T> }
  | { readonly kind: 'adopted'; readonly record: ListingRecord }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandoned' };

/**
 * Settles a write in doubt. A late outcome, the marketplace's answer, or an event whose listing proves itself can
 * settle it at any time. After a short wait for these, a person decides. Nothing is ever decided by default.
 *
 * Only finds out: the doubt ends when the caller has acted on the result. Until then it is settled again.
 */
export async function settleDoubt<T>(
  run: ShipmentRun,
  doubt: OpenDoubt,
  watch: Watch<T> | null,
): Promise<Settlement<T>> {
  run.publish();
  if (isUnguarded(run.input.policy)) {
    run.addTimeline(`UNSAFE: ${doubt.what} is sent again at once, without settling its doubt`);
    return { kind: 'resend' };
  }
  for (let watchFrom = 0; ;) {
    run.yieldIfLong();
    // An answer that was given comes before the next question.
    const isOpen = run.state.question !== null || run.hasAnswer();
    if (!isOpen && Date.now() >= Date.parse(doubt.askAt)) openQuestion(run, doubt, null);
    const watched = await wait(run, doubt, { watch, from: watchFrom });
    if (watched === 'silent') watchFrom = Date.now() + run.input.policy.sweepPace.maximumMs;
    else if (watched !== null) {
      run.close();
      return { kind: 'reported', outcome: watched };
    }
    const settlement = (await settleByItself<T>(run, doubt)) ?? (await settleByAnswer(run, doubt));
    if (settlement !== null) return settlement;
  }
}

/**
 * Waits for anything that may settle the doubt, until it is time to ask a person or to read an unreadable listing
 * again.
 * @param from when the watch may report again; epoch milliseconds
 * @returns the watch's outcome; `silent` when it cannot say for now; null when something else arrived
 */
async function wait<T>(
  run: ShipmentRun,
  doubt: OpenDoubt,
  { watch, from }: { readonly watch: Watch<T> | null; readonly from: number },
): Promise<SendOutcome<T> | 'silent' | null> {
  const hasNews = (): boolean =>
    run.inbox.length > 0 || run.lateOutcomes.has(doubt.attempt) || run.hasAnswer() || run.isLong();
  const timer = { summary: 'for an event that settles the doubt' };
  const isWatching = watch !== null && Date.now() >= from;
  const untilWatch = watch === null || isWatching ? NEVER : from - Date.now();
  const restMs = Math.min(timeToRest(run, doubt), untilWatch);
  if (!isWatching) {
    if (restMs === NEVER) await condition(hasNews);
    else await condition(hasNews, restMs, timer);
    return null;
  }
  const watching = async () => (await watch()) ?? ('silent' as const);
  const resting = async (ms: number) => await sleep(ms, timer).then(() => null);
  try {
    const raced = await runUntil(
      async () => await Promise.race(restMs === NEVER ? [watching()] : [watching(), resting(restMs)]),
      hasNews,
    );
    return raced.kind === 'done' ? raced.value : null;
  } catch (error) {
    // An unreadable status settles nothing; a person or an event still can.
    if (!(error instanceof ActivityFailure)) throw error;
    run.addTimeline(`the marketplace does not say: ${run.why(error)}`);
    return 'silent';
  }
}

/** In milliseconds; `NEVER` means without limit. */
function timeToRest({ state, input }: ShipmentRun, { askAt }: OpenDoubt): number {
  if (state.question === null) return Math.max(1, Date.parse(askAt) - Date.now());
  return unreadIds(state).length > 0 ? input.policy.sweepPace.initialMs : NEVER;
}

async function settleByItself<T>(run: ShipmentRun, doubt: OpenDoubt): Promise<Settlement<T> | null> {
  const told = run.lateOutcomes.take(doubt.attempt);
  if (told !== null) {
    const outcome = sortLateOutcome<T>(told);
    run.addTimeline(`the worker reported how ${doubt.what} ended: ${outcome.kind}`);
    // The worker does not know the outcome either.
    if (outcome.kind === 'inDoubt') return null;
    run.close();
    return { kind: 'reported', outcome };
  }
  const { sendId, onlyLive, acceptance } = doubt;
  const record = await proveIfReadable(run, { sendId, onlyLive });
  if (record === null) return null;
  if (acceptance !== null && isPerhapsEarlier(record, acceptance)) {
    // A person must look whether the one in doubt is booked too.
    noteDuplicate(run, record);
    return null;
  }
  run.addTimeline(`settled: listing ${record.listingId} is this order's`);
  run.close();
  return { kind: 'adopted', record };
}

async function settleByAnswer(run: ShipmentRun, doubt: OpenDoubt): Promise<Settlement<never> | null> {
  return await run.actUponAnswer(async ({ answer, checked }): Promise<Settlement<never> | null> => {
    if (answer.kind === 'resend' || answer.kind === 'abandon') {
      // The person says that nothing exists. Known listings come first: they are deleted, or adopted if booked.
      const live = await retireDuplicates(run);
      if (live !== null) return { kind: 'adopted', record: live };
      // The write has reported its outcome since, and the outcome decides, not the answer.
      if (run.lateOutcomes.has(doubt.attempt)) return null;
      return answer.kind === 'resend' ? { kind: 'resend' } : { kind: 'abandoned' };
    }
    if (answer.kind !== 'adopt') return null;
    const { listingId } = answer;
    const proof = await proveAdoption(run, { listingId, checked, ...doubt });
    if (typeof proof !== 'string') return { kind: 'adopted', record: proof };
    openQuestion(run, doubt, { why: proof, listingId });
    return null;
  });
}

/** @param notTaken the last answered adoption, and why it was refused */
function openQuestion(
  run: ShipmentRun,
  doubt: OpenDoubt,
  notTaken: { readonly why: string; readonly listingId: string } | null,
): void {
  const { account, shipment } = run.input;
  const reference = `${account.name}/${shipment.orderId}`;
  const { resendFrom } = doubt;
  const from = resendFrom === null ? '' : ` (from ${resendFrom} on)`;
  const next = doubt.isRefusal ? ' Resend then takes the next rate.' : '';
  const before = notTaken === null ? '' : `The last answer was not accepted: ${notTaken.why}. `;
  // The listing can be of an earlier acceptance: then the one in doubt could still book a second truck.
  const takeBack = doubt.onlyLive
    ? ' If the website shows an acceptance that still waits for its carrier, take it back there first; if it shows several ' +
      'bookings, cancel all but one.'
    : ' If it shows several listings, delete all but one there first.';
  const text =
    `${before}${knownOf(doubt)} ` +
    `Search the marketplace's website for the reference ${reference}.${takeBack} ` +
    `Found: answer adopt with the id of the listing. Not found: answer resend${from} or abandon.${next}`;
  run.open({
    ...{ kind: 'inDoubt', text, answers: ['adopt', 'resend', 'abandon'] },
    ...(resendFrom === null ? {} : { resendFrom }),
    listingIds: notTaken === null ? [] : [notTaken.listingId],
  });
}

const knownOf = ({ what, reason, isRefusal }: OpenDoubt): string =>
  isRefusal
    ? `The marketplace refused ${what} (${reason}), which may be because an earlier request took effect.`
    : `It is unknown whether ${what} took effect (${reason}).`;
