import { afterEach, expect, test } from '@jest/globals';
import type { ChaosInput, Sandbox } from '../../../sandbox';
import { chaosFaults } from '../../../sandbox/chaos';
import { ask, asText, bookedListing, closeSandboxes, listingBody, quickSandbox } from './marketplace-client';

afterEach(closeSandboxes);

const references = ['acme/o-1', 'acme/o-2', 'acme/o-3'];
const reference = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });
const profile: ChaosInput = { seed: 'a', faultShare: 0.5, delayMs: 1 };
const slow = { clock: { steps: { booking: 1e9 } } };

/** Creates a listing, whatever comes of it. */
async function tryToCreate(sandbox: Sandbox, number: string): Promise<void> {
  await ask(sandbox, 'POST', '/v2/listings', { json: listingBody(reference(number)) }).catch(() => undefined);
}

const faultsOf = (sandbox: Sandbox): string[][] =>
  references.map((number) => sandbox.order(number).faults.map(({ kind }) => kind));

test('the same seed gives each order the same faults in whatever order requests arrive', async () => {
  const [first, second, other] = [
    await quickSandbox({ ...slow, chaos: profile }),
    await quickSandbox({ ...slow, chaos: profile }),
    await quickSandbox({ ...slow, chaos: { ...profile, seed: 'b' } }),
  ];
  for (const number of references)
    for (let count = 0; count < 8; count += 1) await tryToCreate(first, number);
  for (let count = 0; count < 8; count += 1) {
    await Promise.all(references.toReversed().map((number) => tryToCreate(second, number)));
    for (const number of references) await tryToCreate(other, number);
  }
  expect(faultsOf(first).flat().length).toBeGreaterThan(4);
  expect(faultsOf(second)).toEqual(faultsOf(first));
  expect(faultsOf(other)).not.toEqual(faultsOf(first));
});

test('a profile is set and ended while the sandbox runs, and can be limited', async () => {
  const sandbox = await quickSandbox(slow);
  const json = { faultShare: 1, faults: ['badGateway'], endpoints: ['createListing'], mostInARow: 2 };
  expect((await ask(sandbox, 'POST', '/_sandbox/chaos', { json })).body).toMatchObject({ profile: json });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status);
  expect(statuses).toEqual([502, 502, 201, 502]);
  expect((await ask(sandbox, 'GET', '/v2/lookups/addressTypes')).status).toBe(200);
  await ask(sandbox, 'DELETE', '/_sandbox/chaos');
  expect((await ask(sandbox, 'GET', '/_sandbox/chaos')).body).toEqual({ profile: null });
  expect((await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status).toBe(201);
});

test.each(chaosFaults)('%s can be drawn', async (name) => {
  const sandbox = await quickSandbox({ ...slow, chaos: { faultShare: 1, faults: [name], delayMs: 1 } });
  await tryToCreate(sandbox, 'acme/o-1');
  expect(sandbox.order('acme/o-1').faults).toMatchObject([{ endpoint: 'createListing', cause: 'chaos' }]);
});

test('the verdict remembers a double booking that was cancelled since', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  await bookedListing(sandbox, reference('acme/o-2'));
  await bookedListing(sandbox);
  expect(sandbox.verdict()).toMatchObject({ isClean: true, orders: 2, doubleBooked: [] });
  sandbox.controls.advance(await bookedListing(sandbox), { to: 'Cancelled' });
  expect(sandbox.order('acme/o-1')).toMatchObject({
    liveBookings: 1,
    mostLiveBookings: 2,
    created: 2,
    booked: 2,
    cancelled: 1,
    delivered: 0,
  });
  const { body } = await ask(sandbox, 'GET', '/_sandbox/ledger/verdict');
  expect([asText(body['isClean']), body['doubleBooked']]).toEqual(['false', ['acme/o-1']]);
});
