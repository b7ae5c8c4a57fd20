import type { ListingChanges } from './listing-changes';
import { isSame } from './same';
import type { FurnitureShipment } from './shipment';

/** How a listing becomes what another document says. `fields` are names of the document only, without its content. */
export type AmendmentPlan =
  | { readonly kind: 'nothing' }
  /** The marketplace is never sent what differs. */
  | { readonly kind: 'recordOnly'; readonly fields: readonly string[] }
  | {
      readonly kind: 'change';
      readonly fields: readonly string[];
      readonly changes: ListingChanges;
      /** The fixed price depends on what differs, and is asked for again. */
      readonly isPriced: boolean;
      /** The references differ, or will because of a new price. */
      readonly hasReferences: boolean;
    }
  /** A change of a listing cannot carry what differs. */
  | { readonly kind: 'relist'; readonly fields: readonly string[] };

type Field = keyof FurnitureShipment;

const NEVER_SENT: ReadonlySet<Field> = new Set<Field>(['labels', 'priceLimit']);
const ONLY_CREATED: ReadonlySet<Field> = new Set<Field>([
  ...(['coverage', 'driverNotes', 'gallery', 'requestedRateTypes', 'images'] as const),
]);
const ROUTE: ReadonlySet<Field> = new Set<Field>(['origin', 'destination', 'pickup', 'delivery']);

export function planAmendment(before: FurnitureShipment, after: FurnitureShipment): AmendmentPlan {
  const fields = differingFields(before, after);
  if (fields.length === 0) return { kind: 'nothing' };
  if (fields.every((field) => NEVER_SENT.has(field))) return { kind: 'recordOnly', fields };
  if (fields.some((field) => ONLY_CREATED.has(field) || isCleared(after, field)))
    return { kind: 'relist', fields };
  const isPriced = !isSame(pricedBy(before), pricedBy(after));
  const hasReferences = isPriced || fields.includes('references');
  return { kind: 'change', fields, changes: changesOf(after, fields), isPriced, hasReferences };
}

const differingFields = (before: FurnitureShipment, after: FurnitureShipment): readonly Field[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a shipment are its fields
  (Object.keys(after) as Field[]).filter((field) => !isSame(before[field], after[field]));

/** What is absent from a change stays, so a change cannot say that there is none any more. */
const isCleared = (after: FurnitureShipment, field: Field): boolean =>
  (field === 'description' || field === 'attributes') && after[field] === null;

/** What the request for a fixed price says, as far as a change can carry it. */
function pricedBy({ origin, destination, items }: FurnitureShipment): unknown {
  return {
    stops: [origin, destination].map(({ address }) => [address.postalCode, address.country]),
    items: items.map(({ title: _title, description: _description, ...priced }) => priced),
  };
}

function changesOf(after: FurnitureShipment, fields: readonly Field[]): ListingChanges {
  const has = (field: Field): boolean => fields.includes(field);
  const { title, description, items, serviceTypes, attributes } = after;
  const { origin, destination, pickup, delivery } = after;
  return {
    ...(has('title') && { title }),
    ...(has('description') && description !== null && { description }),
    ...(has('items') && { items }),
    ...(has('serviceTypes') && { serviceTypes }),
    ...(has('attributes') && attributes !== null && { attributes }),
    ...(fields.some((field) => ROUTE.has(field)) && { route: { origin, destination, pickup, delivery } }),
  };
}
