import { sleep } from '@temporalio/workflow';
import { boundedRate } from '../../domain/bounded-record';
import { keepRates } from '../../domain/bounded-state';
import { causesText, emptyRateCauses } from '../../domain/empty-rates';
import { leftOutText } from '../../domain/left-out';
import { formatMoney } from '../../domain/money';
import { agreePrice, priceObjections } from '../../domain/price-objections';
import type { LtlRate } from '../../domain/rate';
import { chooseRate, currencyTrouble, selectRate, type RateDecision } from '../../domain/rate-choice';
import type { In, RateRequest } from '../../domain/shipment-state';
import { countUnknownOfRates } from '../../domain/unknown-values';
import { ask } from '../asking/ask';
import { noteAddressTypes } from '../run/note-address-types';
import { keepPickup } from './keep-pickup';
import { pauseUnlessBooked } from './payment-method';
import { isToBePicked, pickPaymentMethod } from './payment-method';
import { readRates } from './read-rates';
import { ltlOf, type ShipmentRun } from '../run/shipment-run';

const RULE: Record<RateDecision['rule'], string> = {
  cheapest: 'the cheapest that fits',
  fastest: 'the fastest that fits',
  bestRated: 'the best rated that fits',
  person: 'selected by a person',
};

/** Requests rates, waits until they are complete, and chooses one by the policy or by a person. */
export async function collectRates(run: ShipmentRun, { request }: In<'collectingRates'>): Promise<void> {
  if (request === null) await requestRates(run);
  else await chooseRateOf(run, request);
}

async function requestRates(run: ShipmentRun): Promise<void> {
  if (isToBePicked(run) && (await pickPaymentMethod(run)) === null) return;
  const { maximumRequests } = run.input.policy.rates;
  if (run.state.rateRequests >= maximumRequests) {
    const text =
      `Rates were asked for ${maximumRequests} times, and none could be taken: they were over, withdrawn, or not to be ` +
      'read. Ask again with retry, revise the order, or cancel it.';
    await ask(run, { kind: 'noRates', text, answers: ['retry', 'revise', 'cancel'] });
    run.update({ rateRequests: 0 });
  }
  if ((await keepPickup(run, run.input.policy.pickup.cutOffHour)) === 'moved') return;
  const attempt = run.state.sends + 1;
  run.update({ sends: attempt, rateRequests: run.state.rateRequests + 1 });
  const { account } = run.input;
  const shipment = ltlOf(run);
  const { rateRequestId, addressTypes } = await run.unlessWithdrawn(
    async () => await run.activities.reads.createRateRequest({ account, shipment, attempt }),
  );
  noteAddressTypes(run, addressTypes);
  const request = { rateRequestId, attempt, requestedAt: run.now() };
  run.enter({ phase: 'collectingRates', request }, 'rates requested');
}

async function chooseRateOf(run: ShipmentRun, request: RateRequest): Promise<void> {
  const read = await readRates(run, request);
  if (read.kind === 'unreadable') {
    askAnew(run, read.why);
    // Continues once the account is fixed.
    if (read.trouble !== null) throw read.trouble;
    // A rate request's record can appear later than the answer that named it.
    const { initialMs } = run.input.policy.rates.pace;
    await run.unlessWithdrawn(() => sleep(initialMs, { summary: 'until rates are asked for anew' }));
    return;
  }
  const rates = read.rates.map(boundedRate);
  const { most } = read;
  const unread = leftOutText(read.leftOut);
  if (unread !== null) run.addTimeline(`of the rates ${unread}`);
  const { policy } = run.input;
  const { excludedRateIds } = run.state;
  const { expiryMarginMs } = policy.rates;
  const choice = { rates, rule: policy.rateRule, excludedRateIds, expiryMarginMs, now: run.now() };
  const decision = chooseRate(choice);
  // Carriers may withdraw a rate before it expires.
  const withdrawn = rates.length === 0 && unread === null ? Math.max(most, run.state.rates.length) : 0;
  const isGone = withdrawn > 0;
  run.state = countUnknownOfRates(keepRates(run.state, rates, decision), rates, run.now());
  const isExpired = isGone || decision.losses.some((loss) => loss.isExpired);
  const trouble = currencyTrouble(choice);
  if (decision.chosen !== null) await take(run, request, { rate: decision.chosen, rule: decision.rule });
  else if (isExpired && run.state.rateRequests < policy.rates.maximumRequests)
    askAnew(run, isGone ? 'the rates were withdrawn' : 'rates expired');
  else if (rates.length === 0) await askWithoutRates(run, request, { withdrawn, unread });
  else if (trouble !== null) await askAnewOnceMended(run, `LTL: ${trouble}`);
  else await askForChoice(run, request, rates);
}

export function askAnew(run: ShipmentRun, why: string): void {
  if (run.state.rates.length > 0) run.update({ rates: [] });
  run.enter({ phase: 'collectingRates', request: null }, `${why}; asks for rates again`);
}

