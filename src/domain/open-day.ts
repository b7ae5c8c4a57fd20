import { addDays, isWeekend } from './calendar';
import { holidayOn } from './holidays';
import type { IsoDate } from './shipment';

export interface ClosedDays {
  /** From the policy. */
  readonly closedDays: readonly IsoDate[];
  /** The country whose public holidays count; null when unknown. */
  readonly country: string | null;
}

/** The first day from `date` on that is no weekend, public holiday or closed day. */
export function nextOpenDay(date: IsoDate, closed: ClosedDays): IsoDate {
  let day = date;
  while (isClosed(day, closed)) day = addDays(day, 1);
  return day;
}

const isClosed = (day: IsoDate, { closedDays, country }: ClosedDays): boolean =>
  isWeekend(day) || closedDays.includes(day) || (country !== null && holidayOn(day, country) !== null);
