import { blockedBecause } from './blocked';
import { candidateOf } from './candidates';
import { commandLines } from './command-lines';
import type { Answer, AnswerGiven, OrderRevision } from './question';
import { isPickedUp, whenPickedUp } from './picked-up';
import { isOver } from './rate-choice';
import type { ShipmentPolicy } from './policy';
import type { IsoInstant } from './shipment';
import { followedListing, type ShipmentState } from './shipment-state';

/** The time of the answer, and what it is compared with. */
interface Moment {
  readonly now: IsoInstant;
  readonly policy: Pick<ShipmentPolicy, 'acceptance' | 'rates' | 'unsafeResendInDoubt'>;
}

/**
 * Why an answer cannot be accepted; null when it can. Synchronous and without side effects, because an update
 * validator calls it.
 */
export function refuseAnswer(state: ShipmentState, given: AnswerGiven, at: Moment): string | null {
  const { question } = state;
  if (given.by.trim() === '') return 'say who answers: `by` must not be empty';
  if (given.reason.trim() === '') return 'say why: `reason` must not be empty';
  if (given.checked?.trim() === '') return 'say what you checked: `checked` must not be empty';
  if (question === null) return 'no question is open; it may have been answered or closed already';
  if (question.id !== given.questionId) {
    return `the open question is ${question.id}, not ${given.questionId}; read it again before answering`;
  }
  if (!question.answers.includes(given.answer.kind)) {
    return `question ${question.id} cannot be answered with ${given.answer.kind}; possible: ${question.answers.join(', ')}`;
  }
  return refuseUnchecked(state, given) ?? refuseContent(state, given.answer, at);
}

/** A second truck, or an order closed despite a booking, needs more than a click. */
function refuseUnchecked(state: ShipmentState, { answer, checked }: AnswerGiven): string | null {
  if (checked !== null || (answer.kind !== 'rebook' && answer.kind !== 'close')) return null;
  const listingId = followedListing(state);
  const again = `\`${commandLines.answer(state, { answer: answer.kind, isChecked: true })}\``;
  if (listingId !== null && candidateOf(state, listingId).gone === 'perhaps')
    return `listing ${listingId} cannot be read, and may be booked. Look it up at the marketplace, then run ${again}`;
  if (answer.kind === 'rebook' && isPickedUp(state))
    return `${whenPickedUp(state)}: the goods are on a truck, or delivered. Find out where they are, then run ${again}`;
  return null;
}

function refuseContent(state: ShipmentState, answer: Answer, at: Moment): string | null {
  switch (answer.kind) {
    case 'selectRate':
      return refuseRate(state, answer.rateId, at);
    case 'revise':
      return refuseRevision(state, answer);
    case 'premium':
      return refusePremium(answer.premiumMinorUnits);
    case 'resend':
    case 'abandon':
      return refuseAgain(state, at);
    default:
      return null;
  }
}

/** Other obstacles are checked after the answer: one of them may be a booking that nobody knows of yet. */
function refuseAgain(state: ShipmentState, at: Moment): string | null {
  const blocking = blockedBecause(state, 'resend', at);
  return blocking?.by === 'doubt' ? blocking.why : null;
}

/**
 * An id of another request, or of an expired rate, would book something other than the person saw, or nothing. A rate
 * that expires soon would be dropped right before its acceptance.
 */
function refuseRate({ rates }: ShipmentState, rateId: string, at: Moment): string | null {
  const rate = rates.find((known) => known.rateId === rateId);
  if (rate === undefined) {
    return `rate ${rateId} is not among those at hand: ${rates.map((known) => known.rateId).join(', ')}`;
  }
  const { expiryMarginMs } = at.policy.rates;
  if (!isOver(rate, { now: at.now, expiryMarginMs })) return null;
  return Date.parse(rate.expiresAt) <= Date.parse(at.now)
    ? `rate ${rateId} expired at ${rate.expiresAt}; ask for new ones with retry`
    : `rate ${rateId} expires too soon to be taken (${rate.expiresAt}); ask for new ones with retry`;
}

/** Coverage is never free: with 0 the customer would be promised coverage that nobody pays for. */
function refusePremium(minorUnits: number): string | null {
  return Number.isSafeInteger(minorUnits) && minorUnits > 0
    ? null
    : 'the premium must be an amount above 0, such as 48.50; to ship without coverage, revise the order';
}

function refuseRevision(state: ShipmentState, { shipment }: OrderRevision): string | null {
  const { account, orderId, kind } = shipment;
  if (account !== state.account || orderId !== state.orderId) {
    return `this is order ${state.account}/${state.orderId}, the document is of ${account}/${orderId}`;
  }
  return kind === state.kind ? null : `this is a ${state.kind} order, the document is of ${kind}`;
}
