import { expect, test } from '@jest/globals';
import type { OrderAccount } from '../../../src/orders/order-account';
import { parseOrder } from '../../../src/orders/parse-order';
import { accounts, changed, NOW, SOFA, TILES, withChange } from './documents';

type Reach = Partial<Pick<OrderAccount, 'ltlCountries' | 'ltlWeekends'>>;

function readUnder(document: unknown, reach: Reach) {
  const accountOf = (name: string): OrderAccount | null => {
    const account = accounts.orderAccountOf(name);
    return account === null ? null : { ...account, ...reach };
  };
  return parseOrder(document, { accountOf, accountNames: accounts.names(), now: NOW });
}

const problemsOf = (document: unknown, reach: Reach = {}): string[] => {
  const reading = readUnder(document, reach);
  return reading.ok ? [] : reading.problems.map(({ path, remedy }) => `${path}: ${remedy}`);
};

const abroad = (document: unknown, country: string, state: string, postalCode: string) =>
  Object.entries({ country, state, postalCode }).reduce(
    (result, [key, value]) => withChange(result, `destination.address.${key}`, value),
    withChange(document, 'coverage', undefined),
  );

test.each([
  ['MX', 'NLE', '64000'],
  ['GB', 'London', 'EC1A 1BB'],
  ['BM', 'Hamilton', 'HM 11'],
])('LTL to %s is refused by default, and the error names the setting that allows it', (...place) => {
  const order = abroad(changed(TILES, 'title', undefined), ...place);
  const remedy = expect.stringMatching(
    /^\$\.destination\.address\.country: .*ltlCountries: any in the account's settings/,
  );
  expect(problemsOf(order)).toContainEqual(remedy);
  const reading = readUnder(order, { ltlCountries: 'any' });
  const [country, state, postalCode] = place;
  expect(reading).toMatchObject({
    ok: true,
    shipment: { destination: { address: { country, state, postalCode } } },
  });
});

test.each(['Mexico', 'XX', 'MEX'])('%s is not a country code, whatever the setting says', (country) => {
  const order = abroad(changed(TILES, 'title', undefined), country, 'NLE', '64000');
  expect(problemsOf(order, { ltlCountries: 'any' })).toContainEqual(
    expect.stringContaining('$.destination.address.country: write the two letters'),
  );
});

test('an address abroad needs a postal code or a position', () => {
  const order = withChange(
    abroad(changed(TILES, 'title', undefined), 'MX', 'NLE', ''),
    'destination.address.postalCode',
    undefined,
  );
  expect(problemsOf(order, { ltlCountries: 'any' })).toContainEqual(
    expect.stringContaining('$.destination.address.postalCode: give it in quotes'),
  );
});

test('furniture goes to the US and Canada only, whatever the setting says', () => {
  const order = abroad(changed(SOFA, 'title', 'Sofa'), 'MX', 'NLE', '64000');
  expect(problemsOf(order, { ltlCountries: 'any' })).toContainEqual(
    '$.destination.address.country: the marketplace prices furniture in US and CA only',
  );
});

test.each(['2035-03-10', '2035-03-11', '2035-03-17'])(
  'an LTL pickup on the weekend day %s is refused by default, and the error names the setting that allows it',
  (on) => {
    const order = changed(TILES, 'pickup', { on });
    expect(problemsOf(order)).toEqual([
      expect.stringContaining("ltlWeekends: allowed in the account's settings"),
    ]);
    expect(readUnder(order, { ltlWeekends: 'allowed' })).toMatchObject({
      ok: true,
      shipment: { pickup: { type: 'on', latest: on } },
    });
  },
);
