import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { AccountsError, loadAccounts, parseAccounts } from '../../../src/accounts';
import { temporaryFolder } from '../../support/temporary-folder';

const text = readFileSync(path.join(__dirname, '..', '..', '..', 'examples', 'accounts.yaml'), 'utf8');
const parse = (yaml: string, env: Record<string, string> = {}) => parseAccounts(yaml, 'accounts.yaml', env);

test('the example needs no credentials for the sandbox on this machine', async () => {
  const accounts = parse(text);
  expect(accounts.marketplaceAccounts).toMatchObject([
    { name: 'acme', environment: 'sandbox', baseUrl: 'http://127.0.0.1:4010' },
  ]);
  await expect(accounts.checkSecrets()).resolves.toBeUndefined();
});

test('a variable wins over a default', async () => {
  const [integration] = parse(text, { CONSIGN_WEBHOOK_SECRET: 'other' }).integrations;
  expect(await integration?.secret()).toBe('other');
});

test.each([
  [
    'an inline secret',
    (yaml: string) => yaml.replace('{ env: SANDBOX_API_KEY, default: sandbox-key }', 'sk-live-1'),
    'this file must not contain it',
  ],
  [
    'a default secret for another host',
    (yaml: string) => yaml.replace(/baseUrl: .*/, 'baseUrl: https://api.example.com'),
    'allowed only for a sandbox on this machine',
  ],
  [
    'an unknown key',
    (yaml: string) => yaml.replace('source: acme', 'source: acme\n    sauce: acme'),
    'sauce',
  ],
  [
    'a source with capitals',
    (yaml: string) => yaml.replace('source: acme', 'source: Acme Inc'),
    'lower-case',
  ],
  [
    'an integration of nobody',
    (yaml: string) => yaml.replace('accounts: [acme]', 'accounts: [acme, nobody]'),
    'the file has no account nobody',
  ],
  [
    'a location with a short postal code',
    (yaml: string) => yaml.replace("'75207'", '7520'),
    '$.accounts.acme.locations.dallas-dc.address.postalCode: 7520 is not a US postal code',
  ],
  [
    'a location of which a key is misspelled',
    (yaml: string) => yaml.replace('addressType: Business', 'adressType: Business'),
    'did you mean addressType?',
  ],
  [
    'a time zone that is none',
    (yaml: string) => yaml.replace('timeZone: America/Chicago', 'timeZone: Mars/Base'),
    '$.accounts.acme.timeZone',
  ],
  [
    'a password in a URL',
    (yaml: string) => yaml.replace(/baseUrl: .*/, 'baseUrl: http://me:sk-live-1@127.0.0.1:4010'),
    'must not contain a user or password',
  ],
  [
    'a key that would travel unencrypted',
    (yaml: string) =>
      yaml
        .replace('environment: sandbox', 'environment: production')
        .replace(/baseUrl: .*/, 'baseUrl: http://api.example.com')
        .replaceAll(/, default: [a-z-]+ }/g, ' }'),
    'use https',
  ],
  [
    'a syntax error beside an inline secret',
    (yaml: string) =>
      yaml.replace('{ apiKey: { env: SANDBOX_API_KEY, default: sandbox-key } }', '{ apiKey: sk-live-1\n  x'),
    'is not YAML',
  ],
  [
    'a secret that reads as an alias',
    (yaml: string) => yaml.replace('{ env: SANDBOX_API_KEY, default: sandbox-key }', '*sk-live-1'),
    'is not YAML',
  ],
  [
    'a duration that is none',
    (yaml: string) => yaml.replace('settlementWindow: 3s', 'settlementWindow: soon'),
    '$.accounts.acme.policy.settlementWindow',
  ],
])('%s stops the start with one clear sentence and no secret', (_, change, sentence) => {
  expect(() => parse(change(text))).toThrow(AccountsError);
  expect(() => parse(change(text))).toThrow(
    expect.objectContaining({ message: expect.stringContaining(sentence) }),
  );
  expect(() => parse(change(text))).not.toThrow(
    expect.objectContaining({ message: expect.stringContaining('sk-live-1') }),
  );
});

test('a secret whose variable is not set names the variable', async () => {
  const accounts = parse(text.replace(', default: sandbox-key', ''));
  await expect(accounts.checkSecrets()).rejects.toThrow('SANDBOX_API_KEY is not set');
});

test('all missing secrets are named at once, and an empty variable counts as missing', async () => {
  const accounts = parse(text.replaceAll(/, default: (sandbox-key|demo-webhook-secret)/g, ''), {
    SANDBOX_API_KEY: '',
  });
  await expect(accounts.checkSecrets()).rejects.toThrow(
    /2 problems:[^]*SANDBOX_API_KEY is not set[^]*CONSIGN_WEBHOOK_SECRET is not set/,
  );
});

test('a secret in a file is read when it is used, and a file that is not there is named', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'key');
  const accounts = parse(text.replace('{ env: SANDBOX_API_KEY, default: sandbox-key }', `{ file: ${file} }`));
  const [account] = accounts.marketplaceAccounts;
  if (account?.auth.kind !== 'apiKey') throw new Error('it has another auth');
  await expect(accounts.checkSecrets()).rejects.toThrow(AccountsError);
  await expect(account.auth.key()).rejects.toThrow(file);
  writeFileSync(file, 'first\n');
  expect(await account.auth.key()).toBe('first');
  writeFileSync(file, 'rotated\n');
  expect(await account.auth.key()).toBe('rotated');
});

