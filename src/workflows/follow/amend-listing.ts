import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow';
import type { UpdatedListing } from '../../activities/listing-updates';
import { assertNever } from '../../domain/assert-never';
import { commandLines } from '../../domain/command-lines';
import { withPremium, type FixedPrice, type FixedPriceAnswer } from '../../domain/fixed-price';
import { FailureType } from '../../domain/failure-type';
import type { ListingChanges } from '../../domain/listing-changes';
import { hasEnded } from '../../domain/listing-progress';
import { sendIdOf } from '../../domain/listing-proof';
import { listingReferences } from '../../domain/listing-references';
import { formatMoney, isAbove } from '../../domain/money';
import { proofOf } from '../../domain/candidates';
import { planAmendment, type AmendmentPlan } from '../../domain/plan-amendment';
import { delayAfter } from '../../domain/policy';
import type { OrderRevision } from '../../domain/question';
import type { FurnitureShipment } from '../../domain/shipment';
import { isBooked, leaveListing } from '../../domain/shipment-state';
import { reportAmendment, type AmendmentEnd } from '../run/on-amendment';
import { failureTypeOf, isAccountTrouble, statusOf } from '../run/failure-cause';
import { noteAddressTypes } from '../run/note-address-types';
import { BRIEFLY } from '../run/read-patiently';
import { send } from '../run/send';
import { furnitureOf, type ShipmentRun } from '../run/shipment-run';
import { removeFromMarket } from '../listing/delete-listing';
import { unverifiedOf, listingIdOf, readAgain, readAgainIfReadable } from '../listing/apply-record';

/** Repeating a change does no harm. A listing that others keep changing is left to a person. */
const MAX_ATTEMPTS = 6;

type Change = Extract<AmendmentPlan, { readonly kind: 'change' }>;

const refused = (why: string): AmendmentEnd => ({ status: 'refused', what: `not changed: ${why}` });
const done = (what: string): AmendmentEnd => ({ status: 'done', what });

/**
 * Makes the change that a person asked for, if any. A failed change stays pending and is tried again. Nothing follows
 * the listing during the change, so every read is brief.
 */
export async function applyAmendment(run: ShipmentRun): Promise<void> {
  try {
    await makeAmendment(run);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || unverifiedOf(run) !== null) throw error;
    // The listing's watch asks whether the listing exists, and a change does not wait for that answer.
    if (statusOf(error) === 404 && run.amendment?.wasSent === false)
      endAmendment(run, refused(`listing ${listingIdOf(run)} cannot be read: ${run.why(error)}`));
    else if (mayBeReadLater(error)) putOff(run, run.why(error));
    else throw error;
  }
}

/** Other failures to get a price remain: a person must handle them. */
function mayBeReadLater(error: ActivityFailure): boolean {
  if (isAccountTrouble(error)) return false;
  return error.activityType === 'getListing' || error.retryState !== 'NON_RETRYABLE_FAILURE';
}

function endAmendment(run: ShipmentRun, end: AmendmentEnd): void {
  run.amendment = null;
  reportAmendment(run, end);
}

function putOff(run: ShipmentRun, why: string): void {
  const what = `listing ${listingIdOf(run)} is not changed yet: ${why}`;
  if (run.amendment !== null) run.amendment = { ...run.amendment, isPutOff: true };
  if (run.state.amendment?.what !== what) reportAmendment(run, { status: 'underWay', what });
}

async function makeAmendment(run: ShipmentRun): Promise<void> {
  const { amendment } = run;
  if (amendment === null) return;
  const { revision } = amendment;
  if (revision.shipment.kind !== 'furniture') throw new TypeError('this is no furniture order');
  // Also checks the record of a listing that only the order's own write named.
  await readAgain(run, BRIEFLY);
  const plan = planAmendment(furnitureOf(run), revision.shipment);
  const end = await amend(run, plan, { ...revision, shipment: revision.shipment });
  endAmendment(run, end);
  if (plan.kind === 'change') await readAgainIfReadable(run);
}

