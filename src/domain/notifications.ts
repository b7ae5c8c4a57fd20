import { listDocuments, type ListedDocument } from './documents';
import type { AccountPin } from './account-pin';
import { proNumberOf } from './listing';
import type { Money } from './money';
import { questionText, type Question } from './question';
import { isSame } from './same';
import type { IsoInstant, ShipmentKind } from './shipment';
import { billOfLadingNumber, customerPrice, listingCost } from './shipment-result';
import { followedListing, isBooked, type Phase, type ShipmentState } from './shipment-state';

export const NOTIFICATION_KINDS = [
  ...(['booked', 'pickedUp', 'delivered', 'priceChanged', 'documentsReady'] as const),
  ...(['questionClosed', 'questionOpened', 'ended'] as const),
] as const;
/** What an account's endpoints are notified of. */
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const ORDER_OUTCOMES = ['delivered', 'withdrawn', 'failedBeforeBooking'] as const;
/** How an order ended. Nothing is booked after the last two. */
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

/** A question, without the person who answered it. */
export type NotifiedQuestion = Pick<
  Question,
  'id' | 'kind' | 'text' | 'answers' | 'since' | 'listingIds' | 'offer'
>;

/** A stored document without its name, which may contain a person's. `consign documents ORDER --out` saves it. */
export type NotifiedDocument = Pick<
  ListedDocument,
  'kind' | 'id' | 'type' | 'contentType' | 'sizeInBytes' | 'sha256'
>;

/** What happened, with what only this kind has. */
export type News =
  | { readonly kind: 'booked' | 'pickedUp' | 'delivered' }
  /** `previousPrice`: null when the record had no price before. */
  | { readonly kind: 'priceChanged'; readonly previousPrice: Money | null }
  | { readonly kind: 'documentsReady'; readonly documents: readonly NotifiedDocument[] }
  | { readonly kind: 'questionOpened'; readonly question: NotifiedQuestion }
  | { readonly kind: 'questionClosed'; readonly question: Pick<NotifiedQuestion, 'id' | 'kind'> }
  | { readonly kind: 'ended'; readonly outcome: OrderOutcome };

/** The order at the time of the news. Contains no person and no address. */
export interface NotifiedOrder {
  readonly account: string;
  readonly environment: AccountPin['environment'];
  readonly orderId: string;
  readonly shipmentKind: ShipmentKind;
  /** The labels of the order document. */
  readonly labels: Readonly<Record<string, string>>;
  readonly phase: Phase;
  readonly listingId: string | null;
  /** Cost by the marketplace's record. */
  readonly price: Money | null;
  readonly customerPrice: Money | null;
  readonly billOfLadingNumber: string | null;
  readonly proNumber: string | null;
}

/** News of an order, numbered: the id stays the same however often the notification is sent. */
export interface Notification {
  readonly id: string;
  /** Counted within the order's workflow. */
  readonly number: number;
  readonly at: IsoInstant;
  readonly order: NotifiedOrder;
  readonly news: News;
}

/** What the endpoints know already. Small, because every run carries it. */
export interface Notified {
  /** The listing and the instant of the booking. */
  readonly booking: string | null;
  /** The listings whose pickup and delivery they know. */
  readonly pickedUp: string | null;
  readonly delivered: string | null;
  readonly price: Money | null;
  readonly documents: readonly string[];
  readonly question: Pick<NotifiedQuestion, 'id' | 'kind'> | null;
  readonly hasEnded: boolean;
}

export const NOTHING_NOTIFIED: Notified = {
  ...{ booking: null, pickedUp: null, delivered: null, price: null },
  ...{ documents: [], question: null, hasEnded: false },
};

/** What happened since `notified`, and what the endpoints know then. */
export interface Comparison {
  readonly notified: Notified;
  readonly news: readonly News[];
}

/**
 * Compares the state with what the endpoints know. A state that skips steps gives the news of each, in the order in
 * which they happened; a state that is compared again gives none. `ended` comes last, and once.
 * @param hasFailed whether the order fails before booking, which no phase says
 */
export function newsOf(notified: Notified, state: ShipmentState, hasFailed = false): Comparison {
  if (notified.hasEnded) return { notified, news: [] };
  const outcome = outcomeOf(state, hasFailed);
  // The end closes the question, because nobody can answer it any more.
  const question = outcome === null ? state.question : null;
  const steps: readonly ((before: Notified) => Comparison)[] = [
    (before) => questionClosed(before, question),
    (before) => booked(before, state),
    (before) => movedOn(before, state),
    (before) => priceChanged(before, state),
    (before) => documentsReady(before, state),
    (before) => questionOpened(before, question),
    (before) => ended(before, outcome),
  ];
  return steps.reduce<Comparison>(
    (sum, step) => {
      const next = step(sum.notified);
      return { notified: next.notified, news: [...sum.news, ...next.news] };
    },
    { notified, news: [] },
  );
}

