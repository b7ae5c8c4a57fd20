import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { chosenForm, formSchema, titleOf, withoutEmpty, type FormSchema } from '../../../board/order-form';

const order = JSON.parse(
  readFileSync(path.join(__dirname, '..', '..', '..', 'schema', 'order.json'), 'utf8'),
) as FormSchema;
const example = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(path.join(__dirname, '..', '..', '..', 'examples', name), 'utf8')) as Readonly<
    Record<string, unknown>
  >;

test.each([
  ['furniture', 'delivery', 'services'],
  ['ltl', 'services', 'delivery'],
] as const)('the form of %s has %s and not %s, and only the accounts of the token', (kind, has, hasNot) => {
  const { properties = {}, required = [] } = formSchema(order, kind, ['acme']);
  expect(Object.keys(properties)).toContain(has);
  expect(Object.keys(properties)).not.toContain(hasNot);
  expect(properties.account?.enum).toEqual(['acme']);
  expect(required).toEqual(expect.arrayContaining(['orderId', 'origin', 'destination', 'pickup', 'items']));
  expect(required).not.toContain('kind');
});

test.each(['furniture', 'ltl'] as const)(
  'the form of a %s order that exists has neither account nor id',
  (kind) => {
    const { properties = {} } = formSchema(order, kind, null);
    expect(Object.keys(properties)).toContain('pickup');
    expect(Object.keys(properties)).not.toContain('account');
    expect(Object.keys(properties)).not.toContain('orderId');
  },
);

test('what may be text or a number is text, and a day is a date', () => {
  const { properties = {} } = formSchema(order, 'furniture', []);
  expect(properties.destination?.properties?.address?.properties?.postalCode?.type).toBe('string');
  expect(properties.coverage?.properties?.amount?.type).toBe('string');
  const forms = properties.pickup?.anyOf ?? [];
  expect(forms.map(({ title }) => title)).toEqual(['On', 'Between', 'Before']);
  expect(forms[0]?.properties?.on).toMatchObject({ type: 'string', format: 'date' });
});

test.each([
  [{ on: '2035-03-06' }, 0],
  [{ between: [] }, 1],
  [{ before: '2035-03-06' }, 2],
  [{ someday: true }, 0],
  [undefined, 0],
])('the value %j has the form %i', (value, form) => {
  const forms = formSchema(order, 'furniture', []).properties?.pickup?.anyOf ?? [];
  expect(chosenForm(forms, value)).toBe(form);
});

test.each(['furniture-sofa.json', 'ltl-tiles.json', 'ltl-machine-parts.json'])(
  'the document %s passes the form unchanged',
  (name) => {
    expect(withoutEmpty(example(name))).toEqual(example(name));
  },
);

test('empty parts that a form leaves behind are not sent', () => {
  const filled = { a: { b: '', c: undefined }, items: [{}, { d: 0 }], e: false, f: [] };
  expect(withoutEmpty(filled)).toEqual({ items: [{ d: 0 }], e: false });
});

test.each([
  ['weightEach', 'Weight each'],
  ['orderId', 'Order id'],
  ['items', 'Items'],
])('%s is called %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
