import { condition } from '@temporalio/workflow';
import type { ListingRecord } from '../domain/listing';
import { sortLateOutcome, type SendOutcome } from '../domain/send-outcome';
import { proveFromEvents, proveListing, retireStrays } from './our-listings';
import type { ShipmentRun } from './shipment-run';

/** A write that may have had its effect. */
export interface Doubt {
  /** `creating the listing`, for the question. */
  readonly what: string;
  readonly reason: string;
  /** Of the write's activity, which may still tell its outcome. */
  readonly activityId: string | null;
  readonly sendId: string | null;
  /** An acceptance is not sent again while the carrier may still answer the first one; null: at once. */
  readonly resendFrom: string | null;
}

export type Settlement<T> =
  /** The write itself told how it ended. */
  | { readonly kind: 'told'; readonly outcome: SendOutcome<T> }
  | { readonly kind: 'adopted'; readonly record: ListingRecord }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandoned' };

/**
 * Settles a write in doubt: by its own outcome, told late, or by an event whose listing proves itself, at any time;
 * else, after a moment for a late one, by a person. Nothing here is ever decided by default.
 */
export async function settleDoubt<T>(run: ShipmentRun, doubt: Doubt): Promise<Settlement<T>> {
  run.note(`${doubt.what} is in doubt: ${doubt.reason}`);
  run.publish();
  const isTold = (): boolean => run.lateOutcomeOf(doubt.activityId) !== null;
  // One moment for all: a flood of events that settle nothing must not put the question off.
  const askAt = Date.now() + run.input.policy.doubtWaitMs;
  let asked = false;
  for (;;) {
    const woken = asked
      ? await condition(() => run.inbox.length > 0 || isTold() || run.hasAnswer()).then(() => true)
      : await condition(() => run.inbox.length > 0 || isTold(), Math.max(1, askAt - Date.now()), {
          summary: 'for an event that settles the doubt',
        });
    const settlement = (await settleByItself<T>(run, doubt)) ?? (await settleByAnswer(run, doubt));
    if (settlement !== null) return settlement;
    if (!woken) {
      openQuestion(run, doubt, '');
      asked = true;
    }
  }
}

async function settleByItself<T>(run: ShipmentRun, doubt: Doubt): Promise<Settlement<T> | null> {
  const told = run.lateOutcomeOf(doubt.activityId);
  if (told !== null) {
    run.note(`settled: the worker told how ${doubt.what} ended`);
    run.close();
    return { kind: 'told', outcome: sortLateOutcome<T>(told) };
  }
  const record = await proveFromEvents(run, doubt.sendId);
  if (record === null) return null;
  run.note(`settled: listing ${record.listingId} is this order's`);
  run.close();
  return { kind: 'adopted', record };
}

async function settleByAnswer(run: ShipmentRun, doubt: Doubt): Promise<Settlement<never> | null> {
  const answer = run.takeAnswer();
  if (answer?.kind === 'resend' || answer?.kind === 'abandon') {
    // The person says that nothing exists; what is known to exist goes first, or is taken when it is booked.
    const live = await retireStrays(run);
    if (live !== null) return { kind: 'adopted', record: live };
    return answer.kind === 'resend' ? { kind: 'resend' } : { kind: 'abandoned' };
  }
  if (answer?.kind !== 'adopt') return null;
  const proof = await proveListing(run, answer.listingId, doubt.sendId);
  if (typeof proof !== 'string') return { kind: 'adopted', record: proof };
  openQuestion(run, doubt, `The last answer was not taken: ${proof}. `);
  return null;
}

function openQuestion(run: ShipmentRun, doubt: Doubt, prefix: string): void {
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
