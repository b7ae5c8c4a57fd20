import { z } from 'zod';
import { orNothing, parseTimestamp } from './common';

/** The service's platform writes year 1 for "never". */
const FIRST_YEAR = '1900';

/** Sent as `YYYY/MM/DD` and returned as an instant. The written day counts, because it is in the stop's own zone. */
const daySchema = z.string().transform((text, context) => {
  const written = text.trim().replaceAll('/', '-');
  const day = written.slice(0, 10);
  if (parseTimestamp(written) !== null && day >= FIRST_YEAR) return day;
  context.addIssue({ code: 'custom', message: 'must be a date' });
  return z.NEVER;
});

export const arrivalDaysSchema = orNothing(
  z.looseObject({ earliestArrival: orNothing(daySchema), latestArrival: orNothing(daySchema) }),
);
