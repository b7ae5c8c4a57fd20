import { ApiProblem, codeScript, errorEntry, type ErrorEntry } from '../model/errors';
import { isObject, objectOf, type JsonObject } from '../model/json';
import type { SandboxSwitches } from '../model/switches';

interface TextRule {
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly ascii?: boolean;
  readonly pattern?: RegExp;
  readonly allowed?: ReadonlySet<string>;
  readonly hint?: string;
}

interface NumberRule {
  readonly required?: boolean;
  readonly integer?: boolean;
  readonly above?: number;
  readonly from?: number;
  readonly to?: number;
}

interface ListRule {
  readonly required?: boolean;
  readonly atLeast?: number;
}

const looksLikeScript = (text: string): boolean => /<\s*script|javascript:|<[^>]+\son\w+\s*=/iu.test(text);
const isAscii = (text: string): boolean => /^[\t\n\r\u{20}-\u{7e}]*$/u.test(text);

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Reads a whole body. Every problem of it is collected, so that one 400 answer names them all. */
export function readBody<Value>(
  body: unknown,
  { unknownFields }: Pick<SandboxSwitches, 'unknownFields'>,
  read: (fields: Fields) => Value,
): Value {
  const errors: ErrorEntry[] = [];
  const value = read(new Fields(objectOf(body), '', errors, unknownFields === 'refused'));
  if (errors.length > 0) throw new ApiProblem(400, 'Invalid or missing parameter.', errors);
  return value;
}

/** Reads one object of a request field by field; what is wrong goes to the errors under its path. */
export class Fields {
  readonly #read = new Set<string>();

  constructor(
    readonly value: JsonObject,
    private readonly path: string,
    private readonly errors: ErrorEntry[],
    private readonly refusesUnknown: boolean,
  ) {}

  /** The first spelling that is present; null counts as absent. */
  raw(name: string, ...otherSpellings: readonly string[]): unknown {
    const spellings = [name, ...otherSpellings];
    for (const spelling of spellings) this.#read.add(spelling);
    const found = spellings.find((spelling) => this.value[spelling] != null);
    return found === undefined ? undefined : this.value[found];
  }

  refuse(name: string, reason: string, code?: number): void {
    this.errors.push(errorEntry(this.#at(name), reason, code));
  }

  text(name: string, rule: TextRule = {}, ...otherSpellings: readonly string[]): string | undefined {
    const value = this.raw(name, ...otherSpellings);
    const text = this.#ofKind(isText, 'a string', name, value === '' ? undefined : value, rule);
    if (text !== undefined) this.#checkText(name, text, rule);
    return text;
  }

  #checkText(name: string, value: string, rule: TextRule): void {
    if (rule.maxLength !== undefined && value.length > rule.maxLength)
      this.refuse(name, `must have at most ${rule.maxLength} characters, has ${value.length}`);
    if (rule.ascii === true && !isAscii(value)) this.refuse(name, 'must be ASCII');
    if (rule.pattern !== undefined && !rule.pattern.test(value))
      this.refuse(name, rule.hint ?? 'has the wrong form');
    if (rule.allowed !== undefined && !rule.allowed.has(value))
      this.refuse(name, `${JSON.stringify(value)} is not one of the allowed values`);
    if (looksLikeScript(value)) this.refuse(name, 'contains script-like content', codeScript);
  }

  number(name: string, rule: NumberRule = {}): number | undefined {
    const value = this.#ofKind(isNumber, 'a number', name, this.raw(name), rule);
    if (value === undefined) return undefined;
    if (rule.integer === true && !Number.isInteger(value)) this.refuse(name, 'must be an integer');
    if (rule.above !== undefined && value <= rule.above)
      this.refuse(name, `must be greater than ${rule.above}`);
    if (rule.from !== undefined && value < rule.from) this.refuse(name, `must be at least ${rule.from}`);
    if (rule.to !== undefined && value > rule.to) this.refuse(name, `must be at most ${rule.to}`);
    return value;
  }

  flag(name: string): boolean | undefined {
    return this.#ofKind(isFlag, 'true or false', name, this.raw(name));
  }

  object(name: string, required = false): Fields | undefined {
    const value = this.#ofKind(isObject, 'an object', name, this.raw(name), { required });
    return value && this.#inner(value, name);
  }

  /** What `read` makes of an object whose fields it reads all at once; undefined where there is none. */
  within<Value>(name: string, read: (inner: Fields) => Value, required = false): Value | undefined {
    const inner = this.object(name, required);
    const value = inner && read(inner);
    inner?.done();
    return value;
  }

  list(name: string, rule: ListRule = {}): readonly unknown[] | undefined {
    const elements = this.#ofKind(isList, 'an array', name, this.raw(name), rule);
    if (elements !== undefined && elements.length < (rule.atLeast ?? 0))
      this.refuse(name, `must have at least ${rule.atLeast} entries`);
    return elements;
  }

  objects(name: string, rule: ListRule = {}): readonly Fields[] | undefined {
    return this.list(name, rule)?.flatMap((element, index) => {
      const place = `${name}[${index}]`;
      const value = this.#ofKind(isObject, 'an object', place, element);
      return value === undefined ? [] : [this.#inner(value, place)];
    });
  }

  /** @param textIn finds the text in an entry */
  texts(
    name: string,
    allowed?: ReadonlySet<string>,
    textIn: (element: unknown) => unknown = (element) => element,
  ): readonly string[] | undefined {
    return this.list(name)?.flatMap((element, index) => {
      const text = this.#ofKind(isText, 'a string', `${name}[${index}]`, textIn(element));
      if (text === undefined) return [];
      if (allowed === undefined || allowed.has(text)) return [text];
      this.refuse(`${name}[${index}]`, 'is not one of the allowed values');
      return [];
    });
  }

  /** Call when everything was read: the switch `unknownFields` decides whether the rest is a problem. */
  done(): void {
    if (!this.refusesUnknown) return;
    for (const name of Object.keys(this.value))
      if (!this.#read.has(name)) this.refuse(name, 'is not a field of this object');
  }

  #ofKind<Value>(
    isOfKind: (value: unknown) => value is Value,
    kind: string,
    name: string,
    value: unknown,
    { required = false }: { readonly required?: boolean } = {},
  ): Value | undefined {
    if (isOfKind(value)) return value;
    if (value !== undefined) this.refuse(name, `must be ${kind}`);
    else if (required) this.refuse(name, 'is required');
    return undefined;
  }

  #inner(value: JsonObject, name: string): Fields {
    return new Fields(value, this.#at(name), this.errors, this.refusesUnknown);
  }

  #at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
