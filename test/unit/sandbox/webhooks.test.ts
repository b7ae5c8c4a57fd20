import { expect, test } from '@jest/globals';
import { receiveEvents, useEventReceiver, type EventReceiver } from './event-receiver';
import {
  accept,
  ask,
  bookedListing,
  collectRates,
  createListing,
  listingBody,
  quickSandbox,
  until,
} from './marketplace-client';

const receiver = useEventReceiver();

const references = [
  { number: 'acme/o-1', type: { value: 'ThirdPartyOrderNumber' }, referenceNumberLabel: null },
];
const typesOf = (events: EventReceiver): string[] => events.received.map(({ envelope }) => envelope.type);

test('a booking is announced in an envelope that names the references, the bill of lading and the listing', async () => {
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url, headers: { 'x-secret': 's' } }] });
  const listingId = await createListing(sandbox);
  const { envelope, headers } = await receiver.ofType('Listing.Booked/v1');
  expect(headers).toMatchObject({ 'x-secret': 's', 'content-type': 'application/json' });
  expect(envelope).toEqual({
    specversion: '1.0',
    source: sandbox.url,
    id: expect.stringMatching(/^[\da-f-]{36}$/u),
    time: expect.stringMatching(/Z$/u),
    type: 'Listing.Booked/v1',
    data: expect.anything(),
  });
  expect(Object.keys(envelope.data)).toHaveLength(4);
  expect(envelope.data).toMatchObject({
    referenceNumbers: references,
    billOfLading: { billOfLadingNumber: expect.any(Number), url: expect.stringMatching(/^http/u) },
    listingUri: `${sandbox.url}/v2/listings/${listingId}`,
    listingPageUri: `${sandbox.url}/listings/${listingId}`,
  });
});

test('each step of the transit is announced with the same references', async () => {
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url }] });
  await createListing(sandbox);
  const isMove = (type: string): boolean => type === 'Shipment.TransitStatusChanged/v1';
  await until(
    () => typesOf(receiver).filter(isMove).length,
    (count) => count === 4,
  );
  const moves = receiver.received.filter(({ envelope }) => isMove(envelope.type));
  for (const { envelope } of moves) {
    expect(Object.keys(envelope.data)[0]).toBe('referenceNumbers');
    expect(Object.keys(envelope.data)).toHaveLength(4);
    expect(envelope.data['referenceNumbers']).toMatchObject(references);
  }
  expect(new Set(moves.map(({ envelope }) => envelope.id)).size).toBe(4);
});

test.each([
  ['Listing.Booked/v1', 4],
  ['Listing.StatusChanged/v1', 3],
  ['Listing.ReferenceNumberAdded/v1', 4],
  ['Listing.PriceDetailsUpdated/v1', 4],
  ['Listing.Attachment.AttachmentAdded/v1', 8],
  ['Shipment.TransitStatusChanged/v1', 4],
  ['Shipment.DeliveryTimeFrameUpdated/v1', 3],
])('%s can be sent by hand and has %i data fields', async (type, count) => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const listingId = Number(await bookedListing(sandbox));
  sandbox.controls.addAttachment(listingId, { fileName: 'inspection.pdf' });
  await ask(sandbox, 'POST', '/_sandbox/webhooks', { json: { url: receiver.url } });
  await ask(sandbox, 'POST', '/_sandbox/events', { json: { type, listingId } });
  const { envelope } = await receiver.ofType(type);
  expect(Object.keys(envelope.data)).toHaveLength(count);
});

test('a receiver that does not answer 200 is asked again, a few times', async () => {
  receiver.statuses.push(500, 202);
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url }], switches: { transit: 'manual' } });
  await ask(sandbox, 'POST', '/_sandbox/events', { json: { envelope: { id: 'e-1', type: 'Test' } } });
  const [event] = await until(
    () => sandbox.events(),
    (events) => events[0]?.attempts.length === 3,
  );
  expect(event?.attempts.map(({ outcome }) => outcome)).toEqual([500, 202, 200]);
  expect(receiver.received.map(({ envelope }) => envelope.id)).toEqual(['e-1', 'e-1', 'e-1']);
});

test('delivery is given up after the attempts of its switch', async () => {
  receiver.statuses.push(500, 500, 500, 500);
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url }], switches: { webhookAttempts: 2 } });
  sandbox.controls.sendEvent({ envelope: { id: 'e-1' } });
  sandbox.controls.sendEvent({ envelope: { id: 'e-2' } });
  await until(
    () => sandbox.events().map(({ attempts }) => attempts.length),
    (counts) => counts.every((count) => count === 2),
  );
  expect(receiver.received).toHaveLength(4);
});

