import { InvalidArgumentError } from 'commander';

/** An option that counts, such as `--limit`. */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new InvalidArgumentError('give a whole number of at least 1.');
  return limit;
}
