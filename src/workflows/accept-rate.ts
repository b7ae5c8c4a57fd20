import { ActivityFailure, ApplicationFailure, condition } from '@temporalio/workflow';
import type { AcceptanceOutcome } from '../activities/rates';
import type { AcceptanceReceipt } from '../domain/acceptance';
import type { OpenDoubt } from '../domain/doubt';
import { FailureType } from '../domain/failure-type';
import type { LtlRate } from '../domain/rate';
import { isOver } from '../domain/rate-choice';
import type { SendOutcome } from '../domain/send-outcome';
import { doubtOf } from '../domain/shipment-state';
import { askAnew } from './collect-rates';
import { openDoubt, settleDoubt } from './doubt';
import { failedBeforeBooking } from './drive';
import { keepPickup } from './keep-pickup';
import { Moved } from './leave-phase';
import { adoptLive, closeAsCancelled, follow, isLive, noteStray, proveIfReadable } from './our-listings';
import { send } from './send';
import type { ShipmentRun } from './shipment-run';

/**
 * Takes the chosen rate and waits for the carrier: the polling of the status races the event that says Booked. A
 * refusal falls back to the next rate.
 */
export async function acceptRate(run: ShipmentRun): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const doubt = doubtOf(run.state);
  if (doubt !== null) await settle(run, doubt);
  // It failed before, and what was to be done then was interrupted.
  else if (run.state.excludedRateIds.includes(run.state.rate.rateId)) await leaveRate(run);
  else if (run.state.pending === null) await sendAcceptance(run);
  else await awaitCarrier(run);
}

async function sendAcceptance(run: ShipmentRun): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { rate, paymentMethodId } = run.state;
  if (paymentMethodId === null) throw failedBeforeBooking('no payment method was chosen');
  const acceptance = { rateId: rate.rateId, paymentMethodId, coverage: run.input.shipment.coverage };
  const outcome = await send(run, 'accepting the rate', {
    write: async () => await run.activities.writes.acceptRate({ ...run.guard, acceptance }),
    stillWanted: async () => {
      if (!(await isStillGood(run))) throw new Moved();
    },
  });
  await takeReceipt(run, outcome);
}

/**
 * The last look before a rate is taken, because choosing and asking may have taken long: the pickup can be kept, the
 * rate is not over, and no earlier acceptance left a listing behind that a carrier could still book.
 */
async function isStillGood(run: ShipmentRun): Promise<boolean> {
  if (run.state.phase !== 'accepting') return false;
  if ((await keepPickup(run, null)) === 'moved') {
    askAnew(run, 'the rates were for another day');
    return false;
  }
  if (isOver(run.state.rate, { expiryMarginMs: run.input.policy.rates.expiryMarginMs, now: run.now() })) {
    askAnew(run, 'the chosen rate is over');
    return false;
  }
  return !(await adoptLive(run));
}

async function takeReceipt(run: ShipmentRun, outcome: SendOutcome<AcceptanceReceipt>): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { request, rate } = run.state;
  // Told late: it had no effect, and the phase sends it again.
  if (outcome.kind === 'notSent' || outcome.kind === 'accountTrouble') return;
  // After a resend a refusal may mean "this is taken already", so that it proves nothing.
  if (outcome.kind === 'rejected' && run.state.isResent) doubt(run, outcome.reason, null);
  else if (outcome.kind === 'rejected') await fallBack(run, outcome.reason);
  else if (outcome.kind === 'inDoubt') doubt(run, outcome.reason, outcome.activityId);
  else if (outcome.value.kind === 'booked')
    follow(run, outcome.value.listingId, accepted(outcome.value.listingId));
  else {
    const pending = { executionId: outcome.value.executionId, since: run.now() };
    run.enter(
      { phase: 'accepting', request, rate, pending, doubt: null },
      `acceptance sent to ${rate.carrier.displayName}`,
    );
  }
}

async function awaitCarrier(run: ShipmentRun): Promise<void> {
  const raced = await run.untilEvent(async () => await pollAcceptance(run));
  if (raced.kind === 'done') {
    const outcome = raced.value;
    if (outcome.kind !== 'booked' && outcome.listingId !== null) run.hint(outcome.listingId);
    if (outcome.kind === 'booked') follow(run, outcome.listingId, accepted(outcome.listingId));
    else if (outcome.kind === 'failed') await fallBack(run, outcome.reason);
    else doubt(run, outcome.reason, null);
    return;
  }
  const record = await proveIfReadable(run, { sendId: null, onlyLive: false });
  if (record === null) return;
  // Until the record says Booked the carrier has not answered; the polling goes on, and the listing is remembered.
  if (isLive(record)) follow(run, record.listingId, accepted(record.listingId));
  else noteStray(run, record);
}

