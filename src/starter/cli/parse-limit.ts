import { InvalidArgumentError } from 'commander';

/** `--limit` of the commands that list. */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new InvalidArgumentError('give a whole number of at least 1.');
  return limit;
}
