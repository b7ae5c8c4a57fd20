import { describe, expect, test } from '@jest/globals';
import { meantDate } from '../../../src/orders/dates';
import { jsonPath, keysOf } from '../../../src/orders/json-path';
import { certainly } from '../../../src/orders/spelling';
import { ADDRESS_TYPES, HANDLING_UNITS, LTL_COMMODITIES } from '../../../src/orders/codes';
import { changed, example, NOW, read, SOFA, TILES, withChange } from './documents';

/** Everything that is said of a document, problems before warnings. */
function told(document: unknown, now = NOW): string[] {
  const reading = read(document, now);
  const problems = reading.ok ? [] : reading.problems;
  return [
    ...problems.map(({ path, problem, remedy }) => `${path}: ${problem}; ${remedy}`),
    ...reading.warnings.map(({ path, problem }) => `warning ${path}: ${problem}`),
  ];
}

const atDock = { postalCode: undefined, latitude: 32.8, longitude: -96.8 };
const dock = (place: Record<string, unknown>) => ({
  ...(example(TILES).destination as object),
  address: { ...(example(TILES).destination as { address: object }).address, ...place },
});

describe('where a stop is (route rule 5)', () => {
  const byCoordinates = { ...example(TILES), origin: dock(atDock), destination: dock(atDock) };

  test('coordinates at both stops of LTL stand for their postal codes', () => {
    const reading = read(byCoordinates);
    expect(reading).toMatchObject({ ok: true, warnings: [] });
    expect(reading).toMatchObject({ shipment: { origin: { address: { postalCode: '', latitude: 32.8 } } } });
  });

  test.each<[string, unknown, string[]]>([
    [
      'a postal code at one stop and coordinates at the other',
      { ...byCoordinates, origin: { location: 'dallas-dc' } },
      [
        '$.destination.address.postalCode: is missing, and the other stop has no coordinates; give postal codes at both stops, or latitude and longitude at both',
      ],
    ],
    [
      'half of a pair',
      changed(TILES, 'destination', dock({ latitude: 32.8 })),
      ['$.destination.address.longitude: is missing beside the other coordinate; give both, or neither'],
    ],
    [
      'a place in China',
      { ...byCoordinates, destination: dock({ latitude: 32.8, longitude: 96.8 }) },
      [
        '$.destination.address.longitude: 32.8, 96.8 is neither in the US nor in CA; west is negative: did you mean -96.8?',
      ],
    ],
    [
      'furniture without a postal code',
      withChange(
        changed(SOFA, 'destination.address.postalCode', undefined),
        'destination.address.latitude',
        30,
      ),
      [
        '$.destination.address.postalCode: is missing; give it in quotes, such as "78703"; furniture is priced by it',
        '$.destination.address.longitude: is missing beside the other coordinate; give both, or neither',
      ],
    ],
  ])('%s is refused', (_, document, expected) => {
    expect(told(document)).toEqual(expected);
  });

  test.each([
    ['US', 'TX', '02458', '02458 is not in TX'],
    ['CA', 'ON', 'H2X 1Y4', 'H2X 1Y4 is not in ON'],
  ])('a code of another state is a warning: %s %s %s', (country, state, postalCode, problem) => {
    const address = { street: '1 Main St', city: 'Somewhere', state, postalCode, country };
    expect(told(changed(SOFA, 'destination.address', address))).toContain(
      `warning $.destination.address.postalCode: ${problem}`,
    );
  });

  test.each([
    ['US', 'NY', '00501'],
    ['US', 'TX', '88510'],
    ['US', 'DC', '20500'],
    ['US', 'PR', '00901'],
    ['CA', 'NU', 'X0A 0H0'],
    ['CA', 'YT', 'y1a-1a1'],
  ])('a code that only looks wrong is none: %s %s %s', (country, state, postalCode) => {
    const address = { street: '1 Main St', city: 'Somewhere', state, postalCode, country };
    const about = told(changed(TILES, 'destination.address', address));
    expect(about.filter((line) => line.includes('postalCode'))).toEqual([]);
  });

  test.each([
    ['M5V 2T6', 'US', 'TX', 'M5V 2T6 is not a US postal code; this is a Canadian code; check the country'],
    ['78703', 'CA', 'ON', '78703 is not a Canadian postal code; this is a US code; check the country'],
  ])('a code of the other country says so: %s in %s', (postalCode, country, state, expected) => {
    const address = { street: '1 Main St', city: 'Somewhere', state, postalCode, country };
    expect(told(changed(TILES, 'destination.address', address)).join('\n')).toContain(expected);
  });
});

