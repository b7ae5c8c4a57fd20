import type { IsoDate, IsoInstant } from './shipment';

/** The day and the hour (0 to 23) in an IANA zone at an instant. */
export function clockIn(timeZone: string, now: IsoInstant): { readonly day: IsoDate; readonly hour: number } {
  // Reads the parts, because order and separators of a locale change between versions of the engine.
  const parts = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(now));
  const part = (type: 'year' | 'month' | 'day' | 'hour'): string =>
    parts.find((found) => found.type === type)?.value ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) };
}

/** The date `days` later; `days` may be negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function isWeekend(date: IsoDate): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
}

/** `Saturday`, for people. */
export function weekdayOf(date: IsoDate): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** The instant at which a date ends on the clocks of an IANA zone. */
export function endOfDay(date: IsoDate, timeZone: string): IsoInstant {
  const next = addDays(date, 1);
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(`${next}T00:00:00Z`))
    .find(({ type }) => type === 'timeZoneName')?.value;
  // `GMT-05:00`; plain `GMT` in a zone without offset.
  return new Date(`${next}T00:00:00${offset?.slice('GMT'.length) || 'Z'}`).toISOString();
}

/** The instant this many milliseconds after another one. */
export const after = (instant: IsoInstant, ms: number): IsoInstant =>
  new Date(Date.parse(instant) + ms).toISOString();
