import type { Answer, Question, QuestionKind } from '../src/domain/question';
import type { LtlRate } from '../src/domain/rate';
import type { OrderLedger } from '../sandbox';
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
const answer = (given: ScriptedAnswer): Move => ({ kind: 'answer', answer: given, checked: null });

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
export function decideLate(
  listingId: string | null,
  { listings }: Pick<OrderLedger, 'listings'>,
): Extract<Move, { kind: 'cancelBooking' | 'wait' }> | null {
  const listing = listings.find((one) => String(one.listingId) === listingId);
  if (listingId === null || listing === undefined) return null;
  // A carrier is deciding about it: the result will show in a moment.
  if (listing.hasPendingBookingRequest) return WAIT;
  const { status, isDeleted, isLiveBooking, transitStatus } = listing;
  const mayBeFetched =
    (status === 'Active' && !isDeleted) || (isLiveBooking && transitStatus !== 'Delivered');
  return mayBeFetched ? { kind: 'cancelBooking', listingId } : null;
}

/** The same question of the same order always gets the same answer. */
const isDrawn = ({ seed, question }: Desk, share: number): boolean =>
  hashText(`${seed}/${question.id}`) % 1_000 < share * 1_000;

type Listing = OrderLedger['listings'][number];

/** A delivered booking can no longer be cancelled. */
const hasArrived = ({ transitStatus }: Listing): boolean => transitStatus === 'Delivered';

/** The bookings that the website shows; last the one of the acceptance that was sent last. */
export function liveBookings({ listings, acceptances }: Desk['website']): readonly Listing[] {
  const sent = acceptances.map(({ listingId }) => listingId);
  return listings
    .filter(({ isLiveBooking }) => isLiveBooking)
    .toSorted((one, other) => sent.lastIndexOf(one.listingId) - sent.lastIndexOf(other.listingId));
}

function settleDoubt(desk: Desk): Move {
  const { question, kind, website, now } = desk;
  const live = liveBookings(website);
  const pending = website.acceptances.find(({ outcome }) => outcome === 'pending');
  const kept = live.findLast(hasArrived) ?? live.at(-1);
  if (kept !== undefined) {
    // The booking is of an earlier acceptance: the one that still waits could book a second truck.
    if (pending !== undefined) return { kind: 'withdrawAcceptance', executionId: pending.executionId };
    const surplus = live.find((one) => one !== kept && !hasArrived(one));
    return surplus === undefined
      ? {
          ...{ kind: 'answer', answer: { kind: 'adopt', listingId: String(kept.listingId) } },
          checked: live.length === 1 ? 'there is no other booking' : 'the others are delivered too',
        }
      : { kind: 'cancelBooking', listingId: String(surplus.listingId) };
  }
  const open = website.listings.filter(
    ({ status, isDeleted, createdBy }) => status === 'Active' && !isDeleted && createdBy !== 'hand',
  );
  // A carrier is deciding about it: wait for its answer.
  if (open.some(({ hasPendingBookingRequest }) => hasPendingBookingRequest)) return WAIT;
  // A furniture listing on the market is the one that was sent. An LTL one is left from a failed acceptance: remove it.
  const [first, ...others] = open;
  if (first !== undefined && others.length === 0 && kind === 'furniture')
    return answer({ kind: 'adopt', listingId: String(first.listingId) });
  if (first !== undefined) return { kind: 'cancelBooking', listingId: String(first.listingId) };
  const emptyFrom = Date.parse(question.since) + LOOK_TWICE_MS;
  const resendFrom = question.resendFrom === undefined ? 0 : Date.parse(question.resendFrom);
  if (now.getTime() < Math.max(emptyFrom, resendFrom)) return WAIT;
  // The carrier never answered: while that acceptance is open, nobody may accept another rate or give the order up.
  if (pending !== undefined) return { kind: 'withdrawAcceptance', executionId: pending.executionId };
  return answer({ kind: isDrawn(desk, 0.85) ? 'resend' : 'abandon' });
}

/** Withdraws what a carrier is still considering; the order looks again by itself. */
function takeBack({ website }: Desk): Move {
  const pending = website.acceptances.find(({ outcome }) => outcome === 'pending');
  return pending === undefined ? WAIT : { kind: 'withdrawAcceptance', executionId: pending.executionId };
}

/** Leaves one truck: what is still open is taken back, and bookings beside the followed one are cancelled. */
function leaveOneTruck(desk: Desk): Move {
  const move = takeBack(desk);
  if (move.kind !== 'wait') return move;
  const surplus = surplusOf(desk);
  return surplus === undefined
    ? { kind: 'answer', answer: { kind: 'retry' }, checked: 'no other truck comes' }
    : { kind: 'cancelBooking', listingId: String(surplus.listingId) };
}

/** A live booking beside the one that is kept: the delivered one, else the followed one. */
function surplusOf({ website, followed }: Desk): Listing | undefined {
  const live = liveBookings(website);
  // Another truck that is still on its way is the second one.
  const arrived = live.find(hasArrived);
  const kept = arrived === undefined ? followed : String(arrived.listingId);
  return live.length < 2 ? undefined : live.find((one) => String(one.listingId) !== kept && !hasArrived(one));
}

function sayHowItEnds(desk: Desk): Move {
  const { question, now } = desk;
  if (now.getTime() < Date.parse(question.since) + LIVES_AGAIN_MS) return WAIT;
  return answer({ kind: isDrawn(desk, 0.8) ? 'rebook' : 'close' });
}

function keepOne(desk: Desk): Move {
  const surplus = surplusOf(desk);
  if (surplus !== undefined) return { kind: 'cancelBooking', listingId: String(surplus.listingId) };
  const live = liveBookings(desk.website);
  const [only] = live;
  // Several delivered trucks cannot be undone: the shipment then reports it, and asks no more.
  return answer(
    live.length === 1 && only !== undefined
      ? { kind: 'adopt', listingId: String(only.listingId) }
      : { kind: 'retry' },
  );
}

function chooseRate({ rates, question, now }: Desk): Move {
  const rate = rates.find(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  return question.answers.includes('selectRate') && rate !== undefined
    ? answer({ kind: 'selectRate', rateId: rate.rateId })
    : answer({ kind: 'retry' });
}

const retry = (): Move => answer({ kind: 'retry' });
const DECISIONS: Readonly<Record<QuestionKind, (desk: Desk) => Move>> = {
  inDoubt: settleDoubt,
  possibleDoubleBooking: keepOne,
  premiumUnknown: () => answer({ kind: 'premium', premiumMinorUnits: 4_850 }),
  priceApproval: () => answer({ kind: 'approve' }),
  priceChanged: () => answer({ kind: 'approve' }),
  rateChoice: chooseRate,
  listingEnded: sayHowItEnds,
  pickupPassed: () => answer({ kind: 'postpone' }),
  stillConsidered: takeBack,
  unansweredAcceptance: leaveOneTruck,
  unexpectedFailure: retry,
  noRates: retry,
  paymentMethod: retry,
  listingMissing: retry,
  late: retry,
};
