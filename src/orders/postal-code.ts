import type { Problems } from './problem';
import { regionNamesOfPostalCode, type Country } from './regions';

/** No Canadian code has D, F, I, O, Q or U, and none begins with W or Z. */
const CANADIAN = /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])\s*-?\s*(\d[ABCEGHJ-NPRSTV-Z]\d)$/;
const LOST_ZERO = /^(\d{3,4})(-\d{4})?$/;

interface PostalReading {
  readonly country: Country;
  /** Null when it is unknown. */
  readonly state: string | null;
  readonly path: string;
  readonly problems: Problems;
}

/**
 * Postal codes of the US and Canada. A US code with fewer than five digits has lost its leading zeros in a spreadsheet:
 * 2458 is 02458 in Massachusetts, and the marketplace would not know it otherwise.
 */
export function readPostalCode(code: string, reading: PostalReading): string {
  const clean = code.trim().toUpperCase();
  return reading.country === 'CA' ? readCanadian(code, clean, reading) : readUs(code, clean, reading);
}

function readCanadian(code: string, clean: string, reading: PostalReading): string {
  const { path, problems } = reading;
  const match = CANADIAN.exec(clean);
  if (match !== null) {
    const right = `${match[1] ?? ''} ${match[2] ?? ''}`;
    warnOtherRegion(right, reading);
    return right;
  }
  const remedy = /^\d{5}(-\d{4})?$/.test(clean)
    ? 'this is a US code; check the country'
    : 'write letters and digits in turn, such as M5V 2T6';
  problems.add(path, `${code} is not a Canadian postal code`, remedy);
  return clean;
}

function readUs(code: string, clean: string, reading: PostalReading): string {
  const { path, problems, state } = reading;
  if (/^\d{5}(-\d{4})?$/.test(clean)) {
    warnOtherRegion(clean, reading);
    return clean;
  }
  const lost = LOST_ZERO.exec(clean);
  const undashed = /^(\d{5})\s*-?\s*(\d{4})$/.exec(clean);
  const value = lost === null ? null : `${(lost[1] ?? '').padStart(5, '0')}${lost[2] ?? ''}`;
  // A code that belongs to another state has lost another digit.
  if (value !== null && (state === null || regionNamesOfPostalCode(value).includes(state))) {
    problems.add(path, `${code} has lost its leading zero`, `write "${value}", in quotes`, { path, value });
  } else if (undashed !== null) {
    const value = `${undashed[1] ?? ''}-${undashed[2] ?? ''}`;
    problems.add(path, `${code} is not written as a ZIP+4 with its dash`, `write "${value}", in quotes`, {
      path,
      value,
    });
  } else {
    const remedy = CANADIAN.test(clean)
      ? 'this is a Canadian code; check the country'
      : 'write five digits in quotes, such as "78703"';
    problems.add(path, `${code} is not a US postal code`, remedy);
  }
  return clean;
}

/** The code decides the route and its price: a code of another state sends the truck elsewhere. */
function warnOtherRegion(code: string, { state, path, problems }: PostalReading): void {
  const regions = regionNamesOfPostalCode(code);
  if (state === null || regions.includes(state)) return;
  problems.warn(
    path,
    `${code} is not in ${state}`,
    `codes that begin like this belong to ${regions.join(', ')}; check both`,
  );
}
