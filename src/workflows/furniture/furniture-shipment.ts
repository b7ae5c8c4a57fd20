import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { OpenDoubt } from '../../domain/doubt';
import { updateCandidate, leftIds, startFollowing } from '../../domain/candidates';
import { formatMoney, isAbove } from '../../domain/money';
import { isPickupPast } from '../../domain/pickup';
import type { FixedPrice } from '../../domain/fixed-price';
import type { ShipmentResult } from '../../domain/shipment-result';
import type { UnverifiedListing, In } from '../../domain/shipment-state';
import type { SendOutcome } from '../../domain/send-outcome';
import { ask } from '../asking/ask';
import { askForPremium } from './ask-for-premium';
import { settleDoubt } from '../asking/doubt';
import { attemptOf, openDoubt } from '../run/open-doubt';
import { runPhases, type PhaseSteps } from '../phase-loop';
import { failedBeforeBooking } from '../run/failed-before-booking';
import { followListing } from '../follow/follow-listing';
import type { FurnitureShipmentInput } from '../run/input';
import { noteAddressTypes } from '../run/note-address-types';
import { send } from '../run/send';
import { furnitureOf, ShipmentRun } from '../run/shipment-run';
import { PhaseChanged } from '../run/leave-phase';
import { adoptLive, clearTheWay, closeAsCancelled, followProven } from '../listing/candidates';
import { uploadImages } from '../follow/upload-images';

/**
 * A furniture order from its fixed price to settlement: fixed price, approval if above the limit, listing, images,
 * booking by a carrier, transit, delivery.
 */
export async function furnitureShipment(input: FurnitureShipmentInput): Promise<ShipmentResult> {
  return await runPhases(new ShipmentRun(input), STEPS, (carried) =>
    continueAsNew<typeof furnitureShipment>({ ...input, carried }),
  );
}

const STEPS: PhaseSteps = {
  validating: (run) => {
    if (isPickupPast(run.input.shipment, run.now()))
      throw failedBeforeBooking('the last pickup day is past', null);
    run.enter({ phase: 'quoting' }, 'order checked');
    return Promise.resolve();
  },
  quoting: quote,
  listing: createListing,
  awaitingBooking: async (run) => {
    await uploadImages(run);
    await followListing(run);
  },
  booked: followListing,
  inTransit: followListing,
  delivered: followListing,
};

async function quote(run: ShipmentRun): Promise<void> {
  await keepWindow(run);
  const shipment = furnitureOf(run);
  const { account } = run.input;
  const priceCorrelationId = run.state.fixedPrice?.priceCorrelationId ?? null;
  const { answer: answered, addressTypes } = await run.unlessWithdrawn(
    async () => await run.activities.reads.getFixedPrice({ account, shipment, priceCorrelationId }),
  );
  noteAddressTypes(run, addressTypes);
  const fixedPrice = answered.premium === 'unknown' ? await askForPremium(run, answered) : answered;
  if (fixedPrice === null) return;
  run.update({ fixedPrice });
  run.addTimeline(priceLine(fixedPrice));
  if (shipment.priceLimit !== null && isAbove(fixedPrice.total, shipment.priceLimit)) {
    const limit = formatMoney(shipment.priceLimit);
    const text = `The price of ${formatMoney(fixedPrice.total)} is above the limit of ${limit}. Approve it, or ask for the price again.`;
    const answer = await ask(run, {
      kind: 'priceApproval',
      text,
      offer: { price: fixedPrice.total, rateId: null },
      answers: ['approve', 'retry', 'revise', 'cancel'],
    });
    if (answer.kind !== 'approve') return;
  }
  run.enter({ phase: 'listing', doubt: null, isResent: false });
}

function priceLine({ price, premium, total, listPrice }: FixedPrice): string {
  const withPremium =
    premium === null ? '' : ` plus premium ${formatMoney(premium)}, together ${formatMoney(total)}`;
  return `fixed price ${formatMoney(price)}${withPremium} for the customer; list price ${formatMoney(listPrice)}`;
}

