import { z } from 'zod';
import { orNothing, parseTimestamp } from './common';

/** The platform of the service writes year 1 for "never". */
const FIRST_YEAR = '1900';

/** Sent as `YYYY/MM/DD` and answered as an instant. The day is the one that is written: it is of the stop's own zone. */
const daySchema = z.string().transform((text, context) => {
  const written = text.trim().replaceAll('/', '-');
  const day = written.slice(0, 10);
  if (parseTimestamp(written) !== null && day >= FIRST_YEAR) return day;
  context.addIssue({ code: 'custom', message: 'must be a date' });
  return z.NEVER;
});

/** The time frame of a stop. */
export const arrivalDaysSchema = orNothing(
  z.looseObject({ earliestArrival: orNothing(daySchema), latestArrival: orNothing(daySchema) }),
);
