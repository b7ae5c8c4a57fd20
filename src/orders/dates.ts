import type { IsoDate } from '../domain/shipment';

/** Whether a text is a day of the calendar: `2035-02-30` is not. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** The day that it is in a zone at an instant. */
export function dayIn(timeZone: string, now: Date): IsoDate {
  // By its parts: which order and which separators a locale writes changes between versions of Node.
  const parts = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: 'year' | 'month' | 'day'): string =>
    parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** `days` later, which may be negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function weekdayOf(date: IsoDate): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

export function isWeekend(date: IsoDate): boolean {
  return ['Saturday', 'Sunday'].includes(weekdayOf(date));
}

/** The first day from `date` on that is neither Saturday nor Sunday. */
export function nextBusinessDay(date: IsoDate): IsoDate {
  return isWeekend(date) ? nextBusinessDay(addDays(date, 1)) : date;
}
