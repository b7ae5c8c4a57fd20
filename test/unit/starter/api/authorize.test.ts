import { rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAccounts } from '../../../../src/accounts';
import { ApiError } from '../../../../src/starter/api/api-error';
import { authorize, identify } from '../../../../src/starter/api/authorize';
import { temporaryFolder } from '../../../support/temporary-folder';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('consign-tokens-');
});
afterAll(() => rmSync(folder, { recursive: true }));

const LONG = 'x'.repeat(32);

const account = (name: string, environment: string): string => `
  ${name}:
    environment: ${environment}
    baseUrl: https://${environment === 'sandbox' ? 'sandbox' : 'api'}.example.com
    auth: { apiKey: { env: KEY_${name.toUpperCase()} } }
    source: acme`;
const ACCOUNTS = `accounts:${account('acme', 'production')}${account('beta', 'sandbox')}\n`;
const tokenOf = (name: string, secret: string, accounts = '[acme]', scopes = '[read]'): string =>
  `  ${name}: { token: ${secret}, scopes: ${scopes}, accounts: ${accounts} }\n`;
const parse = (tokens: string, env: Record<string, string> = {}, more = '') =>
  parseAccounts(`${ACCOUNTS}apiTokens:\n${tokens}${more}`, 'accounts.yaml', env);

const unreadable: string[] = [];
const nameOf = async (accounts: ReturnType<typeof parse>, authorization: string | undefined) =>
  (await identify({ authorization }, accounts.apiTokens, (reason) => unreadable.push(reason)))?.name ?? null;

test.each([
  ['its own token', `Bearer ${LONG}a`, 'one'],
  ["another's token, the scheme in lower case", `bearer ${LONG}b`, 'two'],
  ['a token with one more letter', `Bearer ${LONG}aa`, null],
  ['a token with one letter less', `Bearer ${LONG}`, null],
  ['an empty token', 'Bearer ', null],
  ['another scheme', `Basic ${LONG}a`, null],
  ['nothing', undefined, null],
])('with %s a caller is %s', async (_, authorization, name) => {
  const tokens = tokenOf('one', '{ env: ONE }') + tokenOf('two', '{ env: TWO }');
  const accounts = parse(tokens, { ONE: `${LONG}a`, TWO: `${LONG}b` });
  expect(await nameOf(accounts, authorization)).toBe(name);
});

test('a token whose file changes is read again, and one that cannot be read does not stop the others', async () => {
  const [first, second] = ['first', 'second'].map((name) => path.join(folder, name));
  writeFileSync(first ?? '', `${LONG}1\n`);
  writeFileSync(second ?? '', `${LONG}2`);
  const accounts = parse(tokenOf('one', `{ file: ${first} }`) + tokenOf('two', `{ file: ${second} }`));
  await expect(accounts.checkApiTokens()).resolves.toBeUndefined();
  expect(await nameOf(accounts, `Bearer ${LONG}1`)).toBe('one');
  writeFileSync(first ?? '', `${LONG}3`);
  expect(await nameOf(accounts, `Bearer ${LONG}1`)).toBe(null);
  expect(await nameOf(accounts, `Bearer ${LONG}3`)).toBe('one');
  unlinkSync(first ?? '');
  expect(await nameOf(accounts, `Bearer ${LONG}3`)).toBe(null);
  expect(await nameOf(accounts, `Bearer ${LONG}2`)).toBe('two');
  expect(unreadable.join()).toContain('$.apiTokens.one.token');
  expect(unreadable.join()).not.toContain(LONG);
});

test.each([
  ['in the file itself', 'secret-in-the-file', 'refer to the secret as {env: NAME} or {file: path}'],
  ['with a default', '{ env: ONE, default: x }', 'a default secret is allowed only for a sandbox'],
])('a token %s is refused', (_, token, sentence) => {
  expect(() => parse(tokenOf('one', token))).toThrow(sentence);
});

test.each([
  ['an unknown account', tokenOf('one', '{ env: ONE }', '[acme, nobody]'), 'has no account nobody'],
  ['an unknown scope', tokenOf('one', '{ env: ONE }', '[acme]', '[write]'), '$.apiTokens.one.scopes.0'],
  ['no scope', tokenOf('one', '{ env: ONE }', '[acme]', '[]'), '$.apiTokens.one.scopes'],
  ['no account', tokenOf('one', '{ env: ONE }', '[]'), '$.apiTokens.one.accounts'],
  [
    'the token of another',
    tokenOf('one', '{ env: ONE }') + tokenOf('two', '{ env: ONE }'),
    '$.apiTokens.two.token: is also the secret of API token one',
  ],
])('a token with %s is refused', (_, tokens, sentence) => {
  expect(() => parse(tokens)).toThrow(sentence);
});

test('a token may not be the secret of an integration, and two may not have one value', async () => {
  const more = 'integrations:\n  hook: { secret: { env: ONE }, accounts: [acme] }\n';
  expect(() => parse(tokenOf('one', '{ env: ONE }'), {}, more)).toThrow('the secret of integration hook');
  const same = { ONE: LONG, TWO: ` ${LONG}\n` };
  const two = parse(tokenOf('one', '{ env: ONE }') + tokenOf('two', '{ env: TWO }'), same);
  await expect(two.checkApiTokens()).rejects.toThrow('is also the secret of API token one');
  await expect(two.checkApiTokens()).rejects.not.toThrow(LONG);
});

test.each([
  ['[acme]', 'x'.repeat(31), 'is shorter than 32 characters'],
  ['[beta, acme]', ' 16-characters-ok ', 'is shorter than 32 characters'],
  ['[beta]', 'short', 'accepted'],
  ['[acme]', `${LONG}\u2013`, 'holds a character that is not ASCII'],
  ['[acme]', '', 'the variable ONE is not set'],
])('for %s the token %j is checked at the start', async (names, token, sentence) => {
  const accounts = parse(tokenOf('one', '{ env: ONE }', names), { ONE: token });
  const refusal = await accounts.checkApiTokens().catch(String);
  expect(refusal ?? 'accepted').toContain(sentence);
});

test('worker and receiver need no token', async () => {
  const accounts = parse(tokenOf('one', '{ env: ONE }'), { KEY_ACME: 'k-1', KEY_BETA: 'k-2' });
  await expect(accounts.checkSecrets()).resolves.toBeUndefined();
  await expect(accounts.checkWebhookSecrets()).resolves.toBeUndefined();
  await expect(accounts.checkApiTokens()).rejects.toThrow('ONE is not set');
});

const caller = { name: 'one', scopes: ['read', 'start'], accounts: ['acme'] } as const;

test.each([
  [['read'], 'acme', null],
  [['read'], null, null],
  [['read', 'start'], 'acme', null],
  [['decide'], 'acme', 'forbidden'],
  [['start', 'decide'], 'acme', 'forbidden'],
  [['read'], 'beta', 'forbidden'],
  [['read'], 'nobody', 'forbidden'],
] as const)('a token for read and start at acme, asked for %j at %j: %j', (scopes, name, code) => {
  const act = (): string | null => {
    try {
      authorize(caller, { scopes, account: name });
      return null;
    } catch (error) {
      return error instanceof ApiError ? error.code : String(error);
    }
  };
  expect(act()).toBe(code);
});

test('nobody may do nothing', () => {
  expect(() => authorize(null, { scopes: [], account: null })).toThrow(
    expect.objectContaining({ code: 'unauthorized' }),
  );
});
