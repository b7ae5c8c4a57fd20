import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { AccountsError, parseAccounts } from '../../../src/accounts';

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
    'may not stand in this file',
  ],
  [
    'a default secret for another host',
    (yaml: string) => yaml.replace(/baseUrl: .*/, 'baseUrl: https://api.example.com'),
    'only allowed for a sandbox on this machine',
  ],
  [
    'an unknown key',
    (yaml: string) => yaml.replace('source: acme', 'source: acme\n    sauce: acme'),
    'sauce',
  ],
  [
    'a source with capitals',
    (yaml: string) => yaml.replace('source: acme', 'source: Acme Inc'),
    'lower case',
  ],
  [
    'an integration of nobody',
    (yaml: string) => yaml.replace('accounts: [acme]', 'accounts: [acme, nobody]'),
    'there is no account nobody',
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
