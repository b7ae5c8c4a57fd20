import { leftOutText, type LeftOut } from './left-out';
import type { ShipmentPolicy } from './policy';
import type { LtlRate, RateList } from './rate';
import type { IsoInstant } from './shipment';

/** What the reading before showed. Ids only, because it is kept with each attempt. */
export interface RatesSeen {
  readonly rateIds: readonly string[];
  /** How often the rates would have been settled, had one of the reading before not been missing. */
  readonly looksAgain: number;
  /** The most rates that any reading of the request showed. */
  readonly most: number;
}

/** Before the first reading. */
export const NOTHING_SEEN: RatesSeen = { rateIds: [], looksAgain: 0, most: 0 };

/** The rates of a request once they have settled. */
export interface CollectedRates extends RateList {
  /** The most that any reading showed: with none left, carriers withdrew them all. */
  readonly most: number;
}

/** Where each reading misses another rate, it is chosen from what the last one shows. */
export const MOST_LOOKS_AGAIN = 3;

export interface RatesReading {
  readonly rates: readonly LtlRate[];
  readonly leftOut: LeftOut;
  readonly before: RatesSeen;
  readonly requestedAt: IsoInstant;
  readonly now: IsoInstant;
}

export type RatesVerdict =
  | { readonly kind: 'settled'; readonly most: number }
  | { readonly kind: 'pending'; readonly seen: RatesSeen; readonly saw: string };

/**
 * Whether a choice can be made from this reading. A rate that is missing from one reading flickers, and may be the best
 * one; only one that is missing from two in a row is withdrawn. That is worth another look, also when the time is over.
 */
export function judgeReading(
  { rates, leftOut, before, requestedAt, now }: RatesReading,
  policy: ShipmentPolicy['rates'],
): RatesVerdict {
  const { rateIds: known, looksAgain, most: mostBefore } = before;
  const rateIds = rates.map(({ rateId }) => rateId);
  const most = Math.max(mostBefore, rateIds.length);
  const unread = leftOutText(leftOut);
  const saw = `${rateIds.length} rates so far${unread === null ? '' : `, ${unread}`}`;
  if (!areRatesSettled(rates, requestedAt, now, policy))
    return { kind: 'pending', seen: { rateIds, looksAgain, most }, saw };
  const missing = known.filter((rateId) => !rateIds.includes(rateId)).length;
  return missing === 0 || looksAgain >= MOST_LOOKS_AGAIN
    ? { kind: 'settled', most }
    : {
        kind: 'pending',
        seen: { rateIds, looksAgain: looksAgain + 1, most },
        saw: `${saw}, ${missing} of before missing`,
      };
}

/**
 * Whether the rates of a request are all there, as far as that can be known: carriers answer one by one over
 * seconds to minutes, and nothing says that the last one has.
 */
export function areRatesSettled(
  rates: readonly LtlRate[],
  requestedAt: IsoInstant,
  now: IsoInstant,
  policy: ShipmentPolicy['rates'],
): boolean {
  const waited = Date.parse(now) - Date.parse(requestedAt);
  if (waited >= policy.maximumWaitMs) return true;
  if (rates.length === 0 || waited < policy.minimumWaitMs) return false;
  if (rates.length >= policy.enough) return true;
  const newest = Math.max(...rates.map(({ createdAt }) => Date.parse(createdAt ?? requestedAt)));
  return Date.parse(now) - newest >= policy.quietMs;
}
