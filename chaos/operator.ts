import type { Answer, Question, QuestionKind } from '../src/domain/question';
import type { LtlRate } from '../src/domain/rate';
import type { LedgerListing, OrderLedger } from '../sandbox';
import { hashText } from '../sandbox/model/random';

/** What the scripted person knows about an order when answering. */
export interface Desk {
  readonly question: Question;
  readonly kind: 'furniture' | 'ltl';
  readonly rates: readonly LtlRate[];
  /** The listing that the shipment follows. */
  readonly followed: string | null;
  /** What the marketplace's website shows for the order's reference. */
  readonly website: Pick<OrderLedger, 'listings' | 'acceptances'>;
  /** Decides when a person could answer either way. */
  readonly seed: string;
  readonly now: Date;
}

/** The script never changes an order. */
type ScriptedAnswer = Exclude<Answer, { kind: 'revise' }>;

export type Move =
  | {
      readonly kind: 'answer';
      readonly answer: ScriptedAnswer;
      /** What was looked up; null: nothing that the answer needs. */
      readonly checked: string | null;
    }
  /** Cancels a booking on the marketplace's website, and answers later. */
  | { readonly kind: 'cancelBooking'; readonly listingId: string }
  /** Asks the marketplace to withdraw an acceptance that no carrier answers, and answers later. */
  | { readonly kind: 'withdrawAcceptance'; readonly executionId: string }
  | { readonly kind: 'wait' };

/** The wait before saying that nothing exists: the website does not show a request that is still in progress. */
const LOOK_TWICE_MS = 3_000;
/** The wait after a listing ended, because it may be on the market again a moment later. */
const LIVES_AGAIN_MS = 1_200;
const WAIT = { kind: 'wait' } as const;
function answer(given: ScriptedAnswer, checked: string | null = null): Move {
  return { kind: 'answer', answer: given, checked };
}
const retry = (checked?: string): Move => answer({ kind: 'retry' }, checked);
const adopt = ({ listingId }: LedgerListing, checked?: string): Move =>
  answer({ kind: 'adopt', listingId: String(listingId) }, checked);
const cancel = ({ listingId }: LedgerListing) =>
  ({ kind: 'cancelBooking', listingId: String(listingId) }) as const;

/** Answers a question like a person who has the marketplace's website open. Pure. */
export function decide(desk: Desk): Move {
  const move = DECISIONS[desk.question.kind](desk);
  return move.kind === 'answer' && isGone(desk) ? { ...move, checked: 'it is not on the website' } : move;
}

/** Whether the website shows that none of the listings that the question names exists any more. */
function isGone({ question, website }: Desk): boolean {
  const named = website.listings.filter(({ listingId }) => question.listingIds.includes(String(listingId)));
  return named.length > 0 && named.every(({ isDeleted }) => isDeleted);
}

/** What a person does about a listing of an ended order before acknowledging it. Pure. */
export function decideLate(listingId: string | null, { listings }: Pick<OrderLedger, 'listings'>) {
  const listing = listings.find((one) => String(one.listingId) === listingId);
  if (listing === undefined) return null;
  // A carrier is deciding about it: the result will show in a moment.
  if (listing.hasPendingBookingRequest) return WAIT;
  return isOpen(listing) || (listing.isLiveBooking && !hasArrived(listing)) ? cancel(listing) : null;
}

/** The same question of the same order always gets the same answer. */
const isDrawn = ({ seed, question }: Desk, share: number): boolean =>
  hashText(`${seed}/${question.id}`) % 1_000 < share * 1_000;

/** On the market: a carrier could take it. */
const isOpen = ({ status, isDeleted }: LedgerListing): boolean => status === 'Active' && !isDeleted;
/** A delivered booking can no longer be cancelled. */
const hasArrived = ({ transitStatus }: LedgerListing): boolean => transitStatus === 'Delivered';

/** The bookings that the website shows; last the one of the acceptance that was sent last. */
export function liveBookings({ listings, acceptances }: Desk['website']): readonly LedgerListing[] {
  const sent = acceptances.map(({ listingId }) => listingId);
  return listings
    .filter(({ isLiveBooking }) => isLiveBooking)
    .toSorted((one, other) => sent.lastIndexOf(one.listingId) - sent.lastIndexOf(other.listingId));
}

