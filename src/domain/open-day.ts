import { addDays, isWeekend } from './calendar';
import { holidayOn } from './holidays';
import type { IsoDate } from './shipment';

export interface ClosedDays {
  /** Of the policy. */
  readonly closedDays: readonly IsoDate[];
  /** Whose public holidays count; null where it is not known. */
  readonly country: string | null;
}

/** The first day from `date` on that is no weekend, no public holiday and none of the closed ones. */
export function nextOpenDay(date: IsoDate, closed: ClosedDays): IsoDate {
  let day = date;
  while (isClosed(day, closed)) day = addDays(day, 1);
  return day;
}

const isClosed = (day: IsoDate, { closedDays, country }: ClosedDays): boolean =>
  isWeekend(day) || closedDays.includes(day) || (country !== null && holidayOn(day, country) !== null);
