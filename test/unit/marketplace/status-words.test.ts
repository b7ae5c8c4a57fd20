import { afterEach, expect, test } from '@jest/globals';
import type { MarketplaceSettings } from '../../../src/marketplace/account';
import { aMarketplace, anAccount, closeAll, reply, startServer } from './server';

afterEach(closeAll);

async function readListing(record: object, settings: Partial<MarketplaceSettings> = {}) {
  const { url } = await startServer(reply(200, { listingId: 77, ...record }));
  return await aMarketplace(anAccount(url, { settings })).getListing('77');
}

test.each<[unknown, string | null]>([
  [{ value: 3, label: 'Booked' }, 'Booked'],
  [{ id: 3, name: 'Booked', translation: 'Gebucht' }, 'Booked'],
  [{ id: 'Booked', name: 'Gebucht', translation: 'Gebucht' }, 'Booked'],
  ['booked', 'Booked'],
  [{ Value: 'BOOKED' }, 'Booked'],
  [{ status: 'x', value: { value: 'Booked' } }, 'Booked'],
  [['Booked'], 'Booked'],
  ['Complete', 'Completed'],
  [{ value: 9, shortLabel: 'on hold' }, 'OnHold'],
  [{ value: 3, label: 'Gebucht' }, 'Gebucht'],
  [3, '3'],
  [{ value: 'Booked', label: 'Active' }, 'Booked'],
  [{}, null],
  ['', null],
  [true, null],
  [null, null],
])('the status %j is read as %s', async (status, expected) => {
  expect((await readListing({ status })).status).toBe(expected);
});

test.each<[unknown, string | null]>([
  ['Delivered To Consignee', 'Delivered'],
  [{ id: 4, name: 'Delivered To Consignee' }, 'Delivered'],
  [{ value: 2, label: 'picked up' }, 'PickedUp'],
  ['Levitating', 'Levitating'],
  [{ unheardOf: 'Delivered' }, null],
])('the transit status %j is read as %s', async (transitStatus, expected) => {
  expect((await readListing({ status: 'Booked', transitStatus })).transitStatus).toBe(expected);
});

test("transit progress is read from the listing's status", async () => {
  const record = await readListing({ status: 'Delivered To Consignee', transitStatus: null });
  expect(record).toMatchObject({ status: 'Delivered', transitStatus: 'Delivered' });
});

test.each<[unknown, object]>([
  ['Gebucht', { status: 'Booked' }],
  [{ value: 7, label: 'x' }, { status: 'Cancelled' }],
  ['IN TRANSIT', { status: 'PickedUp', transitStatus: 'PickedUp' }],
])("the status %j is read by the account's own names", async (status, expected) => {
  const statusNames = { gebucht: 'Booked', '7': 'Cancelled', 'In transit': 'PickedUp' } as const;
  expect(await readListing({ status }, { statusNames })).toMatchObject(expected);
});

test('the statuses of the tracking are read by the same names', async () => {
  const { url } = await startServer(
    reply(200, {
      shipmentTrackingStatuses: [{ statusName: 'Delivered To Consignee' }, 'Unterwegs', 'Levitating'],
    }),
  );
  const settings = { statusNames: { unterwegs: 'PickedUp' } } as const;
  const { statuses } = await aMarketplace(anAccount(url, { settings })).getTracking('77');
  expect(statuses.map(({ status }) => status)).toEqual(['Delivered', 'PickedUp', 'Levitating']);
});
