import { expect, test } from '@jest/globals';
import { parseAccounts } from '../../../src/accounts';

interface AccountText {
  readonly environment?: string;
  readonly host?: string;
  readonly auth?: string;
  readonly more?: string;
}

const account = (
  name: string,
  { environment = 'sandbox', host = `${name}.example.com`, auth, more = '' }: AccountText = {},
): string => `
  ${name}:
    environment: ${environment}
    baseUrl: https://${host}
    auth: ${auth ?? `{ apiKey: { env: KEY_${name.toUpperCase()} } }`}
    source: acme
    integratorId: acme
    timeZone: America/Chicago
    ${more}`;

const parse = (accounts: readonly string[], integrations = '', env: Record<string, string> = {}) =>
  parseAccounts(`accounts:${accounts.join('')}\n${integrations}`, 'accounts.yaml', env);

test.each([
  ['sandbox', 'api.production.example.com', 'api.production.example.com says production'],
  ['sandbox', 'live-api.example.com', 'says live, and the account is sandbox'],
  ['production', 'sandbox.api.example.com', 'says sandbox, and the account is production'],
  ['production', 'api.staging.example.com', 'says staging'],
])('a %s account at %s stops the start', (environment, host, sentence) => {
  expect(() => parse([account('one', { environment, host })])).toThrow(sentence);
});

test.each([
  ['sandbox', 'api.example.com'],
  ['production', 'api.example.com'],
  ['production', 'api.liveloads.example.com'],
  ['production', 'testimonials.example.com'],
  ['sandbox', 'sandbox.live.example.com'],
])('a %s account at %s is taken: no word contradicts it', (environment, host) => {
  expect(() => parse([account('one', { environment, host })])).not.toThrow();
});

const keyAt = (reference: string) => `{ apiKey: ${reference} }`;
const webOf = (username: string, password: string) =>
  `web: { username: { env: ${username} }, password: { env: ${password} } }`;

test.each([
  ['production', { auth: keyAt('{ env: ACME_SANDBOX_KEY }') }, 'auth.apiKey: ACME_SANDBOX_KEY says sandbox'],
  ['production', { auth: keyAt('{ file: /run/secrets/acme-test-key }') }, 'acme-test-key says test'],
  ['sandbox', { auth: keyAt('{ env: ACME_PROD_KEY }') }, 'auth.apiKey: ACME_PROD_KEY says prod'],
  ['production', { more: 'xApiKey: { env: QA_HEADER_KEY }' }, 'xApiKey: QA_HEADER_KEY says qa'],
  ['production', { more: webOf('WEB_USER', 'STAGING_PASSWORD') }, 'web.password: STAGING_PASSWORD'],
])(
  'a %s account stops the start when %j names the key of the other environment',
  (environment, parts, told) => {
    const parsed = () => parse([account('one', { environment, ...parts })]);
    expect(parsed).toThrow(told);
    expect(parsed).toThrow(
      `and the account is ${environment}; name a secret of ${environment}, or call it so`,
    );
    expect(parsed).toThrow('has 1 problem:');
  },
);

test.each([
  ['production', { auth: keyAt('{ env: ACME_KEY }') }, 0],
  ['production', { auth: keyAt('{ env: TESTIMONIALS_KEY }') }, 0],
  ['production', { auth: keyAt('{ env: QA_TEAM_PRODUCTION_KEY }') }, 0],
  ['production', { auth: keyAt('{ file: /home/demo/secrets/acme-key }') }, 1],
  ['sandbox', { auth: keyAt('{ file: /srv/live/acme-key }') }, 1],
  ['production', { more: webOf('TEST_USER', 'WEB_PASSWORD') }, 1],
])('a %s account with %j is taken, with %i warnings', async (environment, parts, count) => {
  const { accounts } = await parse([account('one', { environment, ...parts })]).report();
  expect(accounts[0]?.warnings.filter((text) => text.includes('and the account is'))).toHaveLength(count);
});