function settleDoubt(desk: Desk): Move {
  const { question, kind, website, now } = desk;
  const live = liveBookings(website);
  const withdrawal = withdrawPending(desk);
  const kept = live.findLast(hasArrived) ?? live.at(-1);
  if (kept !== undefined) {
    const surplus = cancelSurplus({ website, followed: String(kept.listingId) });
    const checked = live.length === 1 ? 'there is no other booking' : 'the others are delivered too';
    // The booking is of an earlier acceptance: the one that still waits could book a second truck.
    return withdrawal ?? surplus ?? adopt(kept, checked);
  }
  const open = website.listings.filter((one) => isOpen(one) && one.createdBy !== 'hand');
  // A carrier is deciding about it: wait for its answer.
  if (open.some(({ hasPendingBookingRequest }) => hasPendingBookingRequest)) return WAIT;
  // A furniture listing on the market is the one that was sent. An LTL one is left from a failed acceptance: remove it.
  const [first, ...others] = open;
  if (first !== undefined) return others.length === 0 && kind === 'furniture' ? adopt(first) : cancel(first);
  const emptyFrom = Date.parse(question.since) + LOOK_TWICE_MS;
  const resendFrom = question.resendFrom === undefined ? 0 : Date.parse(question.resendFrom);
  if (now.getTime() < Math.max(emptyFrom, resendFrom)) return WAIT;
  // The carrier never answered: while that acceptance is open, nobody may accept another rate or give the order up.
  return withdrawal ?? answer({ kind: isDrawn(desk, 0.85) ? 'resend' : 'abandon' });
}

/** Withdraws what a carrier is still considering. @returns null when there is nothing */
function withdrawPending({ website }: Desk): Move | null {
  const pending = website.acceptances.find(({ outcome }) => outcome === 'pending');
  return pending === undefined ? null : { kind: 'withdrawAcceptance', executionId: pending.executionId };
}

/** Cancels a booking beside the one that is kept: the delivered one, else the followed one. */
function cancelSurplus({ website, followed }: Pick<Desk, 'website' | 'followed'>): Move | null {
  const live = liveBookings(website);
  // Another truck that is still on its way is the second one.
  const arrived = live.find(hasArrived);
  const kept = arrived === undefined ? followed : String(arrived.listingId);
  const surplus = live.find((one) => String(one.listingId) !== kept && !hasArrived(one));
  return live.length < 2 || surplus === undefined ? null : cancel(surplus);
}

function sayHowItEnds(desk: Desk): Move {
  const { question, now } = desk;
  if (now.getTime() < Date.parse(question.since) + LIVES_AGAIN_MS) return WAIT;
  return answer({ kind: isDrawn(desk, 0.8) ? 'rebook' : 'close' });
}

function keepOne(desk: Desk): Move {
  const [only, ...others] = liveBookings(desk.website);
  // Several delivered trucks cannot be undone: the shipment then reports it, and asks no more.
  return cancelSurplus(desk) ?? (only === undefined || others.length > 0 ? retry() : adopt(only));
}

function chooseRate({ rates, question, now }: Desk): Move {
  const rate = rates.find(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  return question.answers.includes('selectRate') && rate !== undefined
    ? answer({ kind: 'selectRate', rateId: rate.rateId })
    : retry();
}

const DECISIONS: Readonly<Record<QuestionKind, (desk: Desk) => Move>> = {
  inDoubt: settleDoubt,
  possibleDoubleBooking: keepOne,
  premiumUnknown: () => answer({ kind: 'premium', premiumMinorUnits: 4_850 }),
  priceApproval: () => answer({ kind: 'approve' }),
  priceChanged: () => answer({ kind: 'approve' }),
  rateChoice: chooseRate,
  listingEnded: sayHowItEnds,
  pickupPassed: () => answer({ kind: 'postpone' }),
  // The order looks again by itself.
  stillConsidered: (desk) => withdrawPending(desk) ?? WAIT,
  unansweredAcceptance: (desk) =>
    withdrawPending(desk) ?? cancelSurplus(desk) ?? retry('no other truck comes'),
  unexpectedFailure: () => retry(),
  noRates: () => retry(),
  paymentMethod: () => retry(),
  listingMissing: () => retry(),
  late: () => retry(),
};
