import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, TroubleInput } from '../../../sandbox';
import { ask, bookedListing, closeSandboxes, createListing, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

const manual = { switches: { transit: 'manual' } } as const;

async function befall(sandbox: Sandbox, listing: string, what: object) {
  return await ask(sandbox, 'POST', '/_sandbox/troubles', { json: { whom: { listing }, what } });
}

async function statusOf(sandbox: Sandbox, listingId: string): Promise<unknown> {
  return (await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).body['status']?.['value'];
}

test.each([
  [{ kind: 'carrierCancels' }, 'Cancelled'],
  [{ kind: 'carrierCancels', leaves: 'Active' }, 'Active'],
  [{ kind: 'shipperCancels' }, 'Cancelled'],
  [{ kind: 'noShow' }, 'Cancelled'],
  [{ kind: 'noShow', leaves: 'Active' }, 'Active'],
  [{ kind: 'close' }, 'Closed'],
  [{ kind: 'expire' }, 'Expired'],
  [{ kind: 'reactivate' }, 'Active'],
])('%j makes a booked listing %s and ends its booking', async (json, status) => {
  const sandbox = await quickSandbox(manual);
  const listingId = await bookedListing(sandbox);
  expect(sandbox.order('acme/o-1')).toMatchObject({ liveBookings: 1, booked: 1 });
  expect((await befall(sandbox, listingId, json)).body['items']).toMatchObject([
    { hits: 1, listings: [{ status, isLiveBooking: false }] },
  ]);
  expect(await statusOf(sandbox, listingId)).toBe(status);
  expect(sandbox.events().at(-1)?.envelope).toMatchObject({
    type: 'Listing.StatusChanged/v1',
    data: { status: { value: status } },
  });
  expect(sandbox.order('acme/o-1')).toMatchObject({ liveBookings: 0, mostLiveBookings: 1, booked: 1 });
});

test('a hold keeps the booking, and resume goes on with it', async () => {
  const sandbox = await quickSandbox(manual);
  const listingId = await bookedListing(sandbox);
  expect((await befall(sandbox, listingId, { kind: 'hold' })).text).toContain('"status":"OnHold"');
  expect(sandbox.order('acme/o-1').liveBookings).toBe(1);
  const { body } = await befall(sandbox, listingId, { kind: 'resume' });
  expect(body['items']).toMatchObject([{ listings: [{ status: 'Booked', timesBooked: 1 }] }]);
});

test('a cancelling carrier and an unbooked listing do not go together', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const listingId = await createListing(sandbox);
  expect((await befall(sandbox, listingId, { kind: 'carrierCancels' })).status).toBe(409);
  expect((await befall(sandbox, listingId, { kind: 'vanish' })).status).toBe(400);
});

test.each(['Active', 'Expired', 'Closed', 'Cancelled'])(
  'a booking that went to %s and is booked again is a second booking of one listing',
  async (to) => {
    const sandbox = await quickSandbox(manual);
    const listingId = await bookedListing(sandbox);
    const before = (await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).body['billOfLadingNumber'];
    sandbox.controls.advance(listingId, { to: 'PickedUp' });
    sandbox.controls.advance(listingId, { to });
    expect(sandbox.order('acme/o-1').liveBookings).toBe(0);
    sandbox.controls.advance(listingId, { to: 'Booked' });
    expect(sandbox.order('acme/o-1')).toMatchObject({
      liveBookings: 1,
      mostLiveBookings: 1,
      listings: [{ timesBooked: 2, transitStatus: null }],
    });
    const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
    expect(body['billOfLadingNumber']).not.toBe(before);
    expect(body).not.toHaveProperty('cancelledOn');
  },
);