describe('the pickup day', () => {
  const policy = { pickup: { closedDays: ['2035-03-12', '2035-03-13'], cutOffHour: 15 } };
  const on = (day: string) => ({ ...example(TILES), policy, pickup: { on: day } });

  test('may not be a closed day of the policy', () => {
    expect(told(on('2035-03-12'))).toEqual([
      '$.pickup.on: 2035-03-12 is one of the closed days of the policy; write "2035-03-14"',
    ]);
  });

  test('that replaces a Saturday is no closed day either', () => {
    expect(told(on('2035-03-10'))).toEqual([
      '$.pickup.on: 2035-03-10 is a Saturday, when carriers do not pick up; write "2035-03-14"; if carriers do, set ltlWeekends: allowed in the account\'s settings',
    ]);
  });

  test('is tomorrow until the cut-off hour of its zone, and then the day after', () => {
    const oneToThreeInDallas = new Date('2035-03-05T20:59:00Z');
    const threeInDallas = new Date('2035-03-05T21:00:00Z');
    expect(told(on('2035-03-06'), oneToThreeInDallas)).toEqual([]);
    expect(told(on('2035-03-06'), threeInDallas)).toEqual([
      '$.pickup.on: 2035-03-06 is too soon: it is past 15:00, the cut-off hour; write "2035-03-07", the first possible day, or a later one',
    ]);
    expect(told(on('2035-03-07'), threeInDallas)).toEqual([]);
  });

  test('of furniture is refused only when all of its days are closed', () => {
    const closed = (pickup: object) => told({ ...example(SOFA), policy, pickup, delivery: undefined });
    expect(closed({ between: ['2035-03-12', '2035-03-13'] })).toEqual([
      '$.pickup: every pickup day is one of the closed days of the policy; choose another day, or a longer window',
    ]);
    expect(closed({ between: ['2035-03-12', '2035-03-14'] })).toEqual([]);
    expect(closed({ before: '2035-03-13' })).toEqual([]);
  });

  test.each([
    ['2035-07-04', 'Independence Day', '2035-07-05'],
    ['2035-11-22', 'Thanksgiving Day', '2035-11-23'],
    ['2035-12-25', 'Christmas Day', '2035-12-26'],
  ])('on a public holiday is a warning that names the next working day: %s', (day, name, next) => {
    const reading = read({ ...example(TILES), pickup: { on: day } });
    expect(reading).toMatchObject({
      ok: true,
      warnings: [
        {
          path: '$.pickup.on',
          problem: `${day} is a public holiday (${name}): most carriers and docks are closed`,
          remedy: `write "${next}" unless the carrier and the dock are open that day`,
        },
      ],
    });
  });

  test('of furniture is warned of only when its window has no working day', () => {
    const between = (...days: string[]) =>
      told({ ...example(SOFA), pickup: { between: days }, delivery: undefined });
    // From Saturday to the Monday of Labor Day.
    expect(between('2035-09-01', '2035-09-03')).toEqual([
      'warning $.pickup: 2035-09-03 is a public holiday (Labor Day): most carriers and docks are closed',
    ]);
    expect(between('2035-09-03', '2035-09-04')).toEqual([]);
    expect(told({ ...example(SOFA), pickup: { before: '2035-09-03' }, delivery: undefined })).toEqual([]);
  });

  test('of Canada has the holidays of Canada', () => {
    const piano = { ...example('furniture-piano.yaml'), delivery: undefined };
    expect(told({ ...piano, pickup: { on: '2035-07-02' } })).toEqual([
      'warning $.pickup.on: 2035-07-02 is a public holiday (Canada Day (observed)): most carriers and docks are closed',
    ]);
    expect(told({ ...piano, pickup: { on: '2035-07-04' } })).toEqual([]);
  });

  test('and hour of the policy have to be a day and an hour', () => {
    const wrong = { closedDays: ['25.12.2035'], cutOffHour: 24 };
    expect(told({ ...example(TILES), policy: { pickup: wrong } })).toEqual([
      '$.policy.pickup.closedDays[0]: "25.12.2035" is not valid; write days as YYYY-MM-DD',
      '$.policy.pickup.cutOffHour: 24 is too large; give at most 23',
    ]);
  });
});

