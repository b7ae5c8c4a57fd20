import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadAccounts } from '../../../src/accounts';
import { documentHash } from '../../../src/orders/document-hash';
import { parseOrder, type OrderReading } from '../../../src/orders/parse-order';
import { readDocument } from '../../../src/orders/read-document';
import { toGrams, toMeters } from '../../../src/orders/units';

const EXAMPLES = path.join(__dirname, '..', '..', '..', 'examples');
const accounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
const NOW = new Date('2035-01-10T18:00:00Z');

function example(name: string): Record<string, unknown> {
  const document = readDocument(readFileSync(path.join(EXAMPLES, name), 'utf8'));
  if (!document.ok) throw new Error(document.problem);
  return document.value as Record<string, unknown>;
}
const read = (document: unknown, now = NOW): OrderReading =>
  parseOrder(document, {
    accountOf: (name) => accounts.orderAccountOf(name),
    accountNames: accounts.names(),
    now,
  });

/** A copy of an example with one value set at a path such as `items.0.size.unit`; undefined takes it away. */
function changed(name: string, keys: string, value: unknown): unknown {
  const copy = structuredClone(example(name));
  const parts = keys.split('.');
  const last = parts.pop() ?? '';
  const owner = parts.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

const SOFA = 'furniture-sofa.json';
const TILES = 'ltl-tiles.json';
const files = readdirSync(EXAMPLES).filter((name) => /^(furniture|ltl)-.*\.(json|yaml)$/.test(name));

describe('an order document', () => {
  test('there are three examples of each kind', () => {
    expect(files.filter((name) => name.startsWith('furniture'))).toHaveLength(3);
    expect(files.filter((name) => name.startsWith('ltl'))).toHaveLength(3);
  });

  test.each(files)('%s is good', (name) => {
    expect(read(example(name))).toMatchObject({ ok: true, warnings: [] });
  });

  test.each([
    ['refused/furniture.json', 12],
    ['refused/ltl.json', 8],
  ])('%s is refused with all of its problems at once, each with a remedy', (name, count) => {
    const reading = read(example(name));
    if (reading.ok) throw new Error('it was taken');
    expect(reading.problems).toHaveLength(count);
    for (const { path: at, problem, remedy } of reading.problems) {
      expect(at).toMatch(/^\$\./);
      expect(problem.length).toBeGreaterThan(5);
      expect(remedy.length).toBeGreaterThan(5);
    }
  });

  test.each<[string, string, string, unknown, string]>([
    ['84 metres of sofa', SOFA, 'items.0.size.unit', 'm', '$.items[0].size.length'],
    ['a sofa of 26 g', SOFA, 'items.0.weightEach', { value: 26, unit: 'g' }, '$.items[0].weightEach'],
    ['a title of 63 characters', SOFA, 'title', 'x'.repeat(63), '$.title'],
    ['a title that is not ASCII', SOFA, 'title', 'Récamière', '$.title'],
    ['a lost leading zero', SOFA, 'destination.address.postalCode', 2458, '$.destination.address.postalCode'],
    ['no phone', SOFA, 'destination.contact.phone', undefined, '$.destination.contact.phone'],
    ['services on furniture', SOFA, 'services', [], '$.services'],
    ['a pickup that is past', SOFA, 'pickup', { on: '2034-12-01' }, '$.pickup'],
    ['a day that is none', SOFA, 'pickup', { on: '2035-02-30' }, '$.pickup'],
    ['an unknown key', SOFA, 'titel', 'Sofa', '$.titel'],
    ['another account', SOFA, 'account', 'acmee', '$.account'],
    ['an order id with a slash', SOFA, 'orderId', 'SO/1', '$.orderId'],
    ['a negative price limit', SOFA, 'priceLimit', { amount: '-1', currency: 'USD' }, '$.priceLimit.amount'],
    ['a pickup on a Saturday', TILES, 'pickup', { on: '2035-03-10' }, '$.pickup.on'],
    ['a pickup today', TILES, 'pickup', { on: '2035-01-10' }, '$.pickup.on'],
    ['an LTL pickup window', TILES, 'pickup', { between: ['2035-03-06', '2035-03-07'] }, '$.pickup'],
    ['a delivery window on LTL', TILES, 'delivery', { before: '2035-03-20' }, '$.delivery'],
    ['no word about the liftgate', TILES, 'destination.services', {}, '$.destination.services.liftgate'],
    ['a furniture commodity on LTL', TILES, 'items.0.commodity', 'Furniture', '$.items[0].commodity'],
    [
      'no company at a business',
      TILES,
      'destination.contact.company',
      undefined,
      '$.destination.contact.company',
    ],
    ['a freight class of 72', TILES, 'items.0.freightClass', 72, '$.items[0].freightClass'],
    ['hazardous goods', TILES, 'items.0.hazardous', true, '$.items[0].hazardous'],
    [
      'a reference of 61 characters',
      TILES,
      'references',
      { Other: [{ label: 'L', number: 'n'.repeat(57) }] },
      '$.references.Other',
    ],
  ])('%s is refused at its path, and nothing else is', (_, name, keys, value, at) => {
    const reading = read(changed(name, keys, value));
    if (reading.ok) throw new Error('it was taken');
    expect(
      new Set(reading.problems.map((problem) => problem.path.replace(/\.(width|height)$/, '.length'))),
    ).toEqual(new Set([at]));
  });

  test('a missing address type is a warning that it becomes Residence', () => {
    const reading = read(changed(SOFA, 'destination.addressType', undefined));
    expect(reading.ok).toBe(true);
    expect(reading.warnings).toMatchObject([
      { path: '$.destination.addressType', problem: expect.stringContaining('Residence') },
    ]);
  });

  test('a pickup is today or tomorrow by the zone of its stop, not by that of the machine', () => {
    const justBeforeMidnightInDallas = new Date('2035-03-06T05:59:00Z');
    expect(read(changed(TILES, 'pickup', { on: '2035-03-06' }), justBeforeMidnightInDallas).ok).toBe(true);
    expect(read(changed(TILES, 'pickup', { on: '2035-03-06' }), new Date('2035-03-06T06:01:00Z')).ok).toBe(
      false,
    );
  });

  test('US units become metric, grams rounded up, lengths with their decimals', () => {
    const reading = read(example(SOFA));
    expect(reading).toMatchObject({
      shipment: {
        items: [
          { lengthInMeters: 2.1336, widthInMeters: 0.9652, heightInMeters: 0.8636, weightInGrams: 64_411 },
        ],
      },
    });
  });

  test('what a document says wins over its account, and the account over the defaults', () => {
    const reading = read(changed(TILES, 'policy', { sweepPace: { initial: '7s', maximum: '1m' } }));
    expect(reading).toMatchObject({
      policy: {
        sweepPace: { initialMs: 7_000, maximumMs: 60_000 },
        documentWindowMs: 60_000,
        rateRule: { minimumStars: 3 },
      },
    });
  });

  test('nothing that a document may hold makes the reading throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(SOFA, TILES),
        fc.constantFrom('items', 'origin', 'pickup', 'references', 'coverage', 'orderId', 'policy', 'labels'),
        fc.jsonValue(),
        (name, key, value) => {
          expect(typeof read(changed(name, key, value)).ok).toBe('boolean');
        },
      ),
    );
  });
});

