import { spread } from '../../src/domain/jitter';
import { delayAfter, type PollPace, type ShipmentPolicy } from '../../src/domain/policy';
import { sweepPaceOf } from '../../src/domain/sweep-pace';
import { percentile } from '../statistics';

/** How the shipments of one account live. Days are of 24 hours. */
export interface Fleet {
  /** Open at any time. */
  readonly open: number;
  /** Phases that poll, and how many days each takes. */
  readonly daysBooked: number;
  readonly daysInTransit: number;
  readonly daysSettling: number;
  /** Marketplace calls of an order beside its polls: price or rates, writes, papers. */
  readonly callsPerOrder: number;
  /** Whether webhooks arrive, so that sweeps are far apart. */
  readonly hasWebhooks: boolean;
  /** Whether trackings have the position of a moving truck, which is news once in `trackingPositionMs`. */
  readonly hasPositions: boolean;
}

/** Half a day until the pickup, six and a half on the road, nine of settlement: the slow life of `npm run bench`. */
export const SLOW_LIFE = { daysBooked: 0.5, daysInTransit: 6.5, daysSettling: 9 };

export interface Simulation {
  readonly fleet: Fleet;
  readonly policy: Pick<
    ShipmentPolicy,
    'sweepPace' | 'sweepWidening' | 'trackingPace' | 'trackingPositionMs'
  >;
  /** How many attempts may begin per second, also less than one; null: no limit. */
  readonly callsPerSecond: number | null;
  /** How long; a day when left out. */
  readonly seconds?: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What one account's calls come to. */
export interface SimulatedLoad {
  readonly ordersPerDay: number;
  /** How many began, by what they are for. */
  readonly calls: { readonly orders: number } & Readonly<Record<PollKind, number>>;
  /** Calls that were due and had not begun by the end. */
  readonly left: number;
  /** The most that began in one second. */
  readonly peakPerSecond: number;
  /** How long the calls of orders, and the polls, waited for the limit. Seconds. */
  readonly orderWait: Waits;
  readonly pollWait: Waits;
}

export interface Waits {
  readonly median: number;
  readonly p99: number;
}

const DAY_SECONDS = 86_400;

/** Reads of the listing, and of the tracking while on the road. */
export type PollKind = 'listing' | 'tracking';

/** The next look of a poll, and how often it has looked since it last found news. */
interface Poll {
  readonly kind: PollKind;
  readonly pace: PollPace;
  readonly tries: number;
  readonly dueAt: number;
  /** When it last found news. */
  readonly newsAt: number;
  /** After news a new watch begins: its first attempt takes its turn under the limit, and makes no call. */
  readonly isCall: boolean;
}

/** Calls by the second at which they are due, and those that wait for the limit, in this order. */
class Calls<T> {
  readonly #bySecond = new Map<number, T[]>();
  #waiting: T[] = [];
  #begun = 0;

  add(second: number, call: T): void {
    const calls = this.#bySecond.get(second);
    if (calls === undefined) this.#bySecond.set(second, [call]);
    else calls.push(call);
  }

  /** Begins at most `room` of the calls that are due by this second. */
  begin(second: number, room: number): readonly T[] {
    for (const call of this.#bySecond.get(second) ?? []) this.#waiting.push(call);
    this.#bySecond.delete(second);
    const begun = this.#waiting.slice(this.#begun, this.#begun + room);
    this.#begun += begun.length;
    if (this.#begun === this.#waiting.length) [this.#waiting, this.#begun] = [[], 0];
    return begun;
  }

  /** How many wait. */
  get left(): number {
    return this.#waiting.length - this.#begun;
  }
}

/**
 * One account with this many open shipments, second by second, by the pace functions of the product. Calls of orders
 * come before polls, and polls in the order in which they are due: so does the account's task queue.
 */
export function simulate({
  fleet,
  policy,
  callsPerSecond,
  seconds = DAY_SECONDS,
  random,
}: Simulation): SimulatedLoad {
  const { daysBooked, daysInTransit, daysSettling, callsPerOrder, hasWebhooks } = fleet;
  const days = daysBooked + daysInTransit + daysSettling;
  const sweep = sweepPaceOf(
    { events: { taken: hasWebhooks ? 1 : 0, doubled: 0, quarantined: 0 }, repairs: 0 },
    policy,
  );
  const polls = new Calls<Poll>();
  const positionSeconds = fleet.hasPositions ? policy.trackingPositionMs / 1_000 : Number.POSITIVE_INFINITY;
  const again = ({ kind, pace, ...last }: Poll, from: number): void => {
    if (kind === 'tracking' && last.isCall && from - last.newsAt >= positionSeconds) {
      polls.add(from + 1, { kind, pace, tries: 0, dueAt: from + 1, newsAt: from, isCall: false });
      return;
    }
    const { tries, newsAt } = last;
    const dueAt = from + Math.max(1, Math.round(spread(delayAfter(pace, tries), random()) / 1_000));
    polls.add(dueAt, { kind, pace, tries: tries + 1, dueAt, newsAt, isCall: true });
  };
  // The fleet has been open for a while: its polls are as far apart as they get, and spread over that time.
  const add = (kind: PollKind, pace: PollPace): void => {
    const dueAt = Math.floor((random() * pace.maximumMs) / 1_000);
    const newsAt = -Math.floor((random() * policy.trackingPositionMs) / 1_000);
    polls.add(dueAt, { kind, pace, tries: MANY, dueAt, newsAt, isCall: true });
  };
  for (let shipment = 0; shipment < fleet.open; shipment += 1) {
    add('listing', sweep);
    if (shipment < (fleet.open * daysInTransit) / days) add('tracking', policy.trackingPace);
  }
  const ordersPerDay = Math.round(fleet.open / days);
  const orderCalls = new Calls<number>();
  const ordersUntilEnd = (ordersPerDay * seconds) / DAY_SECONDS;
  for (let call = 0; call < Math.round(ordersUntilEnd * callsPerOrder); call += 1) {
    const dueAt = Math.floor(random() * seconds);
    orderCalls.add(dueAt, dueAt);
  }
  const orderWaits: number[] = [];
  const pollWaits: number[] = [];
  const begun: Record<PollKind, number> = { listing: 0, tracking: 0 };
  let peakPerSecond = 0;
  for (let second = 0; second < seconds; second += 1) {
    const room = roomIn(second, callsPerSecond);
    const orders = orderCalls.begin(second, room);
    const looks = polls.begin(second, room - orders.length);
    for (const dueAt of orders) orderWaits.push(second - dueAt);
    for (const poll of looks) {
      if (poll.isCall) begun[poll.kind] += 1;
      pollWaits.push(second - poll.dueAt);
      again(poll, second);
    }
    peakPerSecond = Math.max(peakPerSecond, orders.length + looks.length);
  }
  return {
    ordersPerDay,
    calls: { orders: orderWaits.length, ...begun },
    left: orderCalls.left + polls.left,
    peakPerSecond,
    orderWait: waitsOf(orderWaits),
    pollWait: waitsOf(pollWaits),
  };
}

/** After so many looks the delay no longer grows. */
const MANY = 20;

/** How many calls may begin in this second. A limit below one lets a call begin every few seconds. */
function roomIn(second: number, callsPerSecond: number | null): number {
  if (callsPerSecond === null) return Number.POSITIVE_INFINITY;
  return Math.floor((second + 1) * callsPerSecond) - Math.floor(second * callsPerSecond);
}

const waitsOf = (waits: readonly number[]): Waits => ({
  median: percentile(waits, 0.5),
  p99: percentile(waits, 0.99),
});