async function pollAcceptance(run: ShipmentRun): Promise<AcceptanceOutcome> {
  if (run.state.phase !== 'accepting' || run.state.pending === null) throw new TypeError('nothing to poll');
  const { rate, pending } = run.state;
  const { account, policy } = run.input;
  const input = { account, rateId: rate.rateId, executionId: pending.executionId };
  const remaining = Date.parse(pending.since) + policy.acceptance.windowMs - Date.now();
  const options = {
    scheduleToCloseTimeout: Math.max(1_000, remaining),
    summary: `polls the acceptance by ${rate.carrier.displayName}`,
  };
  try {
    const { pollAcceptance: poll } = run.activities.polls;
    return await poll.executeWithOptions(options, [{ ...input, pace: policy.acceptance.pace }]);
  } catch (error) {
    // The bound shows as a time-out whatever failure came last, and may come early: one last look decides.
    if (!(error instanceof ActivityFailure)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && UNREADABLE.has(cause.type ?? ''))
      return { kind: 'inDoubt', reason: cause.message, listingId: null };
    if (error.retryState !== 'TIMEOUT') throw error;
    const last = await run.activities.reads.getAcceptanceStatus(input);
    return last.kind === 'pending' || last.kind === 'notVisible'
      ? { kind: 'inDoubt', reason: 'the carrier did not answer within its time', listingId: null }
      : last;
  }
}

/** Answers to the status that tell nothing of the acceptance: it may be booked all the same. */
const UNREADABLE: ReadonlySet<string> = new Set([
  FailureType.UnexpectedResponse,
  FailureType.Rejected,
  FailureType.NotFound,
]);

const accepted = (listingId: string): string => `accepted; listing ${listingId}`;
const describe = (rate: LtlRate): string => `${rate.carrier.displayName} (rate ${rate.rateId})`;

/** A failed acceptance costs this rate only; the next best is chosen from the same request. */
async function fallBack(run: ShipmentRun, reason: string): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { rate, excludedRateIds } = run.state;
  run.state = { ...run.state, excludedRateIds: [...excludedRateIds, rate.rateId], isResent: false };
  run.note(`${describe(rate)} was not booked: ${reason}`);
  // A failure can be told before the event that says Booked, and no status of a carrier is final.
  await condition(() => run.inbox.length > 0, run.input.policy.acceptance.failureWaitMs, {
    summary: 'for an event that knows better than the failed acceptance',
  });
  await leaveRate(run);
}

async function leaveRate(run: ShipmentRun): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { request } = run.state;
  if (await adoptLive(run)) return;
  run.enter({ phase: 'collectingRates', request }, 'takes the next rate');
}

function doubt(run: ShipmentRun, reason: string, activityId: string | null): void {
  if (run.state.phase !== 'accepting') return;
  const since = Date.parse(run.state.pending?.since ?? run.now());
  const opened = openDoubt(run, {
    what: 'accepting the rate',
    ...{ reason, activityId, sendId: null, onlyLive: true },
    resendFrom: new Date(since + run.input.policy.acceptance.windowMs).toISOString(),
  });
  run.state = { ...run.state, doubt: opened };
}

async function settle(run: ShipmentRun, opened: OpenDoubt): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { request, rate, pending } = run.state;
  const watch = pending === null ? null : async () => await watchAcceptance(run, pending.executionId);
  const settled = await settleDoubt<AcceptanceReceipt>(run, opened, watch);
  if (settled.kind === 'told') {
    run.state = { ...run.state, phase: 'accepting', request, rate, pending, doubt: null };
    await takeReceipt(run, settled.outcome);
  } else if (settled.kind === 'adopted') {
    const { listingId } = settled.record;
    follow(run, listingId, accepted(listingId));
  } else if (settled.kind === 'resend') {
    run.state = { ...run.state, isResent: true };
    run.enter({ phase: 'accepting', request, rate, pending: null, doubt: null }, 'is sent again');
  } else await closeAsCancelled(run, opened.reason, 'abandoned; nothing is booked');
}

/** Carriers answer late too: the status is read on beside the question, for as long as it takes. */
async function watchAcceptance(
  run: ShipmentRun,
  executionId: string,
): Promise<SendOutcome<AcceptanceReceipt> | null> {
  if (run.state.phase !== 'accepting') throw new TypeError('nothing is accepted');
  const { account, policy } = run.input;
  const { rate } = run.state;
  const summary = `goes on asking for the answer of ${rate.carrier.displayName}`;
  const outcome = await run.activities.polls.pollAcceptance.executeWithOptions({ summary }, [
    { account, rateId: rate.rateId, executionId, pace: policy.acceptance.pace },
  ]);
  if (outcome.kind === 'booked') return { kind: 'done', value: outcome };
  if (outcome.listingId !== null) run.hint(outcome.listingId);
  return outcome.kind === 'failed' ? { kind: 'rejected', reason: outcome.reason } : null;
}
