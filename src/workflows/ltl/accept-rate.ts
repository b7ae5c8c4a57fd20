import { ActivityFailure, condition } from '@temporalio/workflow';
import type { AcceptanceOutcome } from '../../activities/rates';
import { acceptanceStatusText, reasonWithListing } from '../../domain/acceptance';
import type { AcceptanceReceipt } from '../../domain/acceptance';
import type { AccountTrouble } from '../../domain/account-pause';
import { excludeRate } from '../../domain/bounded-state';
import { cutText, summaryOf, TEXT_BYTES } from '../../domain/bounds';
import { updateCandidate } from '../../domain/candidates';
import { isBookingOf, type OpenDoubt, type UnknownAcceptance } from '../../domain/doubt';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { isBookedOrDelivered } from '../../domain/listing-progress';
import type { LtlRate } from '../../domain/rate';
import { isOver } from '../../domain/rate-choice';
import type { SendOutcome } from '../../domain/send-outcome';
import type { In } from '../../domain/shipment-state';
import { askAnew } from './collect-rates';
import { settleDoubt } from '../asking/doubt';
import { attemptOf, openDoubt } from '../run/open-doubt';
import { failedBeforeBooking } from '../run/failed-before-booking';
import { keepAcceptance } from '../listing/earlier-acceptances';
import { failureTypeOf } from '../run/failure-cause';
import { keepPickup } from './keep-pickup';
import { PhaseChanged } from '../run/leave-phase';
import { clearTheWay, closeAsCancelled, follow, followProven, proveIfReadable } from '../listing/candidates';
import { pauseForAccount } from '../run/pause-for-account';
import { pickPaymentMethod } from './payment-method';
import { send, type Sent } from '../run/send';
import type { ShipmentRun } from '../run/shipment-run';
import { noteDuplicate } from '../listing/duplicate-listings';

type Accepting = In<'accepting'>;

/**
 * Accepts the chosen rate and waits for the carrier: polling the status races with the event that says Booked. After
 * a refusal Consign tries the next rate.
 */
export async function acceptRate(run: ShipmentRun, at: Accepting): Promise<void> {
  const { doubt, rate, pending } = at;
  if (doubt !== null) await settle(run, at, doubt);
  // The acceptance failed before, and the next step was interrupted.
  else if (run.state.excludedRateIds.includes(rate.rateId)) await leaveRate(run, at);
  else if (pending === null) await sendAcceptance(run, at);
  else await awaitCarrier(run, { ...at, pending });
}

async function sendAcceptance(run: ShipmentRun, at: Accepting): Promise<void> {
  const { rate } = at;
  const { coverage } = run.input.shipment;
  let { resumes } = run;
  const outcome = await send(run, 'accepting the rate', {
    write: async () => {
      const { paymentMethodId } = run.state;
      if (paymentMethodId === null) throw failedBeforeBooking('no payment method was chosen', null);
      const acceptance = { rateId: rate.rateId, paymentMethodId, coverage };
      return await run.activities.writes.acceptRate({ ...run.writeContext, acceptance });
    },
    stillWanted: async () => {
      if (run.resumes !== resumes) await payAnew(run);
      resumes = run.resumes;
      if (!(await isStillGood(run, rate))) throw new PhaseChanged();
    },
  });
  await applyReceipt(run, at, outcome);
}

/** The trouble may have been the card, and the account may have another one now. */
async function payAnew(run: ShipmentRun): Promise<void> {
  while ((await pickPaymentMethod(run)) === null);
}

/**
 * The last check before a rate is accepted, because choosing and asking may have taken long. The pickup must still be
 * possible, the rate not expired, and no earlier acceptance may have left a listing that a carrier could still book.
 */
async function isStillGood(run: ShipmentRun, rate: LtlRate): Promise<boolean> {
  if ((await keepPickup(run, null)) === 'moved') {
    askAnew(run, 'the rates were for another day');
    return false;
  }
  if (isOver(rate, { expiryMarginMs: run.input.policy.rates.expiryMarginMs, now: run.now() })) {
    askAnew(run, 'the chosen rate is over');
    return false;
  }
  return !(await clearTheWay(run, 'book'));
}

async function applyReceipt(
  run: ShipmentRun,
  at: Accepting,
  outcome: Sent<AcceptanceReceipt>,
): Promise<void> {
  // After a resend a refusal may mean "already accepted", so it proves nothing.
  if (outcome.kind === 'rejected' && at.isResent)
    doubt(run, at, { reason: outcome.reason, activityId: null, pending: null, isRefusal: true });
  else if (outcome.kind === 'rejected') await fallBack(run, at, outcome.reason);
  else if (outcome.kind === 'inDoubt') doubt(run, at, { ...outcome, pending: at.pending });
  else if (outcome.value.kind === 'booked') followBooked(run, at, outcome.value.listingId);
  else {
    const pending = { executionId: outcome.value.executionId, since: run.now() };
    run.enter({ ...at, pending, doubt: null }, `acceptance sent to ${at.rate.carrier.displayName}`);
  }
}

type Pending = Accepting & { readonly pending: NonNullable<Accepting['pending']> };

