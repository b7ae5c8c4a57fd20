import type { ShipmentKind } from '../domain/shipment';
import { alternatives, isSchema } from './fields';
import { orderJsonSchema, type JsonSchema } from './json-schema';
import { certainly, nearest } from './spelling';

export type Keys = readonly (string | number)[];

/** A column of a table of orders: the place in an order document that its cells hold. */
export interface Column {
  /** Dotted; positions in lists count from 1, as in `items.1.title`. */
  readonly name: string;
  readonly keys: Keys;
  /** `textOrList`: a list stands in columns with positions; only an empty one needs a cell. `nested`: in JSON. */
  readonly form: 'text' | 'textOrList' | 'number' | 'boolean' | 'nested';
}

/** A name that no order document has a place for. */
export interface UnknownColumn {
  readonly problem: string;
  readonly remedy: string;
}

let schema: JsonSchema | undefined;
const orderSchema = (): JsonSchema => (schema ??= orderJsonSchema());

const POSITION = /^[1-9]\d{0,2}$/;

/** The place that the name of a column stands for; a column of either kind of order. */
export function readColumn(name: string): Column | UnknownColumn {
  const keys: (string | number)[] = [];
  let schemas: readonly JsonSchema[] = [orderSchema()];
  let segments = name.split('.');
  while (segments.length > 0) {
    const step = stepInto(schemas, segments);
    if (step === null) return unknownColumn(schemas, name.split('.').slice(0, keys.length), segments);
    keys.push(step.key);
    ({ schemas, rest: segments } = step);
  }
  return { name, keys, form: formOf(schemas) };
}

interface Step {
  readonly schemas: readonly JsonSchema[];
  readonly key: string | number;
  readonly rest: string[];
}

function stepInto(schemas: readonly JsonSchema[], [segment = '', ...rest]: readonly string[]): Step | null {
  const parts = schemas.flatMap(alternatives);
  const named = parts.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, segment) ? [properties[segment]] : [],
  );
  if (named.length > 0) return { schemas: named.filter(isSchema), key: segment, rest };
  if (POSITION.test(segment)) {
    const index = Number(segment) - 1;
    const entries = parts
      .flatMap(({ items }) => (Array.isArray(items) ? items[index] : items))
      .filter(isSchema);
    if (entries.length > 0) return { schemas: entries, key: index, rest };
  }
  const records = parts.filter((part) => isSchema(part.additionalProperties) && isNameOf(part, segment));
  const content = records.map(({ additionalProperties }) => additionalProperties).filter(isSchema);
  if (content.length === 0 || segment === '') return null;
  // The name of a label may contain dots.
  const isFlat = content.every((part) => part.type === 'string');
  return isFlat
    ? { schemas: content, key: [segment, ...rest].join('.'), rest: [] }
    : { schemas: content, key: segment, rest };
}

const namesOf = ({ propertyNames }: JsonSchema): readonly unknown[] | undefined =>
  isSchema(propertyNames) ? propertyNames.enum : undefined;

const isNameOf = (record: JsonSchema, name: string): boolean => namesOf(record)?.includes(name) !== false;

function formOf(schemas: readonly JsonSchema[]): Column['form'] {
  const types = new Set(schemas.flatMap(alternatives).flatMap(({ type }) => type ?? 'string'));
  if (types.has('string')) return types.has('array') ? 'textOrList' : 'text';
  if (types.has('number') || types.has('integer')) return 'number';
  return types.has('boolean') ? 'boolean' : 'nested';
}

function unknownColumn(
  schemas: readonly JsonSchema[],
  before: readonly string[],
  [segment = '', ...rest]: readonly string[],
): UnknownColumn {
  const parts = schemas.flatMap(alternatives);
  const known = [
    ...new Set(parts.flatMap((part) => [...Object.keys(part.properties ?? {}), ...(namesOf(part) ?? [])])),
  ].map(String);
  const problem = 'no order has such a field';
  if (parts.some(({ items }) => items !== undefined)) {
    const example = [
      ...before,
      '1',
      ...(POSITION.test(segment) || segment === '0' ? rest : [segment, ...rest]),
    ];
    return { problem, remedy: `number the positions of a list from 1 on, as in ${example.join('.')}` };
  }
  const guess = certainly(segment, known) ?? nearest(segment, known);
  if (guess !== null) return { problem, remedy: `did you mean ${[...before, guess, ...rest].join('.')}?` };
  const fields = known.length === 0 ? '' : `; known fields here: ${known.join(', ')}`;
  return { problem, remedy: `remove the column, or begin its name with # to keep notes in it${fields}` };
}

/** The name of the column for a place of a document. */
export const columnName = (keys: readonly PropertyKey[]): string =>
  keys.map((key) => (typeof key === 'number' ? String(key + 1) : String(key))).join('.');

/** A column for each field of one kind of order, in the order of the documentation; of lists the first position. */
export function columnsOf(kind: ShipmentKind): string[] {
  const order = alternatives(orderSchema()).find(({ properties }) => {
    const named = properties?.kind;
    return isSchema(named) && named.const === kind;
  });
  // A policy usually belongs to the account, and has more fields than the order.
  return order === undefined
    ? []
    : [...new Set(leavesOf(order, []))].filter((name) => !name.startsWith('policy.'));
}

function leavesOf(part: JsonSchema, keys: Keys): string[] {
  const { required = [] } = part;
  const options = alternatives(part).filter(({ properties }) =>
    required.every((key) => properties === undefined || Object.hasOwn(properties, key)),
  );
  const isScalar = options.some(
    ({ type }) => type === undefined || !['object', 'array'].includes(String(type)),
  );
  if (isScalar) return [columnName(keys)];
  return options.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([key, inner]) =>
      isSchema(inner) ? leavesOf(inner, [...keys, key]) : [],
    ),
    ...[items].flat().flatMap((entry, index) => (isSchema(entry) ? leavesOf(entry, [...keys, index]) : [])),
  ]);
}
