import { afterEach, expect, test } from '@jest/globals';
import { cookieHeader, withSetCookies } from '../../../src/marketplace/cookies';
import { aMarketplace, anAccount, closeAll, failureOf, startServer, type SeenRequest } from './server';

afterEach(closeAll);

const web = { username: async () => 'pat@example.com\n', password: async () => 'hush-hush' };

/** Each sign-in sets the cookies that it is told to; links are given to the sessions that it is told to. */
async function startSite(cookies: (signIn: number) => string[], link: (request: SeenRequest) => number) {
  let signIns = 0;
  const server = await startServer((request, response) => {
    if (request.method === 'POST') {
      signIns += 1;
      response.writeHead(200, { 'set-cookie': cookies(signIns) }).end('{}');
      return;
    }
    const status = link(request);
    const body = JSON.stringify(status === 200 ? { TrackingLinkUrl: 'https://t/1' } : { message: 'no' });
    response.writeHead(status, { location: '/login' }).end(body);
  });
  const marketplace = aMarketplace(anAccount('http://127.0.0.1:9', { web, webUrl: server.url }));
  const linkCookies = () =>
    server.seen.filter(({ method }) => method === 'GET').map(({ headers }) => headers.cookie);
  return { server, marketplace, linkCookies };
}

test('the sign-in sends what the web site wants, and every cookie is sent back', async () => {
  const set = [
    'a=1; Path=/; HttpOnly',
    'b="x y"; Secure',
    'gone=1; Max-Age=0',
    'also=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  ];
  const { server, marketplace, linkCookies } = await startSite(
    () => set,
    () => 200,
  );
  expect(await marketplace.getTrackingLink('273')).toBe('https://t/1');
  expect(server.seen[0]).toMatchObject({
    method: 'POST',
    url: '/mvc/authentication/signin',
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' },
  });
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    grant_type: 'password',
    userName: 'pat@example.com',
    password: 'hush-hush',
    issuer: 'None',
  });
  expect(server.seen[1]).toMatchObject({
    url: '/listing/track/273/trackinglink',
    headers: { 'cache-control': 'no-cache' },
  });
  expect(server.seen[1]?.headers.authorization).toBeUndefined();
  expect(linkCookies()).toEqual(['a=1; b="x y"']);
});

test.each([401, 403, 302])('a session that is refused with %i signs in once more', async (status) => {
  const { marketplace, linkCookies } = await startSite(
    (signIn) => [`ticket=session-${signIn}`],
    ({ headers }) => (headers.cookie === 'ticket=session-1' && isOver ? status : 200),
  );
  let isOver = false;
  await marketplace.getTrackingLink('1');
  isOver = true;
  expect(await marketplace.getTrackingLink('1')).toBe('https://t/1');
  expect(linkCookies()).toEqual(['ticket=session-1', 'ticket=session-1', 'ticket=session-2']);
});

test('many calls that meet an expired session share one new sign-in', async () => {
  const { server, marketplace } = await startSite(
    (signIn) => [`ticket=session-${signIn}`],
    ({ headers }) => (headers.cookie === 'ticket=session-1' && isOver ? 401 : 200),
  );
  let isOver = false;
  await marketplace.getTrackingLink('1');
  isOver = true;
  await Promise.all(['1', '2', '3', '4'].map(async (id) => await marketplace.getTrackingLink(id)));
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('a fresh session that is refused is an error, and its ticket is not in it', async () => {
  const { server, marketplace } = await startSite(
    () => ['ticket=session-secret'],
    () => 401,
  );
  const error = await failureOf(marketplace.getTrackingLink('1'));
  expect(error).toMatchObject({ name: 'ApiError', status: 401, outcome: 'accountTrouble' });
  expect(JSON.stringify(error) + String(error)).not.toContain('session-secret');
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a forbidden listing does not cause a sign-in for every call', async () => {
  const { server, marketplace } = await startSite(
    () => ['ticket=session-1'],
    () => 403,
  );
  for (let question = 0; question < 3; question += 1)
    expect(await failureOf(marketplace.getTrackingLink('1'))).toMatchObject({ status: 403 });
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
});

test('a sign-in that sets no cookie has failed', async () => {
  const { marketplace } = await startSite(
    () => [],
    () => 200,
  );
  expect(await failureOf(marketplace.getTrackingLink('1'))).toMatchObject({
    name: 'UnexpectedResponseError',
    operation: 'signIn',
    outcome: 'notSent',
    expected: expect.stringContaining('Set-Cookie'),
  });
});

test('only a web address counts as a link', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'set-cookie': 'a=1' }).end('{"TrackingLinkUrl":"javascript:alert(1)"}');
  });
  const marketplace = aMarketplace(anAccount(server.url, { web }));
  expect(await failureOf(marketplace.getTrackingLink('1'))).toMatchObject({
    name: 'UnexpectedResponseError',
    expected: 'TrackingLinkUrl (must be a web address)',
  });
});

test.each([
  [['a=1', 'a=2; Path=/'], 'a=2'],
  [['a=', 'b=x=y'], 'a=; b=x=y'],
  [['no cookie at all', '=1', 'bad name=1', 'n=v\u0000w'], 'n=v'],
  [['k=1; Max-Age=60', 'k2=1; Expires=Wed, 01 Jan 2200 00:00:00 GMT'], 'k=1; k2=1'],
])('the headers %j leave the cookies %s', (headers, expected) => {
  expect(cookieHeader(withSetCookies(new Map(), headers, Date.now()))).toBe(expected);
});
