import { ORDER_REFERENCE_TYPE } from '../domain/listing-proof';
import type { OrderReference } from '../domain/shipment';
import { nearest, REFERENCE_TYPES } from './codes';
import type { Problems } from './problem';
import type { OrderDraft } from './schema';

/** Types that Consign writes itself: they route events and tie the listing to its price. */
const OWN_TYPES: readonly string[] = [ORDER_REFERENCE_TYPE, 'PriceCorrelationId'];

function checkType(type: string, path: string, problems: Problems): void {
  if (REFERENCE_TYPES.includes(type)) return;
  if (OWN_TYPES.includes(type)) {
    problems.add(
      path,
      `${type} is written by Consign itself`,
      'leave it out, or use PurchaseOrder or SalesOrder',
    );
    return;
  }
  const guess = nearest(type, REFERENCE_TYPES);
  const remedy = guess === null ? `use one of: ${REFERENCE_TYPES.join(', ')}` : `did you mean ${guess}?`;
  problems.add(path, `${type} is no type of reference`, remedy);
}

/** Contract, listing create rules: for type Other label and number together have at most 60 characters. */
function checkReference({ type, number, label }: OrderReference, path: string, problems: Problems): void {
  if (type === 'Other' && label === null) {
    problems.add(path, 'a reference of type Other needs a label', 'write [{"label": "…", "number": "…"}]');
  }
  const length = label === null ? number.length : `${label} - ${number}`.length;
  if (length > 60) {
    problems.add(path, `has ${length} characters`, 'label, " - " and number have at most 60 together');
  }
}

/** The order's own references: one number a type, or a list of them. */
export function readReferences(wire: OrderDraft, problems: Problems): OrderReference[] {
  return Object.entries(wire.references ?? {}).flatMap(([type, given]) => {
    const path = `$.references.${type}`;
    checkType(type, path, problems);
    return (Array.isArray(given) ? given : [given]).map((entry) => {
      const reference = typeof entry === 'string' ? { type, number: entry, label: null } : { type, ...entry };
      checkReference(reference, path, problems);
      return reference;
    });
  });
}
