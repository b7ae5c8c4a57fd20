import { ORDER_REFERENCE_TYPE, SEND_LABEL } from '../domain/listing-proof';
import { REFERENCE_TYPES } from '../domain/reference-type';
import type { OrderReference } from '../domain/shipment';
import { jsonPath } from './json-path';
import { certainly, correctionOf } from './spelling';
import type { Problems } from './problem';
import type { OrderShape } from './schema';

/** Types that Consign writes itself: they route events and tie the listing to its price. */
const OWN_TYPES: readonly string[] = [ORDER_REFERENCE_TYPE, 'PriceCorrelationId'];

/** Contract, listing create rules: for type Other label and number together. */
const MAX_LABELLED = 60;

function checkType(type: string, path: string, given: readonly string[], problems: Problems): void {
  if (REFERENCE_TYPES.includes(type)) return;
  if (OWN_TYPES.includes(type)) {
    problems.add(path, `Consign writes ${type} itself`, 'leave it out, or use PurchaseOrder or SalesOrder');
    return;
  }
  const otherwise = `use one of: ${REFERENCE_TYPES.join(', ')}`;
  const { remedy } = correctionOf(type, REFERENCE_TYPES, { path, otherwise });
  const meant = certainly(type, REFERENCE_TYPES);
  const fix = meant === null || given.includes(meant) ? undefined : { path, renameTo: meant };
  problems.add(path, `${type} is not a reference type`, remedy, fix);
}

function checkReference({ type, number, label }: OrderReference, path: string, problems: Problems): void {
  if (type === 'Other' && label === null) {
    problems.add(path, 'a reference of type Other needs a label', 'write [{"label": "…", "number": "…"}]');
  }
  if (type !== 'Other' && label !== null && REFERENCE_TYPES.includes(type)) {
    problems.add(path, `${type} has no label; only type Other has one`, 'write only its number');
  }
  if (label === SEND_LABEL || number.startsWith(`${SEND_LABEL} - `)) {
    const problem = `Consign reserves the label ${SEND_LABEL}: it identifies each attempt to send a listing`;
    problems.add(path, problem, 'choose another label');
  }
  const length = label === null ? number.length : `${label} - ${number}`.length;
  if (length > MAX_LABELLED) {
    problems.add(
      path,
      `has ${length} characters`,
      `use at most ${MAX_LABELLED} for label, " - " and number together`,
    );
  }
}

/** The order's own references: one number for each type, or a list of numbers. */
export function readReferences(wire: OrderShape, problems: Problems): OrderReference[] {
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
