import { afterEach, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import {
  accept,
  ask,
  bookedListing,
  closeSandboxes,
  collectRates,
  createListing,
  quickSandbox,
  rateRequestBody,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

const slowly = { clock: { steps: { booking: 3_600_000 } } };

test('health answers without a key', async () => {
  const sandbox = await quickSandbox({ seed: 'seven' });
  const { status, body } = await ask(sandbox, 'GET', '/_sandbox/health', { key: null });
  expect([status, body]).toMatchObject([
    200,
    { status: 'ok', seed: 'seven', speed: 100, steps: { booking: 2000 } },
  ]);
});

test('the ledger groups by order reference and counts requests by endpoint', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const listingId = await bookedListing(sandbox);
  const other = [{ number: 'acme/o-2', type: 'ThirdPartyOrderNumber' }];
  const [rate] = await collectRates(sandbox, { referenceNumbers: other });
  await accept(sandbox, rate?.['id']);
  await createListing(sandbox, { referenceNumbers: [] });
  await until(
    () => sandbox.order('acme/o-2').liveBookings,
    (bookings) => bookings === 1,
  );
  const { body } = await ask(sandbox, 'GET', '/_sandbox/ledger', { key: null });
  expect(body).toMatchObject({
    orders: {
      'acme/o-1': {
        liveBookings: 1,
        listings: [{ listingId: Number(listingId), createdBy: 'createListing' }],
      },
      'acme/o-2': {
        liveBookings: 1,
        listings: [{ createdBy: 'acceptance' }],
        rateRequests: [{ rates: 6, thirdPartyId: 'o-1.1' }],
        acceptances: [{ carrier: 'Blue Ridge Freight', outcome: 'booked' }],
      },
    },
    unreferenced: { listings: [{}] },
    requests: { createListing: 2, createRateRequest: 1, acceptRate: 1 },
  });
  const one = await ask(sandbox, 'GET', '/_sandbox/ledger?reference=acme/o-1');
  expect(one.body).toEqual(body['orders']?.['acme/o-1']);
  expect((await ask(sandbox, 'GET', '/_sandbox/ledger?reference=acme/o-9')).status).toBe(404);
});

test('requests are recorded with headers and bodies, and without secrets', async () => {
  const sandbox = await quickSandbox();
  const form = {
    grant_type: 'client_credentials',
    client_id: 'sandbox-client',
    client_secret: 'sandbox-secret',
  };
  await ask(sandbox, 'POST', '/oauth/token', { form });
  await ask(sandbox, 'POST', '/v2/raterequests?development=1', {
    json: rateRequestBody(),
    headers: { 'x-affiliate': 'acme' },
  });
  const { body, text } = await ask(sandbox, 'GET', '/_sandbox/requests?endpoint=createRateRequest');
  expect(body['items']).toMatchObject([
    {
      operation: 'createRateRequest',
      method: 'POST',
      path: '/v2/raterequests?development=1',
      headers: { 'x-affiliate': 'acme', authorization: '[hidden]' },
      body: { thirdPartyId: 'o-1.1' },
      status: 201,
      trouble: null,
    },
  ]);
  const all = (await ask(sandbox, 'GET', '/_sandbox/requests')).text;
  expect(`${text}${all}`).not.toMatch(/sandbox-key|sandbox-secret/u);
});

test('a status is forced by hand, and the carrier goes on from there', async () => {
  const sandbox = await quickSandbox(slowly);
  const listingId = await createListing(sandbox);
  const path = `/_sandbox/listings/${listingId}/advance`;
  const { body } = await ask(sandbox, 'POST', path, { json: { to: 'PickedUp' } });
  expect(body).toMatchObject({ status: 'Booked', transitStatus: 'PickedUp', isLiveBooking: true });
  await until(
    () => sandbox.order('acme/o-1').listings[0]?.status,
    (status) => status === 'Completed',
  );
});

test.each([
  [{ to: 'OnHold' }, { status: 'OnHold', transitStatus: null }],
  [
    { to: 'Teleported', kind: 'transit' },
    { status: 'Booked', transitStatus: 'Teleported' },
  ],
  [{ to: 'Cancelled' }, { status: 'Cancelled', isLiveBooking: false }],
])('any status can be forced: %j', async (json, expected) => {
  const sandbox = await quickSandbox({ ...slowly, switches: { transit: 'manual' } });
  const listingId = await createListing(sandbox);
  const { body } = await ask(sandbox, 'POST', `/_sandbox/listings/${listingId}/advance`, { json });
  expect(body).toMatchObject(expected);
  expect((await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).status).toBe(200);
});

test('price, references, attachments and the delivery time frame change in the record', async () => {
  const sandbox = await quickSandbox({
    switches: { transit: 'manual' },
    clock: { steps: { billOfLading: 3_600_000 } },
  });
  const listingId = await bookedListing(sandbox);
  const change = async (what: string, json: object): Promise<number> =>
    (await ask(sandbox, 'POST', `/_sandbox/listings/${listingId}/${what}`, { json })).status;
  expect(await change('price', { amount: 48.25, description: 'Reweigh' })).toBe(200);
  expect(await change('references', { number: 'PO-1', type: 'PurchaseOrder' })).toBe(200);
  expect(await change('attachments', { fileName: 'inspection.pdf' })).toBe(200);
  expect(await change('deliveryTimeFrame', { latestArrival: '2099/01/02', timeFrameType: 'before' })).toBe(
    200,
  );
  expect(await change('price', { amount: 'much' })).toBe(400);
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({
    totalCost: { value: 360.75 },
    priceDetails: { lineItems: [{}, { description: 'Reweigh' }] },
    referenceNumbers: [{}, { number: 'PO-1' }],
    route: { items: [{}, { timeFrame: { latestArrival: '2099-01-02T00:00:00.000Z' } }] },
  });
  expect(sandbox.events().map(({ envelope }) => envelope['type'])).toEqual([
    'Listing.StatusChanged/v1',
    'Listing.Booked/v1',
    'Listing.PriceDetailsUpdated/v1',
    'Listing.ReferenceNumberAdded/v1',
    'Listing.Attachment.AttachmentAdded/v1',
    'Shipment.DeliveryTimeFrameUpdated/v1',
  ]);
});

test('controls of a listing that does not exist answer 404', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/_sandbox/listings/1/advance', { json: { to: 'Booked' } });
  expect(reply.status).toBe(404);
});

