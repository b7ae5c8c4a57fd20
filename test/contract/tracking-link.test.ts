import { expect, test } from '@jest/globals';
import { secret, useSandbox, webSignIn } from './sandbox-client';

const marketplace = useSandbox();

test.each(['serviceTicket', 'SERVICE_TICKET', '.ASPXAUTH'])(
  'a tracking link is fetched with any cookie that the sign-in sets (%s)',
  async (signInCookie) => {
    marketplace.sandbox.setSwitches({ signInCookie });
    const client = marketplace.open({ web: webSignIn });
    const listingId = await marketplace.createListing(client);
    const link = await client.getTrackingLink(listingId);
    expect(link).toMatch(new RegExp(`^http://.*/track/${listingId}\\b`));
    expect(marketplace.sandbox.requests('signIn')[0]?.body).toMatchObject({
      grant_type: 'password',
      userName: 'shipper@example.com',
      issuer: 'None',
    });
  },
);

test('one sign-in serves all links, however many are requested at once', async () => {
  const client = marketplace.open({ web: webSignIn });
  const listingId = await marketplace.createListing(client);
  await Promise.all(Array.from({ length: 5 }, async () => await client.getTrackingLink(listingId)));
  await client.getTrackingLink(listingId);
  expect(marketplace.sandbox.requests('signIn')).toHaveLength(1);
});

test('an expired session is signed in again, once', async () => {
  const client = marketplace.open({ web: webSignIn });
  const listingId = await marketplace.createListing(client);
  await client.getTrackingLink(listingId);
  marketplace.sandbox.trouble({ when: 'getTrackingLink', what: { kind: 'status', status: 401 }, times: 1 });
  expect(await client.getTrackingLink(listingId)).toMatch(/^http/);
  expect(marketplace.sandbox.requests('signIn')).toHaveLength(2);
});

test('without a web sign-in no tracking link is requested', async () => {
  const client = marketplace.open();
  expect(await client.getTrackingLink('123456789')).toBeNull();
  await expect(client.signIn()).rejects.toMatchObject({ outcome: 'accountTrouble' });
  expect(marketplace.sandbox.requests('signIn')).toEqual([]);
});

test('a wrong password is account trouble, and is not in the error', async () => {
  const web = { ...webSignIn, password: secret('wrong-password-1') };
  const error = await marketplace
    .open({ web })
    .signIn()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 401, outcome: 'accountTrouble', path: '/mvc/authentication/signin' });
  expect(JSON.stringify(error) + String(error)).not.toContain('wrong-password-1');
});

test('a missing listing has no link yet', async () => {
  const link = marketplace.open({ web: webSignIn }).getTrackingLink('123456789');
  await expect(link).rejects.toMatchObject({ status: 404, outcome: 'rejected' });
});
