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
  ['sandbox', 'api.production.example.com', 'api.production.example.com contains "production"'],
  ['sandbox', 'live-api.example.com', 'contains "live", but the account is sandbox'],
  ['production', 'sandbox.api.example.com', 'contains "sandbox", but the account is production'],
  ['production', 'api.staging.example.com', 'contains "staging"'],
])('a %s account at %s stops the start', (environment, host, sentence) => {
  expect(() => parse([account('one', { environment, host })])).toThrow(sentence);
});

test.each([
  ['sandbox', 'api.example.com'],
  ['production', 'api.example.com'],
  ['production', 'api.liveloads.example.com'],
  ['production', 'testimonials.example.com'],
  ['sandbox', 'sandbox.live.example.com'],
])('a %s account at %s is accepted, because nothing contradicts it', (environment, host) => {
  expect(() => parse([account('one', { environment, host })])).not.toThrow();
});

const keyAt = (reference: string) => `{ apiKey: ${reference} }`;
const webOf = (username: string, password: string) =>
  `web: { username: { env: ${username} }, password: { env: ${password} } }`;

test.each([
  [
    'production',
    { auth: keyAt('{ env: ACME_SANDBOX_KEY }') },
    'auth.apiKey: ACME_SANDBOX_KEY contains "sandbox"',
  ],
  ['production', { auth: keyAt('{ file: /run/secrets/acme-test-key }') }, 'acme-test-key contains "test"'],
  ['sandbox', { auth: keyAt('{ env: ACME_PROD_KEY }') }, 'auth.apiKey: ACME_PROD_KEY contains "prod"'],
  ['production', { more: 'xApiKey: { env: QA_HEADER_KEY }' }, 'xApiKey: QA_HEADER_KEY contains "qa"'],
  ['production', { more: webOf('WEB_USER', 'STAGING_PASSWORD') }, 'web.password: STAGING_PASSWORD'],
])(
  'a %s account stops the start when %j names the key of the other environment',
  (environment, parts, told) => {
    const parsed = () => parse([account('one', { environment, ...parts })]);
    expect(parsed).toThrow(told);
    expect(parsed).toThrow(`but the account is ${environment}; use a secret of ${environment}, or rename it`);
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
])('a %s account with %j is accepted, with %i warnings', async (environment, parts, count) => {
  const { accounts } = await parse([account('one', { environment, ...parts })]).report();
  expect(accounts[0]?.warnings.filter((text) => text.includes('but the account is'))).toHaveLength(count);
});

