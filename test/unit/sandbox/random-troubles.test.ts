import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, TroubleInput } from '../../../sandbox';
import { usualTroubles } from '../../../sandbox/troubles/trouble';
import { ask, asText, bookedListing, closeSandboxes, listingBody, quickSandbox } from './marketplace-client';

afterEach(closeSandboxes);

const references = ['acme/o-1', 'acme/o-2', 'acme/o-3'];
const reference = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });
const drawnBy = (seed: string): { troubles: TroubleInput[] } => ({
  troubles: [{ when: { request: '*', chance: 0.5, seed }, what: { kind: 'anything', delayMs: 1 } }],
});
const slow = { clock: { steps: { booking: 1e9 } } };

/** Creates a listing, whatever comes of it. */
async function tryToCreate(sandbox: Sandbox, number: string): Promise<void> {
  await ask(sandbox, 'POST', '/v2/listings', { json: listingBody(reference(number)) }).catch(() => undefined);
}

const troublesOf = (sandbox: Sandbox): string[][] =>
  references.map((number) => sandbox.order(number).troubles.map(({ kind }) => kind));

test('the same seed gives each order the same troubles in whatever order requests arrive', async () => {
  const [first, second, other] = [
    await quickSandbox({ ...slow, ...drawnBy('a') }),
    await quickSandbox({ ...slow, ...drawnBy('a') }),
    await quickSandbox({ ...slow, ...drawnBy('b') }),
  ];
  for (const number of references)
    for (let count = 0; count < 8; count += 1) await tryToCreate(first, number);
  for (let count = 0; count < 8; count += 1) {
    await Promise.all(references.toReversed().map((number) => tryToCreate(second, number)));
    for (const number of references) await tryToCreate(other, number);
  }
  expect(troublesOf(first).flat().length).toBeGreaterThan(4);
  expect(troublesOf(second)).toEqual(troublesOf(first));
  expect(troublesOf(other)).not.toEqual(troublesOf(first));
});

test('random trouble is added and ended while the sandbox runs, and can be limited', async () => {
  const sandbox = await quickSandbox(slow);
  const when = { request: 'createListing', chance: 1, mostInARow: 2 };
  const json = { when, what: { kind: 'anything', of: ['badGateway'] } };
  expect((await ask(sandbox, 'POST', '/_sandbox/troubles', { json })).status).toBe(201);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status);
  expect(statuses).toEqual([502, 502, 201, 502]);
  expect((await ask(sandbox, 'GET', '/v2/lookups/addressTypes')).status).toBe(200);
  await ask(sandbox, 'DELETE', '/_sandbox/troubles');
  expect((await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status).toBe(201);
});

test.each(Object.keys(usualTroubles))('%s can be drawn', async (name) => {
  const sandbox = await quickSandbox({
    ...slow,
    troubles: [{ when: '*', what: { kind: 'anything', of: [name], delayMs: 1 } }],
  });
  await tryToCreate(sandbox, 'acme/o-1');
  expect(sandbox.order('acme/o-1').troubles).toMatchObject([{ endpoint: 'createListing', cause: 'chance' }]);
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
