import type { Problems } from './problem';

/** "P.O. Box 12" in its usual spellings: PO Box, POB, P O Bx, P0 Box with a zero, Post Office Box, PO Drawer. */
const ENGLISH =
  /\b(g?p\W{0,2}[o0]|post(al)?([ -]*office)?)\W{0,3}(box|bx|drawer|bin)(?![a-z])|\bp\W{0,2}o\W{0,2}b\W{0,3}\d/i;
/** Only where it is the whole street. */
const BARE = /^\W*((lock ?)?box|p\W{0,2}o)\W{0,4}(no\W{0,2}|number\W{0,2})?\d+\W*$/i;
/** Of Quebec and Puerto Rico. */
const OTHERS = /\b(case|bo[iî]te)[ -]postale\b|\bapartado\b|\b[cb]\.?p\.? ?\d/i;

/** Trucks deliver to places, not to post office boxes. */
export function warnPoBox(text: string | undefined, path: string, problems: Problems): void {
  if (text === undefined || ![ENGLISH, BARE, OTHERS].some((form) => form.test(text))) return;
  const problem = 'looks like a post office box, where no truck can load or deliver';
  problems.warn(path, problem, 'give the street address of the place');
}
