import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, SentEvent } from '../../../sandbox';
import {
  ask,
  bookedListing,
  closeSandboxes,
  createListing,
  quickSandbox,
  until,
  type Reply,
  asText,
} from './marketplace-client';

afterEach(closeSandboxes);

const whenStatus = (sandbox: Sandbox, path: string, status: number): Promise<Reply> =>
  until(
    () => ask(sandbox, 'GET', path),
    (reply) => reply.status === status,
  );

test('a furniture listing is booked, moved and delivered without anybody doing anything', async () => {
  const sandbox = await quickSandbox();
  const path = `/v2/listings/${await createListing(sandbox)}`;
  const { body } = await until(
    () => ask(sandbox, 'GET', path),
    (reply) => (reply.body['status']?.['value'] as unknown) === 'Completed',
  );
  expect(body).toMatchObject({
    transitStatus: { value: 'Delivered' },
    previousTransitStatus: { value: 'PickedUp' },
    availableTransitStatuses: [],
    serviceProvider: { displayName: expect.any(String), userId: expect.any(Number) },
    bookedOn: expect.any(String),
    completedOn: expect.any(String),
  });
  const track = await ask(sandbox, 'GET', `${path}/track`);
  const statuses = track.body['shipmentTrackingStatuses'] as unknown as { status: { value: string } }[];
  expect(statuses.map(({ status }) => status.value)).toEqual([
    'ReadyForDispatch',
    'Dispatched',
    'PickedUp',
    'Delivered',
  ]);
});

test.each(['contacts', 'track', 'billoflading'])('%s answers 404 before the booking', async (resource) => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const listingId = await createListing(sandbox);
  expect((await ask(sandbox, 'GET', `/v2/listings/${listingId}/${resource}`)).status).toBe(404);
});

