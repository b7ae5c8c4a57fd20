import type { ShipmentKind } from '../src/domain/shipment';

/** As much of JSON Schema as the form needs. */
export interface FormSchema {
  readonly title?: string;
  readonly description?: string | undefined;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly items?: FormSchema | readonly FormSchema[];
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
  readonly required?: readonly string[];
}

/** Fields that few orders have. A document as JSON may have all of them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['kind', 'policy', 'labels', 'references', 'images', 'gallery', 'attributes', 'serviceTypes'],
  ...['requestedRateTypes', 'callAhead', 'rateRule'],
]);

const DATE = '^\\d{4}-\\d{2}-\\d{2}$';

/**
 * The part of the order's schema that the form shows.
 * @param accounts null: the order exists, and keeps its account and its id
 */
export function formSchema(
  order: FormSchema,
  kind: ShipmentKind,
  accounts: readonly string[] | null,
): FormSchema {
  const branch = order.oneOf?.find(({ properties }) => properties?.kind?.const === kind) ?? {};
  const { properties = {}, required = [] } = simplified(branch);
  const { account, orderId, ...others } = properties;
  const named: FormSchema['properties'] =
    accounts === null ? {} : { account: { ...account, enum: accounts }, orderId: orderId ?? {} };
  return { properties: { ...named, ...others }, required: required.filter((name) => !LEFT_OUT.has(name)) };
}

/** The same schema in the keywords that the form knows. */
function simplified({
  type,
  anyOf,
  properties,
  items,
  pattern,
  description,
  ...rest
}: FormSchema): FormSchema {
  const words = description === undefined ? {} : { description: description.replaceAll('`', '') };
  const { enum: values, required } = rest;
  const base = {
    ...words,
    ...(values === undefined ? {} : { enum: values }),
    ...(required === undefined ? {} : { required }),
  };
  const kinds = [type, ...(anyOf ?? []).map((one) => one.type)].flat();
  // An amount or a postal code: both may be text or a number, and text keeps what was typed.
  if (kinds.includes('string'))
    return { ...base, type: 'string', ...(pattern === DATE ? { format: 'date' } : {}) };
  return {
    ...base,
    ...(type === undefined ? {} : { type }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(titled) }),
    ...(properties === undefined ? {} : { properties: shown(properties) }),
    ...(items === undefined ? {} : { items: isList(items) ? items.map(simplified) : simplified(items) }),
  };
}

const isList = (items: FormSchema | readonly FormSchema[]): items is readonly FormSchema[] =>
  Array.isArray(items);

const shown = (properties: Readonly<Record<string, FormSchema>>): Record<string, FormSchema> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      LEFT_OUT.has(name) ? [] : [[name, simplified(schema)]],
    ),
  );

/** The name of the only property, for a choice of forms such as `{on}` or `{before}`. */
const titled = (schema: FormSchema): FormSchema => ({
  ...simplified(schema),
  title: titleOf(Object.keys(schema.properties ?? {})[0] ?? 'value'),
});

/** `weightEach` as `Weight each`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The position of the form that a value has: the one with its first property; the first form without a value. */
export function chosenForm(forms: readonly FormSchema[], value: unknown): number {
  const [name] = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const found = forms.findIndex(({ properties = {} }) => name !== undefined && name in properties);
  return Math.max(found, 0);
}

/** A document without the empty parts that a form leaves behind; undefined when nothing is left. */
export function withoutEmpty(value: unknown): unknown {
  if (value === null || value === '' || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmpty).filter((one) => one !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (typeof value !== 'object') return value;
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const left = withoutEmpty(inner);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
