import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAccounts } from '../../../src/accounts';
import { DEFAULT_SETTINGS } from '../../../src/marketplace/account';

const example = readFileSync(path.join(__dirname, '..', '..', '..', 'examples', 'accounts.yaml'), 'utf8');
const text = example.replace(/ {4}web:\n( {6}.*\n)+/, '');
const parse = (more: string, env: Record<string, string> = {}) =>
  parseAccounts(text.replace('    source: acme\n', `    source: acme\n${more}\n`), 'accounts.yaml', env);

const web = '    web: { username: { env: WEB_USER }, password: { env: WEB_PASSWORD } }';

test('a web sign-in is named by reference and read when it is used', async () => {
  const accounts = parse(web, { WEB_USER: 'pat', WEB_PASSWORD: 'hush' });
  const [account] = accounts.marketplaceAccounts;
  expect([await account?.web?.username(), await account?.web?.password()]).toEqual(['pat', 'hush']);
  await expect(accounts.checkSecrets()).resolves.toBeUndefined();
});

test('the example signs in to the web site of the sandbox on this machine, and of no other', async () => {
  const [account] = parseAccounts(example, 'accounts.yaml', {}).marketplaceAccounts;
  expect(await account?.web?.username()).toBe('shipper@example.com');
  for (const elsewhere of ['baseUrl: https://sandbox.example.com', 'webUrl: https://www.example.com']) {
    const yaml = example.replace('    source: acme', `    ${elsewhere}\n    source: acme`);
    const once = elsewhere.startsWith('base') ? yaml.replace(/baseUrl: \{.*/, '') : yaml;
    expect(() => parseAccounts(once, 'accounts.yaml', {})).toThrow(/web\.password: a default secret/);
  }
});

test('without a web sign-in there is none', () => {
  expect(parse('').marketplaceAccounts[0]?.web).toBeUndefined();
});

test('a missing secret of the web sign-in stops the start', async () => {
  await expect(parse(web, { WEB_USER: 'pat' }).checkSecrets()).rejects.toThrow(
    /web\.password.*WEB_PASSWORD is not set/,
  );
});

test('a web site password is neither in the file nor sent unencrypted', () => {
  expect(() => parse('    web: { username: pat, password: hush-hush }')).toThrow(
    /this file must not contain it/,
  );
  const production = text
    .replace('environment: sandbox', 'environment: production')
    .replace(/baseUrl: .*/, 'baseUrl: https://api.example.com\n    webUrl: http://www.example.com')
    .replaceAll(/, default: [a-z-]+ }/g, ' }')
    .replace('    source: acme\n', `    source: acme\n${web}\n`);
  expect(() => parseAccounts(production, 'accounts.yaml', {})).toThrow(
    /webUrl: the password would travel unencrypted/,
  );
});

test('given settings apply, and the others keep their defaults', () => {
  const [account] = parse(
    '    settings: { listPrice: priceWithPremium, xApiKeyCalls: [getTracking] }',
  ).marketplaceAccounts;
  expect(account?.settings).toEqual({
    ...DEFAULT_SETTINGS,
    listPrice: 'priceWithPremium',
    xApiKeyCalls: ['getTracking'],
  });
});

test.each(['listPrice: cheapest', 'listprice: nypAmount', 'xApiKeyCalls: [getTruck]', 'imageField: "a b"'])(
  'a setting that does not exist, or not with this value, is refused: %s',
  (setting) => {
    expect(() => parse(`    settings: { ${setting} }`)).toThrow(setting.split(':')[0]);
  },
);

test("a marketplace's own words are mapped to known statuses", () => {
  const names = '{ Gebucht: Booked, In transit: PickedUp, "7": Cancelled }';
  const [account] = parse(`    settings: { statusNames: ${names} }`).marketplaceAccounts;
  expect(account?.settings.statusNames).toEqual({
    '7': 'Cancelled',
    Gebucht: 'Booked',
    'In transit': 'PickedUp',
  });
});

test.each([
  ['{ Gebucht: booked }', /statusNames\.Gebucht: give one of Saved, Active, .*Delivered/],
  [
    '{ Gebucht: Booked, GEBUCHT: Active }',
    /statusNames\.GEBUCHT: is the same word as Gebucht; give only one of them/,
  ],
  ['{ "--": Booked }', /statusNames\.--: .*letters or digits/],
  ['[Booked]', /statusNames: /],
])('status names that map to nothing known, or twice, are refused: %s', (names, message) => {
  expect(() => parse(`    settings: { statusNames: ${names} }`)).toThrow(message);
});

test('hosts that a Location may name are accepted', () => {
  const [account] = parse(
    '    settings: { locationHosts: [api.internal.example, gateway, 10.0.0.7] }',
  ).marketplaceAccounts;
  expect(account?.settings.locationHosts).toEqual(['api.internal.example', 'gateway', '10.0.0.7']);
});

test.each(['https://api.example.com', 'api.example.com:8443', 'api.example.com/v2', '*.example.com', ''])(
  'an invalid host name is refused: %j',
  (host) => {
    expect(() => parse(`    settings: { locationHosts: ["${host}"] }`)).toThrow(
      /locationHosts\.0: give a host name such as api\.example\.com/,
    );
  },
);

test('x-api-key in addition to a token needs a separate key', async () => {
  const withTokens = (more: string) =>
    parseAccounts(
      text
        .replace(
          /auth: .*/,
          'auth: { clientCredentials: { clientId: { env: ID }, clientSecret: { env: SECRET } } }',
        )
        .replace('    source: acme\n', `    source: acme\n    settings: { xApiKeyCalls: all }\n${more}`),
      'accounts.yaml',
      { KEY: 'key' },
    );
  expect(() => withTokens('')).toThrow(
    /settings\.xApiKeyCalls: the account's auth is not an API key; name a key as its xApiKey/,
  );
  const [account] = withTokens('    xApiKey: { env: KEY }\n').marketplaceAccounts;
  expect(await account?.xApiKey?.()).toBe('key');
});
