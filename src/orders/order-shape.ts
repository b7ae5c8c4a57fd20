import { z } from 'zod';
import { meantDate } from './dates';
import { canonicalJson } from './document-hash';
import { keysOf } from './json-path';
import { certainly } from './spelling';
import type { Problem, Problems } from './problem';
import { MAX_DOCUMENT_BYTES } from './read-document';
import { dropInvalid, valueAt } from './drop-invalid';
import {
  furnitureShapeSchema,
  furnitureOrderSchema,
  ltlShapeSchema,
  ltlOrderSchema,
  type OrderShape,
} from './schema';
import { schemaProblems } from './schema-problems';

/** A workflow can only carry what is plain JSON of a bounded size. */
export function readCanonical(document: unknown, problems: Problems): string | null {
  try {
    const canonical = canonicalJson(document);
    const bytes = Buffer.byteLength(canonical);
    if (bytes <= MAX_DOCUMENT_BYTES) return canonical;
    problems.add('$', `the document has ${bytes} bytes`, `use at most ${MAX_DOCUMENT_BYTES}`);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    problems.add(
      '$',
      'the document is not plain JSON',
      'use only objects, lists, texts, numbers and booleans',
    );
  }
  return null;
}

const KINDS = ['furniture', 'ltl'] as const;

/** Reports a document that is not an order, with the most likely reason. */
function reportNoOrder(document: unknown, problems: Problems): void {
  if (Array.isArray(document)) {
    const problem = `contains a list of ${document.length} documents; a document must contain one order`;
    problems.add('$', problem, 'split it, for example with jq -c .[]');
    return;
  }
  const loose = z.looseObject({}).safeParse(document);
  if (loose.success && 'accounts' in loose.data && !('kind' in loose.data)) {
    problems.add('$', 'is an accounts file, not an order', 'give order documents only');
    return;
  }
  const kind = loose.success ? loose.data.kind : undefined;
  const meant = typeof kind === 'string' ? certainly(kind, KINDS) : null;
  const fix = meant === null ? undefined : { path: '$.kind', value: meant };
  const remedy = meant === null ? 'set "kind" to "furniture" or "ltl"' : `write "${meant}"`;
  problems.add('$.kind', 'the document does not name its kind', remedy, fix);
}

/**
 * The order without its malformed parts, which are reported; null when it does not name its kind.
 * @param document a copy, which is changed
 */
export function readOrderShape(document: unknown, problems: Problems): OrderShape | null {
  const kind = z.looseObject({ kind: z.enum(KINDS) }).safeParse(document);
  if (!kind.success) {
    reportNoOrder(document, problems);
    return null;
  }
  const isLtl = kind.data.kind === 'ltl';
  const schema = isLtl ? ltlOrderSchema : furnitureOrderSchema;
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  for (const problem of schemaProblems(schema, parsed.error, document)) {
    problems.addMalformed(withBareDay(kind.data.kind, withKnownMistake(kind.data.kind, problem), document));
  }
  return isLtl ? dropInvalid(ltlShapeSchema, document) : dropInvalid(furnitureShapeSchema, document);
}

function withKnownMistake(kind: 'furniture' | 'ltl', found: Problem): Problem {
  const known = KNOWN_MISTAKES[`${kind} ${found.path.replaceAll(/\[\d+\]/g, '[]')}`];
  if (known === undefined) return found;
  const [problem, remedy] = known;
  return { path: found.path, problem, remedy };
}

/** For furniture, a bare day does not say whether it means `on` that day or `before` it. */
function withBareDay(kind: 'furniture' | 'ltl', found: Problem, document: unknown): Problem {
  const { path } = found;
  const given = path === '$.pickup' || path === '$.delivery' ? valueAt(document, keysOf(path)) : undefined;
  const day = typeof given === 'string' ? meantDate(given) : null;
  if (day === null) return found;
  const problem = 'is only a day, without `on` or `before`';
  if (kind === 'furniture')
    return { path, problem, remedy: `write {"on": "${day}"} or {"before": "${day}"}` };
  const isPickup = path === '$.pickup';
  return isPickup
    ? { path, problem, remedy: `write {"on": "${day}"}`, fix: { path, value: { on: day } } }
    : found;
}

const NO_SERVICES = ['furniture listings have no services', 'put the wish into the description'] as const;
const NO_UNITS = ['belongs to LTL; furniture has none', 'leave it out'] as const;

/** Keys of the other kind, with the reason why this kind does not have them. */
const KNOWN_MISTAKES: Readonly<Record<string, readonly [string, string]>> = {
  'ltl $.description': [
    'rate requests have no description of the order: no carrier would see it',
    'put it into the description of an item',
  ],
  'ltl $.delivery': ['LTL has no delivery time frame', 'leave it out; the rate says how long it takes'],
  'ltl $.images': ['LTL listings take no images', 'leave them out'],
  'ltl $.driverNotes': ['LTL has no notes for the driver', 'put the wish into the description of an item'],
  'furniture $.services': NO_SERVICES,
  'furniture $.accessorials': NO_SERVICES,
  'furniture $.origin.accessorials': NO_SERVICES,
  'furniture $.destination.accessorials': NO_SERVICES,
  'furniture $.rateRule': [
    'furniture has one fixed price and no rates to choose from',
    'set priceLimit instead',
  ],
  'furniture $.items[].handlingUnit': NO_UNITS,
  'furniture $.items[].packaging': NO_UNITS,
  'furniture $.items[].freightClass': NO_UNITS,
  'furniture $.items[].stackable': ['belongs to LTL', 'set attributes.stackable of the order instead'],
  'furniture $.items[].hazardous': [
    'furniture listings take no hazardous goods',
    'ship them as LTL, on an account that allows it',
  ],
};
