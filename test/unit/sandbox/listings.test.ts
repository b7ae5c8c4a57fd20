import { afterEach, expect, test } from '@jest/globals';
import {
  ask,
  bookedListing,
  closeSandboxes,
  createListing,
  dayAhead,
  errorFields,
  idOf,
  listingBody,
  quickSandbox,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

test('creating a listing answers 201 with the full address of a nine-digit id', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(reply.status).toBe(201);
  expect(reply.headers['location']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/listings\/\d{9}$/u);
});

test.each([
  ['relative', /^\/v2\/listings\/\d{9}$/u],
  ['bare', /^\d{9}$/u],
] as const)('with the switch location at %s the header has that form', async (location, form) => {
  const sandbox = await quickSandbox({ switches: { location } });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(reply.headers['location']).toMatch(form);
});

test('a record proves whose listing it is: references, postal codes and weight come back', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const references = [
    { number: 'acme/o-1', type: 'ThirdPartyOrderNumber' },
    { number: '9c1f', type: 10 },
    { number: '77', type: 'Other', referenceNumberLabel: 'Dock' },
  ];
  const listingId = await createListing(sandbox, { referenceNumbers: references });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({
    listingId: Number(listingId),
    title: 'Sofa',
    status: { value: 'Active', label: 'Active', shortLabel: 'Active' },
    namedPrice: { value: 312.5, label: '$312.50', currencyType: { value: 'USD' } },
    totalWeightInGrams: { value: 64_410 },
    referenceNumbers: [
      { number: 'acme/o-1', type: { value: 'ThirdPartyOrderNumber' }, referenceNumberLabel: null },
      { number: '9c1f', type: { value: 'PriceCorrelationId' }, referenceNumberLabel: null },
      { number: 'Dock - 77', type: { value: 'Other' }, referenceNumberLabel: 'Dock' },
    ],
    route: { items: [{ address: { postalCode: '75201' } }, { address: { postalCode: '78703' } }] },
  });
});

test('fields chooses what of the record is returned', async () => {
  const sandbox = await quickSandbox();
  const listingId = await createListing(sandbox);
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}?fields=title,listingId`);
  expect(body).toEqual({ title: 'Sofa', listingId: Number(listingId) });
});

test('as a list the record is wrapped, and an unknown listing is an empty list', async () => {
  const sandbox = await quickSandbox({ switches: { listingAnswer: 'list' } });
  const listingId = await createListing(sandbox);
  const found = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(found.body).toMatchObject({ totalCount: 1, items: [{ listingId: Number(listingId) }] });
  expect((await ask(sandbox, 'GET', '/v2/listings/999999999')).body).toEqual({ totalCount: 0, items: [] });
});

test('labels, timestamps and weights follow their switches while values stay', async () => {
  const sandbox = await quickSandbox({
    switches: { labels: 'fr', timestamps: 'sevenDigits', weightAsText: true, carrierAnswer: 'silent' },
  });
  const listingId = await createListing(sandbox);
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({
    status: { value: 'Active', label: 'Actif' },
    totalWeightInGrams: { value: '64410' },
  });
  expect(body['createdOn']).toMatch(/\.\d{7}Z$/u);
});

test('every problem of a listing is named in one answer', async () => {
  const sandbox = await quickSandbox();
  const json = listingBody({
    title: 'S'.repeat(51),
    description: 'Canapé',
    confidentialDescription: '<script>alert(1)</script>',
    pricing: {
      namedPrice: { amount: 1, currencyType: 'USD' },
      offerPrice: { amount: 1, currencyType: 'USD' },
    },
    serviceTypes: ['Teleport'],
    referenceNumbers: [
      { number: 'n'.repeat(50), type: 'Other', referenceNumberLabel: 'label 789' },
      { type: 99 },
    ],
    items: [],
  });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json });
  expect(reply.status).toBe(400);
  expect(errorFields(reply).sort()).toEqual([
    'confidentialDescription',
    'description',
    'items',
    'pricing',
    'referenceNumbers[0].number',
    'referenceNumbers[1].number',
    'referenceNumbers[1].type',
    'serviceTypes[0]',
    'title',
  ]);
  expect(reply.text).toContain('40010');
  expect(sandbox.ledger().orders).toEqual({});
});

test('a listing without title, route and items is refused for all three', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: {} });
  expect(errorFields(reply)).toEqual(['title', 'route', 'items']);
});

test.each([
  ['a pickup in the past', dayAhead(-2), '40001'],
  ['a day that does not exist', '2099/02/30', 'YYYY/MM/DD'],
  ['another form of date', '2099-02-03', 'YYYY/MM/DD'],
])('%s is refused', async (_what, day, reason) => {
  const sandbox = await quickSandbox();
  const [pickup, delivery] = listingBody().route.items;
  const timeFrame = { earliestArrival: day, latestArrival: day, timeFrameType: 'on' };
  const json = listingBody({ route: { items: [{ ...pickup, timeFrame }, delivery] } });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json });
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
});

test('unknown fields pass by default and are refused by their switch', async () => {
  const sandbox = await quickSandbox();
  await createListing(sandbox, { tilte: 'typo' });
  sandbox.setSwitches({ unknownFields: 'refused' });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody({ tilte: 'typo' }) });
  expect(errorFields(reply)).toEqual(['tilte']);
  await createListing(sandbox);
});

test('the same listing twice is two listings, unless duplicates are refused', async () => {
  const sandbox = await quickSandbox();
  expect(await createListing(sandbox)).not.toBe(await createListing(sandbox));
  sandbox.setSwitches({ duplicateListings: 'refused' });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('40001')]);
  expect(sandbox.order('acme/o-1').listings).toHaveLength(2);
});

test('a listing that is not booked can be deleted, and is gone', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const listingId = await createListing(sandbox);
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`)).status).toBe(204);
  expect((await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).status).toBe(404);
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`)).status).toBe(404);
  expect(sandbox.order('acme/o-1')).toMatchObject({ liveBookings: 0, deletedListings: [Number(listingId)] });
});

test('a booked listing is not deleted but answers 403', async () => {
  const sandbox = await quickSandbox();
  const listingId = await bookedListing(sandbox);
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`)).status).toBe(403);
  expect(sandbox.order('acme/o-1').liveBookings).toBe(1);
});

