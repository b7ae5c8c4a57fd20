import { ActivityFailure } from '@temporalio/workflow';
import type { AcceptanceOutcome } from '../activities/rates';
import type { AcceptanceReceipt } from '../domain/acceptance';
import { listingStanding } from '../domain/listing-progress';
import type { LtlRate } from '../domain/rate';
import type { SendOutcome } from '../domain/send-outcome';
import type { LtlShipment } from '../domain/shipment';
import { proveFromEvents, settleDoubt } from './doubt';
import { failedBeforeBooking } from './drive';
import { send } from './send';
import { Withdrawn, type ShipmentRun } from './shipment-run';

/**
 * Takes the chosen rate and waits for the carrier: the polling of the status races the event that says Booked. A
 * refusal falls back to the next rate.
 */
export async function acceptRate(run: ShipmentRun, shipment: LtlShipment): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  if (run.state.pending === null) await sendAcceptance(run, shipment);
  else await awaitCarrier(run);
}

async function sendAcceptance(run: ShipmentRun, shipment: LtlShipment): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  if (run.isWithdrawn()) throw new Withdrawn();
  const { rate, paymentMethodId } = run.state;
  if (paymentMethodId === null) throw failedBeforeBooking('no payment method was chosen');
  const acceptance = { rateId: rate.rateId, paymentMethodId, coverage: shipment.coverage };
  const outcome = await send(run, 'accepting the rate', () =>
    run.activities.writes.acceptRate({ ...run.guard, acceptance }),
  );
  await takeReceipt(run, outcome);
}

async function takeReceipt(run: ShipmentRun, outcome: SendOutcome<AcceptanceReceipt>): Promise<void> {
  if (run.state.phase !== 'accepting') return;
  const { request, rate } = run.state;
  // Told late: it had no effect, and the phase sends it again.
  if (outcome.kind === 'notSent' || outcome.kind === 'accountTrouble') return;
  if (outcome.kind === 'rejected') fallBack(run, outcome.reason);
  else if (outcome.kind === 'inDoubt') await settle(run, outcome.reason, outcome.activityId);
  else if (outcome.value.kind === 'booked') follow(run, outcome.value.listingId);
  else {
    const pending = { executionId: outcome.value.executionId, since: run.now() };
    run.enter(
      { phase: 'accepting', request, rate, pending },
      `acceptance sent to ${rate.carrier.displayName}`,
    );
  }
}

async function awaitCarrier(run: ShipmentRun): Promise<void> {
  const raced = await run.untilEvent(async () => await pollAcceptance(run));
  if (raced.kind === 'done') {
    const outcome = raced.value;
    if (outcome.kind === 'booked') follow(run, outcome.listingId);
    else if (outcome.kind === 'failed') fallBack(run, outcome.reason);
    else await settle(run, outcome.reason, null);
    return;
  }
  const record = await proveFromEvents(run, null);
  // Until the record says Booked the carrier has not answered; the polling goes on.
  if (record !== null && ['booked', 'delivered'].includes(listingStanding(record)))
    follow(run, record.listingId);
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
    if (!(error instanceof ActivityFailure) || error.retryState !== 'TIMEOUT') throw error;
    const last = await run.activities.reads.getAcceptanceStatus(input);
    return last.kind === 'pending' || last.kind === 'notVisible'
      ? { kind: 'inDoubt', reason: 'the carrier did not answer within its time' }
      : last;
  }
}

function follow(run: ShipmentRun, listingId: string): void {
  run.enter({ phase: 'awaitingBooking', listingId }, `accepted; listing ${listingId}`);
}

const describe = (rate: LtlRate): string => `${rate.carrier.displayName} (rate ${rate.rateId})`;

/** A failed acceptance costs this rate only; the next best is chosen from the same request. */
function fallBack(run: ShipmentRun, reason: string): void {
  if (run.state.phase !== 'accepting') return;
  const { request, rate, excludedRateIds } = run.state;
  run.state = { ...run.state, excludedRateIds: [...excludedRateIds, rate.rateId] };
  run.enter(
    { phase: 'collectingRates', request },
    `${describe(rate)} was not booked: ${reason}; takes the next rate`,
  );
}

async function settle(run: ShipmentRun, reason: string, activityId: string | null): Promise<void> {
  const settled = await settleDoubt<AcceptanceReceipt>(run, {
    what: 'accepting the rate',
    reason,
    activityId,
    sendId: null,
    mayResend: false,
  });
  if (settled.kind === 'told') await takeReceipt(run, settled.outcome);
  else if (settled.kind === 'adopted') follow(run, settled.record.listingId);
  else run.enter({ phase: 'cancelled', reason }, 'abandoned; nothing is booked');
}