async function awaitCarrier(run: ShipmentRun, at: Pending): Promise<void> {
  const { pending } = at;
  const raced = await run.untilEvent(async () => await pollAcceptance(run, at));
  if (raced.kind === 'done') {
    const outcome = raced.value;
    keepWords(run, outcome);
    if (outcome.kind !== 'booked' && outcome.listingId !== null) run.hint(outcome.listingId);
    if (outcome.kind === 'booked') followBooked(run, at, outcome.listingId);
    else if (outcome.kind === 'failed' && outcome.isDuplicate && at.isResent)
      // As for a refused resend: the first request may have been accepted.
      doubt(run, at, {
        reason: reasonWithListing(outcome),
        activityId: null,
        pending: null,
        isRefusal: true,
      });
    else if (outcome.kind === 'failed') await fallBack(run, at, reasonWithListing(outcome));
    else if (outcome.kind === 'accountTrouble')
      await acceptAnew(run, at, { reason: reasonWithListing(outcome), status: outcome.statusCode });
    else doubt(run, at, { reason: reasonWithListing(outcome), activityId: null, pending });
    return;
  }
  const record = await proveIfReadable(run, { sendId: null, onlyLive: false });
  if (record === null) return;
  // Until the record says Booked, the carrier has not answered: polling continues, and the listing is remembered.
  if (isBookedOrDelivered(record)) followNamed(run, at, record);
  else noteDuplicate(run, record);
}

async function pollAcceptance(run: ShipmentRun, { rate, pending }: Pending): Promise<AcceptanceOutcome> {
  const { account, policy } = run.input;
  const input = { account, rateId: rate.rateId, executionId: pending.executionId };
  const remaining = Date.parse(pending.since) + policy.acceptance.windowMs - Date.now();
  const options = {
    scheduleToCloseTimeout: Math.max(1_000, remaining),
    summary: summaryOf(`polls the acceptance by ${rate.carrier.displayName}`),
  };
  try {
    const { pollAcceptance: poll } = run.activities.polls;
    return await poll.executeWithOptions(options, [{ ...input, pace: policy.acceptance.pace }]);
  } catch (error) {
    // The poll's time limit appears as a time-out, whatever failed last, and may fire early: one last read decides.
    if (!(error instanceof ActivityFailure)) throw error;
    if (UNREADABLE.has(failureTypeOf(error) ?? ''))
      return { kind: 'inDoubt', reason: run.why(error), words: null, listingId: null };
    if (error.retryState !== 'TIMEOUT') throw error;
    const last = await run.activities.reads.getAcceptanceStatus(input);
    return last.kind === 'pending' || last.kind === 'notVisible'
      ? {
          kind: 'inDoubt',
          reason: `the carrier did not answer within its time; the marketplace said last: ${acceptanceStatusText(last)}`,
          words: null,
          listingId: last.kind === 'pending' ? last.listingId : null,
        }
      : last;
  }
}

function keepWords(run: ShipmentRun, outcome: AcceptanceOutcome): void {
  if (outcome.kind !== 'booked') run.keepSaid(outcome.reason, outcome.words);
}

/** Failures of the status call that say nothing about the acceptance: it may be booked. */
const UNREADABLE: ReadonlySet<string> = new Set([
  FailureType.UnexpectedResponse,
  FailureType.Rejected,
  FailureType.NotFound,
]);

const accepted = (listingId: string): string => `accepted; listing ${listingId}`;

/** Takes the marketplace's word, and checks it against the record later. */
function followBooked(run: ShipmentRun, at: Accepting, listingId: string): void {
  const from = { ...at, pending: null, doubt: null };
  const unverified = { from, doubt: { ...wordOf(run, at), attempt: null } };
  run.state = updateCandidate(run.state, listingId, { isOwn: true });
  follow(run, { listingId, unverified }, accepted(listingId));
}

/**
 * An event named the listing. The current acceptance stays watched, because the listing may come from an earlier
 * acceptance or from a person.
 */
function followNamed(run: ShipmentRun, at: Accepting, record: ListingRecord): void {
  const isBooking = isBookingOf(run.state, record, unknownOf(run, at));
  keepAcceptance(run, { kind: isBooking ? 'followed' : 'considered' });
  followProven(run, record, accepted(record.listingId));
}

function describe({ rate, pending }: Accepting): string {
  const execution = pending === null ? '' : `, execution ${pending.executionId}`;
  return `${rate.carrier.displayName} (rate ${rate.rateId}${execution})`;
}

/** A failed acceptance costs only this rate; the next best comes from the same request. */
async function fallBack(run: ShipmentRun, at: Accepting, reason: string): Promise<void> {
  keepAcceptance(run);
  const lastRefusal = cutText(`${describe(at)} was not booked: ${reason}`, TEXT_BYTES.line);
  run.state = { ...excludeRate(run.state, at.rate.rateId), lastRefusal };
  run.addTimeline(lastRefusal);
  // A failure may be reported before the event that says Booked, and no status of a carrier is final.
  await condition(() => run.inbox.length > 0, run.input.policy.acceptance.failureWaitMs, {
    summary: 'for an event that knows better than the failed acceptance',
  });
  await leaveRate(run, at);
}

