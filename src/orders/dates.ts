import type { IsoDate } from '../domain/shipment';

/** Whether a text is a day of the calendar: `2035-02-30` is not. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

const iso = (year: string, month: string, day: string): string | null => {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
};

/** A day in another format as `YYYY-MM-DD`; null where it is ambiguous, such as `03/06/2035`. */
export function meantDate(text: string): IsoDate | null {
  const clean = text.trim().replace(/T00:00(:00(\.0+)?)?$/, '');
  const yearFirst =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(clean) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(clean);
  if (yearFirst !== null) return iso(yearFirst[1] ?? '', yearFirst[2] ?? '', yearFirst[3] ?? '');
  const yearLast = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(clean);
  if (yearLast === null) return null;
  const [, first = '', second = '', year = ''] = yearLast;
  const readings = [iso(year, first, second), iso(year, second, first)].filter((date) => date !== null);
  const [only = null] = readings;
  return new Set(readings).size === 1 ? only : null;
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
