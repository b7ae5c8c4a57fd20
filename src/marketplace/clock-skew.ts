import type { HttpAnswer } from './http';

/** When a call went out and when its answer was there, in milliseconds since the epoch on our clock. */
export interface CallTimes {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

/** Clocks that differ by less are as good as equal: neither expiry nor quiet times are that exact. */
const TOLERATED_SKEW_MS = 5_000;
/** A header that is further off is a wrong header, not a clock that is a bit off. */
const BELIEVED_SKEW_MS = 48 * 3_600_000;
/** The header has whole seconds; what is below was cut off. */
const DATE_GRAIN_MS = 999;

/** The moment of the answer on the clock of its sender, in milliseconds since the epoch; null when it is not told. */
export function senderTimeMsOf(answer: HttpAnswer): number | null {
  const sentAtMs = Date.parse(answer.header('date') ?? '');
  if (Number.isNaN(sentAtMs)) return null;
  // A cache keeps the Date of the first answer and tells its age.
  const age = answer.header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(age) ? sentAtMs + Number(age) * 1_000 : sentAtMs;
}

/**
 * By how many milliseconds the sender's clock is ahead of ours, below 0 when it is behind: the middle of what the
 * `Date` header allows, since the answer was made somewhere between asking and receiving.
 *
 * @returns 0 when the header fits a skew of up to five seconds; null when it is missing, unreadable or off by more than
 *   two days, so that it says nothing of the sender's clock
 */
export function skewMsOf(answer: HttpAnswer, { askedAtMs, answeredAtMs }: CallTimes): number | null {
  const sentAtMs = senderTimeMsOf(answer);
  if (sentAtMs === null) return null;
  const least = sentAtMs - answeredAtMs;
  const most = sentAtMs + DATE_GRAIN_MS - askedAtMs;
  if (least <= TOLERATED_SKEW_MS && most >= -TOLERATED_SKEW_MS) return 0;
  const skewMs = Math.round((least + most) / 2);
  return Math.abs(skewMs) > BELIEVED_SKEW_MS ? null : skewMs;
}

/** An instant of the sender's clock on ours. */
export function onOurClock(instant: string, skewMs: number): string {
  return skewMs === 0 ? instant : new Date(Date.parse(instant) - skewMs).toISOString();
}