test('two listings that are booked one after the other are no double booking, two at once are', async () => {
  const sandbox = await quickSandbox(manual);
  const first = await bookedListing(sandbox);
  sandbox.controls.advance(first, { to: 'Active' });
  const second = await bookedListing(sandbox);
  expect(sandbox.order('acme/o-1')).toMatchObject({
    ...{ liveBookings: 1, mostLiveBookings: 1, liveTogether: [] },
  });
  sandbox.controls.advance(first, { to: 'Booked' });
  sandbox.controls.advance(first, { to: 'Cancelled' });
  expect(sandbox.order('acme/o-1')).toMatchObject({
    ...{ liveBookings: 1, mostLiveBookings: 2, liveTogether: [[Number(first), Number(second)]] },
  });
});

test('back on the market nothing of the booking is left, and the listing can be deleted', async () => {
  const sandbox = await quickSandbox(manual);
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  await befall(sandbox, listingId, { kind: 'reactivate' });
  const path = `/v2/listings/${listingId}`;
  const { body } = await ask(sandbox, 'GET', path);
  for (const field of [
    'bookedOn',
    'serviceProvider',
    'transitStatus',
    'billOfLadingNumber',
    'cancellationLink',
  ])
    expect(body).not.toHaveProperty(field);
  expect((await ask(sandbox, 'GET', `${path}/track`)).status).toBe(404);
  expect((await ask(sandbox, 'DELETE', path)).status).toBe(204);
});

test('with keepBooking only the word of the status changes', async () => {
  const sandbox = await quickSandbox(manual);
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'Active', keepBooking: true });
  expect(await statusOf(sandbox, listingId)).toBe('Active');
  expect(sandbox.order('acme/o-1').liveBookings).toBe(1);
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`)).status).toBe(403);
});

test('a delivered shipment that is closed stays a booking that took place', async () => {
  const sandbox = await quickSandbox(manual);
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  await befall(sandbox, listingId, { kind: 'close' });
  expect(sandbox.order('acme/o-1')).toMatchObject({ liveBookings: 1, delivered: 1 });
});

const planned: [TroubleInput['what'], string][] = [
  ['carrierCancels', 'Cancelled'],
  [{ kind: 'carrierCancels', leaves: 'Active' }, 'Active'],
  ['shipperCancels', 'Cancelled'],
  ['hold', 'OnHold'],
  ['close', 'Closed'],
  ['expire', 'Expired'],
  ['reactivate', 'Active'],
];

test.each(planned)('with the trouble %j a furniture listing ends as %s', async (what, status) => {
  const listing = what === 'expire' ? 'created' : 'booked';
  const sandbox = await quickSandbox({ troubles: [{ when: { listing }, what }] });
  const listingId = await createListing(sandbox);
  const timesBooked = what === 'expire' ? 0 : 1;
  await until(
    () => sandbox.order('acme/o-1').listings[0],
    (listing) => listing?.status === status && listing.timesBooked === timesBooked,
  );
  expect(await statusOf(sandbox, listingId)).toBe(status);
});

test('a planned no-show is dispatched, never picked up, and taken by another carrier', async () => {
  const what = { kind: 'noShow', leaves: 'Rebooked' } as const;
  const troubles = [{ when: { listing: 'booked' }, what }] as const;
  const sandbox = await quickSandbox({ troubles, clock: { steps: { pickupDayPasses: 40_000 } } });
  await createListing(sandbox);
  await until(
    () => sandbox.order('acme/o-1').listings[0],
    (listing) => listing?.status === 'Completed',
  );
  expect(sandbox.order('acme/o-1')).toMatchObject({
    liveBookings: 1,
    mostLiveBookings: 1,
    listings: [{ timesBooked: 2 }],
  });
  const moves = sandbox.events().flatMap(({ envelope }) => {
    const data = envelope['data'] as { transitStatus?: { value: string } };
    return data.transitStatus === undefined ? [] : [data.transitStatus.value];
  });
  const whole = ['ReadyForDispatch', 'Dispatched', 'PickedUp', 'Delivered'];
  expect(moves).toEqual(['ReadyForDispatch', 'Dispatched', ...whole]);
});
