import { ApiProblem, codeInvalid, codeScript, type ErrorEntry } from '../model/errors';
import { isObject, type JsonObject } from '../model/json';

/** Collects every problem of a request, so that one 400 answer names them all. */
export class Problems {
  readonly errors: ErrorEntry[] = [];

  constructor(readonly refuseUnknownFields: boolean) {}

  add(field: string, reason: string, code: number = codeInvalid): void {
    this.errors.push({ code, field, reason, severity: 'Error' });
  }

  throwIfAny(): void {
    if (this.errors.length > 0) throw new ApiProblem(400, 'Invalid or missing parameter.', this.errors);
  }
}

export interface TextRule {
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly ascii?: boolean;
  readonly pattern?: RegExp;
  readonly allowed?: ReadonlySet<string>;
  readonly hint?: string;
}

export interface NumberRule {
  readonly required?: boolean;
  readonly integer?: boolean;
  readonly above?: number;
  readonly from?: number;
  readonly to?: number;
}

const looksLikeScript = (text: string): boolean => /<\s*script|javascript:|<[^>]+\son\w+\s*=/iu.test(text);
const isAscii = (text: string): boolean => /^[\t\n\r\u{20}-\u{7e}]*$/u.test(text);

/** Reads one object of a request field by field; what is wrong goes to the problems under its path. */
export class Fields {
  readonly #read = new Set<string>();

  constructor(
    readonly value: JsonObject,
    readonly path: string,
    readonly problems: Problems,
  ) {}

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** The first spelling that is present; null counts as absent. */
  raw(name: string, ...otherSpellings: readonly string[]): unknown {
    const spellings = [name, ...otherSpellings];
    for (const spelling of spellings) this.#read.add(spelling);
    const found = spellings.find((spelling) => this.value[spelling] != null);
    return found === undefined ? undefined : this.value[found];
  }

  refuse(name: string, reason: string, code?: number): void {
    this.problems.add(this.at(name), reason, code);
  }

  text(name: string, rule: TextRule = {}, ...otherSpellings: readonly string[]): string | undefined {
    const value = this.raw(name, ...otherSpellings);
    if (value === undefined || value === '') {
      if (rule.required === true) this.refuse(name, 'is required');
      return undefined;
    }
    if (typeof value !== 'string') {
      this.refuse(name, 'must be a string');
      return undefined;
    }
    this.#checkText(name, value, rule);
    return value;
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
    const value = this.raw(name);
    if (value === undefined) {
      if (rule.required === true) this.refuse(name, 'is required');
      return undefined;
    }
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      this.refuse(name, 'must be a number');
      return undefined;
    }
    if (rule.integer === true && !Number.isInteger(value)) this.refuse(name, 'must be an integer');
    if (rule.above !== undefined && value <= rule.above)
      this.refuse(name, `must be greater than ${rule.above}`);
    if (rule.from !== undefined && value < rule.from) this.refuse(name, `must be at least ${rule.from}`);
    if (rule.to !== undefined && value > rule.to) this.refuse(name, `must be at most ${rule.to}`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false');
    return undefined;
  }

  object(name: string, required = false): Fields | undefined {
    const value = this.raw(name);
    if (isObject(value)) return new Fields(value, this.at(name), this.problems);
    if (value !== undefined) this.refuse(name, 'must be an object');
    else if (required) this.refuse(name, 'is required');
    return undefined;
  }

  list(name: string, rule: { required?: boolean; atLeast?: number } = {}): readonly unknown[] | undefined {
    const value = this.raw(name);
    if (value === undefined) {
      if (rule.required === true) this.refuse(name, 'is required');
      return undefined;
    }
    if (!Array.isArray(value)) {
      this.refuse(name, 'must be an array');
      return undefined;
    }
    const elements: readonly unknown[] = value;
    if (elements.length < (rule.atLeast ?? 0))
      this.refuse(name, `must have at least ${rule.atLeast} entries`);
    return elements;
  }

  objects(name: string, rule: { required?: boolean; atLeast?: number } = {}): readonly Fields[] | undefined {
    return this.list(name, rule)?.flatMap((element, index) => {
      const path = `${this.at(name)}[${index}]`;
      if (isObject(element)) return [new Fields(element, path, this.problems)];
      this.problems.add(path, 'must be an object');
      return [];
    });
  }

  texts(name: string, allowed?: ReadonlySet<string>): readonly string[] | undefined {
    return this.list(name)?.flatMap((element, index) => {
      if (typeof element === 'string' && (allowed === undefined || allowed.has(element))) return [element];
      const reason = typeof element === 'string' ? 'is not one of the allowed values' : 'must be a string';
      this.problems.add(`${this.at(name)}[${index}]`, reason);
      return [];
    });
  }

  /** Call when everything was read: the switch `unknownFields` decides whether the rest is a problem. */
  done(): void {
    if (!this.problems.refuseUnknownFields) return;
    for (const name of Object.keys(this.value))
      if (!this.#read.has(name)) this.refuse(name, 'is not a field of this object');
  }
}
