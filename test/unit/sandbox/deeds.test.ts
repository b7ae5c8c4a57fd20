import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startSandbox } from '../../../sandbox';
import { readScenario } from '../../../sandbox/scenario';
import {
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  createListing,
  listingBody,
  quickSandbox,
  until,
} from './marketplace-client';
import { temporaryFolder } from '../../support/temporary-folder';

afterEach(closeSandboxes);

/** A sandbox whose scenario file has these lines under `troubles`. */
async function sandboxWith(troubles: string, options = {}) {
  const file = path.join(temporaryFolder(), 'scenario.yaml');
  writeFileSync(file, `troubles:\n${troubles}\n`);
  return await quickSandbox({ ...readScenario(file), ...options });
}

const lookup = '/v2/lookups/addressTypes';
const reference = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });
const client = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };

test('a key is rotated after so many requests, and a reset begins anew', async () => {
  const sandbox = await sandboxWith(
    "  - { when: { request: '*', after: 2 }, what: { kind: rotateKey, key: second }, times: 1 }",
  );
  const statuses = async () => {
    const found: number[] = [];
    for (let count = 0; count < 4; count += 1) found.push((await ask(sandbox, 'GET', lookup)).status);
    return found;
  };
  expect(await statuses()).toEqual([200, 200, 200, 401]);
  expect((await ask(sandbox, 'GET', lookup, { key: 'second' })).status).toBe(200);
  sandbox.reset();
  expect((await ask(sandbox, 'GET', lookup, { key: 'second' })).status).toBe(401);
  expect(await statuses()).toEqual([200, 200, 401, 401]);
});

test('tokens end after so many requests of one endpoint', async () => {
  const sandbox = await sandboxWith(
    '  - { when: { request: listPaymentMethods, after: 1 }, what: expireTokens, times: 1 }',
  );
  const granted = await ask(sandbox, 'POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', ...client },
  });
  const key = asText(granted.body['access_token']);
  const get = async (url: string) => (await ask(sandbox, 'GET', url, { key })).status;
  const methods = '/v2/paymentmethods?topLevelCommodity=ltl';
  const statuses: number[] = [];
  for (const url of [lookup, methods, lookup, lookup, methods, lookup]) statuses.push(await get(url));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 401]);
});

test('sessions end while clients stay signed in', async () => {
  const sandbox = await sandboxWith('  - { when: listAddressTypes, what: endSessions, times: 1 }');
  const user = { username: 'shipper@example.com', password: 'sandbox-password' };
  const tokenOf = async (url: string, form: Record<string, string>) =>
    asText((await ask(sandbox, 'POST', url, { form: { ...form, ...client } })).body['access_token']);
  const ofUser = await tokenOf('/oauth/token_authenticated', { grant_type: 'password', ...user });
  const ofClient = await tokenOf('/oauth/token', { grant_type: 'client_credentials' });
  const statuses: number[] = [];
  for (const key of [ofUser, ofUser, ofClient])
    statuses.push((await ask(sandbox, 'GET', lookup, { key })).status);
  expect(statuses).toEqual([200, 401, 200]);
});

test('a burst of events waits for the listing that it is about', async () => {
  const type = 'Listing.StatusChanged/v1';
  const sandbox = await sandboxWith(
    `  - { when: '*', whom: acme/o-2, what: { kind: eventBurst, count: 30, type: ${type} }, times: 1 }`,
    { clock: { steps: { booking: 3_600_000 } } },
  );
  await createListing(sandbox);
  expect(sandbox.events()).toEqual([]);
  const listingId = await createListing(sandbox, reference('acme/o-2'));
  expect(sandbox.events()).toHaveLength(30);
  expect(new Set(sandbox.events().map(({ envelope }) => envelope['id'])).size).toBe(30);
  expect(JSON.stringify(sandbox.events().at(-1)?.envelope)).toContain(`/listings/${listingId}`);
  await createListing(sandbox, reference('acme/o-2'));
  expect(sandbox.events()).toHaveLength(30);
});

