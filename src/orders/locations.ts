import { readAddress, readContact } from './addresses';
import { isTimeZone } from './dates';
import type { OrderAccount } from './order-account';
import { Problems, type Problem } from './problem';
import { locationSchema } from './stop-schema';
import { schemaProblems } from './schema-problems';

/**
 * The problems of a location of the accounts file. They are reported when the file is read, instead of by every order
 * that starts there. A location may be incomplete: the order gives the rest.
 */
export function locationProblems(
  location: unknown,
  ltlCountries: OrderAccount['ltlCountries'],
): readonly Problem[] {
  const parsed = locationSchema.safeParse(location);
  if (!parsed.success) return schemaProblems(locationSchema, parsed.error, location);
  const problems = new Problems();
  const { address, contact, timeZone } = parsed.data;
  const reading = { path: '$', kind: null, ltlCountries, problems };
  if (address !== undefined) readAddress(parsed.data, reading);
  if (contact !== undefined) readContact(parsed.data, reading);
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    problems.add('$.timeZone', `${timeZone} is not a time zone`, 'use a name such as "America/Chicago"');
  }
  return problems.problems;
}