type FurnitureRevision = OrderRevision & { readonly shipment: FurnitureShipment };

async function amend(
  run: ShipmentRun,
  plan: AmendmentPlan,
  revision: FurnitureRevision,
): Promise<AmendmentEnd> {
  const listingId = listingIdOf(run);
  if (isBooked(run.state) && run.amendment?.wasSent !== true) return bookedBefore(listingId);
  if (hasEnded(run.state)) return refused(`listing ${listingId} is ${run.state.listing?.status ?? 'gone'}`);
  switch (plan.kind) {
    case 'nothing':
    case 'recordOnly': {
      const isLowered = plan.kind === 'recordOnly' && plan.fields.includes('priceLimit');
      const tooHigh = isLowered ? limitOf(run.state.fixedPrice, revision.shipment) : null;
      if (tooHigh !== null) return refused(tooHigh);
      run.replaceOrder(revision);
      const fields = plan.kind === 'nothing' ? ['policy'] : plan.fields;
      return done(`the order was changed (${fields.join(', ')}); listing ${listingId} stays as it is`);
    }
    case 'change':
      return await changeInPlace(run, plan, revision);
    case 'relist':
      return await listAnew(run, plan.fields, revision);
    default:
      return assertNever(plan);
  }
}

const bookedBefore = (listingId: string): AmendmentEnd =>
  refused(`a carrier booked listing ${listingId} before it was changed; it moves as ordered before`);

function limitOf(fixedPrice: FixedPrice | null, { priceLimit }: FurnitureShipment): string | null {
  if (fixedPrice === null || priceLimit === null || !isAbove(fixedPrice.total, priceLimit)) return null;
  const { total } = fixedPrice;
  return (
    `the price of ${formatMoney(total)} is above the limit of ${formatMoney(priceLimit)}. ` +
    `To approve it, raise \`priceLimit\` in the document and run \`${commandLines.revise()}\` again`
  );
}

/** Also for a booked listing: an earlier attempt may have changed it, and only its record says so. */
async function changeInPlace(
  run: ShipmentRun,
  plan: Change,
  revision: FurnitureRevision,
): Promise<AmendmentEnd> {
  const listingId = listingIdOf(run);
  const priced = plan.isPriced ? await priceOf(run, revision.shipment) : null;
  if (typeof priced === 'string') return refused(priced);
  const isNew = run.amendment?.wasSent !== true;
  const mustFit = isNew && (plan.isPriced || plan.fields.includes('priceLimit'));
  const tooHigh = mustFit ? limitOf(priced ?? run.state.fixedPrice, revision.shipment) : null;
  if (tooHigh !== null) return refused(tooHigh);
  const changes = completeChanges(run, plan, { shipment: revision.shipment, priced });
  const updated = await putUntilClear(run, listingId, changes);
  if (typeof updated !== 'string') return refused(updated.why);
  if (updated === 'absent') return refused(`the marketplace knows no listing ${listingId}`);
  if (updated === 'booked') return bookedBefore(listingId);
  if (updated === 'conflict') return refused(`somebody else keeps changing listing ${listingId}`);
  run.replaceOrder(revision);
  if (priced !== null) run.update({ fixedPrice: priced });
  const price = priced === null ? '' : `; fixed price ${formatMoney(priced.total)} for the customer`;
  return done(`listing ${listingId} was changed (${plan.fields.join(', ')})${price}`);
}

/** @returns the new document's price, or why the marketplace refuses to give one */
async function priceOf(run: ShipmentRun, shipment: FurnitureShipment): Promise<FixedPrice | string> {
  const { account } = run.input;
  const { amendment } = run;
  if (amendment === null) throw new TypeError('no change is under way');
  if (amendment.fixedPrice !== null) return amendment.fixedPrice;
  try {
    const { answer, addressTypes } = await run.unlessWithdrawn(
      async () =>
        await run.activities.reads.getFixedPrice.executeWithOptions(BRIEFLY, [
          { account, shipment, priceCorrelationId: null },
        ]),
    );
    noteAddressTypes(run, addressTypes);
    const fixedPrice = withKnownPremium(run, answer);
    if (fixedPrice === null)
      return 'the new price names no premium for the coverage; set premiumPath in the settings of the account';
    run.amendment = { ...amendment, fixedPrice };
    return fixedPrice;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || failureTypeOf(error) !== FailureType.Rejected) throw error;
    return run.why(error);
  }
}