async function leaveRate(run: ShipmentRun, { request }: Accepting): Promise<void> {
  if (await clearTheWay(run, 'book')) return;
  run.enter({ phase: 'collectingRates', request }, 'takes the next rate');
}

/**
 * The account's trouble failed the acceptance, so no other rate is tried. Consign accepts the same rate again once
 * the trouble is over.
 */
async function acceptAnew(
  run: ShipmentRun,
  at: Accepting,
  { reason, status }: AccountTrouble,
): Promise<void> {
  keepAcceptance(run);
  run.keepPhase({ ...at, pending: null, doubt: null });
  await pauseForAccount(run, { reason: `accepting the rate: ${reason}`, status });
  await payAnew(run);
}

/** What a doubt about this acceptance starts from. */
function wordOf(run: ShipmentRun, { pending }: Accepting): Omit<OpenDoubt, 'reason' | 'attempt' | 'askAt'> {
  const since = Date.parse(pending?.since ?? run.now());
  const resendFrom = new Date(since + run.input.policy.acceptance.windowMs).toISOString();
  return {
    ...{ what: 'accepting the rate', sendId: null, resendFrom, isRefusal: false },
    ...{ onlyLive: true, acceptance: null },
  };
}

interface AcceptanceDoubt {
  readonly reason: string;
  readonly activityId: string | null;
  /** The acceptance whose status may still answer; null when it has nothing more to say. */
  readonly pending: Accepting['pending'];
  readonly isRefusal?: boolean;
}

function doubt(
  run: ShipmentRun,
  at: Accepting,
  { reason, activityId, pending, isRefusal = false }: AcceptanceDoubt,
): void {
  const word = wordOf(run, at);
  const acceptance = pending === null ? unknownOf(run, at) : null;
  if (pending === null) keepAcceptance(run);
  const attempt = attemptOf(activityId);
  const opened = openDoubt(run, { ...word, reason, attempt, isRefusal, acceptance });
  run.keepPhase({ ...at, pending, doubt: opened });
}

/** How the listing of this acceptance differs from that of an earlier one. */
function unknownOf(run: ShipmentRun, { rate }: Accepting): UnknownAcceptance {
  const { userId, displayName } = rate.carrier;
  const isRepeated = run.state.earlierAcceptances.some(({ carrier }) => carrier === displayName);
  return { carrier: { userId, displayName }, isRepeated };
}

async function settle(run: ShipmentRun, at: Accepting, opened: OpenDoubt): Promise<void> {
  const { pending } = at;
  const watch = pending === null ? null : async () => await watchAcceptance(run, { ...at, pending });
  const settled = await settleDoubt<AcceptanceReceipt>(run, opened, watch);
  if (settled.kind === 'adopted') followNamed(run, at, settled.record);
  else if (settled.kind === 'abandoned') {
    keepAcceptance(run);
    await closeAsCancelled(run, 'abandoned; nothing is booked');
  } else if (settled.kind === 'resend' && opened.isRefusal) {
    // A request that was refused after a resend would be refused for ever.
    run.keepPhase({ ...at, doubt: null });
    await fallBack(run, at, opened.reason);
  } else if (settled.kind === 'resend') {
    keepAcceptance(run);
    run.enter({ ...at, pending: null, doubt: null, isResent: true }, 'is sent again');
  } else await applyTold(run, { ...at, doubt: null }, settled.outcome);
}

async function applyTold(
  run: ShipmentRun,
  at: Accepting,
  outcome: SendOutcome<AcceptanceReceipt>,
): Promise<void> {
  run.keepPhase(at);
  // The status of an accepted request is clear: unlike a refused send, it is about this very request.
  if (outcome.kind === 'rejected' && at.pending !== null) return await fallBack(run, at, outcome.reason);
  // A write without effect is sent again by the phase.
  if (outcome.kind === 'accountTrouble') await acceptAnew(run, at, outcome);
  else if (outcome.kind !== 'notSent') await applyReceipt(run, at, outcome);
}

/** Carriers also answer late: Consign keeps reading the status while the question is open. */
async function watchAcceptance(
  run: ShipmentRun,
  { rate, pending, isResent }: Pending,
): Promise<SendOutcome<AcceptanceReceipt> | null> {
  const { account, policy } = run.input;
  const summary = summaryOf(`goes on asking for the answer of ${rate.carrier.displayName}`);
  const outcome = await run.activities.polls.pollAcceptance.executeWithOptions({ summary }, [
    { account, rateId: rate.rateId, executionId: pending.executionId, pace: policy.acceptance.pace },
  ]);
  keepWords(run, outcome);
  if (outcome.kind === 'booked') return { kind: 'done', value: outcome };
  if (outcome.listingId !== null) run.hint(outcome.listingId);
  if (outcome.kind === 'inDoubt') return null;
  if (outcome.kind === 'failed' && outcome.isDuplicate && isResent) return null;
  const reason = reasonWithListing(outcome);
  return outcome.kind === 'failed'
    ? { kind: 'rejected', reason, refusal: null }
    : { kind: 'accountTrouble', reason, status: outcome.statusCode };
}
