import type { Problems } from './problem';
import type { Country } from './regions';

/** No Canadian code has D, F, I, O, Q or U, and none begins with W or Z. */
const CANADIAN = /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/;

/**
 * Postal codes of the US and Canada. Fewer than five digits in the US are leading zeros that a spreadsheet lost: 2458
 * is 02458 in Massachusetts, and would otherwise be a place that the marketplace does not know.
 */
export function readPostalCode(code: string, country: Country, path: string, problems: Problems): string {
  const clean = code.trim().toUpperCase();
  if (country === 'CA') {
    const match = CANADIAN.exec(clean);
    if (match !== null) return `${match[1] ?? ''} ${match[2] ?? ''}`;
    problems.add(path, `${code} is no Canadian postal code`, 'letters and digits alternate, such as M5V 2T6');
    return clean;
  }
  if (/^\d{5}(-\d{4})?$/.test(clean)) return clean;
  const lost = /^(\d{3,4})(-\d{4})?$/.exec(clean);
  if (lost !== null) {
    const right = `${(lost[1] ?? '').padStart(5, '0')}${lost[2] ?? ''}`;
    problems.add(path, `${code} has lost its leading zero`, `write "${right}", in quotes`);
  } else if (/^\d{5}[ ]?\d{4}$/.test(clean)) {
    const right = `${clean.slice(0, 5)}-${clean.slice(-4)}`;
    problems.add(path, `${code} lacks the dash of a ZIP+4`, `write "${right}", in quotes`);
  } else {
    problems.add(path, `${code} is no US postal code`, 'five digits in quotes, such as "78703"');
  }
  return clean;
}
