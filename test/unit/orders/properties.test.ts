import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { orderDocument } from '../../../src/domain/order-document';
import type { Shipment } from '../../../src/domain/shipment';
import { fixDocument } from '../../../src/orders/fix-document';
import { keysOf } from '../../../src/orders/json-path';
import type { Problem } from '../../../src/orders/problem';
import { isJson } from '../../../src/orders/is-json';
import { readDocument } from '../../../src/orders/read-document';
import { fuzzing } from '../../support/fuzzing';
import { aMarketplace, anAccount, closeAll, startServer, type SeenRequest } from '../marketplace/server';
import { furnitureOrder, ltlOrder } from './arbitrary-orders';
import { expectFixedPrice, expectListing, expectRateRequest, liftgateLacks } from './contract-rules';
import { example, read, SOFA, TILES } from './documents';

afterEach(closeAll);

const PRICE = {
  price: 226.97,
  nypAmount: 192.35,
  priceCorrelationId: '0a52f3c9-7a1c-4c86-9e5e-1d2c5a0c7f11',
};
const PREMIUM = { insuranceQuote: { premium: { amount: 36, currencyType: 'USD' } } };
const LOCATIONS: Readonly<Record<string, string>> = {
  '/v2/listings': '/v2/listings/273679133',
  '/v2/raterequests': '/v2/raterequests/5f0f2a1e6c1d4b0007a1b2c3/rates',
};

async function client() {
  const server = await startServer(({ url }, response) => {
    const location = LOCATIONS[url];
    response.writeHead(location === undefined ? 200 : 201, {
      'content-type': 'application/json',
      ...(location !== undefined && { location }),
    });
    response.end(JSON.stringify({ ...PRICE, ...PREMIUM }));
  });
  return { seen: server.seen, marketplace: aMarketplace(anAccount(server.url)) };
}

const bodyOf = (request: SeenRequest | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(request?.body ?? '', 'latin1').toString('utf8')) as Record<string, unknown>;

function shipmentOf<K extends Shipment['kind']>(document: unknown, kind: K): Extract<Shipment, { kind: K }> {
  const reading = read(document);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  if (reading.shipment.kind !== kind) throw new Error('it is of the other kind');
  return reading.shipment as Extract<Shipment, { kind: K }>;
}

describe('an order as sent keeps every rule of the contract', () => {
  test('for any plausible LTL order; one without its liftgate is refused', async () => {
    const { seen, marketplace } = await client();
    await fc.assert(
      fc.asyncProperty(ltlOrder, async (order) => {
        const reading = read(order);
        expect(reading.ok ? [] : reading.problems.map(({ path }) => path)).toEqual(liftgateLacks(order));
        if (!reading.ok) return;
        const shipment = shipmentOf(order, 'ltl');
        await marketplace.createRateRequest({ shipment, attempt: 1 });
        expectRateRequest(bodyOf(seen.at(-1)), order);
        // It crosses into Temporal as JSON on its way.
        expect(JSON.parse(JSON.stringify(shipment))).toEqual(shipment);
      }),
      fuzzing(25),
    );
  });

  test('for any plausible furniture order', async () => {
    const { seen, marketplace } = await client();
    await fc.assert(
      fc.asyncProperty(furnitureOrder, async (order) => {
        const shipment = shipmentOf(order, 'furniture');
        const { listPrice, priceCorrelationId } = await marketplace.getFixedPrice({
          shipment,
          priceCorrelationId: null,
        });
        expect(listPrice).toEqual({ minorUnits: 19_235, currency: 'USD' });
        expectFixedPrice(bodyOf(seen.at(-1)), order);
        await marketplace.createListing({ shipment, listPrice, priceCorrelationId, sendId: 'send-1' });
        expectListing(bodyOf(seen.at(-1)), order, PRICE);
      }),
      fuzzing(25),
    );
  });
});

