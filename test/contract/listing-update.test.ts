import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { ListingChanges } from '../../src/domain/listing-changes';
import type { ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { aFurnitureShipment, aStop } from '../support/builders';
import { ACCOUNT, runActivity } from './run-activity';
import { usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();

/** An open listing that no carrier answers, which would change it, with the record that a change is decided on. */
async function openListing(client: ClosableMarketplace) {
  marketplace.sandbox.setClock({ steps: { booking: 3_600_000 } });
  const listingId = await marketplace.createListing(client);
  const { checksum } = await client.getListing(listingId);
  return { listingId, checksum };
}

async function update(
  client: ClosableMarketplace,
  listing: { listingId: string; checksum: string | null },
  changes: ListingChanges,
  readBy: readonly string[] = [],
) {
  const proof = { readBy, witnesses: [] };
  const input = { account: ACCOUNT, update: { ...listing, changes }, proof };
  return await runActivity(client, 'updateListing', input);
}

const PAGE = '<!DOCTYPE html><html><body><h1>Access denied</h1></body></html>';
const sentBody = () => marketplace.sandbox.requests('updateListing').at(-1)?.body;
const shipment = aFurnitureShipment();
const route = {
  origin: shipment.origin,
  destination: aStop({ addressType: 'StorageFacility' }),
  pickup: { type: 'between', earliest: '2035-04-01', latest: '2035-04-03' },
  delivery: { type: 'before', earliest: null, latest: '2035-05-01' },
} as const;
const everyChange: ListingChanges = {
  title: 'Sofa and chair',
  description: 'Both wrapped',
  listPrice: usd(45_050),
  route,
  items: [{ ...shipment.items[0]!, title: 'Chair', quantity: 2 }],
  serviceTypes: ['BlanketWrap'],
  references: [
    { type: 'ThirdPartyOrderNumber', number: 'acme/SO-1', label: null },
    { type: 'Other', number: '7', label: 'Dock' },
  ],
  attributes: { crated: true, stackable: false, palletized: false },
  importSource: 'https://erp.example.com/orders/SO-1',
};

test.each(['amount', 'record'] as const)(
  'every field of a listing can be changed, with prices as %s, and the record shows it',
  async (changedPrice) => {
    const client = marketplace.open({ settings: { changedPrice } });
    const listing = await openListing(client);
    marketplace.sandbox.setSwitches({ unknownFields: 'refused' });
    const { outcome, marks } = await update(client, listing, everyChange);
    expect([outcome, marks]).toEqual(['updated', [{ sending: true }]]);
    expect(await client.isListingUpdated({ ...listing, changes: everyChange })).toBe(true);
    expect(await client.getListing(listing.listingId)).toMatchObject({
      title: 'Sofa and chair',
      namedPrice: usd(45_050),
    });
  },
);

test.each([
  ['amount', 'record'],
  ['record', 'amount'],
] as const)(
  'where a changed price has the form of the %s, the form of the %s is refused',
  async (form, other) => {
    const client = marketplace.open({ settings: { changedPrice: form } });
    const listing = await openListing(client);
    marketplace.sandbox.setSwitches({ changedPrice: form });
    const refused = marketplace.open({ settings: { changedPrice: other } });
    const changes = { listPrice: usd(45_050) };
    await expect(refused.updateListing({ ...listing, changes })).rejects.toMatchObject({ status: 400 });
    await client.updateListing({ ...listing, changes });
    expect(marketplace.sandbox.controls.listing(listing.listingId).price.amount).toBe(450.5);
  },
);

test.each([
  ['namedPrice', 'offerPrice'],
  ['offerPrice', 'namedPrice'],
] as const)(
  'where a listing has a %s, its price is changed with it and not with a %s',
  async (pricing, other) => {
    const client = marketplace.open({ settings: { pricing } });
    const listing = await openListing(client);
    marketplace.sandbox.setSwitches({ pricing });
    const refused = marketplace.open({ settings: { pricing: other } });
    const changes = { listPrice: usd(45_050) };
    await expect(refused.updateListing({ ...listing, changes })).rejects.toMatchObject({ status: 400 });
    await client.updateListing({ ...listing, changes });
    expect(marketplace.sandbox.controls.listing(listing.listingId).price.amount).toBe(450.5);
  },
);

test.each(Object.keys(everyChange) as (keyof ListingChanges)[])(
  'a record that does not show a new %s does not count as changed',
  async (field) => {
    const client = marketplace.open();
    const listing = await openListing(client);
    const changes = { [field]: everyChange[field] };
    expect(await client.isListingUpdated({ ...listing, changes })).toBe(false);
    expect((await update(client, listing, changes)).outcome).toBe('updated');
    expect(await client.isListingUpdated({ ...listing, changes })).toBe(true);
  },
);

test('only the changed fields and the checksum are sent', async () => {
  const client = marketplace.open();
  const listing = await openListing(client);
  await update(client, listing, { title: 'Sofa, blue' });
  expect(sentBody()).toEqual({ checksum: listing.checksum, title: 'Sofa, blue' });
  await update(client, { ...listing, checksum: null }, { title: 'Sofa, green' });
  expect(sentBody()).toEqual({
    checksum: expect.not.stringMatching(`^${listing.checksum}$`),
    title: 'Sofa, green',
  });
});

test.each([409, 412] as const)(
  'a conflict answered %i is a conflict when the record differs',
  async (staleChecksumStatus) => {
    const client = marketplace.open();
    const listing = await openListing(client);
    marketplace.sandbox.setSwitches({ staleChecksumStatus });
    await client.updateListing({ ...listing, changes: { title: 'Somebody else' } });
    await expect(client.updateListing({ ...listing, changes: { title: 'Ours' } })).rejects.toMatchObject({
      status: staleChecksumStatus,
      outcome: 'rejected',
    });
    expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('conflict');
  },
);

test.each([409, 412] as const)(
  'a conflict answered %i is no problem when the record already has the change',
  async (staleChecksumStatus) => {
    const client = marketplace.open();
    const listing = await openListing(client);
    marketplace.sandbox.setSwitches({ staleChecksumStatus });
    await client.updateListing({ ...listing, changes: { title: 'Ours' } });
    expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('updated');
  },
);

test.each([
  ['hangUpAfter', {}, 'updated'],
  ['resetAfter', {}, 'updated'],
  ['statusAfter', { status: 500 }, 'updated'],
  ['hangUpBefore', {}, 'InDoubt'],
  ['resetBefore', {}, 'InDoubt'],
  ['status', { status: 503 }, 'InDoubt'],
  ['status', { status: 429 }, 'NotSent'],
  ['status', { status: 400 }, 'Rejected'],
  ['status', { status: 401 }, 'AccountTrouble'],
] as const)('a change that meets %s %j ends as %j', async (kind, over, expected) => {
  const client = marketplace.open();
  const listing = await openListing(client);
  marketplace.sandbox.trouble({ when: 'updateListing', what: { kind, ...over }, times: 1 });
  const { outcome } = await update(client, listing, { title: 'Ours' });
  expect(outcome instanceof ApplicationFailure ? outcome.type : outcome).toEqual(expected);
});

test.each([
  [500, 'NotSent'],
  [401, 'AccountTrouble'],
  [400, 'Rejected'],
])('an unreadable record before the change (%i) means that nothing was sent', async (status, type) => {
  const client = marketplace.open();
  const listing = await openListing(client);
  marketplace.sandbox.trouble({ when: 'getListing', what: { kind: 'status', status }, times: 1 });
  const { outcome, marks } = await update(client, listing, { title: 'Ours' });
  expect(outcome).toMatchObject({ type });
  expect(marks).toEqual([]);
  expect(marketplace.sandbox.requests('updateListing')).toEqual([]);
});

test('a booked listing is not changed, whether Consign knows of the booking before or finds it', async () => {
  const client = marketplace.open();
  const listing = await openListing(client);
  marketplace.sandbox.trouble({ when: 'updateListing', what: 'bookBefore', times: 1 });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('booked');
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('booked');
  expect(marketplace.sandbox.requests('updateListing')).toHaveLength(1);
});

test.each([
  ['in words, of a listing that nobody has booked', { body: '{"reason":"Forbidden"}' }, 'Rejected'],
  ['in HTML', { headers: { 'content-type': 'text/html' }, body: PAGE }, 'InDoubt'],
  ['in JSON that breaks off', { body: '{"reason":"The listing is al' }, 'InDoubt'],
])('a 403 %s does not prove that the listing is booked', async (_how, answer, type) => {
  const client = marketplace.open();
  const listing = await openListing(client);
  marketplace.sandbox.trouble({
    when: 'updateListing',
    what: { kind: 'status', status: 403, ...answer },
    times: 1,
  });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toMatchObject({ type });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('updated');
});

test.each([
  ['the usual error body', {}],
  ['an HTML page', { headers: { 'content-type': 'text/html' }, body: PAGE }],
  ['no body', { body: '' }],
])('a 404 with %s to a change does not prove that the listing is gone', async (_what, answer) => {
  const client = marketplace.open();
  const listing = await openListing(client);
  marketplace.sandbox.trouble({
    when: 'updateListing',
    what: { kind: 'status', status: 404, ...answer },
    times: 1,
  });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toMatchObject({ type: 'InDoubt' });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('updated');
});

test('a 404 proves nothing if the key has never read the listing: nothing is sent', async () => {
  const listing = await openListing(marketplace.open());
  const client = marketplace.open();
  marketplace.sandbox.trouble({ when: 'getListing', what: { kind: 'status', status: 404 }, times: 3 });
  const { outcome, marks } = await update(client, listing, { title: 'Ours' }, ['0123abcd']);
  expect(outcome).toMatchObject({ type: 'Rejected', message: expect.stringContaining('may exist') });
  expect(marks).toEqual([]);
});

test.each([
  ['in words, of a listing that nobody has booked', { body: '{"reason":"Forbidden"}' }, 'Rejected'],
  ['in HTML', { headers: { 'content-type': 'text/html' }, body: PAGE }, 'InDoubt'],
  ['in JSON that breaks off', { body: '{"reason":"The listing is al' }, 'InDoubt'],
])('a 403 %s to a DELETE does not prove that the listing is booked', async (_how, answer, type) => {
  const client = marketplace.open();
  const { listingId } = await openListing(client);
  const input = { account: ACCOUNT, listingId, readBy: [], witnesses: [] };
  marketplace.sandbox.trouble({
    when: 'deleteListing',
    what: { kind: 'status', status: 403, ...answer },
    times: 1,
  });
  expect((await runActivity(client, 'deleteListing', input)).outcome).toMatchObject({ type });
  expect((await runActivity(client, 'deleteListing', input)).outcome).toBe('deleted');
});

test.each(['Booked', 'Cancelled', 'Expired'])(
  'a 403 to a DELETE means booked only if the record confirms it: %s',
  async (status) => {
    const client = marketplace.open();
    const { listingId } = await openListing(client);
    marketplace.sandbox.controls.advance(listingId, { to: 'Booked' });
    if (status !== 'Booked')
      marketplace.sandbox.controls.advance(listingId, { to: status, kind: 'status', keepBooking: true });
    const input = { account: ACCOUNT, listingId, readBy: [], witnesses: [] };
    expect((await runActivity(client, 'deleteListing', input)).outcome).toBe('booked');
  },
);

test('a change that was made before a carrier booked the listing counts as made', async () => {
  const client = marketplace.open();
  const listing = await openListing(client);
  await client.updateListing({ ...listing, changes: { title: 'Ours' } });
  marketplace.sandbox.controls.advance(listing.listingId, { to: 'Booked' });
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('updated');
  expect(marketplace.sandbox.requests('updateListing')).toHaveLength(1);
});

test('a listing that is gone counts as absent', async () => {
  const client = marketplace.open();
  const listing = await openListing(client);
  await client.deleteListing(listing.listingId);
  expect((await update(client, listing, { title: 'Ours' })).outcome).toBe('absent');
});

test.each<[ListingChanges, string]>([
  [{}, 'must change something'],
  [
    { references: [{ type: 'PurchaseOrder', number: '1', label: null }] },
    'must hold one of type ThirdPartyOrderNumber',
  ],
  [{ items: [] }, 'items'],
])('the change %j is refused before it is sent', async (changes, problem) => {
  const client = marketplace.open();
  const asked = client.updateListing({ listingId: '1', checksum: null, changes });
  await expect(asked).rejects.toMatchObject({
    name: 'InvalidRequestError',
    message: expect.stringContaining(problem),
  });
  expect(marketplace.sandbox.requests('updateListing')).toEqual([]);
});
