import { expect, test } from '@jest/globals';
import type { MarketplaceAuth } from '../../src/marketplace/account';
import { secret, useSandbox } from './sandbox-client';

const marketplace = useSandbox();

const client = { clientId: secret('sandbox-client'), clientSecret: secret('sandbox-secret') };
const clientCredentials: MarketplaceAuth = { kind: 'clientCredentials', ...client };
const passwordGrant: MarketplaceAuth = {
  kind: 'passwordGrant',
  ...client,
  username: secret('shipper@example.com'),
  password: secret('sandbox-password'),
};
const xApiKey: MarketplaceAuth = { kind: 'xApiKey', key: secret('sandbox-key') };

function aClock() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, advance: (ms: number) => void (ahead += ms) };
}

/** Which grants were made, in order, each with its endpoint. */
const grants = () =>
  (['createToken', 'createUserToken'] as const)
    .flatMap((endpoint) => marketplace.sandbox.requests(endpoint))
    .sort((a, b) => a.number - b.number)
    .map(({ path, body, status }) => [path, (body as { grant_type: string }).grant_type, status]);

test.each([
  ['clientCredentials', clientCredentials, '/oauth/token', 'client_credentials'],
  ['passwordGrant', passwordGrant, '/oauth/token_authenticated', 'password'],
] as const)('one token of a %s serves all calls, however many wait for it', async (_, auth, path, grant) => {
  const open = marketplace.open({ auth });
  await Promise.all(Array.from({ length: 5 }, async () => await open.listPaymentMethods('ltl')));
  await open.listPaymentMethods('ltl');
  expect(grants()).toEqual([[path, grant, 200]]);
});

