import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import fc from 'fast-check';
import { furnitureOrderSchema, ltlOrderSchema } from '../../../src/orders/schema';
import { fuzzing } from '../../support/fuzzing';
import { furnitureOrder, ltlOrder } from './arbitrary-orders';
import { changed, example, EXAMPLES, read, SOFA, TILES, withChange } from './documents';
import { CORRECTED, REFUSED } from './refused-orders';

const ROOT = path.join(EXAMPLES, '..');
const SCHEMA = JSON.parse(readFileSync(path.join(ROOT, 'schema', 'order.json'), 'utf8')) as object;
const isValid = new Ajv({ strictTypes: false, strictTuples: false, formats: { email: true } }).compile(
  SCHEMA,
);

/** As an editor sees a document: keys without a value are not there. */
const accepts = (document: unknown): boolean => isValid(JSON.parse(JSON.stringify(document)));

const GOOD = readdirSync(EXAMPLES).filter((name) => /^(furniture|ltl)-.*\.(json|yaml)$/.test(name));

test.each(GOOD)('an editor accepts %s', (name) => {
  expect(accepts(example(name))).toBe(true);
  expect(isValid.errors).toBeNull();
});

test.each(['refused/furniture.json', 'refused/ltl.json'])('an editor marks %s', (name) => {
  expect(accepts(example(name))).toBe(false);
});

/** What depends on the account, the date, the place or another field, or needs arithmetic. */
const ONLY_CONSIGN_KNOWS: readonly string[] = [
  // The account.
  ...[
    'another account',
    'a misspelled account',
    'a location that is a word of JavaScript',
    'hazardous goods',
  ],
  // The calendar.
  ...[
    'a day that is none',
    'a pickup that is past',
    'a pickup today',
    'a pickup on a Saturday',
    'a Saturday',
  ],
  'a delivery that ends before the pickup',
  // Places.
  ...['a state that is none', 'a state by its name', 'a province in the US', 'a lost leading zero'],
  ...['a country by its short name', 'a country by its name', 'a third country'],
  // Another field.
  ...['no word about the liftgate', 'no company at a business', 'no size and no freight class'],
  ...['services at a stop of furniture', 'a reference of 61 characters'],
  // Arithmetic.
  ...[
    '84 metres of sofa',
    'a sofa of 26 g',
    'a coverage of nothing',
    'a freight class of 72',
    'a class between two',
  ],
  ...[
    'a pace without a pause',
    'a pace that shrinks',
    'a wait of two years',
    'a least wait above the greatest',
  ],
];

describe('an editor marks what Consign refuses, except what only Consign can know', () => {
  const all = [...REFUSED, ...CORRECTED];

  test.each(all)('%s', (what, name, keys, value) => {
    const document = changed(name, keys, value);
    expect(read(document).ok).toBe(false);
    expect(accepts(document)).toBe(ONLY_CONSIGN_KNOWS.includes(what));
  });

  test('that list has no case that is gone', () => {
    const known = new Set(all.map(([what]) => what));
    expect(ONLY_CONSIGN_KNOWS.filter((what) => !known.has(what))).toEqual([]);
  });
});

/** Every place of a document, as `withChange` names it. */
const placesOf = (value: unknown, before: readonly string[] = []): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => {
        const at = [...before, key];
        return [at.join('.'), ...placesOf(inner, at)];
      });

const POLICY = {
  rateRule: { prefer: 'cheapest', priceCap: { amount: '5', currency: 'USD' }, allowedCarriers: ['A'] },
  pickup: { closedDays: ['2035-03-12'], cutOffHour: 15 },
  ...{ rates: { quiet: '1s', pace: { initial: 500, maximum: '1s' } }, doubtWait: '5s', sweepWidening: 2 },
};
const BASES = [SOFA, TILES].map((name) => ({ ...example(name), policy: POLICY }));

/** An order in which one place has another value, or an unknown key, or is gone. */
const spoiled = fc.constantFrom(...BASES).chain((order) => {
  const place = fc.constantFrom(...placesOf(order));
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', ' ', 0, -1, 1e9, null, true, [], {}, ['x'], 'x'.repeat(6_000)),
  );
  return fc.oneof(
    fc.tuple(place, odd).map(([at, value]) => withChange(order, at, value)),
    place.map((at) => withChange(order, at, undefined)),
    place.map((at) => withChange(order, [...at.split('.').slice(0, -1), 'surprise'].join('.'), 1)),
  );
});

describe('for any order', () => {
  test.each([
    ['furniture', furnitureOrder],
    ['ltl', ltlOrder],
  ])('of %s that Consign takes, an editor accepts it', (_, orders) => {
    fc.assert(
      fc.property(orders as fc.Arbitrary<unknown>, (order) => {
        expect(accepts(order) || !read(order).ok).toBe(true);
      }),
      fuzzing(100),
    );
  });

  test('that is spoiled, an editor marks only what Consign refuses', () => {
    let marked = 0;
    fc.assert(
      fc.property(spoiled, (order) => {
        if (accepts(order)) return true;
        marked += 1;
        return !read(order).ok;
      }),
      fuzzing(400),
    );
    expect(marked).toBeGreaterThan(200);
  });

  test('that is spoiled in its structure, an editor marks it', () => {
    let marked = 0;
    fc.assert(
      fc.property(spoiled, (order) => {
        const schema = order.kind === 'ltl' ? ltlOrderSchema : furnitureOrderSchema;
        // A custom rule compares values. All others are those of a schema.
        const issues = schema.safeParse(order).error?.issues ?? [];
        if (issues.every(({ code }) => code === 'custom')) return true;
        marked += 1;
        return !accepts(order);
      }),
      fuzzing(400),
    );
    expect(marked).toBeGreaterThan(200);
  });
});

test('the package has the schema where the example names it', () => {
  const { exports, files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
    readonly files: readonly string[];
  };
  expect(exports['./schema/order.json']).toBe('./schema/order.json');
  expect(files).toContain('schema');
  for (const name of GOOD.filter((file) => file.endsWith('.yaml'))) {
    const [, named = ''] =
      /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(path.join(EXAMPLES, name), 'utf8')) ?? [];
    expect(path.join(EXAMPLES, named)).toBe(path.join(ROOT, 'schema', 'order.json'));
  }
});