describe('the time-out of a write', () => {
  const withTimeout = (writeTimeout: unknown) => read({ ...example(SOFA), policy: { writeTimeout } });

  test.each([
    ['1s', 1_000],
    ['45s', 45_000],
    [20_000, 20_000],
  ])('may be %s', (given, writeTimeoutMs) => {
    expect(withTimeout(given)).toMatchObject({ ok: true, policy: { writeTimeoutMs } });
  });

  test.each([0, '0s', '999ms', '45001ms', '10m'])(
    'of %p is refused, and why: it has to fit into the grace of a stopping worker',
    (given) => {
      expect(told({ ...example(SOFA), policy: { writeTimeout: given } })).toEqual([
        `$.policy.writeTimeout: ${JSON.stringify(given)} is not valid; give 1s to 45s: with less, no answer arrives in time ` +
          'and every order is in doubt; with more, a write, which may take five sixths of it, outlasts the 40s that a stopping worker waits',
      ]);
    },
  );

  test('that is no duration is reported like any other', () => {
    expect(told({ ...example(SOFA), policy: { writeTimeout: 'soon' } })).toEqual([
      expect.stringContaining('give a duration such as "20s"'),
    ]);
  });
});

describe('what is beyond the usual limits of LTL is a warning, and no problem', () => {
  const load = (item: object) =>
    changed(TILES, 'items.0', { ...(example(TILES).items as object[])[0], ...item });
  const crate = (length: number, width: number, height: number) => ({
    ...{ size: { length, width, height, unit: 'm' }, weightEach: { value: 100, unit: 'kg' } },
    handlingUnit: 'Crates',
  });

  test('each side and the number of units are reported at once', () => {
    expect(read(load({ ...crate(9, 3, 3), quantity: 40 })).ok).toBe(true);
    expect(told(load({ ...crate(9, 3, 3), quantity: 40 }))).toEqual([
      'warning $.items: 40 handling units are more than LTL usually takes (20)',
      'warning $.items[0].size.length: a length of 9 m does not fit a common trailer (8.53 m)',
      'warning $.items[0].size.width: a width of 3 m does not fit a common trailer (2.59 m)',
      'warning $.items[0].size.height: a height of 3 m does not fit a common trailer (2.74 m)',
    ]);
  });

  test('a side that is refused is not reported twice', () => {
    expect(told(load(crate(84, 1, 1)))).toEqual([
      expect.stringContaining('$.items[0].size.length: 84 m is 84 metres'),
    ]);
  });

  test('the limits themselves are allowed', () => {
    expect(told(load({ ...crate(8.53, 2.59, 2.74), quantity: 20 }))).toEqual([]);
  });

  test('units are counted over all items, and each item is named by its place', () => {
    const [item] = example(TILES).items as object[];
    const items = [
      { ...item, ...crate(2, 1, 1), quantity: 11 },
      { ...item, ...crate(2, 2.6, 1), quantity: 10 },
    ];
    expect(told({ ...example(TILES), items })).toEqual([
      'warning $.items: 21 handling units are more than LTL usually takes (20)',
      'warning $.items[1].size.width: a width of 2.6 m does not fit a common trailer (2.59 m)',
    ]);
  });

  test('a load with an item without a weight may be heavier than its known weight', () => {
    const [item] = example(TILES).items as object[];
    const light = { ...item, ...crate(1, 1, 1), quantity: 1, weightEach: { value: 20, unit: 'kg' } };
    const byClass = { ...light, weightEach: undefined, freightClass: '70' };
    const tooLight = 'warning $.items: 20 kg in all are outside what LTL usually takes';
    expect(told({ ...example(TILES), items: [light] })).toEqual([expect.stringContaining(tooLight)]);
    expect(told({ ...example(TILES), items: [light, byClass] })).toEqual([]);
  });
});

