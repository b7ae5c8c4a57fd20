import { commandLines } from './command-lines';
import { OWNER_UNKNOWN, proofAmong, type KnownReading, type ReadingProof } from './known-reading';
import type { ListingRecord } from './listing';
import { listingStanding, type ListingStanding } from './listing-progress';
import { lacksReference } from './listing-proof';
import type { MarketplaceEvent } from './marketplace-event';
import { formatMoney, type Money } from './money';
import type { IsoInstant } from './shipment';
import { orderReference, type OrderKey } from './workflow-id';

/** The state of an order's last run. */
export interface OrderEnd {
  /** `unknown`: never started in this Temporal namespace, or no longer retained. */
  readonly status:
    'unknown' | 'running' | 'completed' | 'withdrawn' | 'failed' | 'cancelled' | 'terminated' | 'timedOut';
  readonly listingId: string | null;
  /** The run's own listings that it had not deleted. */
  readonly standingListings: readonly KnownReading[];
  /** Only of a completed run. */
  readonly price: Money | null;
}

/** Result of reading the listing. */
export type LateReading =
  | { readonly kind: 'record'; readonly record: ListingRecord }
  | { readonly kind: 'absent' }
  /** Neither the event nor the order names a listing. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export type LateMatter =
  'bookedAfterEnd' | 'openAfterEnd' | 'possibleDoubleBooking' | 'lateAdjustment' | 'unclear';

/** What an event means for an order that is over. */
export type LateFinding =
  | { readonly kind: 'nothing'; readonly why: string }
  | {
      readonly kind: 'ask';
      readonly matter: LateMatter;
      /** Identifies the question: an acknowledged one is not asked again. */
      readonly key: string;
      readonly text: string;
      /** Anyone with this link can cancel the booking. It is kept out of the text, which more people see. */
      readonly cancellationLink: string | null;
    };

/** Answer of the `lateEvent` workflow's query. Plain JSON. */
export interface LateEventState extends OrderKey {
  readonly listingId: string | null;
  readonly events: number;
  readonly asks: Extract<LateFinding, { kind: 'ask' }> | null;
  readonly since: IsoInstant | null;
  readonly acknowledged: Acknowledgement | null;
}

export interface Acknowledgement {
  readonly by: string;
  readonly reason: string;
  readonly at: IsoInstant;
  readonly key: string;
}

const PRICE_EVENT = 'Listing.PriceDetailsUpdated/v1';
const ENDED = {
  withdrawn: 'was withdrawn',
  failed: 'failed',
  cancelled: 'was cancelled',
  terminated: 'was terminated',
  timedOut: 'timed out',
};

/**
 * Whether an event of a finished order needs a closer look. After a completion, only a price or another listing does.
 */
export function isLateMatter(
  end: Pick<OrderEnd, 'status' | 'listingId'>,
  { type, listingIds }: Pick<MarketplaceEvent, 'type' | 'listingIds'>,
): boolean {
  if (end.status !== 'completed') return true;
  return type === PRICE_EVENT || (end.listingId !== null && listingIds.some((id) => id !== end.listingId));
}

/** Whether a person must look at it now. */
export function needsAttention({ asks, acknowledged }: LateEventState): boolean {
  return asks !== null && asks.key !== acknowledged?.key;
}

const isKnown = ({ standingListings }: Pick<OrderEnd, 'standingListings'>, listingId: string): boolean =>
  standingListings.some((known) => known.listingId === listingId);

/** Evidence for a 404 of a listing. A listing that the order knew may exist until something proves the opposite. */
export function proofAfterEnd(end: OrderEnd, listingId: string): ReadingProof {
  return isKnown(end, listingId) ? proofAmong(end.standingListings, listingId) : OWNER_UNKNOWN;
}

