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