describe('money', () => {
  test.each<[string, unknown, string]>([
    [
      'coverage of a move that leaves the US',
      { ...example('furniture-piano.yaml'), coverage: { amount: '900', currency: 'USD' } },
      '$.coverage: the protection is for moves within the US only',
    ],
    [
      'coverage in another currency than the prices',
      changed(SOFA, 'coverage.currency', 'CAD'),
      '$.coverage.currency: account acme is priced in USD',
    ],
    [
      'a price limit in another currency',
      changed(SOFA, 'priceLimit.currency', 'CAD'),
      'warning $.priceLimit.currency: prices are in USD',
    ],
    [
      'a price cap in another currency',
      changed(TILES, 'rateRule.priceCap.currency', 'CAD'),
      'warning $.rateRule.priceCap.currency: prices are in USD',
    ],
  ])('%s is reported', (_, document, expected) => {
    const [only = '', ...others] = told(document);
    expect(only).toContain(expected);
    expect(others).toEqual([]);
  });
});

test('the id of a payment method that is no such id by its length is a warning', () => {
  const withId = (paymentMethodId: string) => told({ ...example(TILES), policy: { paymentMethodId } });
  expect(withId('0a52f3c9-7a1c-4c86-9e5e-1d2c5a0c7f1')).toEqual([
    'warning $.policy.paymentMethodId: has 35 characters; ids of payment methods have 36',
  ]);
  expect(withId('0a52f3c9-7a1c-4c86-9e5e-1d2c5a0c7f11')).toEqual([]);
});

describe('references', () => {
  const other = (entry: object) => changed(TILES, 'references', { Other: [entry] });

  test.each<[string, unknown, string]>([
    ['the label of our own sends', other({ label: 'Send', number: '1' }), 'Consign reserves the label Send'],
    [
      'a number that reads like one of our sends',
      changed(TILES, 'references', { Invoice: 'Send - 1' }),
      'Consign reserves the label Send',
    ],
    [
      'a label on another type',
      changed(TILES, 'references', { Invoice: [{ label: 'A', number: '1' }] }),
      'Invoice has no label; only type Other has one',
    ],
    ['no label on type Other', changed(TILES, 'references', { Other: 'A-1' }), 'needs a label'],
  ])('%s is refused', (_, document, expected) => {
    expect(told(document)).toEqual([expect.stringContaining(expected)]);
  });

  test('label, dash and number may have 60 characters together, and no more', () => {
    expect(told(other({ label: 'Dock', number: 'n'.repeat(53) }))).toEqual([]);
    expect(told(other({ label: 'Dock', number: 'n'.repeat(54) }))).toEqual([
      '$.references.Other: has 61 characters; use at most 60 for label, " - " and number together',
    ]);
  });
});

describe('texts', () => {
  test('a description may have 5000 ASCII characters, and no more', () => {
    expect(told(changed(SOFA, 'description', 'x'.repeat(5_000)))).toEqual([]);
    expect(told(changed(SOFA, 'description', 'x'.repeat(5_001)))).toEqual([
      '$.description: has 5001 characters; use at most 5000',
    ]);
  });

  test('a title of LTL is a warning, as no carrier ever sees it, and is checked like any other', () => {
    const reading = read(changed(TILES, 'title', 'Tiles for the lobby'));
    expect(reading).toMatchObject({
      ok: true,
      shipment: { title: 'Tiles for the lobby', description: null },
      warnings: [
        {
          path: '$.title',
          problem: "rate requests have no title; only Temporal's web UI shows this one",
          remedy: 'put texts for carriers into the title or description of an item',
        },
      ],
    });
    expect(told(changed(TILES, 'title', 'x'.repeat(51)))).toContainEqual(
      expect.stringContaining('$.title: has 51 characters'),
    );
    expect(told(changed(SOFA, 'title', 'A sofa'))).toEqual([]);
  });

  test('what the marketplace may take for a script is a warning', () => {
    expect(told(changed(SOFA, 'driverNotes', 'call <b>first</b>'))).toEqual([
      'warning $.driverNotes: looks like HTML or a script, which the marketplace may refuse',
    ]);
    expect(told(changed(SOFA, 'driverNotes', 'door < 30 in, lift > 40 in'))).toEqual([]);
  });
});