describe('an order as a document reads as the same order', () => {
  /** Images are stored with the order, and are no part of its document. */
  const backAndForth = (document: unknown) => {
    const reading = read(document);
    if (!reading.ok) return { first: null, again: null };
    const { shipment: first } = reading;
    return { first, again: shipmentOf(orderDocument(first), first.kind) };
  };

  test.each([
    ['LTL', ltlOrder],
    ['furniture', furnitureOrder],
  ] as const)('for any plausible order of %s', (_, orders) => {
    fc.assert(
      fc.property(orders as fc.Arbitrary<unknown>, (order) => {
        const { first, again } = backAndForth(order);
        expect(again).toEqual(first);
      }),
      fuzzing(25),
    );
  });

  test.each([SOFA, TILES, 'furniture-piano.yaml', 'ltl-machine-parts.json'])('for the example %s', (name) => {
    const { first, again } = backAndForth(example(name));
    expect(first).not.toBeNull();
    expect(again).toEqual(first);
  });
});

type Json = fc.JsonValue | undefined;
type Owner = Record<string, Json> | Json[];
const isOwner = (value: unknown): value is Owner => typeof value === 'object' && value !== null;

/** Every place of a document, its lists and objects before what they hold. */
function placesOf(value: unknown): { readonly owner: Owner; readonly key: string | number }[] {
  if (!isOwner(value)) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [{ owner: value, key }, ...placesOf((value as Record<string, Json>)[key])]);
}

const anotherValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<Json>(...[undefined, null, '', ' ', 0, -1, 1e21, 'NaN', '2035-02-30', '__proto__']),
  fc.constantFrom<Json>(...[[], {}, [null], { on: '2035-03-06' }, { before: 1 }, 'furniture', 'ltl']),
);
const mutation = fc.record({
  place: fc.nat(),
  value: anotherValue,
  how: fc.constantFrom('set', 'rename', 'add', 'respell', 'retype'),
  key: fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'Title', 'pick_up', 'services', 'size'),
  ),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function define(owner: Owner, key: string | number, value: Json): void {
  // Also `__proto__`, which an assignment would take for something else than a key.
  // A copy, because constants are drawn more than once.
  Object.defineProperty(owner, key, {
    value: structuredClone(value),
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** As a spreadsheet or another language writes it. */
function retyped(value: Json): Json {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : (value ?? null);
}

/** A code in other letters; the key itself where it holds something else than a text. */
function respell(owner: Owner, key: string | number): void {
  const value = (owner as Record<string, Json>)[key];
  if (typeof value === 'string') define(owner, key, value.toUpperCase());
  else if (typeof key === 'string') {
    delete (owner as Record<string, Json>)[key];
    define(owner, key.replaceAll(/[A-Z]/g, '_$&').toLowerCase(), value);
  }
}

/** A document with something wrong, as plain JSON again. */
function mutated(document: unknown, mutations: readonly Mutation[]): unknown {
  const copy: unknown = structuredClone(document);
  for (const { place, value, how, key } of mutations) {
    const places = placesOf(copy);
    const at = places[place % Math.max(1, places.length)];
    if (at === undefined) continue;
    if (how === 'add') define(at.owner, Array.isArray(at.owner) ? at.owner.length : key, value);
    else if (how === 'retype') define(at.owner, at.key, retyped((at.owner as Record<string, Json>)[at.key]));
    else if (how === 'respell') respell(at.owner, at.key);
    else if (how === 'set' || Array.isArray(at.owner)) define(at.owner, at.key, value);
    else {
      define(at.owner, key, at.owner[String(at.key)]);
      if (key !== at.key) delete at.owner[String(at.key)];
    }
  }
  return JSON.parse(JSON.stringify(copy)) as unknown;
}

const mutatedOrder = fc
  .record({
    document: fc.oneof(
      { arbitrary: fc.constantFrom(example(SOFA), example(TILES)), weight: 4 },
      ltlOrder,
      furnitureOrder,
    ),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
  })
  .map(({ document, mutations }) => mutated(document, mutations));

/** Whether a path names a place that is there, or keys that could be there below one that is. */
function isPlace(document: unknown, path: string): boolean {
  let at: unknown = document;
  for (const key of keysOf(path)) {
    const isPossible =
      at === undefined || (isOwner(at) && !Array.isArray(at))
        ? typeof key === 'string'
        : Array.isArray(at) && Number(key) < at.length;
    if (!isPossible) return false;
    at = isOwner(at) && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return true;
}

/** What a problem lacks to teach anything. */
function lacksOf(document: unknown, { path, problem, remedy, fix }: Problem): string[] {
  const isSilent = !/\S/.test(problem) || !/\S/.test(remedy);
  const isGarbled = /undefined|\[object/.test(`${problem}${remedy}`);
  return [
    ...(isPlace(document, path) || path === '$.kind' ? [] : [`${path} is no place`]),
    ...(fix === undefined || isPlace(document, fix.path) || path === '$.kind'
      ? []
      : [`${fix.path} is no place`]),
    ...(isSilent || isGarbled ? [`${path}: ${problem}; ${remedy}`] : []),
  ];
}

/** Reads a document, and answers what is missing in what is said of it. */
function complaintsOf(document: unknown): string[] {
  const reading = read(document);
  if (!reading.ok && reading.problems.length === 0) return ['it is refused without a reason'];
  const told = [...(reading.ok ? [] : reading.problems), ...reading.warnings];
  return told.flatMap((problem) => lacksOf(document, problem));
}

/** The ways in which a document reaches the command line. */
const WRITERS: readonly ((document: unknown) => string)[] = [
  (document) => JSON.stringify(document),
  (document) => JSON.stringify(document, null, 2),
  (document) => stringify(document),
];

/** What a corrected document still lacks to be stable and no worse than before. */
function faultsOfFixing(text: string): string[] {
  const given = readDocument(text);
  if (!given.ok) return given.problems.map(({ problem }) => problem);
  const before = read(given.value);
  const fixed = fixDocument(text, (value) => read(value));
  if ('ok' in fixed) return fixed.problems.map(({ problem }) => problem);
  const again = fixDocument(fixed.text, (value) => read(value));
  const isStable = !('ok' in again) && again.text === fixed.text && again.corrections.length === 0;
  return [
    ...(isStable ? [] : ['it is corrected again']),
    ...(before.ok && !fixed.reading.ok ? ['a good order became a bad one'] : []),
    ...(fixed.corrections.length === 0 && fixed.text !== text ? ['it was changed without a correction'] : []),
    ...(isJson(fixed.text) === isJson(text) ? [] : ['JSON became YAML, or YAML JSON']),
  ];
}

describe('whatever a document holds', () => {
  test('any JSON is read without a throw, and a refusal says where, what and what instead', () => {
    const ofKind = fc
      .record({ kind: fc.constantFrom('ltl', 'furniture'), rest: fc.dictionary(fc.string(), fc.jsonValue()) })
      .map(({ kind, rest }) => ({ ...rest, kind }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), ofKind), (document) => {
        expect(complaintsOf(document)).toEqual([]);
      }),
      fuzzing(50),
    );
  });

  test('any change of a good order is read without a throw, and a refusal says where, what and what instead', () => {
    fc.assert(
      fc.property(mutatedOrder, (document) => {
        expect(complaintsOf(document)).toEqual([]);
      }),
      fuzzing(75),
    );
  });

  test('what is certain is corrected once and for all, and never makes a good order a bad one', () => {
    fc.assert(
      fc.property(mutatedOrder, fc.constantFrom(...WRITERS), (document, written) => {
        expect(faultsOfFixing(written(document))).toEqual([]);
      }),
      fuzzing(20),
    );
  });
});
