import type { TimeFrame } from '../domain/shipment';
import { addDays, dayIn, isDate, isWeekend, nextBusinessDay, weekdayOf } from './dates';
import type { Problems } from './problem';
import type { TimeFrameWire } from './schema';

/** A frame of calendar days; null when one of them is no day. */
export function readTimeFrame(wire: TimeFrameWire, path: string, problems: Problems): TimeFrame | null {
  const days = 'on' in wire ? [wire.on] : 'before' in wire ? [wire.before] : wire.between;
  const wrong = days.filter((day) => !isDate(day));
  for (const day of wrong) problems.add(path, `${day} is no day of the calendar`, 'write days as YYYY-MM-DD');
  const [first = '', last = first] = days;
  if (wrong.length > 0) return null;
  if (first > last) {
    problems.add(`${path}.between`, `${first} is after ${last}`, 'write the earlier day first');
    return null;
  }
  if ('on' in wire) return { type: 'on', earliest: first, latest: first };
  return 'before' in wire
    ? { type: 'before', earliest: null, latest: first }
    : { type: 'between', earliest: first, latest: last };
}

/**
 * Contract, route rules 3 and 4: one day, at least one day ahead in the zone of the stop; carriers rest at weekends.
 * Anything else comes back as an empty rate list, without a reason.
 * @param timeZone null when none is known: the day is then not compared with today
 */
export function checkLtlPickup(
  frame: TimeFrame,
  timeZone: string | null,
  now: Date,
  problems: Problems,
): void {
  const earliest = timeZone === null ? null : addDays(dayIn(timeZone, now), 1);
  const day = frame.earliest ?? frame.latest;
  if (frame.type !== 'on') {
    const possible = nextBusinessDay(earliest !== null && day < earliest ? earliest : day);
    problems.add('$.pickup', `an LTL pickup is on one day, not ${frame.type}`, `write {"on": "${possible}"}`);
    return;
  }
  if (earliest !== null && day < earliest) {
    problems.add(
      '$.pickup.on',
      `${day} is too soon: carriers need a day`,
      `the first possible day is ${nextBusinessDay(earliest)}`,
    );
  } else if (isWeekend(day)) {
    const problem = `${day} is a ${weekdayOf(day)}; no carrier picks up then`;
    problems.add('$.pickup.on', problem, `write "${nextBusinessDay(day)}"`);
  }
}

interface FrameReading {
  readonly timeZone: string | null;
  readonly now: Date;
  readonly problems: Problems;
}

/** A pickup that is past books nothing: an old feed that is sent again is refused here. */
export function checkFurnitureFrames(
  pickup: TimeFrame,
  delivery: TimeFrame | null,
  { timeZone, now, problems }: FrameReading,
): void {
  const today = timeZone === null ? null : dayIn(timeZone, now);
  if (today !== null && pickup.latest < today) {
    problems.add(
      '$.pickup',
      `the last pickup day, ${pickup.latest}, is past`,
      `choose a day from ${today} on`,
    );
  }
  // Before: it may be picked up on any day from today on.
  const firstPickup = pickup.earliest ?? today;
  if (delivery !== null && firstPickup !== null && delivery.latest < firstPickup) {
    problems.add(
      '$.delivery',
      `the last delivery day, ${delivery.latest}, is before the pickup`,
      `choose a day from ${firstPickup} on`,
    );
  }
}
