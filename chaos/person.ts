import { assertNever } from '../src/domain/assert-never';
import type { Answer, Question } from '../src/domain/question';
import type { LtlRate } from '../src/domain/rate';
import type { OrderLedger } from '../sandbox';
import { hashText } from '../sandbox/random';

/** What the person at the desk knows of an order when answering. */
export interface Desk {
  readonly question: Question;
  readonly kind: 'furniture' | 'ltl';
  readonly rates: readonly LtlRate[];
  /** The listing that the shipment follows. */
  readonly followed: string | null;
  /** What the marketplace's website shows for the order's reference. */
  readonly website: Pick<OrderLedger, 'listings' | 'acceptances'>;
  /** Decides where a person may go either way. */
  readonly seed: string;
  readonly now: Date;
}

export type Move =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** What was looked up; null: nothing that the answer needs. */
      readonly checked: string | null;
    }
  /** Cancels a booking on the marketplace's website, and answers later. */
  | { readonly kind: 'cancelBooking'; readonly listingId: string }
  /** Has the marketplace take back an acceptance that no carrier answers, and answers later. */
  | { readonly kind: 'withdrawAcceptance'; readonly executionId: string }
  | { readonly kind: 'wait' };

/** Before saying that nothing exists: a request that is still under way would not be on the website yet. */
const LOOK_TWICE_MS = 3_000;
/** A listing that ended may be on the market again a moment later. */
const LIVES_AGAIN_MS = 1_200;
const WAIT = { kind: 'wait' } as const;
const answer = (given: Answer): Move => ({ kind: 'answer', answer: given, checked: null });

/** Answers a question as a person does who has the marketplace's website open. Pure. */
export function decide(desk: Desk): Move {
  const move = decideByKind(desk);
  return move.kind === 'answer' && isGone(desk) ? { ...move, checked: 'it is not on the website' } : move;
}

/** Whether the website shows that none of the listings that the question names exists any more. */
function isGone({ question, website }: Desk): boolean {
  const named = website.listings.filter(({ listingId }) => question.listingIds.includes(String(listingId)));
  return named.length > 0 && named.every(({ isDeleted }) => isDeleted);
}

function decideByKind(desk: Desk): Move {
  const { kind } = desk.question;
  switch (kind) {
    case 'inDoubt':
      return settleDoubt(desk);
    case 'possibleDoubleBooking':
      return keepOne(desk);
    case 'premiumUnknown':
      return answer({ kind: 'premium', premiumMinorUnits: 4_850 });
    case 'priceApproval':
      return answer({ kind: 'approve' });
    case 'rateChoice':
      return chooseRate(desk);
    case 'listingEnded':
      return sayHowItEnds(desk);
    case 'pickupPassed':
      return answer({ kind: 'postpone' });
    case 'stillConsidered':
      return takeBack(desk);
    case 'unexpectedFailure':
    case 'noRates':
    case 'paymentMethod':
    case 'listingMissing':
      return answer({ kind: 'retry' });
    default:
      return assertNever(kind);
  }
}

/** What a person does about a listing of an order that is over, before acknowledging it. Pure. */
export function decideLate(
  listingId: string | null,
  { listings }: Pick<OrderLedger, 'listings'>,
): Extract<Move, { kind: 'cancelBooking' | 'wait' }> | null {
  const listing = listings.find((one) => String(one.listingId) === listingId);
  if (listingId === null || listing === undefined) return null;
  // What a carrier is thinking about shows in a moment what it is.
  if (listing.hasPendingBookingRequest) return WAIT;
  const { status, isDeleted, isLiveBooking, transitStatus } = listing;
  const mayBeFetched =
    (status === 'Active' && !isDeleted) || (isLiveBooking && transitStatus !== 'Delivered');
  return mayBeFetched ? { kind: 'cancelBooking', listingId } : null;
}

/** The same question of the same order is always drawn the same way. */
const isDrawn = ({ seed, question }: Desk, share: number): boolean =>
  hashText(`${seed}/${question.id}`) % 1_000 < share * 1_000;

function settleDoubt(desk: Desk): Move {
  const { question, kind, website, now } = desk;
  const [live] = website.listings.filter(({ isLiveBooking }) => isLiveBooking);
  if (live !== undefined) return answer({ kind: 'adopt', listingId: String(live.listingId) });
  const open = website.listings.filter(
    ({ status, isDeleted, createdBy }) => status === 'Active' && !isDeleted && createdBy !== 'hand',
  );
  // A carrier is thinking about it: what it says decides.
  if (open.some(({ hasPendingBookingRequest }) => hasPendingBookingRequest)) return WAIT;
  // A furniture listing on the market is the one that was sent; an LTL one is what a failed acceptance left, and goes.
  const [first] = open;
  if (first !== undefined && kind === 'furniture')
    return answer({ kind: 'adopt', listingId: String(first.listingId) });
  if (first !== undefined) return { kind: 'cancelBooking', listingId: String(first.listingId) };
  const emptyFrom = Date.parse(question.since) + LOOK_TWICE_MS;
  const resendFrom = question.resendFrom === undefined ? 0 : Date.parse(question.resendFrom);
  if (now.getTime() < Math.max(emptyFrom, resendFrom)) return WAIT;
  // The carrier never answered: nobody may take another, or give the order up, while that acceptance stands.
  const pending = website.acceptances.find(({ outcome }) => outcome === 'pending');
  if (pending !== undefined) return { kind: 'withdrawAcceptance', executionId: pending.executionId };
  return answer({ kind: isDrawn(desk, 0.85) ? 'resend' : 'abandon' });
}

/** What a carrier still considers is taken back; the order looks again by itself. */
function takeBack({ website }: Desk): Move {
  const pending = website.acceptances.find(({ outcome }) => outcome === 'pending');
  return pending === undefined ? WAIT : { kind: 'withdrawAcceptance', executionId: pending.executionId };
}

function sayHowItEnds(desk: Desk): Move {
  const { question, now } = desk;
  if (now.getTime() < Date.parse(question.since) + LIVES_AGAIN_MS) return WAIT;
  return answer({ kind: isDrawn(desk, 0.8) ? 'rebook' : 'close' });
}

function keepOne({ website, followed }: Desk): Move {
  const live = website.listings.filter(({ isLiveBooking }) => isLiveBooking);
  // What is delivered can no longer be cancelled, so that another truck which is still on its way is the one too many.
  const arrived = live.find(({ transitStatus }) => transitStatus === 'Delivered');
  const kept = arrived === undefined ? followed : String(arrived.listingId);
  const surplus = live.find(
    ({ listingId, transitStatus }) => String(listingId) !== kept && transitStatus !== 'Delivered',
  );
  if (live.length > 1 && surplus !== undefined)
    return { kind: 'cancelBooking', listingId: String(surplus.listingId) };
  const [only] = live;
  // Several trucks that all came are past undoing: asked again, the shipment finds and tells it, and asks no more.
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