test('foreign listings and their events come in the middle of an order', async () => {
  const sandbox = await sandboxWith(
    '  - { when: createListing, what: { kind: foreignListings, count: 4, eventsEach: 3 }, times: 1 }',
    // No event but theirs.
    { clock: { steps: { booking: 3_600_000 } } },
  );
  await ask(sandbox, 'GET', lookup);
  expect(sandbox.events()).toEqual([]);
  await createListing(sandbox);
  expect(sandbox.events()).toHaveLength(12);
  expect(sandbox.ledger().unreferenced.created).toBe(4);
});

test('a deed is added, listed with what became of it, and deleted while the sandbox runs', async () => {
  const sandbox = await quickSandbox();
  const what = { kind: 'rotateKey', key: 'second' };
  const json = { when: 'listAddressTypes', what, times: 1 };
  expect((await ask(sandbox, 'POST', '/_sandbox/troubles', { json })).status).toBe(201);
  const listed = async () => (await ask(sandbox, 'GET', '/_sandbox/troubles')).body['items'] as unknown;
  expect(await listed()).toMatchObject([{ what, seen: 0, hits: 0 }]);
  await ask(sandbox, 'GET', lookup);
  expect(await listed()).toMatchObject([{ what, seen: 1, hits: 1 }]);
  expect((await ask(sandbox, 'DELETE', '/_sandbox/troubles')).status).toBe(204);
  expect(await listed()).toEqual([]);
});

test('a deed to an account that does not exist, or of another name, is refused', async () => {
  const what = { kind: 'rotateKey', key: 'k' } as const;
  const deed = { when: '*', whom: { account: 'nobody' }, what } as const;
  await expect(startSandbox({ troubles: [deed] })).rejects.toThrow('There is no account nobody.');
  const sandbox = await quickSandbox();
  for (const json of [deed, { what: 'vanish' }, { what: 'rotateKey' }, { when: '*', what: 'hold' }])
    expect((await ask(sandbox, 'POST', '/_sandbox/troubles', { json })).status).toBeGreaterThanOrEqual(400);
  expect((await ask(sandbox, 'GET', '/_sandbox/troubles')).body['items']).toEqual([]);
});

test.each([
  ['Cancelled', 'Active', 0],
  ['Rebooked', 'Booked', 1],
] as const)(
  'a listing that nobody takes expires, comes back, and is then %s: it reads %s',
  async (leaves, status, booked) => {
    const sandbox = await quickSandbox({
      switches: { transit: 'manual' },
      troubles: [{ when: { listing: 'created' }, what: { kind: 'relist', leaves }, times: 1 }],
      clock: { steps: { trouble: 5000, relisted: 5000 } },
    });
    const listingId = await createListing(sandbox);
    await until(
      async () => (await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).body['status']?.['value'],
      (value) => asText(value) === status && sandbox.events().length >= 2 + booked,
    );
    const told = sandbox
      .events()
      .filter(({ envelope }) => envelope['type'] === 'Listing.StatusChanged/v1')
      .map(({ envelope }) => (envelope['data'] as { status: { value: string } }).status.value);
    expect(told).toEqual(['Expired', 'Active', ...(booked === 1 ? ['Booked'] : [])]);
    expect(sandbox.order('acme/o-1')).toMatchObject({ booked, liveBookings: booked });
    expect(await bookedListing(sandbox, reference('acme/o-2'))).toMatch(/^\d{9}$/u);
  },
);

test('a booked listing that is relisted by hand loses its booking', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const listingId = await bookedListing(sandbox);
  const { listings } = sandbox.trouble({ whom: { listing: listingId }, what: 'relist' });
  expect(listings).toMatchObject([{ status: 'Expired', isLiveBooking: false }]);
  const read = await until(
    () => ask(sandbox, 'GET', `/v2/listings/${listingId}`),
    ({ body }) => asText(body['status']?.['value']) === 'Active',
  );
  expect(read.body).not.toHaveProperty('bookedOn');
  const again = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(again.status).toBe(201);
});