test.each([
  [
    'sameEndpoint',
    'accepted',
    [
      ['/oauth/token', 'client_credentials', 200],
      ['/oauth/token', 'refresh_token', 200],
    ],
  ],
  [
    'sameEndpoint',
    'refused',
    [
      ['/oauth/token', 'client_credentials', 200],
      ['/oauth/token', 'refresh_token', 400],
      ['/oauth/token', 'client_credentials', 200],
    ],
  ],
  [
    'never',
    'accepted',
    [
      ['/oauth/token', 'client_credentials', 200],
      ['/oauth/token', 'client_credentials', 200],
    ],
  ],
] as const)(
  'a token is renewed before it expires, with tokenRefresh %s where refresh tokens are %s',
  async (tokenRefresh, refreshGrant, expected) => {
    marketplace.sandbox.setSwitches({ tokenLifetimeInSeconds: 900, refreshGrant });
    const clock = aClock();
    const open = marketplace.open({ auth: clientCredentials, settings: { tokenRefresh } }, clock.now);
    await open.listPaymentMethods('ltl');
    clock.advance(800_000);
    await open.listPaymentMethods('ltl');
    // Less than a minute is left: still good at the marketplace, and renewed already.
    clock.advance(50_000);
    await open.listPaymentMethods('ltl');
    expect(grants()).toEqual(expected);
    expect(marketplace.sandbox.requests('listPaymentMethods').map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  },
);

const own = '/oauth/token_authenticated';
const plain = '/oauth/token';

test.each([
  ['same', 'sameEndpoint', own, 'renewed'],
  ['same', 'tokenEndpoint', plain, 'replaced'],
  ['token', 'tokenEndpoint', plain, 'renewed'],
  ['token', 'sameEndpoint', own, 'replaced'],
  ['either', 'sameEndpoint', own, 'renewed'],
  ['either', 'tokenEndpoint', plain, 'renewed'],
] as const)(
  'where the refreshEndpoint is %s, the token of a password that goes to the %s (%s) is %s',
  async (refreshEndpoint, tokenRefresh, path, ends) => {
    marketplace.sandbox.setSwitches({ refreshEndpoint });
    const clock = aClock();
    const open = marketplace.open({ auth: passwordGrant, settings: { tokenRefresh } }, clock.now);
    await open.listPaymentMethods('ltl');
    clock.advance(550_000);
    await open.listPaymentMethods('ltl');
    const first = [own, 'password', 200];
    expect(grants()).toEqual(
      ends === 'renewed'
        ? [first, [path, 'refresh_token', 200]]
        : [first, [path, 'refresh_token', 400], first],
    );
  },
);

test('many calls whose token expires soon make one refresh', async () => {
  const clock = aClock();
  const open = marketplace.open({ auth: clientCredentials }, clock.now);
  await open.listPaymentMethods('ltl');
  clock.advance(550_000);
  await Promise.all(Array.from({ length: 10 }, async () => await open.listPaymentMethods('ltl')));
  expect(grants()).toEqual([
    [plain, 'client_credentials', 200],
    [plain, 'refresh_token', 200],
  ]);
});

test('running calls whose token was revoked share one new grant', async () => {
  const open = marketplace.open({ auth: clientCredentials });
  await open.listPaymentMethods('ltl');
  marketplace.sandbox.trouble({ what: 'expireTokens' });
  const ended = await Promise.allSettled([open.listPaymentMethods('ltl'), open.listPaymentMethods('ltl')]);
  expect(ended).toMatchObject([
    { status: 'rejected', reason: { status: 401, outcome: 'notSent' } },
    { status: 'rejected', reason: { status: 401, outcome: 'notSent' } },
  ]);
  await Promise.all([open.listPaymentMethods('ltl'), open.listPaymentMethods('ltl')]);
  expect(grants()).toEqual([
    [plain, 'client_credentials', 200],
    [plain, 'client_credentials', 200],
  ]);
});

test('a token that the marketplace revokes early costs one unsent call, and is replaced', async () => {
  const open = marketplace.open({ auth: clientCredentials });
  await open.listPaymentMethods('ltl');
  marketplace.sandbox.trouble({ what: 'expireTokens' });
  await expect(open.listPaymentMethods('ltl')).rejects.toMatchObject({ status: 401, outcome: 'notSent' });
  await expect(open.listPaymentMethods('ltl')).resolves.toMatchObject({ methods: { length: 3 } });
});

test.each([true, false])(
  'the header x-api-key is sent where the marketplace accepts it: %s',
  async (isTaken) => {
    marketplace.sandbox.setSwitches({ xApiKey: isTaken });
    const asked = marketplace.open({ auth: xApiKey }).listPaymentMethods('ltl');
    const outcome = asked.then(
      () => 'taken',
      (error: { outcome: string }) => error.outcome,
    );
    expect(await outcome).toBe(isTaken ? 'taken' : 'accountTrouble');
  },
);

test('where only some endpoints accept the header x-api-key, the others are account trouble', async () => {
  marketplace.sandbox.setSwitches({ xApiKey: true, xApiKeyEndpoints: ['listAddressTypes'] });
  const open = marketplace.open({ auth: xApiKey });
  expect((await open.listAddressTypes('NewCommercialGoods')).length).toBeGreaterThan(0);
  await expect(open.listPaymentMethods('ltl')).rejects.toMatchObject({
    status: 401,
    outcome: 'accountTrouble',
  });
});

test.each([-86_400, 86_400])(
  "a token lasts as long as it says when the marketplace's clock is %i seconds ahead",
  async (clockSkewInSeconds) => {
    marketplace.sandbox.setSwitches({ clockSkewInSeconds, tokenLifetimeInSeconds: 600 });
    const clock = aClock();
    const open = marketplace.open({ auth: clientCredentials }, clock.now);
    await open.listPaymentMethods('ltl');
    clock.advance(500_000);
    await open.listPaymentMethods('ltl');
    expect(grants()).toHaveLength(1);
    clock.advance(100_000);
    await open.listPaymentMethods('ltl');
    expect(grants()).toHaveLength(2);
  },
);

test('the header x-api-key is added to the Bearer on the calls that the account names', async () => {
  const open = marketplace.open({ settings: { xApiKeyCalls: ['listAddressTypes'] } });
  await open.listAddressTypes('NewCommercialGoods');
  await open.listPaymentMethods('ltl');
  const headersOf = (endpoint: string) =>
    Object.keys(marketplace.sandbox.requests(endpoint)[0]?.headers ?? {});
  expect(headersOf('listAddressTypes')).toEqual(expect.arrayContaining(['authorization', 'x-api-key']));
  expect(headersOf('listPaymentMethods')).not.toContain('x-api-key');
});

test('a replaced key is account trouble, and the new key works without a restart', async () => {
  let key = 'sandbox-key';
  const open = marketplace.open({ auth: { kind: 'apiKey', key: async () => await Promise.resolve(key) } });
  await open.listPaymentMethods('ltl');
  marketplace.sandbox.trouble({ what: { kind: 'rotateKey', key: 'second-key' } });
  await expect(open.listPaymentMethods('ltl')).rejects.toMatchObject({
    status: 401,
    outcome: 'accountTrouble',
  });
  key = 'second-key\n';
  await expect(open.listPaymentMethods('ltl')).resolves.toMatchObject({ methods: { length: 3 } });
});

test('a wrong key is account trouble, and the key is not in the error', async () => {
  const key = 'wrong-key-123';
  const open = marketplace.open({ auth: { kind: 'apiKey', key: secret(key) } });
  const error = await open.getListing('123456789').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 401, outcome: 'accountTrouble' });
  expect(JSON.stringify(error) + String(error)).not.toContain(key);
});