test('accounts of both environments may not name the same key', () => {
  const auth = '{ apiKey: { env: KEY } }';
  const both = [account('one', { auth }), account('two', { auth, environment: 'production' })];
  expect(() => parse(both)).toThrow(
    '$.accounts.two.auth.apiKey: is the key of sandbox account one too; give the production account a key of its own',
  );
  expect(() => parse([account('one', { auth }), account('two', { auth })])).not.toThrow();
});

test('nor the same client secret, but the same client id', () => {
  const grant = (secret: string): string =>
    `{ clientCredentials: { clientId: { env: ID }, clientSecret: { env: ${secret} } } }`;
  const both = (secret: string) => [
    account('one', { auth: grant('SECRET_A') }),
    account('two', { auth: grant(secret), environment: 'production' }),
  ];
  expect(() => parse(both('SECRET_A'))).toThrow('$.accounts.two.auth.clientCredentials.clientSecret');
  expect(() => parse(both('SECRET_B'))).not.toThrow();
});

test('the same key under two names is found when the keys are read, and is not shown', async () => {
  const both = [account('one'), account('two', { environment: 'production' })];
  const checked = parse(both, '', { KEY_ONE: 'k-123456', KEY_TWO: ' k-123456\n' }).checkSecrets();
  await expect(checked).rejects.toThrow('is the key of sandbox account one too');
  await expect(checked).rejects.not.toThrow('k-123456');
  await expect(parse(both, '', { KEY_ONE: 'a', KEY_TWO: 'b' }).checkSecrets()).resolves.toBeUndefined();
});

const integrations = (first: string, second: string): string =>
  `integrations:\n  a: { secret: { env: ${first} }, accounts: [one] }\n  b: { secret: { env: ${second} }, accounts: [one] }`;

test('two integrations may not have one secret, by name or by value', async () => {
  expect(() => parse([account('one')], integrations('HOOK', 'HOOK'))).toThrow(
    '$.integrations.b.secret: is the secret of integration a too',
  );
  const env = { KEY_ONE: 'k', HOOK_A: 'same', HOOK_B: 'same' };
  const accounts = parse([account('one')], integrations('HOOK_A', 'HOOK_B'), env);
  await expect(accounts.checkSecrets()).rejects.toThrow('is the secret of integration a too');
});

test('the receiver needs the secrets of integrations only', async () => {
  const accounts = parse([account('one')], integrations('HOOK_A', 'HOOK_B'), { HOOK_A: '1', HOOK_B: '2' });
  await expect(accounts.checkWebhookSecrets()).resolves.toBeUndefined();
  const without = parse([account('one')], integrations('HOOK_A', 'HOOK_B'));
  await expect(without.checkWebhookSecrets()).rejects.toThrow(/HOOK_A is not set[^]*HOOK_B is not set/);
});

test('a misspelled key names the one that was meant, at every depth, and all of them at once', () => {
  const wrong = account('one', {
    more: 'integratorid: x\n    settings: { currncy: USD }\n    locatoins: {}',
  });
  expect(() => parse([wrong])).toThrow(
    /\$\.accounts\.one\.integratorid: is not known here; did you mean integratorId\?/,
  );
  expect(() => parse([wrong])).toThrow(
    '$.accounts.one.settings.currncy: is not known here; did you mean currency?',
  );
  expect(() => parse([wrong])).toThrow('did you mean locations?');
});

test('an account name with capitals says what a name is', () => {
  expect(() => parse([account('Acme')])).toThrow('at most 40 lower case letters');
});

const withSupport = (address: string) => parse([account('one', { more: `supportAddress: '${address}'` })]);

test.each(['help@example.com', 'https://example.com/help'])('a support address is %s', (address) => {
  expect(withSupport(address).supportAddressOf('one')).toBe(address);
});

test.each(['somebody', 'javascript:alert(1)'])('no support address is %s', (address) => {
  expect(() => withSupport(address)).toThrow(
    '$.accounts.one.supportAddress: give an e-mail address or a URL',
  );
});
