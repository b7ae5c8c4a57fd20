import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { applyFixes } from '../../../src/orders/apply-fixes';
import { fixDocument } from '../../../src/orders/fix-document';
import { changed, example, EXAMPLES, read, SOFA, TILES } from './documents';

const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

function fixed(text: string) {
  const result = fixDocument(text, (document) => read(document));
  if ('ok' in result) throw new Error(JSON.stringify(result.problems));
  return result;
}

const NEWTON = { street: '12 Elm St', city: 'Newton', state: 'MA', country: 'US' };

describe('what is certain is corrected', () => {
  test.each<[string, string, string, unknown, unknown]>([
    [
      'a lost leading zero',
      SOFA,
      'destination.address',
      { ...NEWTON, postalCode: 2458 },
      { ...NEWTON, postalCode: '02458' },
    ],
    ['a ZIP+4 without its dash', SOFA, 'destination.address.postalCode', '787031234', '78703-1234'],
    ['a country by its name', SOFA, 'destination.address.country', 'Canada', 'CA'],
    ['a state by its name', SOFA, 'destination.address.state', 'texas', 'TX'],
    ['an address type in other letters', SOFA, 'destination.addressType', 'residence', 'Residence'],
    ['a number in quotes', SOFA, 'items.0.quantity', '2', 2],
    ['a number for a text', SOFA, 'labels.costCentre', 4410, '4410'],
    ['a unit written out', SOFA, 'items.0.size.unit', 'Inches', 'in'],
    ['a unit in capitals', SOFA, 'items.0.weightEach.unit', 'LBS', 'lb'],
    ['a currency in small letters', SOFA, 'coverage.currency', 'usd', 'USD'],
    ['an accent and a dash', SOFA, 'title', 'Récamière – grey', 'Recamiere - grey'],
    ['a day with slashes', SOFA, 'pickup', { on: '2035/3/6' }, { on: '2035-03-06' }],
    ['a liftgate that must be set', TILES, 'destination.services.liftgate', undefined, true],
    ['a window of one day', TILES, 'pickup', { between: ['2035-03-06', '2035-03-06'] }, { on: '2035-03-06' }],
    ['a commodity with blanks', TILES, 'items.0.commodity', 'stone metals minerals', 'StoneMetalsMinerals'],
    ['one handling unit', TILES, 'items.0.handlingUnit', 'crate', 'Crates'],
    ['a word for a boolean', TILES, 'items.0.stackable', 'No', false],
    ['nothing, written as null', TILES, 'services', null, undefined],
  ])('%s', (_, name, keys, value, expected) => {
    const { text, reading, corrections } = fixed(json(changed(name, keys, value)));
    expect(JSON.parse(text)).toEqual(JSON.parse(json(changed(name, keys, expected))));
    expect(corrections.length).toBeGreaterThan(0);
    for (const { fix } of reading.warnings) expect(fix).toBeUndefined();
  });

  test('a key in other letters is renamed where it stands, and what it holds is read then', () => {
    const order = changed(TILES, 'origin', undefined);
    const given = { ...order, Origin: { location: 'dallas-dc' }, order_id: 'PO-1', orderId: undefined };
    const { text, reading } = fixed(json(given));
    expect(JSON.parse(text)).toMatchObject({ origin: { location: 'dallas-dc' }, orderId: 'PO-1' });
    expect(reading.ok).toBe(true);
  });

  test("names of other systems and of the marketplace's own API are those of the order document", () => {
    const order = example(TILES);
    const { address, contact, services, ...stop } = order.destination as Record<
      string,
      Record<string, unknown>
    >;
    const { street, city, state, postalCode, country } = address ?? {};
    const { company, phone, name } = contact ?? {};
    const destination = {
      ...stop,
      address: {
        ...{ streetAddress: street, majorMunicipality: city, stateProvince: state },
        ...{ zip: postalCode, country },
      },
      contact: { name, companyName: company, phoneNumber: phone },
      accessorials: {
        liftgateRequired: services?.liftgate,
        call_before_arrival: services?.callBeforeArrival,
      },
    };
    const { text } = fixed(json({ ...order, destination }));
    expect(JSON.parse(text)).toEqual(order);
  });

  test('a value under another name is not filled in before it is renamed', () => {
    const declined = { ...(example(TILES).destination as object), services: { liftgateRequired: false } };
    const { text } = fixed(json({ ...example(TILES), destination: declined }));
    expect(JSON.parse(text)).toMatchObject({ destination: { services: { liftgate: false } } });
  });

  test('a day alone is the day of an LTL pickup', () => {
    expect(JSON.parse(fixed(json(changed(TILES, 'pickup', '2035/03/06'))).text)).toEqual(example(TILES));
  });

  test('a type of reference keeps its numbers', () => {
    const { text } = fixed(json(changed(SOFA, 'references', { 'purchase order': 'PO-7', Invoice: 'I-1' })));
    expect(JSON.parse(text)).toMatchObject({ references: { PurchaseOrder: 'PO-7', Invoice: 'I-1' } });
  });
});

