import { z } from 'zod';
import { ApiProblem, codeScript, errorEntry, type ErrorEntry } from '../model/errors';
import { isObject, objectOf, type JsonObject } from '../model/json';
import type { SandboxSwitches } from '../model/switches';

interface Rule<Value> {
  readonly required?: boolean;
  readonly schema?: z.ZodType<Value>;
}

const looksLikeScript = (text: string): boolean => /<\s*script|javascript:|<[^>]+\son\w+\s*=/iu.test(text);

export const aboveZero = z.number().positive();

const jsonObject = z.custom<JsonObject>(isObject, 'must be an object');

/** A text that is one of these; they are too many to be named in an error. */
export const oneOf = (allowed: ReadonlySet<string>): z.ZodType<string> =>
  z.string().refine((text) => allowed.has(text), 'is not one of the allowed values');

/** Reads a whole body. Every problem of it is collected, so that one 400 answer names them all. */
export function readBody<Value>(
  body: unknown,
  { unknownFields }: Pick<SandboxSwitches, 'unknownFields'>,
  read: (fields: Fields) => Value,
): Value {
  const errors: ErrorEntry[] = [];
  const fields = new Fields(objectOf(body), '', errors);
  const value = read(fields);
  if (unknownFields === 'refused') fields.refuseUnread();
  if (errors.length > 0) throw new ApiProblem(400, 'Invalid or missing parameter.', errors);
  return value;
}

/** Reads one object of a request field by field; what is wrong goes to the errors under its path. */
export class Fields {
  readonly #read = new Set<string>();
  readonly #opened: Fields[] = [];

  constructor(
    readonly value: JsonObject,
    private readonly path: string,
    private readonly errors: ErrorEntry[],
  ) {}

  /** Null counts as absent. */
  raw(name: string): unknown {
    this.#read.add(name);
    return this.value[name] ?? undefined;
  }

  refuse(name: string, reason: string, code?: number): void {
    this.#read.add(name);
    this.errors.push(errorEntry(this.#at(name), reason, code));
  }

  text(name: string, { required, schema = z.string() }: Rule<string> = {}): string | undefined {
    const value = this.raw(name);
    const text = this.#parse(schema, name, value === '' ? undefined : value, required);
    if (text !== undefined && looksLikeScript(text))
      this.refuse(name, 'contains script-like content', codeScript);
    return text;
  }

  number(name: string, { required, schema = z.number() }: Rule<number> = {}): number | undefined {
    return this.#parse(schema, name, this.raw(name), required);
  }

  flag(name: string): boolean | undefined {
    return this.#parse(z.boolean(), name, this.raw(name));
  }

  object(name: string, required = false): Fields | undefined {
    return this.#inner(name, this.raw(name), required);
  }

  /** What `read` makes of the object; undefined where there is none. */
  within<Value>(name: string, read: (inner: Fields) => Value): Value | undefined {
    const inner = this.object(name);
    return inner && read(inner);
  }

  texts(name: string, schema: z.ZodType<string> = z.string()): readonly string[] | undefined {
    return this.#parse(z.array(schema), name, this.raw(name));
  }

  objects(name: string, { required = false, atLeast = 0 } = {}): readonly Fields[] | undefined {
    const elements = this.#parse(z.array(z.unknown()), name, this.raw(name), required);
    if (elements !== undefined && elements.length < atLeast)
      this.refuse(name, `must have at least ${atLeast} entries`);
    return elements?.flatMap((element, index) => this.#inner(`${name}[${index}]`, element) ?? []);
  }

  /** The switch `unknownFields` decides whether what nobody has read is a problem. */
  refuseUnread(): void {
    for (const name of Object.keys(this.value))
      if (!this.#read.has(name)) this.refuse(name, 'is not a field of this object');
    for (const inner of this.#opened) inner.refuseUnread();
  }

  #parse<Value>(schema: z.ZodType<Value>, name: string, value: unknown, required = false): Value | undefined {
    if (value === undefined) {
      if (required) this.refuse(name, 'is required');
      return undefined;
    }
    const { data, error } = schema.safeParse(value);
    for (const { path, message } of error?.issues ?? [])
      this.refuse(name + path.map((place) => `[${String(place)}]`).join(''), message);
    return data;
  }

  #inner(name: string, given: unknown, required = false): Fields | undefined {
    const value = this.#parse(jsonObject, name, given, required);
    if (value === undefined) return undefined;
    const inner = new Fields(value, this.#at(name), this.errors);
    this.#opened.push(inner);
    return inner;
  }

  #at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