test('webhooks that are off or lost reach nobody, and the sandbox says which', async () => {
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url }], switches: { webhooks: 'off' } });
  sandbox.controls.sendEvent({ envelope: { id: 'off' } });
  sandbox.setSwitches({ webhooks: 'on' });
  sandbox.trouble({ when: { event: '*' }, what: 'lost' });
  sandbox.controls.sendEvent({ envelope: { id: 'lost' } });
  sandbox.clearTroubles();
  sandbox.controls.sendEvent({ envelope: { id: 'sent' } });
  await until(
    () => receiver.received.length,
    (count) => count > 0,
  );
  expect(receiver.received.map(({ envelope }) => envelope.id)).toEqual(['sent']);
  expect(sandbox.events().map(({ withheld }) => withheld)).toEqual(['off', 'lost', undefined]);
});

test('events can come twice and after later ones', async () => {
  const sandbox = await quickSandbox({
    webhooks: [{ url: receiver.url }],
    troubles: [
      { when: { event: '*' }, what: { kind: 'late', delayMs: 300 } },
      { when: { event: '*' }, what: 'doubled' },
    ],
  });
  sandbox.controls.sendEvent({ envelope: { id: 'first' } });
  sandbox.clearTroubles();
  sandbox.controls.sendEvent({ envelope: { id: 'second' } });
  await until(
    () => receiver.received.length,
    (count) => count === 3,
  );
  expect(receiver.received.map(({ envelope }) => envelope.id).at(-1)).toBe('first');
  expect(receiver.received.filter(({ envelope }) => envelope.id === 'first')).toHaveLength(2);
});

test('an event can be sent again with the same id', async () => {
  const sandbox = await quickSandbox({ webhooks: [{ url: receiver.url }] });
  sandbox.controls.sendEvent({ envelope: { id: 'e-1' } });
  expect((await ask(sandbox, 'POST', '/_sandbox/events', { json: { resend: 'e-1' } })).status).toBe(200);
  await until(
    () => receiver.received.length,
    (count) => count === 2,
  );
  expect((await ask(sandbox, 'POST', '/_sandbox/events', { json: { resend: 'e-2' } })).status).toBe(404);
});

test('LTL events reach the webhook of their integratorId only, and nobody without one', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const other = await receiveEvents();
  sandbox.addWebhook({ url: receiver.url, integratorId: 'acme-integration' });
  sandbox.addWebhook({ url: other.url, integratorId: 'someone-else' });
  const [rate] = await collectRates(sandbox);
  await accept(sandbox, rate?.['id']);
  await receiver.ofType('Listing.Booked/v1');
  const [silent] = await collectRates(sandbox, { integratorId: undefined });
  await accept(sandbox, silent?.['id']);
  const events = await until(
    () => sandbox.events().filter(({ withheld }) => withheld === 'nobodyListens'),
    (found) => found.length > 0,
  );
  expect(events[0]?.integratorId).toBe('');
  expect(other.received).toEqual([]);
  await other.close();
});

test.each([
  ['uris', { listingUri: expect.any(String) }, /\d$/u],
  ['listingId', { listingId: expect.any(Number) }, /:\d+$/u],
  ['source', {}, /\/listings\/\d{9}$/u],
  ['nowhere', {}, /:\d+$/u],
] as const)('with webhookListingId %s the listing is found there', async (webhookListingId, data, source) => {
  const sandbox = await quickSandbox({
    webhooks: [{ url: receiver.url }],
    switches: { webhookListingId, webhookReferences: false },
  });
  await createListing(sandbox);
  const { envelope } = await receiver.ofType('Listing.StatusChanged/v1');
  expect(envelope.source).toMatch(source);
  expect(envelope.data).toEqual({ status: expect.anything(), ...data });
});

test('an update announces what it added and the new delivery time frame', async () => {
  const sandbox = await quickSandbox({
    webhooks: [{ url: receiver.url }],
    clock: { steps: { booking: 3_600_000 } },
  });
  const listingId = await createListing(sandbox);
  const { route, referenceNumbers } = listingBody();
  const [pickup, delivery] = route.items;
  const json = {
    referenceNumbers: [...referenceNumbers, { number: 'PO-1', type: { value: 'PurchaseOrder' } }],
    route: {
      items: [pickup, { ...delivery, timeFrame: { ...pickup?.timeFrame, timeFrameType: 'between' } }],
    },
  };
  expect((await ask(sandbox, 'PUT', `/v2/listings/${listingId}`, { json })).status).toBe(204);
  const added = await receiver.ofType('Listing.ReferenceNumberAdded/v1');
  expect(added.envelope.data['addedReferenceNumber']).toMatchObject({ number: 'PO-1' });
  await receiver.ofType('Shipment.DeliveryTimeFrameUpdated/v1');
});

test('a receiver that is not there is noted and does not stop the sandbox', async () => {
  const sandbox = await quickSandbox({
    webhooks: [{ url: 'http://127.0.0.1:1/' }],
    switches: { webhookAttempts: 1 },
  });
  sandbox.controls.sendEvent({ envelope: { id: 'e-1' } });
  const [event] = await until(
    () => sandbox.events(),
    (events) => events[0]?.attempts.length === 1,
  );
  expect(event?.attempts[0]?.outcome).toContain('ECONNREFUSED');
});
