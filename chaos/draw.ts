import type { SeededRandom } from '../sandbox/model/random';

export function pick<T>(random: SeededRandom, values: readonly T[]): T {
  const picked = values[random.integer(0, values.length - 1)];
  if (picked === undefined) throw new TypeError('the list to pick from is empty');
  return picked;
}

export const shuffled = <T>(random: SeededRandom, values: readonly T[]): readonly T[] =>
  values
    .map((value) => ({ value, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