test('contacts name shipper, service provider and locations once booked', async () => {
  const sandbox = await quickSandbox();
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${await bookedListing(sandbox)}/contacts`);
  expect(body).toMatchObject({ Shipper: { name: 'Dock' }, serviceProvider: {}, locations: { pickup: {} } });
});

async function trackUnder(transit: 'normal' | 'manual') {
  const sandbox = await quickSandbox({
    switches: { transit: 'manual' },
    clock: { steps: { delivered: 60_000_000 } },
  });
  const listingId = await bookedListing(sandbox);
  const track = async () => (await ask(sandbox, 'GET', `/v2/listings/${listingId}/track`)).body;
  expect(await track()).not.toHaveProperty('mostRecentLocation');
  sandbox.setSwitches({ transit });
  return { sandbox, listingId, track };
}

test.each([
  ['Dispatched', 'Dallas'],
  ['PickedUp', 'Dallas'],
  ['Delivered', 'Austin'],
] as const)('the second after %s the goods were last seen in %s', async (to, city) => {
  const { sandbox, listingId, track } = await trackUnder('normal');
  sandbox.controls.advance(listingId, { to });
  expect(await track()).toMatchObject({
    listingGeneratedId: Number(listingId),
    mostRecentLocation: [{ latitude: expect.any(Number), longitude: expect.any(Number) }],
    mostRecentAddress: [{ majorMunicipality: city }],
  });
  sandbox.setSwitches({ recentLocation: false });
  expect(await track()).not.toHaveProperty('mostRecentLocation');
});

test('between pickup and delivery the goods are on the way, and in no city', async () => {
  const { sandbox, listingId, track } = await trackUnder('manual');
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const latitudes: number[] = [];
  for (const share of [0, 0.5, 1]) {
    const path = `/_sandbox/listings/${listingId}/location`;
    expect((await ask(sandbox, 'POST', path, { json: { share } })).status).toBe(200);
    const body = await track();
    latitudes.push(Number((body['mostRecentLocation'] as unknown as { latitude: number }[])[0]?.latitude));
    expect('mostRecentAddress' in body).toBe(share !== 0.5);
  }
  const [origin = 0, middle = 0, destination = 0] = latitudes;
  expect(middle).toBeCloseTo((origin + destination) / 2, 3);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect(await track()).toMatchObject({ mostRecentAddress: [{ majorMunicipality: 'Austin' }] });
});

test('the location moves ahead with the clock', async () => {
  const { sandbox, listingId, track } = await trackUnder('normal');
  sandbox.setClock({ steps: { delivered: 300_000 } });
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const seen = await until(track, (body) => 'mostRecentLocation' in body && !('mostRecentAddress' in body));
  expect(seen).toMatchObject({ shipmentTrackingSummaryModel: { transitStatus: { value: 'PickedUp' } } });
});

test('the bill of lading is a PDF behind a signed address that needs no key', async () => {
  const sandbox = await quickSandbox();
  const path = `/v2/listings/${await bookedListing(sandbox)}/billoflading`;
  const { body } = await whenStatus(sandbox, path, 200);
  expect(body['billOfLadingNumber']).toEqual(expect.any(Number));
  const href = asText(body['document']?.['href']);
  const pdf = await ask(sandbox, 'GET', href, { key: null });
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(pdf.text).toMatch(/^%PDF-1\.4[\s\S]*acme\/o-1[\s\S]*%%EOF\n$/u);
  expect((await ask(sandbox, 'GET', href.replace(/.$/u, 'x'), { key: null })).status).toBe(403);
});

test.each([
  ['application/pdf', { body: '' }, /^$/u],
  ['text/html; charset=utf-8', {}, /^<!doctype html>/u],
] as const)(
  'the first downloads of a bill of lading can be a 200 of %s (%j) and no PDF',
  async (contentType, body, content) => {
    const when = { request: 'getDocument', match: '/BOL-' } as const;
    const what = { kind: 'status', status: 200, contentType, ...body } as const;
    const sandbox = await quickSandbox({ troubles: [{ when, what, times: 2 }] });
    const path = `/v2/listings/${await bookedListing(sandbox)}/billoflading`;
    const href = asText((await whenStatus(sandbox, path, 200)).body['document']?.['href']);
    for (let count = 0; count < 2; count += 1) {
      const reply = await ask(sandbox, 'GET', href, { key: null });
      expect([reply.status, reply.headers['content-type']]).toEqual([200, contentType]);
      expect(reply.text).toMatch(content);
    }
    expect((await ask(sandbox, 'GET', href, { key: null })).text).toMatch(/^%PDF-1\.4/u);
  },
);

test('the signed address expires', async () => {
  const sandbox = await quickSandbox({ switches: { billOfLadingLinkLifetimeInSeconds: -1 } });
  const path = `/v2/listings/${await bookedListing(sandbox)}/billoflading`;
  const { body } = await whenStatus(sandbox, path, 200);
  expect((await ask(sandbox, 'GET', asText(body['document']?.['href']), { key: null })).status).toBe(403);
});

test('an attachment is described by its id, as its event names it', async () => {
  const sandbox = await quickSandbox();
  const listingId = await bookedListing(sandbox);
  const event = await until(
    () =>
      sandbox.events().find(({ envelope }) => envelope['type'] === 'Listing.Attachment.AttachmentAdded/v1'),
    (found) => found !== undefined,
  );
  const { attachmentId, uri } = (event as SentEvent).envelope['data'] as {
    attachmentId: string;
    uri: string;
  };
  expect(new URL(uri).pathname).toBe(`/v2/listings/${listingId}/attachments/${attachmentId}`);
  expect((await ask(sandbox, 'GET', uri)).body).toMatchObject({
    attachmentId,
    fileType: 'application/pdf',
    attachmentType: { value: 'BillOfLading' },
    links: [{ rel: 'self' }],
  });
  expect((await ask(sandbox, 'GET', `/v2/listings/${listingId}/attachments/1`)).status).toBe(404);
});

test('a booked shipment is cancelled on the page that its cancellation link names', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const path = `/v2/listings/${await bookedListing(sandbox)}`;
  const link = asText((await ask(sandbox, 'GET', path)).body['cancellationLink']);
  expect((await ask(sandbox, 'GET', link, { key: null })).text).toContain('<form method="post">');
  expect(sandbox.order('acme/o-1').liveBookings).toBe(1);
  expect((await ask(sandbox, 'POST', link, { key: null, form: {} })).status).toBe(200);
  expect((await ask(sandbox, 'GET', path)).body).toMatchObject({
    status: { value: 'Cancelled' },
    cancellationStatus: { value: 'Cancelled' },
  });
  expect(sandbox.order('acme/o-1').liveBookings).toBe(0);
});

test('the tracking link is got with the sign-in cookie and seen without it once booked', async () => {
  const sandbox = await quickSandbox({
    switches: { transit: 'manual' },
    clock: { steps: { booking: 3_600_000 } },
  });
  const listingId = await createListing(sandbox);
  const json = {
    grant_type: 'password',
    userName: 'shipper@example.com',
    password: 'sandbox-password',
    issuer: 'None',
  };
  const signedIn = await ask(sandbox, 'POST', '/mvc/authentication/signin', { json, key: null });
  const cookies = [signedIn.headers['set-cookie']].flat().map((cookie) => asText(cookie).split(';')[0]);
  expect(cookies).toHaveLength(2);
  const path = `/listing/track/${listingId}/trackinglink`;
  expect((await ask(sandbox, 'GET', path)).status).toBe(401);
  const { body } = await ask(sandbox, 'GET', path, { key: null, headers: { cookie: cookies.join('; ') } });
  const link = asText(body['TrackingLinkUrl']);
  expect((await ask(sandbox, 'GET', link, { key: null })).status).toBe(404);
  sandbox.controls.advance(listingId, { to: 'Booked' });
  expect((await ask(sandbox, 'GET', link, { key: null })).text).toContain('Dallas');
  sandbox.setSwitches({ locationSharing: false });
  expect((await ask(sandbox, 'GET', link, { key: null })).status).toBe(404);
});