describe('what belongs to the other kind', () => {
  test.each<[string, string, unknown, string]>([
    [SOFA, 'items.0.hazardous', true, 'furniture listings take no hazardous goods'],
    [SOFA, 'items.0.handlingUnit', 'Crates', 'belongs to LTL; furniture has none'],
    [SOFA, 'items.0.stackable', true, 'set attributes.stackable of the order instead'],
    [SOFA, 'accessorials', ['LiftGate'], 'put the wish into the description'],
    [TILES, 'accessorials', ['LiftGate'], 'did you mean services?'],
    [TILES, 'description', 'Call the dock first', 'put it into the description of an item'],
    [TILES, 'driverNotes', 'Call the dock first', 'put the wish into the description of an item'],
    [SOFA, 'pickup', '2035/03/06', 'write {"on": "2035-03-06"} or {"before": "2035-03-06"}'],
    [TILES, 'items.0.commodity', 'Sofas', 'for a furniture order set "kind": "furniture"'],
  ])('%s with %s %j says where it goes', (name, keys, value, expected) => {
    expect(told(changed(name, keys, value)).join('\n')).toContain(expected);
  });
});

describe('what is no order', () => {
  test.each<[unknown, string]>([
    [[example(SOFA), example(TILES)], '$: contains a list of 2 documents; a document must contain one order'],
    [{ accounts: {} }, '$: is an accounts file, not an order'],
    [{ kind: 'LTL' }, '$.kind: the document does not name its kind; write "ltl"'],
    [7, '$.kind: the document does not name its kind'],
  ])('is reported as none: %#', (document, expected) => {
    expect(told(document)).toEqual([expect.stringContaining(expected)]);
  });
});

test.each([
  ['2035/3/6', '2035-03-06'],
  ['20350306', '2035-03-06'],
  ['2035-03-06T00:00:00', '2035-03-06'],
  ['25.12.2035', '2035-12-25'],
  ['12/25/2035', '2035-12-25'],
  ['06/06/2035', '2035-06-06'],
  ['03/06/2035', null],
  ['2035-03-06T00:00:00Z', null],
  ['2035-02-30', null],
  ['next Monday', null],
])('a day written as %s is certainly %s', (text, expected) => {
  expect(meantDate(text)).toBe(expected);
});

test.each([
  ['newcommercialgoods', LTL_COMMODITIES, 'NewCommercialGoods'],
  ['New Comercial Goods', LTL_COMMODITIES, 'NewCommercialGoods'],
  ['crate', HANDLING_UNITS, 'Crates'],
  ['pallets 48x40 inches', HANDLING_UNITS, 'Pallets48X40Inches'],
  ['Pallet', HANDLING_UNITS, null],
  ['Cates', HANDLING_UNITS, null],
  ['WoodProduct', LTL_COMMODITIES, 'WoodProducts'],
  ['Inches', ['in', 'ft'], 'in'],
  ['zip_code', ['street', 'postalCode'], 'postalCode'],
  ['weight', ['size', 'weightEach'], null],
  ['BusinessWithLoadingDock', ADDRESS_TYPES, null],
  ['Furniture', LTL_COMMODITIES, null],
])('%s certainly means one code only where no other is near', (text, codes, expected) => {
  expect(certainly(text, codes)).toBe(expected);
});

test('a path names every key in a form that can be read back', () => {
  const keys = ['references', 'a.b', 0, 'x "y" [1]', '', 'liftgate'];
  expect(jsonPath(keys)).toBe('$.references["a.b"][0]["x \\"y\\" [1]"][""].liftgate');
  expect(keysOf(jsonPath(keys))).toEqual(keys);
  expect(() => keysOf('references')).toThrow(RangeError);
  expect(() => keysOf('$.a b')).toThrow(RangeError);
});
