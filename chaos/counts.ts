/** How often each thing occurred, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** @param times how often one item counts */
export function countBy<T>(
  items: Iterable<T>,
  nameOf: (item: T) => string,
  times: (item: T) => number = () => 1,
): Counts {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + times(item);
  return counts;
}

export const sum = (counts: readonly number[]): number => counts.reduce((so, count) => so + count, 0);
