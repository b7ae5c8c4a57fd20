import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import { callFailureOf } from '../../domain/call-failure';
import { cutText, summaryOf, TEXT_BYTES } from '../../domain/bounds';
import { sendAgainAfter } from '../../domain/jitter';
import { sortWriteFailure, type SendOutcome, type WriteFailure } from '../../domain/send-outcome';
import { Withdrawn } from './leave-phase';
import { pauseForAccount } from './pause-for-account';
import type { ShipmentRun } from './shipment-run';

function describeFailure(cause: Error | undefined): WriteFailure {
  if (cause instanceof TimeoutFailure) {
    return {
      kind: 'timeout',
      marked: cause.lastHeartbeatDetails !== undefined && cause.lastHeartbeatDetails !== null,
    };
  }
  if (cause instanceof ApplicationFailure) {
    const { type = null, message } = cause;
    const call = callFailureOf(cause.details);
    return { kind: 'application', type, message: cutText(message, TEXT_BYTES.failure), call };
  }
  const message = cause?.message ?? 'the activity failed without a reason';
  return { kind: 'other', message: cutText(message, TEXT_BYTES.failure) };
}

/** Makes one attempt of a write, which nothing cancels, and classifies the result by what is known of its effect. */
export async function sendOnce<T>(run: ShipmentRun, write: () => Promise<T>): Promise<SendOutcome<T>> {
  try {
    return { kind: 'done', value: await CancellationScope.nonCancellable(write) };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    run.why(error);
    const { busyMeansNotSent } = run.input.policy;
    return sortWriteFailure(describeFailure(error.cause), error.activityId ?? null, busyMeansNotSent);
  }
}

/** The outcomes that end a write; `send` waits out the others. */
export type Sent<T> = Extract<SendOutcome<T>, { kind: 'done' | 'rejected' | 'inDoubt' }>;

/** Checks, right before each attempt, that the write is still wanted; throws to leave the phase if not. */
export type StillWanted = () => Promise<void>;

/**
 * Sends a write until it has certainly left: again after a pause if it certainly had no effect, and after a person's
 * help if the account is in trouble. Never repeats a write whose outcome is unknown.
 */
export async function send<T>(
  run: ShipmentRun,
  what: string,
  { write, stillWanted }: { readonly write: () => Promise<T>; readonly stillWanted?: StillWanted },
): Promise<Sent<T>> {
  for (let attempt = 0; ; attempt += 1) {
    // Waiting and asking take long, and an answer can come together with a withdrawal.
    if (run.withdrawal.canBeDone()) throw new Withdrawn();
    run.yieldIfLong();
    await stillWanted?.();
    if (run.withdrawal.canBeDone()) throw new Withdrawn();
    const outcome = await sendOnce(run, write);
    if (outcome.kind === 'notSent') {
      run.addTimeline(`${what} was not sent (${outcome.reason}); it is sent again`);
      run.publish();
      const { notSentPace: pace } = run.input.policy;
      const { waitMs } = outcome;
      const delay = sendAgainAfter({ pace, tries: attempt, waitMs, random: Math.random() });
      await run.unlessWithdrawn(() => sleep(delay, { summary: summaryOf(`until ${what} is sent again`) }));
    } else if (outcome.kind === 'accountTrouble') {
      await pauseForAccount(run, { ...outcome, reason: `${what}: ${outcome.reason}` });
    } else {
      return outcome;
    }
  }
}
