import { unreadIds } from '../../src/domain/candidates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { aFurnitureShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const SECRET = 'test-secret';

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 40 }, hasWebhooks: false });
}, 60_000);
afterAll(async () => await harness?.close());

/** An order that stays booked until the test moves it. */
async function booked(orderId: string): Promise<{ readonly shipment: Shipment; readonly listingId: string }> {
  const shipment = aFurnitureShipment({ orderId });
  harness.sandbox.setSwitches({ orders: { [`acme/${orderId}`]: { transit: 'manual' } } });
  // Attachments that do not exist are soon given up.
  await harness.start(shipment, { documentWindowMs: 3_000 });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked' && state.billOfLading !== null);
  const [listingId = ''] = person.listingIdsOf(shipment);
  return { shipment, listingId };
}

async function delivered(shipment: Shipment, listingId: string): Promise<void> {
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1, mostLiveBookings: 1 });
}

/** As the marketplace posts it. @returns the receiver's status */
async function post(id: string, data: object): Promise<number> {
  const type = 'Shipment.TransitStatusChanged/v1';
  const time = '2035-03-01T12:00:00Z';
  const envelope = { specversion: '1.0', id, source: 'https://api.example', type, time, data };
  const answer = await fetch(`${harness.receiverUrl}/webhooks/acme/${SECRET}`, {
    method: 'POST',
    body: JSON.stringify(envelope),
  });
  return answer.status;
}

const referenceOf = ({ orderId }: Shipment) => ({
  number: `acme/${orderId}`,
  type: 'ThirdPartyOrderNumber',
});

/** The listing reads with this transit status, until the faults are cleared. */
async function shows(listingId: string, transitStatus: string): Promise<void> {
  const { sandbox } = harness;
  const headers = { authorization: 'Bearer sandbox-key' };
  const answer = await fetch(`${sandbox.url}/v2/listings/${listingId}`, { headers });
  const body = JSON.parse(JSON.stringify(await answer.json())) as Record<string, unknown>;
  const record = Array.isArray(body) ? { ...Object(body[0]), transitStatus } : { ...body, transitStatus };
  const spoiled = Array.isArray(body) ? [record] : record;
  sandbox.trouble({
    when: { request: 'getListing', match: listingId },
    what: { kind: 'status', status: 200, body: spoiled },
  });
}

test('transit statuses of 2,049 bytes, 700 wide characters and 1,100 quotes end no booked shipment', async () => {
  const { shipment, listingId } = await booked('BO-1');
  for (const [index, status] of ['x'.repeat(2_049), '運'.repeat(700), '"'.repeat(1_100)].entries()) {
    await shows(listingId, status);
    expect(await post(`status-${index}`, { referenceNumbers: [referenceOf(shipment)] })).toBe(200);
    await person.noted(shipment, `unknown transit status ${status.slice(0, 20)}`);
    harness.sandbox.clearTroubles();
  }
  await delivered(shipment, listingId);
});

test('events of 228 KB that name thousands of listings, orders or attachments end no booked shipment', async () => {
  const { shipment, listingId } = await booked('BO-2');
  const mine = { referenceNumbers: [referenceOf(shipment)] };
  const ids = Array.from({ length: 9_000 }, (_, index) => 70_000_000_000 + index);
  const listings = { ...mine, listings: ids.map((id) => ({ listingId: id })) };
  expect(JSON.stringify(listings).length).toBeGreaterThan(220_000);
  const others = Array.from({ length: 3_000 }, (_, index) =>
    referenceOf({ ...shipment, orderId: `other-${index}` }),
  );
  const attachments = ids.map((id) => ({ attachmentId: `a${id}` }));
  const before = harness.sandbox.requests('getListing').length;
  expect(await post('listings', listings)).toBe(200);
  expect(await post('orders', { referenceNumbers: [referenceOf(shipment), ...others] })).toBe(200);
  expect(await post('attachments', { ...mine, attachments: attachments.slice(0, 7_500) })).toBe(200);
  const { state } = await harness.until(
    shipment,
    ({ state }) => state !== null && unreadIds(state).length === 0 && state.leftOut.attachments > 0,
  );
  expect(state?.leftOut).toMatchObject({ listings: 8_990, attachments: 7_490 });
  const named = new Set(ids.map(String));
  const read = harness.sandbox
    .requests('getListing')
    .slice(before)
    .flatMap(({ path }) => path.split('/').at(-1) ?? [])
    .filter((id) => id === listingId || named.has(id));
  // The order's own record came first, and of the others no more than ten.
  expect(read[0]).toBe(listingId);
  expect(new Set(read).size).toBeLessThanOrEqual(11);
  await delivered(shipment, listingId);
});
