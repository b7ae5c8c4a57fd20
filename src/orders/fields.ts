import { stringify } from 'yaml';
import type { JsonSchema } from './json-schema';

/** One field of a document, as its schema describes it. */
export interface Field {
  /** Names of records and positions in lists are left out: `furniture.items.size.unit`. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** How it is written, such as `whole number`. */
  readonly form: string;
  /** All that it may be; empty when there is no such list. */
  readonly values: readonly string[];
  /** As a YAML document writes it; null when there is none. */
  readonly default: string | null;
  readonly fields: readonly Field[];
}

/** A whole document, or one part of it, as a field with its fields. */
export function fieldOf(path: string, schema: JsonSchema, isRequired = true): Field {
  return {
    ...{ path, isRequired, description: schema.description ?? '', form: formOf(schema) },
    ...{ values: valuesOf(schema), default: defaultOf(schema), fields: fieldsIn(path, schema) },
  };
}

const defaultOf = ({ default: usual }: JsonSchema): string | null =>
  usual === undefined ? null : stringify(usual, { collectionStyle: 'flow' }).trim();

/** The field at a path below another one; null when there is none. */
export function findField(fields: readonly Field[], path: string): Field | null {
  const owner = fields.find((field) => path === field.path || path.startsWith(`${field.path}.`));
  return owner === undefined || owner.path === path ? (owner ?? null) : findField(owner.fields, path);
}

/** A field and all below it. */
export function allFields(field: Field): Field[] {
  return [field, ...field.fields.flatMap(allFields)];
}

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The alternatives of a union; any other schema is its only one. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf)?.flatMap(alternatives) ?? [schema];

/** What a list or a record contains. */
const contentOf = ({ items, additionalProperties }: JsonSchema): JsonSchema | null =>
  [items, additionalProperties].find(isSchema) ?? null;

/** The objects whose keys are the fields of a schema. */
function objectsIn(schema: JsonSchema): readonly JsonSchema[] {
  return alternatives(schema).flatMap((one) => {
    if (one.properties !== undefined) return [one];
    const content = contentOf(one);
    return content === null ? [] : objectsIn(content);
  });
}

function fieldsIn(path: string, schema: JsonSchema): Field[] {
  const objects = objectsIn(schema);
  const keys = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...keys].flatMap((key) => {
    const inner = objects.map(({ properties = {} }) => properties[key]).find(isSchema);
    const isRequired = objects.every(({ required = [] }) => required.includes(key));
    return inner === undefined ? [] : [fieldOf(`${path}.${key}`, inner, isRequired)];
  });
}

function valuesOf(schema: JsonSchema): string[] {
  return alternatives(schema).flatMap((one) => {
    if (one.const !== undefined) return [String(one.const)];
    if (one.enum !== undefined) return one.enum.map(String);
    const content = one.type === 'array' ? contentOf(one) : null;
    return content === null ? [] : valuesOf(content);
  });
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: '`true` or `false`',
  array: 'list',
  object: 'object',
};

function formOf({ title, type, ...schema }: JsonSchema): string {
  if (title !== undefined) return title;
  const [first, ...others] = alternatives(schema);
  if (others.length === 0 || first === undefined)
    return [type ?? 'anything']
      .flat()
      .map((name) => TYPES[name] ?? name)
      .join(' or ');
  return [...new Set([first, ...others].map(formOf))].join(' or ');
}
