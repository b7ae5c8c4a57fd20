import { leftOutText, type LeftOut } from './left-out';
import type { ShipmentPolicy } from './policy';
import type { LtlRate, RateList } from './rate';
import type { IsoInstant } from './shipment';

/** What the previous reading showed. Only ids, because each poll attempt stores it. */
export interface RatesSeen {
  readonly rateIds: readonly string[];
  /** How often the rates would have settled if a rate of the previous reading had not been missing. */
  readonly looksAgain: number;
  /** The largest number of rates in any reading of the request. */
  readonly most: number;
}

export const NOTHING_SEEN: RatesSeen = { rateIds: [], looksAgain: 0, most: 0 };

/** The settled rates of a request. */
export interface CollectedRates extends RateList {
  /** The largest number in any reading. If no rate is left now, carriers withdrew them all. */
  readonly most: number;
}

/** If readings keep missing different rates, Consign chooses from the last one after this many extra looks. */
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
 * Whether Consign can choose from this reading. A rate that is missing from one reading may only flicker, and may be
 * the best one. A rate that is missing from two in a row is withdrawn. So a missing rate is worth another look, even
 * after the maximum wait.
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
 * Whether the rates of a request are probably complete: carriers answer one by one over seconds to minutes, and
 * nothing marks the last answer.
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
