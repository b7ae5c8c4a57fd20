import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { capacityPlan } from '../../../docs/capacity';
import { ORDER_SCHEMA, orderSchemaText, PAGES, withTables } from '../../../docs/tables';
import { documentFields } from '../../../src/accounts/fields';
import { cachedWorkflowsIn } from '../../../src/domain/cached-workflows';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { ShipmentPolicy } from '../../../src/domain/policy';
import { allFields, findField, type Field } from '../../../src/orders/fields';
import { mergePolicy } from '../../../src/orders/policy';

const read = (file: string): string => readFileSync(path.join(__dirname, '..', '..', '..', file), 'utf8');
const FIELDS = documentFields().flatMap(allFields);

test('every field of every document has one sentence that explains it', () => {
  expect(FIELDS.length).toBeGreaterThan(250);
  const isSentence = ({ description }: Field): boolean => /^[A-Z`\d].{3,115}\.$/.test(description);
  expect(FIELDS.filter((field) => !isSentence(field)).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['furniture.items.size.unit', { isRequired: true, values: ['in', 'ft', 'cm', 'mm', 'm'], default: null }],
  ['ltl.items.quantity', { isRequired: false, form: 'whole number', default: '1' }],
  ['policy.sweepPace', { isRequired: false, default: '{ initial: 10m, maximum: 30m }' }],
  ['policy.writeTimeout', { default: '30s', form: 'duration such as 20s, 10m, 28h or 9d' }],
  ['accounts.auth.apiKey.env', { isRequired: false, form: 'text' }],
  ['accounts.settings.xApiKeyCalls', { default: 'none' }],
  ['integrations.accounts', { isRequired: true, form: 'list' }],
])('what is known of %s', (at, expected) => {
  expect(findField(documentFields(), at)).toMatchObject({ path: at, ...expected });
});

test.each(['furniture.item', 'furniture.items.size.units', 'policies', 'policy.', ''])(
  'there is no field %p',
  (at) => {
    expect(findField(documentFields(), at)).toBeNull();
  },
);

describe('the documentation is what the schemas say; otherwise run `npm run docs`', () => {
  test.each(PAGES)('%s', (page) => {
    expect(withTables(read(page))).toBe(read(page));
  });

  test.each([ORDER_SCHEMA])('%s', (file) => {
    expect(orderSchemaText()).toBe(read(file));
  });

  test.each([
    ['docs/orders.md', '| yes       | yes |', '| yes       | may |'],
    ['docs/policy.md', '`45s`', '`44s`'],
    ['docs/accounts.md', 'The shipper', 'A shipper'],
    ['docs/capacity.md', '| history events ', '| events of history '],
  ])('a table of %s that says %s is written anew', (page, right, wrong) => {
    const text = read(page);
    expect(text).toContain(right);
    expect(withTables(text.replace(right, wrong))).toBe(text);
  });

  test('the heap in the capacity plan is what a worker needs by default for that many shipments', () => {
    const { openShipments, heapMbForShipments } = capacityPlan();
    const fit = cachedWorkflowsIn((200 + heapMbForShipments) * 1024 * 1024);
    expect(Math.abs(fit - openShipments)).toBeLessThan(2);
  });

  test('a table that nobody writes is an error', () => {
    expect(() => withTables('<!-- table prices: npm run docs writes it -->\n\n')).toThrow('no table prices');
  });

  test('no cell is wider than 140 characters', () => {
    const cells = PAGES.flatMap((page) => [...read(page).matchAll(/<!-- table [^]*?\n\n([^]*?)\n\n/g)])
      .flatMap(([, table = '']) => table.split('\n'))
      .flatMap((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells.length).toBeGreaterThan(400);
    expect(cells.filter((cell) => cell.length > 140)).toEqual([]);
  });
});

/** A policy in which every value that is there is another one. */
const scrambled = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return 'fastest';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrambled(inner)]));
};

/** The keys of a policy with those inside them, as a document spells them. */
function keysOf(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = `${before}${name.replace(/Ms$/, '')}`;
    return [key, ...keysOf(inner, `${key}.`)];
  });
}

const POLICY = FIELDS.filter(({ path }) => path.startsWith('policy.')).map((field) => ({
  ...field,
  path: field.path.slice('policy.'.length),
}));

/** A document with one value at a path. */
const nested = (at: string, value: unknown): unknown =>
  at.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

describe('a policy document', () => {
  test('has the keys of the type, nested and spelled as there, and no others', () => {
    // The parts of a price are the same everywhere.
    const written = POLICY.map(({ path }) => path).filter((at) => !at.startsWith('rateRule.priceCap.'));
    expect(written.toSorted()).toEqual(keysOf(DEFAULT_POLICY).toSorted());
  });

  test.each(['choose', 'closedDays', 'ratesQuiet', 'acceptanceWindow', 'trackingPositionEvery', 'quiet'])(
    'has no key %s',
    (key) => {
      expect(mergePolicy(DEFAULT_POLICY, { [key]: '45s' })).toMatchObject({
        ok: false,
        problems: [{ path: `$.${key}`, problem: 'is an unknown key' }],
      });
    },
  );

  test('with the documented defaults makes the default policy of any other', () => {
    const other = scrambled(DEFAULT_POLICY) as ShipmentPolicy;
    expect(other).not.toEqual(DEFAULT_POLICY);
    const merged = POLICY.filter((field) => field.default !== null).reduce((policy, field) => {
      const next = mergePolicy(policy, nested(field.path, parse(field.default ?? '')));
      if (!next.ok) throw new Error(JSON.stringify(next.problems));
      return next.policy;
    }, other);
    expect(merged).toEqual(DEFAULT_POLICY);
  });

  test('is merged key by key, and a pace as a whole', () => {
    const account = mergePolicy(DEFAULT_POLICY, {
      rates: { quiet: '1s', pace: { initial: '1s', maximum: '2s' } },
    });
    if (!account.ok) throw new Error('it was refused');
    expect(mergePolicy(account.policy, { rates: { enough: 3 } })).toMatchObject({
      policy: { rates: { quietMs: 1_000, enough: 3, maximumWaitMs: 600_000, pace: { maximumMs: 2_000 } } },
    });
    expect(mergePolicy(account.policy, { rates: { pace: { initial: '1s' } } })).toMatchObject({
      ok: false,
      problems: [{ path: '$.rates.pace.maximum', problem: 'is missing' }],
    });
  });
});