/** Judges an event of a finished order, by how the order ended and what its listing shows now. */
export function judgeLateEvent(order: OrderKey, end: OrderEnd, reading: LateReading): LateFinding {
  const name = orderReference(order.account, order.orderId);
  if (end.status === 'unknown' || end.status === 'running')
    return { kind: 'nothing', why: `order ${name} is ${end.status}` };
  const over = end.status === 'completed' ? 'is completed' : ENDED[end.status];
  switch (reading.kind) {
    case 'absent':
      return { kind: 'nothing', why: 'the marketplace knows no such listing' };
    case 'unnamed':
      return ask('unclear', 'unnamed', [
        `An event names order ${name}, which ${over}, and no listing.`,
        'Search the marketplace for this reference: what is booked there, nobody follows.',
      ]);
    case 'unreadable':
      return ask('unclear', 'unreadable', [
        `An event names order ${name}, which ${over}, and its listing cannot be read: ${reading.reason}.`,
        'Fix the account; Consign reads the listing again by itself.',
      ]);
    default:
      return judgeRecord({ order, name, over, end }, reading.record);
  }
}

interface EndedOrder {
  readonly order: OrderKey;
  readonly name: string;
  readonly over: string;
  readonly end: OrderEnd;
}

function judgeRecord(order: EndedOrder, record: ListingRecord): LateFinding {
  const { name, end } = order;
  const { listingId } = record;
  const lacks = lacksReference(record, { reference: name, isKnown: isKnown(end, listingId) });
  if (lacks !== null) return { kind: 'nothing', why: lacks };
  const standing = listingStanding(record);
  if (standing === 'ended' || standing === 'lapsed')
    return { kind: 'nothing', why: `the listing is ${record.status ?? 'over'}` };
  if (end.status === 'completed' && (end.listingId === null || end.listingId === listingId))
    return judgePrice(name, end, record);
  return judgeLive(order, record, standing);
}

function judgeLive(
  { order, name, over, end }: EndedOrder,
  record: ListingRecord,
  standing: Exclude<ListingStanding, 'ended' | 'lapsed'>,
): LateFinding {
  const { listingId, cancellationLink, carrier } = record;
  const where = cancellationLink === null ? '' : ` (\`${commandLines.show(order)}\` has the link)`;
  const status = `${record.status ?? 'of no status'}${carrier === null ? '' : ` with ${carrier.displayName}`}`;
  const isLive = standing === 'booked' || standing === 'delivered';
  const fact = `Listing ${listingId} of order ${name} is ${status}, although the order ${over}`;
  const advice = `Cancel it on its page at the marketplace${where}, or let it go on without Consign, and acknowledge.`;
  const askAbout = (matter: LateMatter, key: string, sentences: readonly string[]): LateFinding => ({
    ...ask(matter, key, sentences),
    cancellationLink,
  });
  if (end.status === 'completed' && isLive) {
    const first = `${fact} with listing ${end.listingId ?? '?'}: it may be booked twice.`;
    return askAbout('possibleDoubleBooking', `live ${listingId}`, [first, advice]);
  }
  if (isLive) return askAbout('bookedAfterEnd', `live ${listingId}`, [`${fact}; nobody follows it.`, advice]);
  if (standing === 'open' || standing === 'held')
    return askAbout('openAfterEnd', `open ${listingId}`, [`${fact}; a carrier could still book it.`, advice]);
  return askAbout('unclear', `status ${record.status ?? ''}`, [
    `${fact}; nobody knows what that means.`,
    advice,
  ]);
}

function judgePrice(name: string, { price }: OrderEnd, record: ListingRecord): LateFinding {
  const now = record.totalCost ?? record.acceptedPrice;
  if (price === null || now === null) return { kind: 'nothing', why: 'there is no price to compare' };
  if (price.minorUnits === now.minorUnits && price.currency === now.currency)
    return { kind: 'nothing', why: 'the price is as it was' };
  const text = [
    `The price of listing ${record.listingId} is ${formatMoney(now)} now; order ${name} completed at ${formatMoney(price)}.`,
    'It can be disputed for 72 business hours. Acknowledge it once that is decided.',
  ];
  return ask('lateAdjustment', `price ${now.currency} ${now.minorUnits}`, text);
}

function ask(
  matter: LateMatter,
  key: string,
  sentences: readonly string[],
): Extract<LateFinding, { kind: 'ask' }> {
  return { kind: 'ask', matter, key, text: sentences.join(' '), cancellationLink: null };
}
