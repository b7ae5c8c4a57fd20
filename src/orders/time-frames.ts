import type { IsoDate, TimeFrame } from '../domain/shipment';
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

/** Contract, route rules 3 and 4: one day, at least one day ahead in the zone of the stop; carriers rest at weekends. */
export function checkLtlPickup(frame: TimeFrame, timeZone: string, now: Date, problems: Problems): void {
  const earliest = addDays(dayIn(timeZone, now), 1);
  if (frame.type !== 'on') {
    problems.add(
      '$.pickup',
      `an LTL pickup is on one day, not ${frame.type}`,
      `write {"on": "${frame.earliest ?? frame.latest}"}`,
    );
    return;
  }
  if (frame.latest < earliest) {
    problems.add(
      '$.pickup.on',
      `${frame.latest} is too soon: carriers need a day`,
      `the first possible day is ${nextBusinessDay(earliest)}`,
    );
  } else if (isWeekend(frame.latest)) {
    const next = nextBusinessDay(frame.latest);
    problems.add(
      '$.pickup.on',
      `${frame.latest} is a ${weekdayOf(frame.latest)}; no carrier picks up then`,
      `write "${next}"`,
    );
  }
}

/** A pickup that is past books nothing: an old feed that is sent again is refused here. */
export function checkFurnitureFrames(
  pickup: TimeFrame,
  delivery: TimeFrame | null,
  timeZone: string,
  now: Date,
  problems: Problems,
): void {
  const today: IsoDate = dayIn(timeZone, now);
  if (pickup.latest < today) {
    problems.add(
      '$.pickup',
      `the last pickup day, ${pickup.latest}, is past`,
      `choose a day from ${today} on`,
    );
  }
  const earliestPickup = pickup.earliest ?? pickup.latest;
  if (delivery !== null && delivery.latest < earliestPickup) {
    problems.add(
      '$.delivery',
      `the last delivery day, ${delivery.latest}, is before the pickup`,
      `choose a day from ${earliestPickup} on`,
    );
  }
}
