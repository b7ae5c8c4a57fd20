import { describe, expect, test } from '@jest/globals';
import { fixDocument } from '../../../src/orders/fix-document';
import { parseOrder } from '../../../src/orders/parse-order';
import { accounts, changed, example, NOW, read, SOFA, TILES, withChange } from './documents';

/** Everything that is said of a document, problems before warnings. */
function told(document: unknown): string[] {
  const reading = read(document);
  return [
    ...(reading.ok ? [] : reading.problems).map(({ path, problem }) => `${path}: ${problem}`),
    ...reading.warnings.map(({ path, problem }) => `warning ${path}: ${problem}`),
  ];
}

type Place = Partial<Record<'street' | 'unit' | 'city' | 'state' | 'postalCode' | 'country', string>>;
const US: Place = { street: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78703', country: 'US' };
const CA: Place = { street: '1 Main St', city: 'Toronto', state: 'ON', postalCode: 'M5V 2T6', country: 'CA' };

/** The sofa, delivered to an address; its coverage would be refused in Canada. */
const to = (address: Place): Record<string, unknown> =>
  withChange(
    changed(SOFA, 'coverage', undefined),
    'destination.address',
    JSON.parse(JSON.stringify(address)),
  );
const addressOf = (document: unknown): unknown => {
  const reading = read(document);
  return reading.ok ? reading.shipment.destination.address : reading.problems;
};
const fixedAddress = (document: unknown): unknown => {
  const fixed = fixDocument(JSON.stringify(document), (value) => read(value));
  return 'ok' in fixed ? fixed.problems : (JSON.parse(fixed.text) as ReturnType<typeof example>).destination;
};

describe('Washington DC', () => {
  const DC = { ...US, city: 'Washington', state: 'DC', postalCode: '20500' };

  test.each<Place>([
    { city: 'Washington DC', state: 'DC' },
    { city: 'Washington, D.C.', state: 'D.C.' },
    { city: 'Washington D.C.' },
    { state: 'Washington DC' },
    { state: 'Washington, D.C.' },
  ])('is the district: %j', (place) => {
    const { state, ...rest } = DC;
    const given = { ...rest, ...('city' in place && !('state' in place) ? {} : { state }), ...place };
    expect(told(to(given))).toEqual([]);
    expect(addressOf(to(given))).toMatchObject({ city: 'Washington', state: 'DC' });
  });

  test.each<[Place, string]>([
    [{ city: 'Washington DC', state: 'Washington' }, 'DC'],
    [{ city: 'Washington', state: 'Washington' }, 'DC'],
    [{ city: 'Washington, DC', state: 'WA' }, 'DC'],
    [{ city: 'Seattle', state: 'Washington', postalCode: '98101' }, 'WA'],
  ])('and Washington are distinguished: %j', (place, state) => {
    expect(read(to({ ...DC, ...place })).ok).toBe(false);
    expect(fixedAddress(to({ ...DC, ...place }))).toMatchObject({ address: { state } });
  });

  test('is not set against a state and a postal code that say otherwise', () => {
    const given = { ...DC, city: 'Washington DC', state: 'MD', postalCode: '20850' };
    expect(told(to(given))).toEqual(['$.destination.address.state: Washington DC is not in MD']);
    expect(fixedAddress(to(given))).toMatchObject({ address: { state: 'MD' } });
  });

  test.each(['20166', '20147'])("is no place of Virginia's codes: %s", (postalCode) => {
    const given = { ...DC, city: 'Washington DC', state: 'VA', postalCode };
    expect(fixedAddress(to(given))).toMatchObject({ address: { state: 'VA' } });
  });
});

test.each(['7870', '787'])('a short postal code of another state has lost no zero: %s', (postalCode) => {
  expect(told(to({ ...US, state: 'TX', postalCode }))).toEqual([
    `$.destination.address.postalCode: ${postalCode} is not a US postal code`,
  ]);
  expect(fixedAddress(to({ ...US, state: 'TX', postalCode }))).toMatchObject({ address: { postalCode } });
});

describe('a state or province', () => {
  test.each<[Place, string]>([
    [{ ...CA, state: 'PQ', postalCode: 'H2X 1Y4' }, 'QC'],
    [{ ...CA, state: 'P.Q.', postalCode: 'H2X 1Y4' }, 'QC'],
    [{ ...CA, state: 'NF', postalCode: 'A1C 5M2' }, 'NL'],
    [{ ...CA, state: 'B. C.', postalCode: 'V5K 0A1' }, 'BC'],
    [{ ...US, state: 'T.X.' }, 'TX'],
  ])('in an older or dotted form is the same: %j', (given, state) => {
    expect(told(to(given))).toEqual([]);
    expect(addressOf(to(given))).toMatchObject({ state });
  });

  test('by a name with an accent is corrected', () => {
    expect(fixedAddress(to({ ...CA, state: 'Québec', postalCode: 'H2X 1Y4' }))).toMatchObject({
      address: { state: 'QC' },
    });
  });

  test.each([
    ['GU', 'Guam'],
    ['vi', 'US Virgin Islands'],
    ['U.S. Virgin Islands', 'US Virgin Islands'],
    ['AE', 'Armed Forces Europe'],
    ['AP', 'Armed Forces Pacific'],
    ['AA', 'Armed Forces Americas'],
    ['MP', 'Northern Mariana Islands'],
    ['American Samoa', 'American Samoa'],
  ])('that no truck reaches is reported: %s', (state, name) => {
    expect(told(to({ ...US, state, postalCode: '96910' }))).toEqual([
      `$.destination.address.state: ${state} (${name}) is a place that trucks cannot reach`,
    ]);
  });

  test.each([
    ['GU', 'Guam'],
    ['Guam', 'Guam'],
    ['VI', 'US Virgin Islands'],
    ['MP', 'Northern Mariana Islands'],
  ])('that is given as a country is reported too, even if LTL goes anywhere: %s', (country, name) => {
    const place = { ...US, country, state: 'X', postalCode: '96910' };
    const expected = `$.destination.address.country: ${country} (${name}) is a place that trucks cannot reach`;
    expect(told(to(place))).toContain(expected);
    const account = accounts.orderAccountOf('acme');
    if (account === null) throw new Error('there is no account acme');
    const reading = parseOrder(changed(TILES, 'destination.address', place), {
      accountOf: () => ({ ...account, ltlCountries: 'any' }),
      accountNames: ['acme'],
      now: NOW,
    });
    expect(reading.ok ? [] : reading.problems).toContainEqual(
      expect.objectContaining({ path: '$.destination.address.country' }),
    );
  });

  test.each(['APO', 'FPO', 'A.P.O.', 'DPO'])('of a military post is recognised by the city: %s', (city) => {
    expect(told(to({ ...US, city, state: 'NY', postalCode: '09012' }))).toContain(
      `$.destination.address.city: ${city} is a military post, which trucks cannot reach`,
    );
  });

  test('that is missing is reported together with everything else', () => {
    const { state: _state, ...rest } = US;
    expect(told(to({ ...rest, postalCode: '123' }))).toEqual([
      '$.destination.address.state: is missing',
      '$.destination.address.postalCode: 123 has lost its leading zero',
    ]);
  });
});

describe('Puerto Rico', () => {
  const SAN_JUAN = { ...US, city: 'San Juan', postalCode: '00901' };

  test.each<Place>([
    { country: 'PR', state: 'PR' },
    { country: 'pr', state: 'Puerto Rico' },
    { country: 'Puerto Rico', state: 'PR' },
    { country: 'PR' },
  ])('as a country is a state of the US: %j', (place) => {
    const { state: _state, ...rest } = SAN_JUAN;
    expect(told(to({ ...rest, ...place }))).toEqual([]);
    expect(addressOf(to({ ...rest, ...place }))).toMatchObject({ country: 'US', state: 'PR' });
  });

  test('with another state is refused, and nothing is guessed', () => {
    expect(told(to({ ...SAN_JUAN, country: 'PR', state: 'TX' }))).toEqual([
      '$.destination.address.state: TX is not in Puerto Rico, the given country',
    ]);
  });
});

describe('a street', () => {
  test.each([
    ...['P.O. Box 12', 'PO Box 12', 'P O Box 12', 'POB 12', 'p.o.box12', 'Post Office Box 12', 'P0 Box 12'],
    ...[
      'PO Bx 3',
      'P.O. Drawer 4',
      'Box 123',
      'PO # 12',
      '12 Main St, PO Box 5',
      'Case postale 12',
      'GPO Box 1',
    ],
  ])('that is a box of the post is a warning: %s', (street) => {
    expect(told(to({ ...US, street }))).toEqual([
      'warning $.destination.address.street: looks like a post office box, where no truck can load or deliver',
    ]);
  });

  test.each([
    ...['12 Boxwood Ln', '100 Post Office Rd', 'Box Springs Blvd 12', '5 Apollo Box Co', 'RR 2 Box 15'],
    ...['4 Post Oak Blvd', '12 Depot St', '90 Camp Po 12 St'],
  ])('that only resembles one is none: %s', (street) => {
    expect(told(to({ ...US, street }))).toEqual([]);
  });

  test('may hide the box in its unit', () => {
    expect(told(to({ ...US, unit: 'PO Box 9' }))).toEqual([
      expect.stringContaining('warning $.destination.address.unit: looks like a post office box'),
    ]);
  });
});

describe('a postal code', () => {
  test.each(['M5V  2T6', 'm5v2t6', 'M5V - 2T6', 'M5V\u00A02T6', ' M5V-2T6 '])(
    'of Canada is the same however it is parted: %j',
    (postalCode) => {
      expect(addressOf(to({ ...CA, postalCode }))).toMatchObject({ postalCode: 'M5V 2T6' });
    },
  );

  test.each(['78703  1234', '78703 - 1234', '787031234'])('of the US gets its dash: %s', (postalCode) => {
    expect(fixedAddress(to({ ...US, postalCode }))).toMatchObject({ address: { postalCode: '78703-1234' } });
  });
});

describe('a phone', () => {
  const withPhone = (phone: string) => changed(SOFA, 'destination.contact.phone', phone);

  test.each([
    ['512 555 0186 x12', '512 555 0186 x12'],
    ['+1 512-555-0186 ext. 12', '+1 512-555-0186 x12'],
    ['(512) 555-0186 #1001', '(512) 555-0186 x1001'],
    ['5125550186x12', '5125550186 x12'],
    ['512 555 0186 (Extension: 7)', '512 555 0186 x7'],
    ['514 555 0186 poste 12', '514 555 0186 x12'],
    ['512-555-0186;ext=12', '512-555-0186 x12'],
    ['5125550186,,1001', '5125550186 x1001'],
  ])('with an extension keeps it behind the number, with a warning: %s', (phone, sent) => {
    expect(told(withPhone(phone))).toEqual([
      expect.stringContaining('warning $.destination.contact.phone: has an extension'),
    ]);
    expect(read(withPhone(phone))).toMatchObject({ shipment: { destination: { contact: { phone: sent } } } });
  });

  test.each(['512 555 0186', '+44 20 7946 0958', '(617) 555-0142'])(
    'without one is sent as it is: %s',
    (phone) => {
      expect(told(withPhone(phone))).toEqual([]);
      expect(read(withPhone(phone))).toMatchObject({ shipment: { destination: { contact: { phone } } } });
    },
  );

  test.each(['555-0186 x1001', '555 0186 ext. 12345', '1-800-FLOWERS'])(
    'does not reach its ten digits by an extension: %s',
    (phone) => {
      expect(told(withPhone(phone))).toContain(
        '$.destination.contact.phone: the phone number has fewer than ten digits',
      );
    },
  );
});

describe('texts that nobody can have meant', () => {
  test.each<[string, string, string]>([
    ['title', 'So\u0000fa', '$.title: has the control character U+0000 (character 3)'],
    ['destination.contact.name', 'Ada\u0007', '$.destination.contact.name: has the control character U+0007'],
    [
      'destination.address.street',
      '1 \uD83D St',
      '$.destination.address.street: contains an incomplete character',
    ],
    [
      'labels',
      { city: 'Montr\uFFFDal' } as never,
      '$.labels.city: contains \uFFFD, which replaces a character lost',
    ],
    [
      'labels',
      { 'a\u0000': 'b' } as never,
      '$.labels["a\\u0000"]: its name has the control character U+0000',
    ],
  ])('are refused at their path: %s', (keys, value, expected) => {
    expect(told(changed(SOFA, keys, value))).toEqual([expect.stringContaining(expected)]);
  });

  test.each(['Robin Shaw\u0000', 'Robin Shaw\u0000\u0000\u0000\u0000', 'Robin Shaw \u0000'])(
    'are corrected where they only fill up a field: %j',
    (name) => {
      const given = changed(SOFA, 'destination.contact.name', name);
      expect(read(given).ok).toBe(false);
      expect(fixedAddress(given)).toMatchObject({ contact: { name: name.replaceAll('\u0000', '') } });
    },
  );
});

describe('keys that mean something to JavaScript', () => {
  const withKey = (json: string) =>
    JSON.parse(
      JSON.stringify(changed(SOFA, 'labels', { a: 'b' })).replace('"a":"b"', `"a":"b",${json}`),
    ) as unknown;

  test.each(['__proto__', 'constructor', 'prototype'])(
    'are refused as unknown, and change nothing: %s',
    (key) => {
      const document = withKey(`"${key}":{"isAdmin":"yes"}`);
      expect(told(document)).toEqual([`$.labels.${key}: is an unknown key`]);
      const inOrder = JSON.parse(
        `{"${key}":{"kind":"ltl"},${JSON.stringify(example(SOFA)).slice(1)}`,
      ) as unknown;
      expect(told(inOrder)).toEqual([`$.${key}: is an unknown key`]);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
      expect(({} as Record<string, unknown>).kind).toBeUndefined();
    },
  );
});

test.each(['0x46', '7e1', '1e2', '070', ' '])(
  'a freight class of %s is none, whatever number it makes',
  (given) => {
    expect(told(changed(TILES, 'items.0.freightClass', given))).toContain(
      `$.items[0].freightClass: ${given} is not a freight class`,
    );
  },
);
