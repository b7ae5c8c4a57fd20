/**
 * Compares two texts by UTF-16 code units, for `sort`. Never by locale: two machines would then choose different
 * rates from the same list, and a replay on another machine would differ from its history.
 */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
