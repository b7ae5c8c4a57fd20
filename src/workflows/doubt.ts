import { ActivityFailure, condition, sleep } from '@temporalio/workflow';
import type { ListingRecord } from '../domain/listing';
import { sortLateOutcome, type SendOutcome } from '../domain/send-outcome';
import { isLive, proveFromEvents, proveListing, retireStrays } from './our-listings';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';

/** A write that may have had its effect. */
export interface Doubt<T> {
  /** `creating the listing`, for the question. */
  readonly what: string;
  readonly reason: string;
  /** Of the write's activity, which may still tell its outcome. */
  readonly activityId: string | null;
  readonly sendId: string | null;
  /** An acceptance is not sent again while the carrier may still answer the first one; null: at once. */
  readonly resendFrom: string | null;
  /** Of an acceptance only a booked listing is the outcome: an open one may be what another one left behind. */
  readonly onlyLive: boolean;
  /** Goes on asking the marketplace where there is something to ask, until it tells; null: it cannot tell. */
  readonly watch: (() => Promise<SendOutcome<T> | null>) | null;
}

export type Settlement<T> =
  /** The write itself, or the marketplace, told how it ended. */
  | { readonly kind: 'told'; readonly outcome: SendOutcome<T> }
  | { readonly kind: 'adopted'; readonly record: ListingRecord }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandoned' };

/**
 * Settles a write in doubt: by its own outcome, told late, by the marketplace's answer, or by an event whose listing
 * proves itself, at any time; else, after a moment for a late one, by a person. Nothing here is ever decided by default.
 */
export async function settleDoubt<T>(run: ShipmentRun, doubt: Doubt<T>): Promise<Settlement<T>> {
  run.note(`${doubt.what} is in doubt: ${doubt.reason}`);
  run.publish();
  if (run.input.policy.unsafeResendInDoubt === true) {
    run.note(`UNSAFE: ${doubt.what} is sent again at once, without settling its doubt`);
    return { kind: 'resend' };
  }
  // One moment for all: a flood of events that settle nothing must not put the question off.
  const askAt = Date.now() + run.input.policy.doubtWaitMs;
  let { watch } = doubt;
  let asked = false;
  for (;;) {
    const watched = await wait(run, doubt, { watch, askAt: asked ? null : askAt });
    if (watched === 'silent') watch = null;
    else if (watched !== null) {
      run.close();
      return { kind: 'told', outcome: watched };
    }
    const settlement = (await settleByItself(run, doubt)) ?? (await settleByAnswer(run, doubt));
    if (settlement !== null) return settlement;
    if (!asked && Date.now() >= askAt) {
      openQuestion(run, doubt, '');
      asked = true;
    }
  }
}

/**
 * Waits for whatever may settle the doubt, or until it is time to ask.
 * @returns what the watch learned; `silent` when there is nothing more to be learned by it; null when something else came
 */
async function wait<T>(
  run: ShipmentRun,
  doubt: Doubt<T>,
  { watch, askAt }: { readonly watch: Doubt<T>['watch']; readonly askAt: number | null },
): Promise<SendOutcome<T> | 'silent' | null> {
  const hasNews = (): boolean =>
    run.inbox.length > 0 || run.lateOutcomes.has(doubt.activityId) || run.hasAnswer();
  const timer = { summary: 'for an event that settles the doubt' };
  const restMs = askAt === null ? null : Math.max(1, askAt - Date.now());
  if (watch === null) {
    if (restMs === null) await condition(hasNews);
    else await condition(hasNews, restMs, timer);
    return null;
  }
  const watching = async () => (await watch()) ?? ('silent' as const);
  const resting = async (ms: number) => await sleep(ms, timer).then(() => null);
  try {
    const raced = await runUntil(
      async () => await Promise.race(restMs === null ? [watching()] : [watching(), resting(restMs)]),
      hasNews,
    );
    return raced.kind === 'done' ? raced.value : null;
  } catch (error) {
    // What cannot be read tells nothing; the person, or an event, still can.
    if (!(error instanceof ActivityFailure)) throw error;
    run.note(`the marketplace does not tell: ${error.cause?.message ?? error.message}`);
    return 'silent';
  }
}

async function settleByItself<T>(run: ShipmentRun, doubt: Doubt<T>): Promise<Settlement<T> | null> {
  const told = run.lateOutcomes.take(doubt.activityId);
  if (told !== null) {
    const outcome = sortLateOutcome<T>(told);
    run.note(`the worker told how ${doubt.what} ended: ${outcome.kind}`);
    // In doubt there as here: nothing is settled by it.
    if (outcome.kind === 'inDoubt') return null;
    run.close();
    return { kind: 'told', outcome };
  }
  const { sendId, onlyLive } = doubt;
  const record = await proveFromEvents(run, { sendId, onlyLive });
  if (record === null) return null;
  run.note(`settled: listing ${record.listingId} is this order's`);
  run.close();
  return { kind: 'adopted', record };
}

async function settleByAnswer<T>(run: ShipmentRun, doubt: Doubt<T>): Promise<Settlement<never> | null> {
  const answer = run.takeAnswer();
  if (answer?.kind === 'resend' || answer?.kind === 'abandon') {
    // The person says that nothing exists; what is known to exist goes first, or is taken when it is booked.
    const live = await retireStrays(run);
    if (live !== null) return { kind: 'adopted', record: live };
    return answer.kind === 'resend' ? { kind: 'resend' } : { kind: 'abandoned' };
  }
  if (answer?.kind !== 'adopt') return null;
  const proof = await proveAdoption(run, answer.listingId, doubt);
  if (typeof proof !== 'string') return { kind: 'adopted', record: proof };
  openQuestion(run, doubt, `The last answer was not taken: ${proof}. `);
  return null;
}

/** A listing of whichever send, as long as it is not one that the order has left. */
async function proveAdoption<T>(
  run: ShipmentRun,
  listingId: string,
  { onlyLive }: Doubt<T>,
): Promise<ListingRecord | string> {
  if (run.state.earlierListingIds.includes(listingId))
    return `the order has left listing ${listingId} before`;
  const proof = await proveListing(run, listingId);
  if (typeof proof === 'string' || !onlyLive || isLive(proof)) return proof;
  return `listing ${listingId} is ${proof.status ?? 'without a status'}, no carrier has booked it`;
}

function openQuestion<T>(run: ShipmentRun, doubt: Doubt<T>, prefix: string): void {
  const { account, shipment } = run.input;
  const reference = `${account.name}/${shipment.orderId}`;
  const { resendFrom } = doubt;
  const from = resendFrom === null ? '' : ` (from ${resendFrom} on)`;
  const text =
    `${prefix}Nobody knows whether ${doubt.what} took effect (${doubt.reason}). ` +
    `Search the marketplace's website for the reference ${reference}: adopt the listing that carries it; ` +
    `resend${from} or abandon only when you have seen that there is none.`;
  run.open('inDoubt', text, ['adopt', 'resend', 'abandon'], resendFrom ?? undefined);
}
