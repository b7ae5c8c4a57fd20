import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { ShipmentPolicy } from '../../../src/domain/policy';
import { chooseSchema, mergePolicy, policySchema } from '../../../src/orders/policy';
import { furnitureOrderSchema, ltlOrderSchema, stopSchema } from '../../../src/orders/schema';

const page = (name: string): string =>
  readFileSync(path.join(__dirname, '..', '..', '..', 'docs', name), 'utf8');

/** The rows of the page's table whose first heading this is, as texts without backticks. */
function tableOf(heading: string, name = 'orders.md'): string[][] {
  const lines = page(name).split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${heading} +\\|`).test(line));
  const rest = lines.slice(start + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll(/^`([^`]*)`$/g, '$1')));
}

/** For each key whether it must be given. */
const requirements = (schema: z.ZodObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(schema.shape).map(([key, inner]) => [
      key,
      z.safeParse(inner, undefined).success ? 'may' : 'yes',
    ]),
  );
const column = (heading: string, index: number): Record<string, string> =>
  Object.fromEntries(
    tableOf(heading)
      .map((cells) => [cells[0] ?? '', cells[index] ?? ''] as const)
      .filter(([, need]) => need !== 'no'),
  );

describe('docs/orders.md has every field of an order document', () => {
  test.each([
    ['order', 1, furnitureOrderSchema],
    ['order', 2, ltlOrderSchema],
    ['item', 1, furnitureOrderSchema.shape.items.element],
    ['item', 2, ltlOrderSchema.shape.items.element],
  ])('table "%s", column %i', (heading, index, schema) => {
    expect(column(heading, index)).toEqual(requirements(schema));
  });

  const { address, contact, services } = stopSchema.shape;
  const { size, weightEach } = furnitureOrderSchema.shape.items.element.shape;
  test.each([
    ['stop', 'address', address.unwrap()],
    ['stop', 'contact', contact.unwrap()],
    ['stop', 'services', services.unwrap().in],
    ['item', 'size', size],
    ['item', 'weightEach', weightEach],
    ['order', 'attributes', furnitureOrderSchema.shape.attributes.unwrap()],
  ])('table "%s" names every part of %s', (heading, field, schema) => {
    const meaning =
      tableOf(heading)
        .find(([key]) => key === field)
        ?.at(-1) ?? '';
    expect(Object.keys(schema.shape).filter((part) => !meaning.includes(`\`${part}\``))).toEqual([]);
  });

  test('table "stop"', () => {
    expect(
      tableOf('stop')
        .map(([key = '']) => key)
        .toSorted(),
    ).toEqual(Object.keys(stopSchema.shape).toSorted());
  });
});

/** A policy in which every value that is there is another one. */
const scrambled = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return 'fastest';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrambled(inner)]));
};
/** The places of a policy where nothing is set. */
const unset = (value: unknown): number => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 1;
  return typeof value === 'object'
    ? Object.values(value).reduce((sum: number, inner) => sum + unset(inner), 0)
    : 0;
};

describe('docs/policy.md has every key of a policy', () => {
  const rows = tableOf('key', 'policy.md');

  test('once, with those of choose', () => {
    const keys = Object.keys(policySchema.shape).filter((key) => key !== 'choose');
    const choices = Object.keys(chooseSchema.shape).map((key) => `choose.${key}`);
    expect(rows.map(([key = '']) => key).toSorted()).toEqual([...keys, ...choices].toSorted());
  });

  test('with the default that holds: written into another policy they make the default one', () => {
    const overrides: Record<string, unknown> = {};
    for (const [key = '', value = ''] of rows.filter(([, value]) => value !== 'none')) {
      const written: unknown = parse(value);
      if (key.startsWith('choose.')) overrides.choose = { [key.slice('choose.'.length)]: written };
      else overrides[key] = written;
    }
    const other = scrambled(DEFAULT_POLICY) as ShipmentPolicy;
    expect(other).not.toEqual(DEFAULT_POLICY);
    expect(mergePolicy(other, overrides)).toEqual({ ok: true, policy: DEFAULT_POLICY });
    expect(rows.filter(([, value]) => value === 'none')).toHaveLength(unset(DEFAULT_POLICY));
  });
});
