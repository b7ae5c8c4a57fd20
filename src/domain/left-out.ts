/** Elements of a list that could not be read. They never hide the readable ones. */
export interface LeftOut {
  readonly count: number;
  /** Place and field of the first few, such as `items[3].expires`; never a value. */
  readonly where: readonly string[];
}

export const NOTHING_LEFT_OUT: LeftOut = { count: 0, where: [] };

const MAX_PLACES = 10;

export const leftOutOf = (places: readonly string[]): LeftOut => ({
  count: places.length,
  where: places.slice(0, MAX_PLACES),
});

/** `2 could not be read (items[0].expires, items[3].id)`; null when nothing was left out. */
export function leftOutText({ count, where }: LeftOut): string | null {
  if (count === 0) return null;
  const more = count > where.length ? ` and ${count - where.length} more` : '';
  return `${count} could not be read (${where.join(', ')}${more})`;
}