/**
 * The coverage is unchanged, so a premium that a person stated stays valid. A change of the coverage would list the
 * order again.
 */
function withKnownPremium({ state }: ShipmentRun, answer: FixedPriceAnswer): FixedPrice | null {
  if (answer.premium !== 'unknown') return answer;
  const premium = state.fixedPrice?.premium ?? null;
  return premium === null ? null : withPremium(answer, premium);
}

function completeChanges(
  { state }: ShipmentRun,
  { changes, hasReferences }: Change,
  { shipment, priced }: { readonly shipment: FurnitureShipment; readonly priced: FixedPrice | null },
): ListingChanges {
  const { priceCorrelationId = null } = priced ?? state.fixedPrice ?? {};
  const sendId = state.listing === null ? null : sendIdOf(state.listing);
  return {
    ...changes,
    ...(priced !== null && { listPrice: priced.listPrice }),
    ...(hasReferences && { references: listingReferences(shipment, { priceCorrelationId, sendId }) }),
  };
}

/**
 * Sends the change until its outcome is clear. After a conflict it uses the checksum of a new reading. After a lost
 * answer it keeps the old checksum, which is stale if the first attempt changed the listing.
 * @throws ApplicationFailure while it is unknown whether the listing was changed
 */
async function putUntilClear(
  run: ShipmentRun,
  listingId: string,
  changes: ListingChanges,
): Promise<UpdatedListing | { readonly why: string }> {
  const { account, policy } = run.input;
  if (run.amendment !== null) run.amendment = { ...run.amendment, wasSent: true };
  for (let attempt = 1; ; attempt += 1) {
    const checksum = run.state.listing?.checksum ?? null;
    const update = { listingId, checksum, changes };
    const proof = proofOf(run.state, listingId);
    const outcome = await send(run, 'changing the listing', {
      write: async () => await run.activities.writes.updateListing({ account, update, proof }),
    });
    if (outcome.kind === 'rejected') return { why: outcome.reason };
    if (outcome.kind === 'done' && outcome.value !== 'conflict') return outcome.value;
    if (attempt === MAX_ATTEMPTS && outcome.kind === 'done') return outcome.value;
    if (attempt === MAX_ATTEMPTS) throw unclear(listingId);
    const why = outcome.kind === 'done' ? 'met another change' : 'got no clear answer';
    run.addTimeline(`changing listing ${listingId} ${why}; it is tried again`);
    await sleep(delayAfter(policy.notSentPace, attempt - 1), { summary: 'until the change is tried again' });
    if (outcome.kind === 'done') await readAgain(run, BRIEFLY);
  }
}

const unclear = (listingId: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(
    `it is unknown whether listing ${listingId} was changed`,
    FailureType.UnexpectedResponse,
  );

/** The old listing must be proven gone first: two open listings could bring two trucks. */
async function listAnew(
  run: ShipmentRun,
  fields: readonly string[],
  revision: FurnitureRevision,
): Promise<AmendmentEnd> {
  const listingId = listingIdOf(run);
  const end = await removeFromMarket(run, listingId, BRIEFLY);
  if (end.kind !== 'gone') {
    await readAgain(run, BRIEFLY);
    return isBooked(run.state) ? bookedBefore(listingId) : refused(`listing ${listingId}: ${end.why}`);
  }
  run.state = leaveListing(run.state, listingId);
  run.revise(revision);
  return done(`listing ${listingId} was taken down; the order is listed anew (${fields.join(', ')})`);
}