async function createListing(run: ShipmentRun, at: In<'listing'>): Promise<void> {
  if (at.doubt !== null) {
    await settleListing(run, at, at.doubt);
    return;
  }
  const shipment = furnitureOf(run);
  const { fixedPrice } = run.state;
  if (fixedPrice === null) throw new TypeError('a listing needs its price');
  // A resend after a doubt, or after the order was started again, gets its own number. Repeating an unsent write does
  // not.
  run.update({ sends: run.state.sends + 1 });
  const owner = workflowInfo().firstExecutionRunId.slice(-12);
  const sendId = `${owner}.${run.state.sends}`;
  const { listPrice, priceCorrelationId } = fixedPrice;
  const draft = { shipment, listPrice, priceCorrelationId, sendId };
  const outcome = await send(run, WHAT, {
    write: async () => await run.activities.writes.createListing({ ...run.writeContext, draft }),
    stillWanted: async () => {
      await keepWindow(run);
      // In the meantime an event may have shown that the order already has a listing.
      if (await clearTheWay(run, 'book')) throw new PhaseChanged();
    },
  });
  await applyListingOutcome(run, at, { outcome, sendId });
}

const WHAT = 'creating the listing';

interface ListingSent {
  readonly outcome: SendOutcome<{ readonly listingId: string }>;
  readonly sendId: string | null;
}

async function applyListingOutcome(
  run: ShipmentRun,
  at: In<'listing'>,
  { outcome, sendId }: ListingSent,
): Promise<void> {
  const word = { what: WHAT, sendId, resendFrom: null, onlyLive: false, acceptance: null, isRefusal: false };
  if (outcome.kind === 'done') {
    const { listingId } = outcome.value;
    const unverified: UnverifiedListing = {
      from: { ...at, doubt: null },
      doubt: { ...word, attempt: null },
    };
    // An event may have named the listing before its owner was known.
    run.state = startFollowing(updateCandidate(run.state, listingId, { isOwn: true }), listingId);
    run.enter(
      { phase: 'awaitingBooking', listingId, unverified },
      `listing ${listingId} created at the list price`,
    );
    return;
  }
  // A late outcome: the write had no effect, and the phase sends it again.
  if (outcome.kind === 'notSent' || outcome.kind === 'accountTrouble') return;
  // After a resend a refusal may mean "this exists already", so it proves nothing.
  if (outcome.kind === 'rejected' && !at.isResent) return await applyRefusal(run, outcome);
  const { reason } = outcome;
  const activityId = outcome.kind === 'inDoubt' ? outcome.activityId : null;
  const doubt = openDoubt(run, { ...word, reason, attempt: attemptOf(activityId) });
  run.keepPhase({ ...at, doubt });
}

async function settleListing(run: ShipmentRun, at: In<'listing'>, doubt: OpenDoubt): Promise<void> {
  const settled = await settleDoubt<{ readonly listingId: string }>(run, doubt, null);
  if (settled.kind === 'adopted') {
    const { listingId } = settled.record;
    followProven(run, settled.record, `listing ${listingId} is taken`);
  } else if (settled.kind === 'abandoned') await closeAsCancelled(run, 'abandoned; nothing exists');
  else {
    const settledAt = { ...at, doubt: null, isResent: at.isResent || settled.kind === 'resend' };
    run.keepPhase(settledAt);
    if (settled.kind === 'reported')
      await applyListingOutcome(run, settledAt, { outcome: settled.outcome, sendId: doubt.sendId });
  }
}

/** Before any booking a refusal ends the order. After a booking that ended, a person decides. */
async function applyRefusal(
  run: ShipmentRun,
  { reason, refusal }: Extract<SendOutcome<never>, { kind: 'rejected' }>,
): Promise<void> {
  // An event may name a booked listing of this order: then this was not the first attempt.
  if (await adoptLive(run)) return;
  if (leftIds(run.state).length === 0) throw failedBeforeBooking(reason, refusal);
  const text = `The listing was refused: ${reason}.`;
  await ask(run, { kind: 'unexpectedFailure', text, answers: ['retry', 'revise', 'cancel'] });
}

/** A listing whose pickup window has passed is useless: no carrier could take it. */
async function keepWindow(run: ShipmentRun): Promise<void> {
  const { shipment } = run.input;
  if (!isPickupPast(shipment, run.now())) return;
  const text = `The last pickup day, ${shipment.pickup.latest}, is past. Revise the order, or cancel it.`;
  await ask(run, { kind: 'pickupPassed', text, answers: ['revise', 'cancel'] });
}
