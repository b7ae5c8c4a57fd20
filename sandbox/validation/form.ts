import type { FastifyRequest } from 'fastify';
import { words } from '../model/codes';
import { problemWith } from '../model/errors';
import { isObject, objectOf, type JsonObject } from '../model/json';
import type { SandboxSwitches } from '../model/switches';

/** `type` is of a reference number: 10 is the price correlation id. An address type is never a number. */
const numeric = words(`
  heightInMeters lengthInMeters widthInMeters weightInGrams unitCount amount latitude longitude type`);
const flags = words('crated stackable palletized');

export const isForm = ({ headers }: FastifyRequest): boolean =>
  (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

/** The body of a request with a form nested like JSON. */
export const nestedBody = (request: FastifyRequest): unknown =>
  isForm(request) ? nestForm(objectOf(request.body)) : request.body;

/** The body of a request that may be JSON or form-encoded, as its switch wants it; a form nests as another says. */
export function readFormOrJson(
  request: FastifyRequest,
  wanted: 'either' | 'json' | 'form',
  nesting: SandboxSwitches['formNesting'],
): unknown {
  if (wanted !== 'either' && isForm(request) !== (wanted === 'form'))
    throw problemWith('Content-Type', `the body must be ${wanted}`);
  if (isForm(request))
    for (const [key, value] of Object.entries(objectOf(request.body)))
      if (!isNestedAs(nesting, key, value)) throw problemWith(key, `forms nest by ${nesting} here`);
  return nestedBody(request);
}

/** Places in a list look the same with dots and with brackets; what differs is how a field of an object is named. */
function isNestedAs(nesting: SandboxSwitches['formNesting'], key: string, value: unknown): boolean {
  const hasJson = typeof value === 'string' && typeof valueOf('', value) === 'object';
  const isSo = {
    either: true,
    dots: !hasJson && !/\[[^\]]*[^\]\d][^\]]*\]/u.test(key),
    brackets: !hasJson && !key.includes('.'),
    json: !/[.[\]]/u.test(key),
  };
  return isSo[nesting];
}

/**
 * The reference says form-encoded, every sample says JSON, and neither says how a form nests. Read here:
 * `items[0][unitCount]`, `items[0].unitCount`, and JSON text as the value of a field; `gallery[]` is a list of texts.
 */
function nestForm(form: JsonObject): JsonObject {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(form)) {
    const path = key.split(/[.[\]]+/u).filter((part) => part !== '');
    const read = valueOf(path.at(-1) ?? '', value);
    place(root, path, key.endsWith('[]') ? [read].flat() : read);
  }
  return withLists(root);
}

function place(parent: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined || name === '__proto__') return;
  if (rest.length === 0) parent[name] = value;
  else {
    const child: Record<string, unknown> = { ...objectOf(parent[name]) };
    parent[name] = child;
    place(child, rest, value);
  }
}

function valueOf(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^[[{]/u.test(value)) return parsedOrText(value);
  if (flags.has(name) && /^(?:true|false)$/u.test(value)) return value === 'true';
  return numeric.has(name) && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Turns `{0: …, 1: …}` within the value into a list, all the way down. */
function listsIn(value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((name) => /^\d+$/u.test(name));
  return isList ? names.map((name) => listsIn(value[name])) : withLists(value);
}

const withLists = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, listsIn(value)]));
