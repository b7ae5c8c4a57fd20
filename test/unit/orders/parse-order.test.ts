import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentHash } from '../../../src/orders/document-hash';
import { parseOrder } from '../../../src/orders/parse-order';
import { readDocument } from '../../../src/orders/read-document';
import { toGrams, toMeters } from '../../../src/orders/units';
import { accounts, changed, example, EXAMPLES, NOW, read, SOFA, TILES } from './documents';
import { CORRECTED, REFUSED, SOFA_ITEM } from './refused-orders';

const files = readdirSync(EXAMPLES).filter((name) => /^(furniture|ltl)-.*\.(json|yaml)$/.test(name));

describe('an order document', () => {
  test('there are three examples of each kind', () => {
    expect(files.filter((name) => name.startsWith('furniture'))).toHaveLength(3);
    expect(files.filter((name) => name.startsWith('ltl'))).toHaveLength(3);
  });

  test.each(files)('%s is valid', (name) => {
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

  test.each(REFUSED)('%s is refused at its path, and nothing else is', (_, name, keys, value, at) => {
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

  test('a malformed part hides none of the other problems', () => {
    const order = example(TILES);
    const [item] = order.items as Record<string, unknown>[];
    const refused = read({
      ...order,
      titel: 'Tiles',
      account: 'nobody',
      orderId: 'PO/1',
      title: 'x'.repeat(51),
      pickup: { on: '2035-03-10' },
      destination: {
        contact: { name: 'Site office' },
        address: { street: '4400 Lakeside Pkwy', state: 'Texas', postalCode: 8730, country: 'US' },
        services: { liftgate: 'yes' },
      },
      items: [
        { ...item, quantity: '4', commodity: 'Furniture' },
        { ...item, handlingUnit: undefined },
      ],
    });
    if (refused.ok) throw new Error('it was taken');
    expect(refused.problems.map((problem) => problem.path).toSorted()).toEqual([
      '$.account',
      '$.destination.address.city',
      '$.destination.address.postalCode',
      '$.destination.address.state',
      '$.destination.contact.phone',
      '$.destination.services.liftgate',
      '$.items[0].commodity',
      '$.items[0].quantity',
      '$.items[1].handlingUnit',
      '$.orderId',
      '$.pickup.on',
      '$.titel',
      '$.title',
    ]);
  });

  test.each(CORRECTED)(
    '%s is answered with the value that would be right',
    (_, name, keys, value, remedy) => {
      const reading = read(changed(name, keys, value));
      if (reading.ok) throw new Error('it was taken');
      expect(reading.problems.map((problem) => problem.remedy).join('\n')).toContain(remedy);
    },
  );

  test.each<[string, string, string, unknown, Record<string, unknown>]>([
    [
      'a state in lower case',
      SOFA,
      'destination.address.state',
      'tx',
      { destination: { address: { state: 'TX' } } },
    ],
    ['a class as a number', TILES, 'items.0.freightClass', 92.5, { items: [{ freightClass: '92.5' }] }],
    [
      'a class with a zero too many',
      TILES,
      'items.0.freightClass',
      '77.50',
      { items: [{ freightClass: '77.5' }] },
    ],
    [
      'the other spelling of the pallet',
      TILES,
      'items.0.handlingUnit',
      'Pallets48x40Inches',
      { items: [{ handlingUnit: 'Pallets48X40Inches' }] },
    ],
    ['an item without a quantity', SOFA, 'items.0.quantity', undefined, { items: [{ quantity: 1 }] }],
    ['an order without a title', TILES, 'title', undefined, { title: 'Porcelain tiles' }],
    [
      'a unit beside the street',
      SOFA,
      'destination.address.unit',
      '#4',
      { destination: { address: { street: '901 W 9th St', unit: '#4' } } },
    ],
  ])('%s is taken as what it means', (_, name, keys, value, shipment) => {
    expect(read(changed(name, keys, value))).toMatchObject({ ok: true, shipment });
  });

  test('a title that is made of the items always fits', () => {
    const items = [{ ...SOFA_ITEM, title: `Récamière ${'x'.repeat(80)}` }, SOFA_ITEM, SOFA_ITEM];
    const reading = read({ ...example(SOFA), title: undefined, items });
    if (!reading.ok) throw new Error('it was refused');
    expect(reading.shipment.title).toMatch(/^Recamiere x+ and 2 more$/);
    expect(reading.shipment.title.length).toBeLessThanOrEqual(50);
  });

  test('the services of a location serve LTL, and are left out for furniture', () => {
    const account = accounts.orderAccountOf('acme');
    if (account === null) throw new Error('there is no account acme');
    const dock = {
      ...(account.locations['dallas-dc'] as object),
      services: { liftgate: true, inside: true },
    };
    const context = {
      accountOf: () => ({ ...account, locations: { ...account.locations, 'dallas-dc': dock } }),
      accountNames: ['acme'],
      now: NOW,
    };
    const none = { inside: false, liftgate: false, callBeforeArrival: false, appointment: false };
    expect(parseOrder(example(SOFA), context)).toMatchObject({ shipment: { origin: { services: none } } });
    expect(parseOrder(example(TILES), context)).toMatchObject({
      shipment: { origin: { services: { ...none, liftgate: true, inside: true } } },
    });
  });

  test.each(['Residence', 'BusinessWithoutLoadingDock', 'BusinessWithoutLoadingDockOrForklift', undefined])(
    'a liftgate that is declined at %s is refused, unless the account knows that false is taken',
    (addressType) => {
      const account = accounts.orderAccountOf('acme');
      if (account === null) throw new Error('there is no account acme');
      const { services: _services, ...stop } = example(TILES).destination as Record<string, unknown>;
      const declined = {
        ...example(TILES),
        destination: { ...stop, addressType, services: { liftgate: false } },
      };
      const path = '$.destination.services.liftgate';
      const refused = read(declined);
      if (refused.ok) throw new Error('it was taken');
      expect(refused.problems).toEqual([
        {
          path,
          problem: `a ${addressType ?? 'Residence'} has no dock, and this order declines the liftgate`,
          remedy: expect.stringContaining('liftgateRule: mustBeGiven'),
        },
      ]);
      const taken = parseOrder(declined, {
        accountOf: () => ({ ...account, liftgateRule: 'mustBeGiven' }),
        accountNames: ['acme'],
        now: NOW,
      });
      expect(taken).toMatchObject({ ok: true, shipment: { destination: { services: { liftgate: false } } } });
      expect(taken.warnings).toContainEqual(expect.objectContaining({ path }));
    },
  );

  test.each<[Record<string, boolean>, Record<string, boolean>, boolean]>([
    [{ callAhead: true }, {}, true],
    [{ callAhead: true, callBeforeArrival: true }, {}, true],
    [{}, { callAhead: true }, true],
    [{}, { callBeforeArrival: true }, true],
    [{ callAhead: false }, { callBeforeArrival: true }, false],
    [{ callBeforeArrival: false }, { callAhead: true }, false],
    [{ callBeforeArrival: true }, { callAhead: false }, true],
    [{ inside: true }, { callAhead: true }, true],
  ])(
    'the call before arrival has two names: %j at a stop of a location with %j',
    (own, located, isWanted) => {
      const account = accounts.orderAccountOf('acme');
      if (account === null) throw new Error('there is no account acme');
      const dock = {
        ...(account.locations['dallas-dc'] as object),
        services: { liftgate: false, ...located },
      };
      const reading = parseOrder(changed(TILES, 'origin', { location: 'dallas-dc', services: own }), {
        accountOf: () => ({ ...account, locations: { ...account.locations, 'dallas-dc': dock } }),
        accountNames: ['acme'],
        now: NOW,
      });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      expect(reading.shipment.origin.services).toEqual({
        ...{ liftgate: false, appointment: false },
        ...{ inside: own.inside ?? false, callBeforeArrival: isWanted },
      });
    },
  );

  test('both names of the call before arrival may not contradict each other', () => {
    const services = { liftgate: true, callBeforeArrival: true, callAhead: false };
    expect(read(changed(TILES, 'destination.services', services))).toMatchObject({
      ok: false,
      problems: [
        {
          path: '$.destination.services.callAhead',
          remedy: 'callBeforeArrival is the same service, and has another value; give only one of them',
        },
      ],
    });
  });

  test('the dates of a stop are refused where nothing says in which zone they are meant', () => {
    const account = accounts.orderAccountOf('acme');
    if (account === null) throw new Error('there is no account acme');
    const reading = parseOrder(example(SOFA), {
      accountOf: () => ({ ...account, timeZone: null }),
      accountNames: ['acme'],
      now: NOW,
    });
    expect(reading).toMatchObject({ ok: false, problems: [{ path: '$.destination.timeZone' }] });
  });

  test.each<[string, string, string, unknown, string]>([
    ['a load that is light for LTL', TILES, 'items.0.weightEach', { value: 10, unit: 'kg' }, '$.items'],
    [
      'an address type that is not known',
      SOFA,
      'destination.addressType',
      'Treehouse',
      '$.destination.addressType',
    ],
  ])('%s is accepted with a warning', (_, name, keys, value, at) => {
    expect(read(changed(name, keys, value))).toMatchObject({ ok: true, warnings: [{ path: at }] });
  });

  test('a value that is no document is refused without an exception', () => {
    const endless: Record<string, unknown> = { kind: 'ltl' };
    endless.self = endless;
    for (const document of [null, undefined, [], 'x', 7, { kind: 'air' }, endless, { kind: 'ltl', n: 1n }]) {
      expect(read(document).ok).toBe(false);
    }
    expect(read({ ...example(SOFA), description: 'x'.repeat(300_000) })).toMatchObject({
      ok: false,
      problems: [{ path: '$' }],
    });
  });

  test('its hash is of its canonical form, in any order of its keys', () => {
    const order = example(SOFA);
    const reading = read(order);
    const shuffled = read(Object.fromEntries(Object.entries(order).toReversed()));
    if (!reading.ok || !shuffled.ok) throw new Error('it was refused');
    expect(createHash('sha256').update(reading.canonical).digest('hex')).toBe(documentHash(order));
    expect(shuffled.canonical).toBe(reading.canonical);
  });

  test('every order of plausible goods is accepted, and every weight and size becomes metric', () => {
    const item = fc.record({
      commodity: fc.constantFrom('GeneralFreight', 'BuildingMaterials', 'NewCommercialGoods'),
      handlingUnit: fc.constantFrom('Crates', 'Drums', 'Pallets48x40Inches'),
      quantity: fc.integer({ min: 1, max: 20 }),
      size: fc.record({
        ...{ length: fc.integer({ min: 4, max: 300 }), width: fc.integer({ min: 4, max: 300 }) },
        ...{ height: fc.integer({ min: 4, max: 300 }), unit: fc.constantFrom('in', 'cm') },
      }),
      weightEach: fc.record({
        value: fc.integer({ min: 8, max: 5_000 }),
        unit: fc.constantFrom('lb', 'oz', 'kg'),
      }),
      stackable: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), (items) => {
        const reading = read({ ...example(TILES), items });
        if (!reading.ok || reading.shipment.kind !== 'ltl') throw new Error(JSON.stringify(reading));
        for (const [index, read] of reading.shipment.items.entries()) {
          const given = items[index];
          expect(read.quantity).toBe(given?.quantity);
          expect(Number.isInteger(read.weightInGrams)).toBe(true);
          const metersOfOne = given?.size.unit === 'in' ? 0.0254 : 0.01;
          expect(read.lengthInMeters).toBeCloseTo((given?.size.length ?? 0) * metersOfOne, 4);
        }
        // Plain JSON only: it crosses into Temporal.
        expect(JSON.parse(JSON.stringify(reading.shipment))).toEqual(reading.shipment);
      }),
    );
  });

  test('no document makes the reading throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(SOFA, TILES),
        fc.constantFrom(
          ...['items', 'items.0', 'items.0.size', 'origin', 'destination.address', 'destination.contact'],
          ...['pickup', 'references', 'coverage', 'orderId', 'policy', 'labels', 'account', 'title'],
        ),
        fc.jsonValue(),
        (name, key, value) => {
          const reading = read(changed(name, key, value));
          // A refusal always says why.
          expect(reading.ok || reading.problems.length > 0).toBe(true);
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
    [`x: "${'y'.repeat(300_000)}"`, 'the limit is'],
    ['a: *nothing', 'alias'],
    ['a: &a [*a]', 'refers to itself (line 1)'],
  ])('that cannot be read says where', (text, where) => {
    expect(readDocument(text)).toMatchObject({
      ok: false,
      problems: [{ problem: expect.stringContaining(where) }],
    });
  });
});