/** The facts that every notification carries. */
export function notifiedOrder(
  state: ShipmentState,
  { environment, labels }: Pick<NotifiedOrder, 'environment' | 'labels'>,
): NotifiedOrder {
  const { account, orderId, kind: shipmentKind, listing } = state;
  return {
    ...{ account, environment, orderId, shipmentKind, labels, phase: state.at.phase },
    listingId: followedListing(state),
    ...{ price: listingCost(state), customerPrice: customerPrice(state) },
    billOfLadingNumber: billOfLadingNumber(state) ?? listing?.billOfLadingNumber ?? null,
    proNumber: listing === null ? null : proNumberOf(listing),
  };
}

const nothingNew = (notified: Notified): Comparison => ({ notified, news: [] });

function outcomeOf({ at }: ShipmentState, hasFailed: boolean): OrderOutcome | null {
  if (hasFailed) return 'failedBeforeBooking';
  if (at.phase === 'settled') return 'delivered';
  return at.phase === 'cancelled' ? 'withdrawn' : null;
}

function questionClosed(notified: Notified, open: Question | null): Comparison {
  const { question } = notified;
  if (question === null || question.id === open?.id) return nothingNew(notified);
  return { notified: { ...notified, question: null }, news: [{ kind: 'questionClosed', question }] };
}

function questionOpened(notified: Notified, open: Question | null): Comparison {
  if (open === null || notified.question !== null) return nothingNew(notified);
  const { id, kind, answers, since, listingIds, offer } = open;
  const question = { id, kind, text: questionText(open), answers, since, listingIds, offer };
  return { notified: { ...notified, question: { id, kind } }, news: [{ kind: 'questionOpened', question }] };
}

/** A carrier can give a booking up, and another one can take the same listing. */
function booked(notified: Notified, state: ShipmentState): Comparison {
  if (!isBooked(state) || state.bookedAt === null) return nothingNew(notified);
  const booking = `${followedListing(state) ?? ''} ${state.bookedAt}`;
  if (booking === notified.booking) return nothingNew(notified);
  // The notification itself names the price.
  return { notified: { ...notified, booking, price: listingCost(state) }, news: [{ kind: 'booked' }] };
}

function movedOn(notified: Notified, state: ShipmentState): Comparison {
  if (notified.booking === null || !isBooked(state)) return nothingNew(notified);
  const listingId = followedListing(state);
  const isPickedUp = state.pickedUpAt !== null && notified.pickedUp !== listingId;
  const hasArrived = state.at.phase === 'delivered' || state.at.phase === 'settled';
  const isDelivered = hasArrived && notified.delivered !== listingId;
  return {
    notified: {
      ...notified,
      ...(isPickedUp && { pickedUp: listingId }),
      ...(isDelivered && { delivered: listingId }),
    },
    news: [
      ...(isPickedUp ? [{ kind: 'pickedUp' as const }] : []),
      ...(isDelivered ? [{ kind: 'delivered' as const }] : []),
    ],
  };
}

function priceChanged(notified: Notified, state: ShipmentState): Comparison {
  const price = listingCost(state);
  if (notified.booking === null || !isBooked(state) || price === null || isSame(price, notified.price))
    return nothingNew(notified);
  return {
    notified: { ...notified, price },
    news: [{ kind: 'priceChanged', previousPrice: notified.price }],
  };
}

const keyOf = ({ kind, id, sha256 }: ListedDocument): string => `${kind}/${id}/${sha256.slice(0, 12)}`;

/** The images came with the order, so they are no news. */
function documentsReady(notified: Notified, state: ShipmentState): Comparison {
  const fresh = listDocuments(state).filter(
    (document) => document.kind !== 'image' && !notified.documents.includes(keyOf(document)),
  );
  if (fresh.length === 0) return nothingNew(notified);
  const documents = fresh.map(({ kind, id, type, contentType, sizeInBytes, sha256 }) => ({
    ...{ kind, id, type, contentType, sizeInBytes, sha256 },
  }));
  return {
    notified: { ...notified, documents: [...notified.documents, ...fresh.map(keyOf)] },
    news: [{ kind: 'documentsReady', documents }],
  };
}

function ended(notified: Notified, outcome: OrderOutcome | null): Comparison {
  if (outcome === null) return nothingNew(notified);
  return { notified: { ...notified, hasEnded: true }, news: [{ kind: 'ended', outcome }] };
}