test.each<[string, string, string, unknown]>([
  ['84 metres', SOFA, 'items.0.size.unit', 'm'],
  ['26 grams', SOFA, 'items.0.weightEach', { value: 26, unit: 'g' }],
  ['a title that is too long', SOFA, 'title', 'x'.repeat(63)],
  ['a title that is too long and not ASCII', SOFA, 'title', 'é'.repeat(63)],
  ['a title in other letters', SOFA, 'title', '沙发'],
  ['an order id', SOFA, 'orderId', 'SO 10/482'],
  ['a misspelled account', SOFA, 'account', 'acmee'],
  ['a pickup on a Saturday', TILES, 'pickup', { on: '2035-03-10' }],
  ['a day that could be another', TILES, 'pickup', { on: '03/06/2035' }],
  ['a delivery window on LTL', TILES, 'delivery', { before: '2035-03-20' }],
  ['half a handling unit', TILES, 'items.0.handlingUnit', 'Pallet'],
  ['a class between two', TILES, 'items.0.freightClass', 72],
  ['a liftgate that is declined', TILES, 'destination.services.liftgate', false],
])('%s is only reported, never corrected', (_, name, keys, value) => {
  const given = json(changed(name, keys, value));
  const { text, corrections } = fixed(given);
  expect(text).toBe(given);
  expect(corrections).toEqual([]);
});

test('a valid order stays unchanged, byte for byte', () => {
  for (const name of [SOFA, TILES, 'furniture-piano.yaml']) {
    const text = readFileSync(path.join(EXAMPLES, name), 'utf8');
    expect(fixed(text)).toMatchObject({ text, corrections: [], reading: { ok: true } });
  }
});

test('JSON keeps its indentation, also that of a single line', () => {
  const order = changed(SOFA, 'destination.address.state', 'Texas');
  expect(fixed(JSON.stringify(order)).text).toBe(JSON.stringify(example(SOFA)));
  expect(fixed(JSON.stringify(order, null, '\t')).text).toBe(JSON.stringify(example(SOFA), null, '\t'));
});

test('JSON with a byte order mark and Windows line ends stays JSON', () => {
  const order = changed(SOFA, 'destination.address.state', 'Texas');
  const { text, reading } = fixed(`\uFEFF${json(order).replaceAll('\n', '\r\n')}`);
  expect(text).toBe(json(example(SOFA)));
  expect(reading.ok).toBe(true);
});

describe('YAML', () => {
  const piano = readFileSync(path.join(EXAMPLES, 'furniture-piano.yaml'), 'utf8');

  test('keeps its comments and everything that was right', () => {
    const given = piano
      .replace('orderId: SO-10533', 'orderId: 000533 # ours')
      .replace("state: 'ON', postalCode: K1P", 'state: ontario, postalCode: K1P')
      .replace('unit: cm', 'unit: CM');
    const { text, reading } = fixed(given);
    expect(text).toContain('# The same document may be YAML.');
    expect(text).toContain('orderId: "000533" # ours');
    expect(text).toContain('unit: cm');
    expect(text.match(/state: ['"]?ON/g)).toHaveLength(2);
    expect(reading.ok).toBe(true);
  });

  test('writes out what an anchor shares before it changes one of the places', () => {
    const order = example('furniture-piano.yaml');
    const shared = stringify({ ...order, origin: undefined, destination: undefined });
    const given = `${shared}origin: &home
  addressType: Residence
  timeZone: America/Toronto
  contact: { name: Alex Kim, phone: '+1 416 555 0171' }
  address: { street: 88 Harbour St, city: Toronto, state: ontario, postalCode: M5J 0B6, country: CA }
destination: *home
`;
    const { text, reading } = fixed(given);
    const after = parse(text) as Record<'origin' | 'destination', { address: { state: string } }>;
    expect(text).not.toMatch(/[&*]home/);
    expect([after.origin.address.state, after.destination.address.state]).toEqual(['ON', 'ON']);
    expect(reading.ok).toBe(true);
  });

  test('a number for a text keeps the digits that were written', () => {
    const { text } = fixed(`${piano}labels: { costCentre: 0044, price: 2400.00 }\n`);
    expect(parse(text)).toMatchObject({ labels: { costCentre: '0044', price: '2400.00' } });
  });
});

describe('digits that were written', () => {
  const piano = readFileSync(path.join(EXAMPLES, 'furniture-piano.yaml'), 'utf8');

  test('survive the correction of something else in YAML', () => {
    const given = piano
      .replace('orderId: SO-10533', 'order_id: 0010533')
      .replace('postalCode: K1P 6C9, country: CA', 'zip: K1P 6C9, country: Canada')
      .replace('length: 153', 'length: 153.00');
    const { text, reading } = fixed(given);
    expect(text).toContain('orderId: "0010533"');
    expect(text).toContain('length: 153.00');
    expect(reading.ok).toBe(true);
  });

  test('survive it in JSON, also where they are more than a number can hold', () => {
    const given = json({ ...example(SOFA), orderId: undefined, order_id: 'ORDER' }).replace(
      '"ORDER"',
      '12345678901234567890',
    );
    const { text } = fixed(given.replace('"length": 84', '"length": 84.0'));
    expect(text).toContain('"orderId": "12345678901234567890"');
    expect(text).toContain('"length": 84.0');
  });
});

test('a fix whose place is not there changes nothing', () => {
  const text = '{"origin":"Dallas","list":[]}';
  const at = (fix: object) => ({ path: '$', problem: 'wrong', remedy: 'right', fix: fix as never });
  const fixes = [
    { path: '$.origin.services.liftgate', value: true },
    { path: '$.list[0].unit', value: 'in' },
    { path: '$.list.unit', value: 'in' },
    { path: '$.gone', asText: true },
    { path: '$.gone', renameTo: 'here' },
    { path: '$.gone', remove: true },
    { path: '$', value: 1 },
  ].map(at);
  expect(applyFixes(text, fixes)).toEqual({ text, fixed: [] });
});