describe('units', () => {
  test('weights never shrink and never grow by more than a gram', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 5_000, noNaN: true }), (kilograms) => {
        const grams = toGrams(kilograms, 'kg');
        expect(grams).toBeGreaterThanOrEqual(kilograms * 1_000 - 1e-3);
        expect(grams).toBeLessThan(kilograms * 1_000 + 1);
      }),
    );
    expect(toGrams(1.1, 'kg')).toBe(1_100);
    expect(toMeters(84, 'in')).toBe(2.1336);
  });
});

describe('the hash of a document', () => {
  test('does not depend on the order of keys, and does on every value', () => {
    expect(documentHash({ a: 1, b: { c: [1, 2], d: null } })).toBe(
      documentHash({ b: { d: null, c: [1, 2] }, a: 1 }),
    );
    expect(documentHash({ a: [1, 2] })).not.toBe(documentHash({ a: [2, 1] }));
    expect(documentHash({ a: {} })).not.toBe(documentHash({ a: [] }));
  });
});

describe('the text of a document', () => {
  test.each([
    ['{ "a": 1', 'line 1'],
    ['a: 1\na: 2', 'line 2'],
    [`x: "${'y'.repeat(300_000)}"`, 'at most'],
  ])('that cannot be read says where', (text, where) => {
    expect(readDocument(text)).toMatchObject({ ok: false, problem: expect.stringContaining(where) });
  });
});