async function askAnewOnceMended(run: ShipmentRun, trouble: string): Promise<void> {
  await pauseUnlessBooked(run, trouble);
  askAnew(run, 'the pause is over');
}

/** A person decided, so the count of requests without a decision starts again. */
function askAnewByPerson(run: ShipmentRun): void {
  run.update({ rateRequests: 0 });
  askAnew(run, 'by a person');
}

interface Agreement {
  readonly request: RateRequest;
  readonly rate: LtlRate;
  /** A person selected or approved it. */
  readonly isByPerson: boolean;
}

function agreeOn(run: ShipmentRun, { request, rate, isByPerson }: Agreement): void {
  const { agreedPrice: before } = run.state;
  const taken = { price: rate.totalPrice, rateRequestId: request.rateRequestId };
  const agreedPrice = agreePrice(before, taken, isByPerson);
  run.update({
    agreedPrice,
    // A person may choose a rate that failed before.
    excludedRateIds: run.state.excludedRateIds.filter((rateId) => rateId !== rate.rateId),
  });
}

interface Choice {
  readonly rate: LtlRate;
  readonly rule: RateDecision['rule'];
}

/** Accepts the rate, after a person's approval if its price needs one. */
async function take(run: ShipmentRun, request: RateRequest, { rate, rule }: Choice): Promise<void> {
  // A person who selects a rate has seen its price.
  const isSelected = rule === 'person';
  const price = formatMoney(rate.totalPrice);
  const objections = priceObjections({
    price: rate.totalPrice,
    isSelected,
    priceLimit: run.input.shipment.priceLimit,
    driftPercent: run.input.policy.rates.driftPercent,
    rateRequestId: request.rateRequestId,
    agreedPrice: run.state.agreedPrice,
  });
  if (objections.length > 0) {
    const text =
      `${rate.carrier.displayName} asks ${price}, ${objections.join(', and ')}. ` +
      'Approve it, or ask for rates again with retry.';
    const answer = await ask(run, {
      kind: 'priceApproval',
      text,
      offer: { price: rate.totalPrice, rateId: rate.rateId },
      answers: ['approve', 'retry', 'revise', 'cancel'],
    });
    if (answer.kind !== 'approve') {
      askAnewByPerson(run);
      return;
    }
  }
  agreeOn(run, { request, rate, isByPerson: isSelected || objections.length > 0 });
  const text = `${rate.carrier.displayName} chosen at ${price} (${RULE[rule]}; ${run.state.rates.length - 1} other rates)`;
  run.enter({ phase: 'accepting', request, rate, pending: null, doubt: null, isResent: false }, text);
}

/** The marketplace gives no reason for an empty list, so the question lists what the order itself shows. */
interface WithoutRates {
  /** How many rates there were. */
  readonly withdrawn: number;
  /** Why rates in the answer could not be read. */
  readonly unread: string | null;
}

async function askWithoutRates(
  run: ShipmentRun,
  request: RateRequest,
  { withdrawn, unread }: WithoutRates,
): Promise<void> {
  const { policy } = run.input;
  const context = { requestedAt: request.requestedAt, closedDays: policy.pickup.closedDays };
  const why =
    unread !== null
      ? `Carriers offered rates, and Consign cannot read them: ${unread}.`
      : withdrawn > 0
        ? `Carriers withdrew every rate before one could be accepted (${withdrawn} in all).`
        : `No carrier offered a rate, and the marketplace gives no reason. ${causesText(emptyRateCauses(ltlOf(run), context), policy.rates.maximumWaitMs)}`;
  const text = `${why} Ask again with retry, revise the order, or cancel it.`;
  await ask(run, { kind: 'noRates', text, answers: ['retry', 'revise', 'cancel'] });
  askAnewByPerson(run);
}

async function askForChoice(
  run: ShipmentRun,
  request: RateRequest,
  rates: readonly LtlRate[],
): Promise<void> {
  const { lastRefusal, rateDecision } = run.state;
  const losses = rateDecision?.losses ?? [];
  const list = losses
    .slice(0, 10)
    .map(({ rateId, carrier, price, why }) => `${rateId}: ${carrier}, ${price}, ${why}`)
    .join('; ');
  const tried = lastRefusal === null ? '' : `The last one that was tried: ${lastRefusal}. `;
  const text = `No rate fits the policy. Select one, or ask for new ones with retry. ${tried}${list}`;
  const answer = await ask(run, {
    kind: 'rateChoice',
    text,
    answers: ['selectRate', 'retry', 'revise', 'cancel'],
  });
  if (answer.kind !== 'selectRate') {
    askAnewByPerson(run);
    return;
  }
  const rate = rates.find(({ rateId }) => rateId === answer.rateId);
  if (rate === undefined) {
    // A new run has read the rates again since.
    run.addTimeline(`rate ${answer.rateId} was taken back`);
    return;
  }
  const selected = selectRate(losses, rate, run.now());
  run.update({ rateRequests: 0, rateDecision: selected });
  agreeOn(run, { request, rate, isByPerson: true });
  await take(run, request, { rate, rule: selected.rule });
}