test('a DELETE that announces JSON and sends none is understood', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const listingId = await createListing(sandbox);
  const headers = { 'content-type': 'application/json' };
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`, { headers })).status).toBe(204);
});

test('a listing of another account is not found', async () => {
  const accounts = [
    { name: 'one', apiKeys: ['key-one'] },
    { name: 'two', apiKeys: ['key-two'] },
  ];
  const sandbox = await quickSandbox({ accounts });
  const created = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody(), key: 'key-one' });
  const path = `/v2/listings/${idOf(created)}`;
  expect((await ask(sandbox, 'GET', path, { key: 'key-one' })).status).toBe(200);
  expect((await ask(sandbox, 'GET', path, { key: 'key-two' })).status).toBe(404);
});

test('an update with the present checksum is taken, and the checksum changes', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const path = `/v2/listings/${await createListing(sandbox)}`;
  const { checksum } = (await ask(sandbox, 'GET', path)).body;
  const json = { checksum, title: 'Two sofas', namedPrice: { value: 400, currencyType: { value: 'USD' } } };
  expect((await ask(sandbox, 'PUT', path, { json })).status).toBe(204);
  const { body } = await ask(sandbox, 'GET', path);
  expect(body).toMatchObject({ title: 'Two sofas', namedPrice: { value: 400 } });
  expect(body['checksum']).not.toBe(checksum);
});

test.each([409, 412] as const)('an update with a stale checksum answers %i by its switch', async (status) => {
  const sandbox = await quickSandbox({
    switches: { staleChecksumStatus: status },
    clock: { steps: { booking: 3_600_000 } },
  });
  const path = `/v2/listings/${await createListing(sandbox)}`;
  const reply = await ask(sandbox, 'PUT', path, { json: { checksum: 'stale', title: 'Other' } });
  expect(reply.status).toBe(status);
});

test('a carrier that refuses leaves the listing on the market without a pending request', async () => {
  const sandbox = await quickSandbox({
    switches: { carrierAnswer: 'refuses' },
    clock: { steps: { carrierAnswer: 30_000 } },
  });
  const path = `/v2/listings/${await createListing(sandbox)}`;
  const isPending = (wanted: boolean) =>
    until(
      () => ask(sandbox, 'GET', path),
      ({ body }) => (body['hasPendingBookingRequest'] as unknown) === wanted,
    );
  await isPending(true);
  expect((await isPending(false)).body).toMatchObject({ status: { value: 'Active' } });
});
