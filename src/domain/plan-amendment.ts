import type { ListingChanges } from './listing-changes';
import { isSame } from './same';
import type { FurnitureShipment, Shipment } from './shipment';

/** How to change a listing to match another document. `fields` are field names only, never their content. */
export type AmendmentPlan =
  | { readonly kind: 'nothing' }
  /** Only fields that Consign never sends differ. */
  | { readonly kind: 'recordOnly'; readonly fields: readonly string[] }
  | {
      readonly kind: 'change';
      readonly fields: readonly string[];
      readonly changes: ListingChanges;
      /** The difference affects the fixed price, so Consign asks for a new one. */
      readonly isPriced: boolean;
      /** The references differ, or will differ because of a new price. */
      readonly hasReferences: boolean;
    }
  /** A listing change cannot carry the difference. */
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

/** The fields of an order that another document says otherwise. */
export const differingFields = <S extends Shipment>(before: S, after: S): readonly (keyof S)[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a shipment are its fields
  (Object.keys(after) as (keyof S)[]).filter((field) => !isSame(before[field], after[field]));

/** An absent field of a change means "unchanged", so a change cannot clear a field. */
const isCleared = (after: FurnitureShipment, field: Field): boolean =>
  (field === 'description' || field === 'attributes') && after[field] === null;

/** The parts of a fixed price request that a listing change can carry. */
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
