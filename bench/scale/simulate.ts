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
}

export interface SimulatedDay {
  readonly fleet: Fleet;
  readonly policy: Pick<ShipmentPolicy, 'sweepPace' | 'sweepWidening' | 'trackingPace'>;
  /** How many calls may begin per second; null: no limit. */
  readonly callsPerSecond: number | null;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What one account's calls come to in a day. */
export interface SimulatedLoad {
  readonly ordersPerDay: number;
  readonly callsPerDay: number;
  /** Calls that were due and had not begun by the end of the day. */
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

/** The next look of a poll, and how often it has looked since it last found news. */
interface Poll {
  readonly pace: PollPace;
  readonly tries: number;
  readonly dueAt: number;
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
 * A day of one account with this many open shipments, second by second, by the pace functions of the product. Calls of
 * orders come before polls, and polls in the order in which they are due: so does the account's task queue.
 */
export function simulateDay({ fleet, policy, callsPerSecond, random }: SimulatedDay): SimulatedLoad {
  const { daysBooked, daysInTransit, daysSettling, callsPerOrder, hasWebhooks } = fleet;
  const days = daysBooked + daysInTransit + daysSettling;
  const sweep = sweepPaceOf(
    { events: { taken: hasWebhooks ? 1 : 0, doubled: 0, quarantined: 0 }, repairs: 0 },
    policy,
  );
  const polls = new Calls<Poll>();
  const again = ({ pace, tries }: Poll, from: number): void => {
    const dueAt = from + Math.max(1, Math.round(spread(delayAfter(pace, tries), random()) / 1_000));
    polls.add(dueAt, { pace, tries: tries + 1, dueAt });
  };
  // The fleet has been open for a while: its polls are as far apart as they get, and spread over that time.
  const add = (pace: PollPace): void => {
    const dueAt = Math.floor((random() * pace.maximumMs) / 1_000);
    polls.add(dueAt, { pace, tries: MANY, dueAt });
  };
  for (let shipment = 0; shipment < fleet.open; shipment += 1) {
    add(sweep);
    if (shipment < (fleet.open * daysInTransit) / days) add(policy.trackingPace);
  }
  const ordersPerDay = Math.round(fleet.open / days);
  const orderCalls = new Calls<number>();
  for (let call = 0; call < ordersPerDay * callsPerOrder; call += 1) {
    const dueAt = Math.floor(random() * DAY_SECONDS);
    orderCalls.add(dueAt, dueAt);
  }
  const orderWaits: number[] = [];
  const pollWaits: number[] = [];
  let peakPerSecond = 0;
  for (let second = 0; second < DAY_SECONDS; second += 1) {
    const room = callsPerSecond ?? Number.POSITIVE_INFINITY;
    const orders = orderCalls.begin(second, room);
    const looks = polls.begin(second, room - orders.length);
    for (const dueAt of orders) orderWaits.push(second - dueAt);
    for (const poll of looks) {
      pollWaits.push(second - poll.dueAt);
      again(poll, second);
    }
    peakPerSecond = Math.max(peakPerSecond, orders.length + looks.length);
  }
  return {
    ordersPerDay,
    callsPerDay: orderWaits.length + pollWaits.length,
    left: orderCalls.left + polls.left,
    peakPerSecond,
    orderWait: waitsOf(orderWaits),
    pollWait: waitsOf(pollWaits),
  };
}

/** After so many looks the delay no longer grows. */
const MANY = 20;

const waitsOf = (waits: readonly number[]): Waits => ({
  median: percentile(waits, 0.5),
  p99: percentile(waits, 0.99),
});
