import { z } from 'zod';
import type { ShapeDifference, ShapeReport, UnknownValue } from '../../domain/conformance';
import { enumValueSchema, statusWordsSchema } from '../schemas/common';
import { expectedBy, kindOf } from './kinds';
import { isLabel, joinPath, NamesOf, pathOf, valueAt } from './paths';

/** Values of open lists, by path or by the last name of the path. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** The form of a code. Values of any other form are not shown. */
const CODE = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema that applies to a value: looks inside wrappers, and picks the form of a union by kind. */
function schemaFor(schema: unknown, value: unknown): { at: unknown; isOneOfForms: boolean } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schemaFor(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodPipe) {
    return schemaFor(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value);
  }
  if (!(schema instanceof z.ZodUnion)) return { at: schema, isOneOfForms: false };
  const forms = schema.options.map((form) => schemaFor(form, value).at);
  const fits = (form: unknown): boolean =>
    Array.isArray(value)
      ? form instanceof z.ZodArray
      : isRecord(value) && (form instanceof z.ZodObject || form instanceof z.ZodRecord);
  return { at: forms.find(fits), isOneOfForms: true };
}

/** What a walk through an answer found, once for each place. */
class Walk {
  readonly unread = new NamesOf();
  readonly #objects = new Map<string, number>();
  readonly #absent = new Map<string, { readonly of: string; count: number }>();
  readonly #values = new Map<string, UnknownValue>();

  constructor(private readonly known: KnownValues) {}

  visit(schema: unknown, value: unknown, path: string): void {
    if (schema === enumValueSchema || schema === statusWordsSchema) {
      this.#takeValue(value, path);
      return;
    }
    const { at, isOneOfForms } = schemaFor(schema, value);
    if (at instanceof z.ZodArray && Array.isArray(value)) {
      for (const element of value) this.visit(at.element, element, `${path}[]`);
    } else if (at instanceof z.ZodObject && isRecord(value)) {
      this.#visitObject(at.shape, value, { path, isOneOfForms });
    } else if (at === undefined || at instanceof z.ZodRecord || at instanceof z.ZodUnknown) {
      this.unread.addInside(value, path);
    }
  }

  get absentFields(): string[] {
    return [...this.#absent].map(([path, { of, count }]) => {
      const all = this.#objects.get(of) ?? count;
      return count === all ? path : `${path} (in ${count} of ${all})`;
    });
  }

  get unknownValues(): UnknownValue[] {
    return [...this.#values.values()];
  }

  #visitObject(
    shape: Readonly<Record<string, unknown>>,
    value: Readonly<Record<string, unknown>>,
    { path, isOneOfForms }: { readonly path: string; readonly isOneOfForms: boolean },
  ): void {
    this.#objects.set(path, (this.#objects.get(path) ?? 0) + 1);
    for (const [name, inner] of Object.entries(shape)) {
      if (Object.hasOwn(value, name)) this.visit(inner, value[name], joinPath(path, name));
      // The forms of a union each lack the fields of the others.
      else if (!isOneOfForms) this.#takeAbsent(joinPath(path, name), path);
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!Object.hasOwn(shape, name) && !isLabel(name, value)) this.unread.add(name, inner, path);
    }
  }

  #takeAbsent(path: string, of: string): void {
    const seen = this.#absent.get(path);
    if (seen === undefined) this.#absent.set(path, { of, count: 1 });
    else seen.count += 1;
  }

  #takeValue(value: unknown, path: string): void {
    const text = isRecord(value) ? value.value : value;
    if (text === null || text === undefined || text === '') return;
    const known = this.known[path] ?? this.known[path.split('.').at(-1) ?? ''] ?? [];
    if (typeof text === 'string' && known.includes(text)) return;
    const shown = typeof text === 'string' && CODE.test(text) ? text : null;
    this.#values.set(`${path} ${shown ?? ''}`, { path, value: shown });
  }
}

function differencesOf(error: z.ZodError, body: unknown): ShapeDifference[] {
  const differences = error.issues.map((issue) => ({
    path: pathOf(issue.path),
    expected: expectedBy(issue),
    received: kindOf(valueAt(body, issue.path)),
  }));
  return [...new Map(differences.map((one) => [Object.values(one).join(' '), one])).values()];
}

/**
 * Compares an answer with the schema that reads it. The report contains names of fields and kinds of values; it
 * contains a value only from an open list, and only if it looks like a code.
 * @param walked the value to compare, if it is not the body itself
 */
export function compareShape(
  schema: z.ZodType,
  body: unknown,
  { known = {}, walked = body }: { readonly known?: KnownValues; readonly walked?: unknown } = {},
): ShapeReport {
  const parsed = schema.safeParse(body);
  const walk = new Walk(known);
  walk.visit(schema, walked, '');
  return {
    differences: parsed.success ? [] : differencesOf(parsed.error, walked),
    unreadFields: walk.unread.fields,
    absentFields: walk.absentFields,
    unknownValues: walk.unknownValues,
  };
}