test('an invalid URL in a variable names the variable and not its value', () => {
  expect(() => parse(text, { SANDBOX_URL: 'sk-live-1' })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/1 problem:[^]*SANDBOX_URL/) }),
  );
  expect(() => parse(text, { SANDBOX_URL: 'sk-live-1' })).not.toThrow(
    expect.objectContaining({ message: expect.stringContaining('sk-live-1') }),
  );
});

test('one host cannot be the sandbox of one account and the production of another', () => {
  const account = (environment: string): string => `
    environment: ${environment}
    baseUrl: https://api.example.com
    auth: { apiKey: { env: KEY } }
    source: acme`;
  expect(() => parse(`accounts:\n  one:${account('sandbox')}\n  two:${account('production')}`)).toThrow(
    'api.example.com is also the host of sandbox account one',
  );
});

test('a setting without effect is refused, not ignored', () => {
  expect(() => parse(text.replace('source: acme', 'source: acme\n    requestsPerSecond: 4'))).toThrow(
    'requestsPerSecond',
  );
});

test('an account that is not in the file has no environment, whatever its name', () => {
  expect(() => parse(text).environmentOf('constructor')).toThrow(AccountsError);
});

test.each([
  ['Latin-1', Buffer.from(`${text}# Montréal\n`, 'latin1'), /is not UTF-8: line \d+ looks like Latin-1/],
  ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), /looks like UTF-16 without a byte order mark/],
])('a file in %s is refused as a whole', (_, bytes, expected) => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'accounts.yaml');
  writeFileSync(file, bytes);
  expect(() => loadAccounts(file, {})).toThrow(expected);
  writeFileSync(file, Buffer.from(`\uFEFF${text}`, 'utf16le'));
  expect(loadAccounts(file, {}).names()).toEqual(['acme']);
});

const ENDPOINT = '{ name: erp, url: https://erp.example.com/, secrets: [{ env: ERP_SECRET }] }';
const withEndpoints = (endpoints: string): string =>
  text.replace('source: acme', `source: acme\n    notifications: ${endpoints}`);

test('an account names endpoints, which get everything by default', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const accounts = parse(withEndpoints(`[${ENDPOINT}]`), { ERP_SECRET: secret });
  await expect(accounts.checkSecrets()).resolves.toBeUndefined();
  expect(accounts.endpointsOf('acme')).toMatchObject([
    { name: 'erp', url: 'https://erp.example.com/', reportAfterMs: 3_600_000, pauseAfterMs: 432_000_000 },
  ]);
  const [erp] = accounts.endpointsOf('acme') ?? [];
  expect(erp?.events).toHaveLength(8);
  expect(await erp?.secrets[0]?.()).toBe(secret);
  expect(parse(text).endpointsOf('acme')).toBeNull();
  expect(parse(withEndpoints('[]')).endpointsOf('acme')).toEqual([]);
});

test('the URL of an endpoint may be a variable, and http is for this machine', () => {
  const local = ENDPOINT.replace(
    'https://erp.example.com/',
    '{ env: ERP_URL, default: "http://127.0.0.1:9/x/" }',
  );
  expect(parse(withEndpoints(`[${local}]`)).endpointsOf('acme')).toMatchObject([
    { url: 'http://127.0.0.1:9/x/' },
  ]);
});

test('every problem of endpoints is reported at once, with its path', () => {
  const bad = `[
      { name: erp, url: http://erp.example.com, secrets: [{ env: A }], reportAfter: 0s },
      { name: erp, url: https://me:sk-live-1@erp.example.com, secrets: [{ env: A }], pauseAfter: 1h }]`;
  const said = (): unknown => parse(withEndpoints(bad));
  for (const problem of [
    '$.accounts.acme.notifications.0.url: the events would travel unencrypted; use https',
    '$.accounts.acme.notifications.0.reportAfter: give at least 1s',
    '$.accounts.acme.notifications.1.name: erp is also another endpoint',
    '$.accounts.acme.notifications.1.url: the URL must not contain a user or password',
    '$.accounts.acme.notifications.1.pauseAfter: give more than reportAfter',
  ])
    expect(said).toThrow(expect.objectContaining({ message: expect.stringContaining(problem) }));
  expect(said).not.toThrow(expect.objectContaining({ message: expect.stringContaining('sk-live-1') }));
});

test.each([
  ['no secret', ENDPOINT.replace('{ env: ERP_SECRET }', ''), 'notifications.0.secrets: give one secret'],
  [
    'three secrets',
    ENDPOINT.replace(/secrets.*\]/, 'secrets: [{ env: A }, { env: B }, { env: C }]'),
    'at most two',
  ],
  ['an inline secret', ENDPOINT.replace('{ env: ERP_SECRET }', 'whsec_sk-live-1'), 'must not contain it'],
  ['an unknown event', ENDPOINT.replace('secrets', 'events: [shipped], secrets'), 'notifications.0.events.0'],
  ['an unknown key', ENDPOINT.replace('secrets', 'event: [booked], secrets'), 'did you mean events?'],
])('an endpoint with %s is refused without its secret', (_, endpoint, problem) => {
  const said = (): unknown => parse(withEndpoints(`[${endpoint}]`));
  expect(said).toThrow(expect.objectContaining({ message: expect.stringContaining(problem) }));
  expect(said).not.toThrow(expect.objectContaining({ message: expect.stringContaining('sk-live-1') }));
});

test.each(['short', 'whsec_dG9vIHNob3J0', 'a long secret that is not of the scheme'])(
  'the signing secret %p stops the start, and is not shown',
  async (secret) => {
    const check = parse(withEndpoints(`[${ENDPOINT}]`), { ERP_SECRET: secret }).checkSecrets();
    await expect(check).rejects.toThrow('$.accounts.acme.notifications.0.secrets.0: is no signing secret');
    await expect(check).rejects.not.toThrow(secret);
  },
);
