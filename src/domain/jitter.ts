import { delayAfter, type PollPace } from './policy';

const SPREAD = 0.25;

/**
 * A delay that is up to a quarter longer, so that what failed together does not come back together. Never shorter: a
 * delay may be the marketplace's.
 * @param random from 0 to 1
 */
export function withJitter(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + SPREAD * random));
}

/**
 * A delay from half as long to half as long again. What an outage brought together is spread over the whole pace after one
 * look, and stays spread. Only for a pace of our choice.
 * @param random from 0 to 1
 */
export function spread(delayMs: number, random: number): number {
  return Math.round(delayMs * (0.5 + random));
}

export interface NotSent {
  readonly pace: PollPace;
  /** Attempts that were not sent before this one. */
  readonly tries: number;
  /** The marketplace's `Retry-After`; null when it named none. */
  readonly waitMs: number | null;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds until a write that was not sent is sent again: by its pace, and not before the marketplace wants it. An
 * outage meets the writes of many orders in the same moment.
 */
export function sendAgainAfter({ pace, tries, waitMs, random }: NotSent): number {
  return withJitter(Math.max(delayAfter(pace, tries), waitMs ?? 0), random);
}
