import type { HttpResponse } from './http';

/** When a call was sent and when its answer had arrived, in milliseconds since the epoch on Consign's clock. */
export interface CallTimes {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

/** A smaller difference counts as none: neither expiry nor quiet times are that exact. */
const TOLERATED_SKEW_MS = 5_000;
/** A larger difference means a wrong header, not a wrong clock. */
const BELIEVED_SKEW_MS = 48 * 3_600_000;
/** The header has whole seconds, rounded down. */
const DATE_GRAIN_MS = 999;

/**
 * When the answer was made, on its sender's clock, in milliseconds since the epoch; null when the answer does not
 * say.
 */
export function senderTimeMsOf(answer: HttpResponse): number | null {
  const sentAtMs = Date.parse(answer.header('date') ?? '');
  if (Number.isNaN(sentAtMs)) return null;
  // A cache keeps the first answer's Date and adds its age.
  const age = answer.header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(age) ? sentAtMs + Number(age) * 1_000 : sentAtMs;
}

/**
 * How many milliseconds the sender's clock is ahead of Consign's; negative when it is behind. The answer was made at
 * some time between request and arrival, so this is the middle of what the `Date` header allows.
 * @returns 0 when the header fits a skew of up to five seconds; null when it is missing, unreadable or off by more
 * than two days, because it then says nothing about the sender's clock
 */
export function skewMsOf(answer: HttpResponse, { askedAtMs, answeredAtMs }: CallTimes): number | null {
  const sentAtMs = senderTimeMsOf(answer);
  if (sentAtMs === null) return null;
  const least = sentAtMs - answeredAtMs;
  const most = sentAtMs + DATE_GRAIN_MS - askedAtMs;
  if (least <= TOLERATED_SKEW_MS && most >= -TOLERATED_SKEW_MS) return 0;
  const skewMs = Math.round((least + most) / 2);
  return Math.abs(skewMs) > BELIEVED_SKEW_MS ? null : skewMs;
}

/** Converts an instant from the sender's clock to Consign's. */
export function toLocalClock(instant: string, skewMs: number): string {
  return skewMs === 0 ? instant : new Date(Date.parse(instant) - skewMs).toISOString();
}