test('accounts of both environments may not name the same key', () => {
  const auth = '{ apiKey: { env: KEY } }';
  const both = [account('one', { auth }), account('two', { auth, environment: 'production' })];
  expect(() => parse(both)).toThrow(
    '$.accounts.two.auth.apiKey: is also the key of sandbox account one; give the production account a different key',
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
  await expect(checked).rejects.toThrow('is also the key of sandbox account one');
  await expect(checked).rejects.not.toThrow('k-123456');
  await expect(parse(both, '', { KEY_ONE: 'a', KEY_TWO: 'b' }).checkSecrets()).resolves.toBeUndefined();
});

const integrations = (first: string, second: string): string =>
  `integrations:\n  a: { secret: { env: ${first} }, accounts: [one] }\n  b: { secret: { env: ${second} }, accounts: [one] }`;

test('two integrations may not share a secret, by name or by value', async () => {
  expect(() => parse([account('one')], integrations('HOOK', 'HOOK'))).toThrow(
    '$.integrations.b.secret: is also the secret of integration a',
  );
  const env = { KEY_ONE: 'k', HOOK_A: 'same', HOOK_B: 'same' };
  const accounts = parse([account('one')], integrations('HOOK_A', 'HOOK_B'), env);
  await expect(accounts.checkSecrets()).rejects.toThrow('is also the secret of integration a');
});

test('the receiver needs the secrets of integrations only', async () => {
  const accounts = parse([account('one')], integrations('HOOK_A', 'HOOK_B'), { HOOK_A: '1', HOOK_B: '2' });
  await expect(accounts.checkWebhookSecrets()).resolves.toBeUndefined();
  const without = parse([account('one')], integrations('HOOK_A', 'HOOK_B'));
  await expect(without.checkWebhookSecrets()).rejects.toThrow(/HOOK_A is not set[^]*HOOK_B is not set/);
});

test('a misspelled key suggests the right one, at every depth, and all at once', () => {
  const wrong = account('one', {
    more: 'integratorid: x\n    settings: { currncy: USD }\n    locatoins: {}',
  });
  expect(() => parse([wrong])).toThrow(
    /\$\.accounts\.one\.integratorid: is an unknown key; did you mean integratorId\?/,
  );
  expect(() => parse([wrong])).toThrow(
    '$.accounts.one.settings.currncy: is an unknown key; did you mean currency?',
  );
  expect(() => parse([wrong])).toThrow('did you mean locations?');
});

test('an account name with capitals says what a name is', () => {
  expect(() => parse([account('Acme')])).toThrow('at most 40 lower-case letters');
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

const at = (name: string, baseUrl: string, environment: string): string =>
  account(name, { environment }).replace(/baseUrl: .*/, `baseUrl: '${baseUrl}'`);

test.each(['HTTP://api.example.com', 'http:api.example.com', ' http://API.example.com:8080/v2'])(
  'a production key is not sent unencrypted to %j',
  (baseUrl) => {
    expect(() => parse([at('one', baseUrl, 'production')])).toThrow(
      '$.accounts.one.baseUrl: the key would travel unencrypted; use https',
    );
  },
);

test.each(['http://LOCALHOST:4010', 'HTTP://127.0.0.2', 'http://[0:0:0:0:0:0:0:1]:4010'])(
  'nobody listens on the way to %j',
  async (baseUrl) => {
    expect(() => parse([at('one', baseUrl, 'production')])).not.toThrow();
    const { accounts } = await parse([at('one', baseUrl, 'sandbox')]).report();
    expect(accounts[0]?.warnings.join('\n')).not.toContain('unencrypted');
  },
);

test.each(['http://localhost.example.com', 'http://sandbox-api.example.com', 'HTTP://127.0.0.1.example.com'])(
  'a sandbox key that is sent unencrypted to %s is a warning',
  async (baseUrl) => {
    const { accounts } = await parse([at('one', baseUrl, 'sandbox')]).report();
    expect(accounts[0]?.warnings).toContain('$.accounts.one.baseUrl: the key travels unencrypted; use https');
  },
);

test.each([
  ['production', 'apisandbox.example.com', 'contains "sandbox"'],
  ['production', 'api.sandbox2.example.com.', 'contains "sandbox"'],
  ['production', 'testapi.example.com:8443', 'contains "test"'],
  ['production', 'qa1.example.com', 'contains "qa"'],
  ['sandbox', 'apiprod.example.com', 'contains "prod"'],
  ['sandbox', 'LIVE.example.com.', 'contains "live"'],
])('a %s account at %s is seen for what it is', (environment, host, sentence) => {
  expect(() => parse([account('one', { environment, host })])).toThrow(sentence);
});

test.each(['contest.example.com', 'olive.example.com', 'products.example.com', 'device-api.example.com'])(
  'a word inside another word says nothing: %s',
  (host) => {
    expect(() => parse([account('one', { environment: 'production', host })])).not.toThrow();
    expect(() => parse([account('one', { environment: 'sandbox', host })])).not.toThrow();
  },
);

test.each(['api.example.com.', 'api.example.com:8443', 'API.example.com:443'])(
  'the sandbox api.example.com and the production %s are one host',
  (host) => {
    const both = [
      account('one', { host: 'api.example.com' }),
      account('two', { host, environment: 'production' }),
    ];
    expect(() => parse(both)).toThrow('api.example.com is also the host of sandbox account one');
  },
);

test('on this machine two ports are two marketplaces', () => {
  const both = (port: number) => [
    at('one', 'http://127.0.0.1:4010', 'sandbox'),
    at('two', `http://127.0.0.1:${port}`, 'production'),
  ];
  expect(() => parse(both(4011))).not.toThrow();
  expect(() => parse(both(4010))).toThrow('127.0.0.1 is also the host of sandbox account one');
});

test.each([
  ['{ apiKey: { env: A } }', '{ apiKey: { env: B } }', 'auth.apiKey'],
  ['{ apiKey: { env: A } }', '{ xApiKey: { env: B } }', 'auth.xApiKey'],
  [
    '{ clientCredentials: { clientId: { env: I }, clientSecret: { env: A } } }',
    '{ clientCredentials: { clientId: { env: I }, clientSecret: { env: B } } }',
    'auth.clientCredentials.clientSecret',
  ],
])('accounts check reports one value in two variables: %s and %s', async (first, second, place) => {
  const env = { A: 'same-key-1', B: ' same-key-1\n', I: 'id' };
  const report = async (environment: string) =>
    await parse(
      [account('one', { auth: first }), account('two', { auth: second, environment })],
      '',
      env,
    ).report();
  const other = await report('production');
  expect(other.problems).toEqual([
    `$.accounts.two.${place}: is also the key of sandbox account one; give the production account a different key`,
  ]);
  const same = await report('sandbox');
  expect(same.problems).toEqual([]);
  expect(same.accounts[1]?.warnings.join('\n')).toContain(
    `$.accounts.two.${place}: is the same key as $.accounts.one.`,
  );
  expect(JSON.stringify([other, same])).not.toContain('same-key-1');
});

test('two accounts that share a key on purpose cause no warning', async () => {
  const auth = '{ apiKey: { env: A } }';
  const report = await parse([account('one', { auth }), account('two', { auth })], '', { A: 'k' }).report();
  expect(JSON.stringify(report)).not.toContain('is the same key as');
});

test.each([
  ['sk-live\n-1', 'holds a line break'],
  ['sk-live\u0000-1', 'holds a control character'],
  ['sk\u2013live-1', 'holds a character that is not ASCII, which no header can carry'],
  ['sk-live-1\u200b2', 'holds a character that is not ASCII, which no header can carry'],
])('the key %j is refused with its reason, and not shown', async (key, reason) => {
  const accounts = parse([account('one')], '', { KEY_ONE: key });
  const { problems } = await accounts.report();
  expect(problems).toEqual([expect.stringContaining(`$.accounts.one.auth.apiKey: ${reason}`)]);
  expect(problems.join('')).not.toMatch(/sk|live/);
  await expect(accounts.checkSecrets()).rejects.toThrow(reason);
});

test('a password is sent in a body, which can contain every character', async () => {
  const more = webOf('USER_ONE', 'PASSWORD_ONE');
  const env = { KEY_ONE: 'k', USER_ONE: 'zoë', PASSWORD_ONE: 'пароль' };
  await expect(parse([account('one', { more })], '', env).checkSecrets()).resolves.toBeUndefined();
});

const oneHook = 'integrations:\n  hook: { secret: { env: HOOK }, accounts: [one, two] }';

const hooked = (HOOK: string, environment: string) =>
  parse([account('one'), account('two', { environment })], oneHook, { KEY_ONE: 'k1', KEY_TWO: 'k2', HOOK });

test.each(['x', 'fifteen-letters', ' fifteen-letters \n'])(
  'the webhook secret %j is refused for production, and accepted for a sandbox',
  async (secret) => {
    const production = hooked(secret, 'production');
    const sentence = '$.integrations.hook.secret: is shorter than 16 characters';
    await expect(production.checkSecrets()).rejects.toThrow(sentence);
    await expect(production.checkWebhookSecrets()).rejects.toThrow(sentence);
    expect((await production.report()).problems).toHaveLength(1);
    await expect(hooked(secret, 'sandbox').checkWebhookSecrets()).resolves.toBeUndefined();
  },
);

test('a webhook secret of 16 characters is accepted for production', async () => {
  const production = hooked('sixteen-letters!', 'production');
  await expect(production.checkSecrets()).resolves.toBeUndefined();
  expect((await production.report()).problems).toEqual([]);
});
