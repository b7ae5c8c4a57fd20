import { delayAfter, type PollPace } from './policy';

const SPREAD = 0.25;

/**
 * Lengthens a delay by up to a quarter, so calls that failed together do not return together. Never shortens it,
 * because the marketplace may have set it.
 * @param random from 0 to 1
 */
export function withJitter(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + SPREAD * random));
}

/**
 * Varies a delay between half and one and a half times. After one look, calls that an outage brought together are
 * spread over the whole pace. Only for paces that Consign chooses.
 * @param random from 0 to 1
 */
export function spread(delayMs: number, random: number): number {
  return Math.round(delayMs * (0.5 + random));
}

export interface NotSent {
  readonly pace: PollPace;
  /** Earlier attempts that were not sent. */
  readonly tries: number;
  /** The marketplace's `Retry-After`; null when it sent none. */
  readonly waitMs: number | null;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds until an unsent write is sent again: by its pace, and not earlier than the marketplace asks. An outage
 * hits the writes of many orders at the same moment.
 */
export function sendAgainAfter({ pace, tries, waitMs, random }: NotSent): number {
  return withJitter(Math.max(delayAfter(pace, tries), waitMs ?? 0), random);
}
