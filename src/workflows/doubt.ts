import { ActivityFailure, condition } from '@temporalio/workflow';
import type { ListingRecord } from '../domain/listing';
import { disproveListing } from '../domain/listing-proof';
import type { AnswerKind } from '../domain/question';
import { sortLateOutcome, type SendOutcome } from '../domain/send-outcome';
import type { ShipmentRun } from './shipment-run';

/** A write that may have had its effect. */
export interface Doubt {
  /** `creating the listing`, for the question. */
  readonly what: string;
  readonly reason: string;
  /** Of the write's activity, which may still tell its outcome. */
  readonly activityId: string | null;
  readonly sendId: string | null;
  /** An acceptance is not sent again while the carrier may still answer the first one. */
  readonly mayResend: boolean;
}

export type Settlement<T> =
  /** The write itself told how it ended. */
  | { readonly kind: 'told'; readonly outcome: SendOutcome<T> }
  | { readonly kind: 'adopted'; readonly record: ListingRecord }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandoned' };

/** The listing, when its record proves that it is this order's; else why not. */
export async function proveListing(
  run: ShipmentRun,
  listingId: string,
  sendId: string | null,
): Promise<ListingRecord | string> {
  try {
    const { account, shipment } = run.input;
    const record = await run.activities.reads.getListing({ account, listingId });
    return disproveListing(record, shipment, sendId) ?? record;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return `listing ${listingId} cannot be read: ${error.cause?.message ?? error.message}`;
  }
}

/** The first listing named by the events at hand that is proven to be this order's. */
export async function proveFromEvents(
  run: ShipmentRun,
  sendId: string | null,
): Promise<ListingRecord | null> {
  const ids = new Set(run.takeEvents().flatMap(({ listingIds }) => listingIds));
  for (const listingId of ids) {
    if (run.state.earlierListingIds.includes(listingId)) continue;
    const proof = await proveListing(run, listingId, sendId);
    if (typeof proof !== 'string') return proof;
    run.note(`not taken: ${proof}`);
  }
  return null;
}

/**
 * Settles a write in doubt: by its own outcome, told late, or by an event whose listing proves itself, at any time;
 * else, after a moment for a late one, by a person. Nothing here is ever decided by default.
 */
export async function settleDoubt<T>(run: ShipmentRun, doubt: Doubt): Promise<Settlement<T>> {
  run.note(`${doubt.what} is in doubt: ${doubt.reason}`);
  run.publish();
  const isTold = (): boolean => run.lateOutcomeOf(doubt.activityId) !== null;
  let asked = false;
  for (;;) {
    const woken = asked
      ? await condition(() => run.inbox.length > 0 || isTold() || run.hasAnswer()).then(() => true)
      : await condition(() => run.inbox.length > 0 || isTold(), run.input.policy.doubtWaitMs, {
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
  if (answer?.kind === 'resend') return { kind: 'resend' };
  if (answer?.kind === 'abandon') return { kind: 'abandoned' };
  if (answer?.kind !== 'adopt') return null;
  const proof = await proveListing(run, answer.listingId, doubt.sendId);
  if (typeof proof !== 'string') return { kind: 'adopted', record: proof };
  openQuestion(run, doubt, `The last answer was not taken: ${proof}. `);
  return null;
}

function openQuestion(run: ShipmentRun, doubt: Doubt, prefix: string): void {
  const { account, shipment } = run.input;
  const reference = `${account.name}/${shipment.orderId}`;
  const answers: AnswerKind[] = doubt.mayResend ? ['adopt', 'resend', 'abandon'] : ['adopt', 'abandon'];
  run.open(
    'inDoubt',
    `${prefix}Nobody knows whether ${doubt.what} took effect (${doubt.reason}). ` +
      `Search the marketplace's website for the reference ${reference}: adopt the listing that carries it; ` +
      `${doubt.mayResend ? 'resend or ' : ''}abandon only when you have seen that there is none.`,
    answers,
  );
}
