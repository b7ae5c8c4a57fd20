import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAccounts } from '../../../src/accounts';
import { documentFields } from '../../../src/accounts/fields';
import { allFields, findField } from '../../../src/orders/fields';
import { renderAccounts } from '../../../src/starter/cli/show-accounts';
import { temporaryFolder } from '../../support/temporary-folder';

const examples = path.join(__dirname, '..', '..', '..', 'examples');
const read = (name: string): string => readFileSync(path.join(examples, name), 'utf8');

const YAML = `
accounts:
  acme:
    environment: production
    baseUrl: https://api.example.com
    auth:
      passwordGrant:
        clientId: { env: SANDBOX_ID }
        clientSecret: { env: CLIENT_SECRET }
        username: { file: FOLDER/user }
        password: { file: FOLDER/password }
    source: acme
    supportAddress: help@example.com
    settings: { currency: CAD, development: null-test, fixedPriceBody: json }
    policy: { settlementWindow: 3d }
integrations:
  hook: { secret: { env: HOOK }, accounts: [acme] }
`;

test('says of each secret whether it is there, and shows none', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'user'), 'user-value');
  const env = { SANDBOX_ID: 'id-value', CLIENT_SECRET: ' ', HOOK: 'hook-value' };
  const report = await parseAccounts(YAML.replaceAll('FOLDER', folder), 'accounts.yaml', env).report();
  const [account] = report.accounts;
  expect(account?.secrets.map(({ path: at, state }) => [at.split('.').at(-1), state])).toEqual([
    ['clientId', 'present'],
    ['clientSecret', 'empty'],
    ['username', 'present'],
    ['password', 'missing'],
  ]);
  writeFileSync(path.join(folder, 'password'), '\n');
  const again = await parseAccounts(YAML.replaceAll('FOLDER', folder), 'accounts.yaml', env).report();
  expect(again.accounts[0]?.secrets.at(-1)?.state).toBe('empty');
  for (const text of [JSON.stringify(report), renderAccounts(report)]) {
    expect(text).not.toMatch(/-value/);
    expect(text).toContain('/webhooks/hook/***');
    expect(text).toContain('help@example.com');
  }
});

test('names only the settings that differ, the policy as written, and common omissions', async () => {
  const report = await parseAccounts(YAML, 'accounts.yaml', {}).report();
  expect(report.accounts[0]).toMatchObject({
    settings: { currency: 'CAD', development: 'null-test' },
    policy: { settlementWindow: '3d' },
    auth: 'passwordGrant',
  });
  expect(report.accounts[0]?.settings).not.toHaveProperty('fixedPriceBody');
  const warnings = report.accounts[0]?.warnings.join('\n') ?? '';
  expect(warnings).toContain('integratorId: is missing');
  expect(warnings).toContain('timeZone: is missing');
  expect(warnings).toContain('SANDBOX_ID contains "sandbox", but the account is production');
  expect(warnings).not.toContain('no integration');
});

test.each([
  ['paymentMethodId: pm-1', ['$.accounts.acme.paymentMethodId: has 4 characters']],
  ['policy: { paymentMethodId: pm-17 }', ['$.accounts.acme.policy.paymentMethodId: has 5 characters']],
  [`paymentMethodId: ${'a'.repeat(36)}`, []],
  ['policy: { doubtWait: 30s }', []],
])('an id of a payment method of another length is a warning: %s', async (line, warnings) => {
  const yaml = YAML.replace(/policy: .*/, line);
  const { accounts } = await parseAccounts(yaml, 'accounts.yaml', {}).report();
  const told = accounts[0]?.warnings.filter((text) => text.includes('aymentMethodId'));
  expect(told?.map((text) => text.split(';')[0])).toEqual(warnings);
});

test.each([
  ["policy: { paymentMethodId: 'of-policy' }", 'of-policy'],
  ["paymentMethodId: 'of-account'", 'of-account'],
  ["policy: { paymentMethodId: 'of-policy' }\n    paymentMethodId: 'of-account'", 'of-account'],
  ['policy: { doubtWait: 30s }', null],
])("the payment method of an account's orders can be set in either place: %s", (line, paymentMethodId) => {
  const accounts = parseAccounts(YAML.replace(/policy: .*/, line), 'accounts.yaml', {});
  expect(accounts.orderAccountOf('acme')?.policy.paymentMethodId).toBe(paymentMethodId);
});

test('the example for the sandbox is complete: its secrets are defaults, and there is no warning', async () => {
  const report = await parseAccounts(read('accounts.yaml'), 'accounts.yaml', {}).report();
  expect(report.accounts[0]?.warnings).toEqual([]);
  expect(report.accounts[0]?.secrets.map(({ path, state }) => [path, state])).toEqual([
    ['$.accounts.acme.auth.apiKey', 'default'],
    ['$.accounts.acme.web.username', 'default'],
    ['$.accounts.acme.web.password', 'default'],
  ]);
  expect(report.accounts[0]?.locations).toEqual(['dallas-dc', 'reno-warehouse']);
});

test('the commented example loads, without a contradiction, and holds no secret', async () => {
  const report = await parseAccounts(read('accounts.example.yaml'), 'accounts.example.yaml', {}).report();
  const kinds = report.accounts.map(({ auth }) => auth).toSorted();
  expect(kinds).toEqual(['apiKey', 'clientCredentials', 'passwordGrant', 'xApiKey']);
  const states = report.accounts.flatMap(({ secrets }) => secrets.map(({ state }) => state));
  expect(new Set(states)).toEqual(new Set(['missing']));
  expect(report.accounts.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test('the commented example shows every field of accounts, integrations and API tokens, settings and policies', () => {
  const text = read('accounts.example.yaml');
  const fields = documentFields();
  const all = ['accounts', 'integrations', 'apiTokens', 'policy']
    .flatMap((name) => findField(fields, name) ?? [])
    .flatMap((document) => allFields(document).slice(1));
  const keys = all.map(({ path: at }) => at.slice(at.lastIndexOf('.') + 1));
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter((key) => !new RegExp(`\\b${key}:`).test(text))).toEqual([]);
});
