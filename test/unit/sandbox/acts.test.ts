import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startSandbox } from '../../../sandbox';
import { readScenario } from '../../../sandbox/scenario';
import {
  accept,
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  collectRates,
  createListing,
  listingBody,
  quickSandbox,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

/** A sandbox whose scenario file has these lines under `acts`. */
async function sandboxWith(acts: string, options = {}) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'acts-')), 'scenario.yaml');
  writeFileSync(file, `acts:\n${acts}\n`);
  return await quickSandbox({ ...readScenario(file), ...options });
}

const lookup = '/v2/lookups/addressTypes';
const reference = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });
const client = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };

test('a key is rotated after so many requests, and a reset begins anew', async () => {
  const sandbox = await sandboxWith('  - { act: rotateKey, key: second, after: 3 }');
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
  const sandbox = await sandboxWith('  - { act: expireTokens, endpoint: listPaymentMethods, after: 2 }');
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
  const sandbox = await sandboxWith('  - { act: endSessions, endpoint: listAddressTypes }');
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

test.each([
  ['cheapest', 5],
  ['all', 0],
] as const)('rates of one order are taken back (%s) once there are some', async (which, left) => {
  const sandbox = await sandboxWith(
    `  - { act: withdrawRates, which: ${which}, reference: acme/o-2, endpoint: acceptRate }`,
  );
  const rates = await collectRates(sandbox);
  const [other] = await collectRates(sandbox, reference('acme/o-2'));
  const path_ = `/v2/raterequests/${sandbox.order('acme/o-2').rateRequests[0]?.id}/rates`;
  const list = async () => (await ask(sandbox, 'GET', path_)).body['totalCount'];
  expect((await accept(sandbox, rates[0]?.['id'])).status).toBe(202);
  expect(await list()).toBe(6);
  expect((await accept(sandbox, other?.['id'])).status).toBe(202);
  expect(await list()).toBe(left);
  const mine = `/v2/raterequests/${sandbox.order('acme/o-1').rateRequests[0]?.id}/rates`;
  expect((await ask(sandbox, 'GET', mine)).body['totalCount']).toBe(6);
});

test('a burst of events waits for the listing that it is about', async () => {
  const type = 'Listing.StatusChanged/v1';
  const sandbox = await sandboxWith(
    `  - { act: eventBurst, reference: acme/o-2, count: 30, type: ${type} }`,
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
    '  - { act: foreignEvents, endpoint: createListing, count: 4, eventsEach: 3 }',
    // No event but theirs.
    { clock: { steps: { booking: 3_600_000 } } },
  );
  await ask(sandbox, 'GET', lookup);
  expect(sandbox.events()).toEqual([]);
  await createListing(sandbox);
  expect(sandbox.events()).toHaveLength(12);
  expect(sandbox.ledger().unreferenced.created).toBe(4);
});

test('an act is added, listed with what became of it, and deleted while the sandbox runs', async () => {
  const sandbox = await quickSandbox();
  const json = { act: 'rotateKey', key: 'second', endpoint: 'listAddressTypes' };
  expect((await ask(sandbox, 'POST', '/_sandbox/acts', { json })).status).toBe(201);
  const listed = async () => (await ask(sandbox, 'GET', '/_sandbox/acts')).body['items'] as unknown;
  expect(await listed()).toMatchObject([{ ...json, after: 1, seen: 0, happenedAt: null }]);
  await ask(sandbox, 'GET', lookup);
  expect(await listed()).toMatchObject([{ seen: 1, happenedAt: expect.stringMatching(/^\d{4}-/u) }]);
  expect((await ask(sandbox, 'DELETE', '/_sandbox/acts')).status).toBe(204);
  expect(await listed()).toEqual([]);
});

test('an act of an account that does not exist, or of another name, is refused', async () => {
  const act = { act: 'rotateKey', key: 'k', account: 'nobody' } as const;
  await expect(startSandbox({ acts: [act] })).rejects.toThrow('There is no account nobody.');
  const sandbox = await quickSandbox();
  for (const json of [act, { act: 'vanish' }, { act: 'rotateKey' }])
    expect((await ask(sandbox, 'POST', '/_sandbox/acts', { json })).status).toBeGreaterThanOrEqual(400);
  expect((await ask(sandbox, 'GET', '/_sandbox/acts')).body['items']).toEqual([]);
});

test.each([
  ['Cancelled', 'Active', 0],
  ['Rebooked', 'Booked', 1],
] as const)(
  'a listing that nobody takes expires, comes back, and is then %s: it reads %s',
  async (mishapLeaves, status, booked) => {
    const sandbox = await quickSandbox({
      switches: { mishapScript: ['relist'], mishapLeaves, transit: 'manual' },
      clock: { steps: { mishap: 5000, relisted: 5000 } },
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
  const url = `/_sandbox/listings/${listingId}/mishap`;
  expect((await ask(sandbox, 'POST', url, { json: { kind: 'relist' } })).body).toMatchObject({
    status: 'Expired',
    isLiveBooking: false,
  });
  const read = await until(
    () => ask(sandbox, 'GET', `/v2/listings/${listingId}`),
    ({ body }) => asText(body['status']?.['value']) === 'Active',
  );
  expect(read.body).not.toHaveProperty('bookedOn');
  const again = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(again.status).toBe(201);
});
