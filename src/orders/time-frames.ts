import type { ShipmentPolicy } from '../domain/policy';
import type { IsoDate, TimeFrame } from '../domain/shipment';
import { addDays, clockIn, isWeekend, weekdayOf } from '../domain/calendar';
import { holidayOn } from '../domain/holidays';
import { nextOpenDay } from '../domain/open-day';
import { firstPossiblePickup } from '../domain/pickup';
import { isDate, meantDate } from './dates';
import type { OrderAccount } from './order-account';
import type { Problems } from './problem';
import type { TimeFrameWire } from './schema';

/** The days of a frame, each with its path in the document. */
function daysOf(wire: TimeFrameWire, path: string): { readonly day: string; readonly at: string }[] {
  if ('on' in wire) return [{ day: wire.on, at: `${path}.on` }];
  if ('before' in wire) return [{ day: wire.before, at: `${path}.before` }];
  return wire.between.map((day, index) => ({ day, at: `${path}.between[${index}]` }));
}

/** A frame of calendar days; null when one of them is not a valid day. */
export function readTimeFrame(wire: TimeFrameWire, path: string, problems: Problems): TimeFrame | null {
  const days = daysOf(wire, path);
  const wrong = days.filter(({ day }) => !isDate(day));
  for (const { day, at } of wrong) {
    const meant = meantDate(day);
    if (meant === null) problems.add(at, `${day} is not a valid day`, 'write days as YYYY-MM-DD');
    else
      problems.add(at, `${day} is not written as YYYY-MM-DD`, `write "${meant}"`, { path: at, value: meant });
  }
  if (wrong.length > 0) return null;
  const [first = '', last = first] = days.map(({ day }) => day);
  if (first > last) {
    problems.add(`${path}.between`, `${first} is after ${last}`, 'write the earlier day first');
    return null;
  }
  if ('on' in wire) return { type: 'on', earliest: first, latest: first };
  return 'before' in wire
    ? { type: 'before', earliest: null, latest: first }
    : { type: 'between', earliest: first, latest: last };
}

export interface FrameReading {
  /** Of the pickup; null when unknown: days are then not compared with today. */
  readonly timeZone: string | null;
  /** Of the pickup; null when unknown. */
  readonly country: string | null;
  readonly now: Date;
  /** Null when the account is unknown. */
  readonly rules: ShipmentPolicy['pickup'] | null;
  readonly problems: Problems;
}

/** Null when the zone is unknown. */
function firstPossible({ timeZone, now, rules }: FrameReading): IsoDate | null {
  if (timeZone === null) return null;
  return firstPossiblePickup(timeZone, now.toISOString(), rules?.cutOffHour ?? null);
}

/**
 * Contract, route rules 3 and 4: one day, at least one day ahead in the zone of the stop, and not at a weekend. For
 * anything else the marketplace answers with an empty rate list, without a reason.
 */
export function checkLtlPickup(
  frame: TimeFrame,
  reading: FrameReading,
  ltlWeekends: OrderAccount['ltlWeekends'],
): void {
  const { problems, rules, country } = reading;
  const closedDays = rules?.closedDays ?? [];
  const earliest = firstPossible(reading);
  const day = frame.earliest ?? frame.latest;
  const possible = nextOpenDay(earliest !== null && day < earliest ? earliest : day, { closedDays, country });
  if (frame.type !== 'on') {
    // Only for a window of one day is the meant day certain.
    const fix = frame.earliest === frame.latest ? { path: '$.pickup', value: { on: day } } : undefined;
    const problem = `an LTL pickup must be on one day, not ${frame.type}`;
    problems.add('$.pickup', problem, `write {"on": "${possible}"}`, fix);
  } else if (earliest !== null && day < earliest) {
    const isLate = clockIn(reading.timeZone ?? 'UTC', reading.now.toISOString()).day === addDays(day, -1);
    const why = isLate ? `it is past ${rules?.cutOffHour}:00, the cut-off hour` : 'carriers need a day';
    problems.add(
      '$.pickup.on',
      `${day} is too soon: ${why}`,
      `write "${possible}", the first possible day, or a later one`,
    );
  } else if (ltlWeekends === 'refused' && isWeekend(day)) {
    const problem = `${day} is a ${weekdayOf(day)}, when carriers do not pick up`;
    const otherwise = "if carriers do, set ltlWeekends: allowed in the account's settings";
    problems.add('$.pickup.on', problem, `write "${possible}"; ${otherwise}`);
  } else if (closedDays.includes(day)) {
    problems.add('$.pickup.on', `${day} is one of the closed days of the policy`, `write "${possible}"`);
  } else {
    warnHoliday(frame, reading);
  }
}

/** Only a warning, because some carriers and docks work then. A longer window that contains a working day is fine. */
function warnHoliday({ type, earliest, latest }: TimeFrame, reading: FrameReading): void {
  const { country, rules, problems } = reading;
  // For `before`, the pickup may be on any earlier day.
  if (country === null || earliest === null) return;
  const possible = nextOpenDay(earliest, { closedDays: rules?.closedDays ?? [], country });
  if (possible <= latest) return;
  let day = earliest;
  while (day < latest && holidayOn(day, country) === null) day = addDays(day, 1);
  const holiday = holidayOn(day, country);
  if (holiday === null) return;
  const problem = `${day} is a public holiday (${holiday}): most carriers and docks are closed`;
  const remedy = `write "${possible}" unless the carrier and the dock are open that day`;
  problems.warn(type === 'on' ? '$.pickup.on' : '$.pickup', problem, remedy);
}

/** A past pickup books nothing: this refuses an old feed that is sent again. */
export function checkFurnitureFrames(
  pickup: TimeFrame,
  delivery: TimeFrame | null,
  reading: FrameReading,
): void {
  const { timeZone, now, rules, problems } = reading;
  const today = timeZone === null ? null : clockIn(timeZone, now.toISOString()).day;
  const isPast = today !== null && pickup.latest < today;
  if (isPast) {
    problems.add(
      '$.pickup',
      `the last pickup day, ${pickup.latest}, is in the past`,
      `choose ${today} or a later day`,
    );
  }
  // For `before`, the pickup may be on any day from today on.
  const firstPickup = pickup.earliest ?? today;
  if (!isPast && firstPickup !== null && isAllClosed(firstPickup, pickup.latest, rules?.closedDays ?? [])) {
    const problem = 'every pickup day is one of the closed days of the policy';
    problems.add('$.pickup', problem, 'choose another day, or a longer window');
  } else if (!isPast) {
    warnHoliday(pickup, reading);
  }
  if (delivery !== null && firstPickup !== null && delivery.latest < firstPickup) {
    problems.add(
      '$.delivery',
      `the last delivery day, ${delivery.latest}, is before the pickup`,
      `choose ${firstPickup} or a later day`,
    );
  }
}

function isAllClosed(first: IsoDate, last: IsoDate, closedDays: readonly IsoDate[]): boolean {
  let day = first;
  while (day <= last && closedDays.includes(day)) day = addDays(day, 1);
  return day > last;
}
