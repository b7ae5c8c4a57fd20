import { addDays, isWeekend } from './calendar';
import type { IsoDate } from './shipment';

type Rule = readonly [name: string, dateIn: (year: number) => IsoDate];

const dayOf = (year: number, month: number, day: number): IsoDate =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

const MONDAY = 1;
const THURSDAY = 4;

const fixed =
  (month: number, day: number) =>
  (year: number): IsoDate =>
    dayOf(year, month, day);

/** The first such weekday from a given day on: the third Monday is the first from the 15th on. */
const weekdayFrom =
  (weekday: number, month: number, day: number) =>
  (year: number): IsoDate => {
    const earliest = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    return dayOf(year, month, day + ((weekday - earliest + 7) % 7));
  };

/** Two days before the Gregorian Easter (the anonymous algorithm of 1876). */
function goodFriday(year: number): IsoDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const leaps = Math.floor(century / 4);
  const lunar = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leaps - lunar + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const dayOfMarch = epact + toSunday - 7 * late + 22;
  return dayOf(year, 3, dayOfMarch - 2);
}

/** Sources: 5 U.S.C. 6103, and the general holidays of the Canada Labour Code, part III, division V. */
const RULES: Readonly<Record<'US' | 'CA', readonly Rule[]>> = {
  US: [
    ["New Year's Day", fixed(1, 1)],
    ['Martin Luther King Jr. Day', weekdayFrom(MONDAY, 1, 15)],
    ["Washington's Birthday", weekdayFrom(MONDAY, 2, 15)],
    ['Memorial Day', weekdayFrom(MONDAY, 5, 25)],
    ['Juneteenth', fixed(6, 19)],
    ['Independence Day', fixed(7, 4)],
    ['Labor Day', weekdayFrom(MONDAY, 9, 1)],
    ['Columbus Day', weekdayFrom(MONDAY, 10, 8)],
    ['Veterans Day', fixed(11, 11)],
    ['Thanksgiving Day', weekdayFrom(THURSDAY, 11, 22)],
    ['Christmas Day', fixed(12, 25)],
  ],
  CA: [
    ["New Year's Day", fixed(1, 1)],
    ['Good Friday', goodFriday],
    ['Victoria Day', weekdayFrom(MONDAY, 5, 18)],
    ['Canada Day', fixed(7, 1)],
    ['Labour Day', weekdayFrom(MONDAY, 9, 1)],
    ['National Day for Truth and Reconciliation', fixed(9, 30)],
    ['Thanksgiving', weekdayFrom(MONDAY, 10, 8)],
    ['Remembrance Day', fixed(11, 11)],
    ['Christmas Day', fixed(12, 25)],
    ['Boxing Day', fixed(12, 26)],
  ],
};

/** The working day that replaces a holiday on a weekend: in the US the nearest, in Canada the next free one. */
function keptOn(date: IsoDate, country: 'US' | 'CA', holidays: readonly IsoDate[]): IsoDate {
  if (!isWeekend(date)) return date;
  const isSaturday = !isWeekend(addDays(date, -1));
  if (country === 'US' && isSaturday) return addDays(date, -1);
  let kept = addDays(date, 1);
  while (isWeekend(kept) || holidays.includes(kept)) kept = addDays(kept, 1);
  return kept;
}

function holidaysOf(year: number, country: 'US' | 'CA'): ReadonlyMap<IsoDate, string> {
  const days = new Map<IsoDate, string>(RULES[country].map(([name, dateIn]) => [dateIn(year), name]));
  for (const [date, name] of [...days].filter(([date]) => isWeekend(date))) {
    days.set(keptOn(date, country, [...days.keys()]), `${name} (observed)`);
  }
  return days;
}

/**
 * The public holiday of the whole country on a day, or the one that the day replaces. Null when there is none, or the
 * country is not the US or Canada. Most carriers and docks are closed then; states and provinces have more holidays.
 */
export function holidayOn(date: IsoDate, country: string): string | null {
  if (country !== 'US' && country !== 'CA') return null;
  const year = Number(date.slice(0, 4));
  // A first of January on a Saturday is observed in the year before.
  return holidaysOf(year, country).get(date) ?? holidaysOf(year + 1, country).get(date) ?? null;
}
