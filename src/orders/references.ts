import { ORDER_REFERENCE_TYPE, SEND_LABEL } from '../domain/listing-proof';
import { REFERENCE_TYPES } from '../domain/reference-type';
import type { OrderReference } from '../domain/shipment';
import { jsonPath } from './json-path';
import { certainly, correctionOf } from './nearest';
import type { Problems } from './problem';
import type { OrderDraft } from './schema';

/** Types that Consign writes itself: they route events and tie the listing to its price. */
const OWN_TYPES: readonly string[] = [ORDER_REFERENCE_TYPE, 'PriceCorrelationId'];

/** Contract, listing create rules: for type Other label and number together. */
const MAX_LABELLED = 60;

function checkType(type: string, path: string, given: readonly string[], problems: Problems): void {
  if (REFERENCE_TYPES.includes(type)) return;
  if (OWN_TYPES.includes(type)) {
    problems.add(
      path,
      `${type} is written by Consign itself`,
      'leave it out, or use PurchaseOrder or SalesOrder',
    );
    return;
  }
  const otherwise = `use one of: ${REFERENCE_TYPES.join(', ')}`;
  const { remedy } = correctionOf(type, REFERENCE_TYPES, { path, otherwise });
  const meant = certainly(type, REFERENCE_TYPES);
  const fix = meant === null || given.includes(meant) ? undefined : { path, renameTo: meant };
  problems.add(path, `${type} is no type of reference`, remedy, fix);
}

function checkReference({ type, number, label }: OrderReference, path: string, problems: Problems): void {
  if (type === 'Other' && label === null) {
    problems.add(path, 'a reference of type Other needs a label', 'write [{"label": "…", "number": "…"}]');
  }
  if (type !== 'Other' && label !== null && REFERENCE_TYPES.includes(type)) {
    problems.add(path, `only type Other has a label, ${type} has none`, 'write its number alone');
  }
  if (label === SEND_LABEL || number.startsWith(`${SEND_LABEL} - `)) {
    const problem = `the label ${SEND_LABEL} is Consign's own: it tells one send of a listing from another`;
    problems.add(path, problem, 'choose another label');
  }
  const length = label === null ? number.length : `${label} - ${number}`.length;
  if (length > MAX_LABELLED) {
    problems.add(
      path,
      `has ${length} characters`,
      `label, " - " and number have at most ${MAX_LABELLED} together`,
    );
  }
}

/** The order's own references: one number a type, or a list of them. */
export function readReferences(wire: OrderDraft, problems: Problems): OrderReference[] {
  const references = wire.references ?? {};
  return Object.entries(references).flatMap(([type, given]) => {
    const path = jsonPath(['references', type]);
    checkType(type, path, Object.keys(references), problems);
    return (Array.isArray(given) ? given : [given]).map((entry) => {
      const reference = typeof entry === 'string' ? { type, number: entry, label: null } : { type, ...entry };
      checkReference(reference, path, problems);
      return reference;
    });
  });
}
