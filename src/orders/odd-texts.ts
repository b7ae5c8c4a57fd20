import { HALF_CHARACTER } from './decode-text';
import { jsonPath } from './json-path';
import type { Problem, Problems } from './problem';

/** JavaScript treats them as more than keys; no order needs them. */
const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const PADDING = /\u0000+$/;

type Keys = readonly (string | number)[];

/**
 * A document without the keys that JavaScript treats specially. Reports these keys, and texts with characters that
 * nobody can have meant: they would reach carriers changed, or not at all.
 * @param document plain JSON
 */
export function withoutOddities(document: unknown, problems: Problems, keys: Keys = []): unknown {
  if (typeof document === 'string') {
    const found = oddText(document, jsonPath(keys));
    if (found !== null) problems.addMalformed(found);
    return document;
  }
  if (Array.isArray(document)) {
    return document.map((item, index) => withoutOddities(item, problems, [...keys, index]));
  }
  if (typeof document !== 'object' || document === null) return document;
  const entries = Object.entries(document).flatMap(([key, value]): [string, unknown][] => {
    const at = [...keys, key];
    const found = oddKey(key, jsonPath(at));
    if (found !== null) problems.addMalformed(found);
    return found === null ? [[key, withoutOddities(value, problems, at)]] : [];
  });
  return Object.fromEntries(entries);
}

function oddKey(key: string, path: string): Problem | null {
  if (RESERVED_KEYS.includes(key)) return { path, problem: 'is an unknown key', remedy: 'leave it out' };
  const found = oddText(key, path);
  return found === null ? null : { path, problem: `its name ${found.problem}`, remedy: found.remedy };
}

function oddText(text: string, path: string): Problem | null {
  const control = CONTROL.exec(text);
  if (control !== null) return controlProblem(text, control, path);
  if (HALF_CHARACTER.test(text)) {
    const problem = 'contains an incomplete character (half of a surrogate pair)';
    return { path, problem, remedy: 'write the whole character, or leave it out' };
  }
  if (!text.includes('\uFFFD')) return null;
  const problem = `contains �, which replaces a character lost in an earlier decoding`;
  return { path, problem, remedy: 'write the lost character, and save the file as UTF-8' };
}

/** NUL characters at the end pad a field of fixed length; elsewhere a character may have been lost. */
function controlProblem(text: string, { 0: sign, index }: RegExpExecArray, path: string): Problem {
  const code = sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
  const problem = `has the control character U+${code} (character ${index + 1})`;
  const value = text.replace(PADDING, '');
  const isPadding = value.trim() !== '' && !CONTROL.test(value);
  return { path, problem, remedy: 'remove it', ...(isPadding && { fix: { path, value } }) };
}