test('switches are read and changed, in part too, and an unknown one is explained', async () => {
  const sandbox = await quickSandbox();
  const json = { labels: 'fr', ltlLimits: { handlingUnits: 3 } };
  const { body } = await ask(sandbox, 'POST', '/_sandbox/switches', { json });
  expect(body).toMatchObject({ labels: 'fr', ltlLimits: { handlingUnits: 3, lengthInMeters: 8.53 } });
  expect((await ask(sandbox, 'GET', '/_sandbox/switches')).body).toEqual(body);
  const wrong = await ask(sandbox, 'POST', '/_sandbox/switches', { json: { label: 'fr' } });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('label')]);
});

test('the clock is changed while it runs, and an unknown step is explained', async () => {
  const sandbox = await quickSandbox();
  const { body } = await ask(sandbox, 'POST', '/_sandbox/clock', {
    json: { speed: 2, steps: { booking: 10 } },
  });
  expect(body).toMatchObject({ speed: 2, steps: { booking: 10, delivered: 2000 } });
  const wrong = await ask(sandbox, 'POST', '/_sandbox/clock', { json: { steps: { boking: 1 } } });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('no such clock step: boking')]);
  expect((await ask(sandbox, 'POST', '/_sandbox/clock', { json: { speed: 0 } })).status).toBe(400);
});

test('reset forgets everything but goes on counting ids, and returns to the starting switches', async () => {
  const sandbox = await quickSandbox({ switches: { location: 'bare' } });
  const before = await createListing(sandbox);
  sandbox.setSwitches({ location: 'full', labels: 'fr' });
  sandbox.trouble({ when: '*', what: 'hangUpBefore' });
  expect((await ask(sandbox, 'POST', '/_sandbox/reset', { json: {} })).status).toBe(200);
  expect(sandbox.ledger()).toMatchObject({ orders: {}, requests: {} });
  expect(sandbox.events()).toEqual([]);
  expect((await ask(sandbox, 'GET', '/_sandbox/switches')).body).toMatchObject({
    location: 'bare',
    labels: 'en',
  });
  expect(Number(await createListing(sandbox))).toBe(Number(before) + 1);
});

test('closing leaves nothing running, even with an answer that hangs', async () => {
  const sandbox = await quickSandbox({
    troubles: [{ when: 'getListing', what: { kind: 'delay', delayMs: 3_600_000 } }],
  });
  const listingId = await createListing(sandbox);
  const hanging = ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  const outcome = hanging.catch((error: unknown) => error);
  await until(
    () => sandbox.requests('getListing').length,
    (count) => count === 1,
  );
  await closeSandboxes();
  expect(await outcome).toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/u) });
  await expect(ask(sandbox, 'GET', '/_sandbox/health')).rejects.toThrow(/./u);
});

test('two requests on one connection are told from two connections', async () => {
  const sandbox = await quickSandbox();
  for (const isShared of [true, false]) {
    const agent = new Agent({ pipelining: isShared ? 1 : 0, connections: 1 });
    const get = () => request(`${sandbox.url}/v2/lookups/addressTypes`, { dispatcher: agent });
    for (let count = 0; count < 2; count += 1) await (await get()).body.dump();
    await agent.close();
  }
  const [first, second, third, fourth] = sandbox.requests().map(({ connection }) => connection);
  expect(second).toBe(first);
  expect(new Set([second, third, fourth]).size).toBe(3);
});

test('what is not an endpoint, not JSON or too odd a type has an error body too', async () => {
  const sandbox = await quickSandbox();
  expect((await ask(sandbox, 'GET', '/v2/nothing')).body).toMatchObject({
    reason: expect.stringContaining('no GET'),
  });
  const headers = { 'content-type': 'application/json' };
  const broken = await ask(sandbox, 'POST', '/v2/listings', { form: { a: '1' }, headers });
  expect([broken.status, broken.body]).toMatchObject([400, { reason: expect.stringContaining('not JSON') }]);
  const odd = { 'content-type': 'application/x-odd' };
  expect((await ask(sandbox, 'POST', '/v2/listings', { form: { a: '1' }, headers: odd })).status).toBe(415);
});
