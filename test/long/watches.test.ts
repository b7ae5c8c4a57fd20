import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

/** What is looked at while a listing is followed, and how often. The orders run at the same time. */
let harness: Harness;

const HOUR_MS = 3_600_000;
const TRACKING_MS = 300;

const moving = anLtlShipment({ orderId: 'W-1' });
const unreadable = aFurnitureShipment({ orderId: 'W-2' });
const referenceOf = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 4, steps: { delivered: 8_000 } } });
  const { sandbox } = harness;
  sandbox.trouble({ when: 'getTracking', whom: referenceOf(unreadable), what: 'unreadable' });
  const tracked: Partial<ShipmentPolicy> = {
    trackingPace: { initialMs: TRACKING_MS, maximumMs: HOUR_MS },
    settlementWindowMs: 100,
  };
  // A look tries three times, with seconds between, before it is given up.
  const longer = { ...tracked, settlementWindowMs: 8_000 };
  await Promise.all([harness.start(moving, tracked), harness.start(unreadable, longer)]);
}, 60_000);
afterAll(async () => await harness?.close());

/** When the tracking of an order was asked for; milliseconds. */
async function looksAt(shipment: Shipment): Promise<readonly number[]> {
  const { state } = await harness.until(shipment, (view) => view.state?.listing != null);
  const path = `/${state?.listing?.listingId}/`;
  return harness.sandbox
    .requests('getTracking')
    .filter((request) => request.path.includes(path))
    .map(({ at }) => Date.parse(at));
}

test('a truck with another position at each reading is polled at its pace', async () => {
  expect((await harness.ended(moving)).status).toBe('COMPLETED');
  const looks = await looksAt(moving);
  const [first = 0] = looks;
  // The first one is asked for when the watch begins.
  const allowed = 3 + ((looks.at(-1) ?? 0) - first) / TRACKING_MS;
  expect(looks.length).toBeGreaterThanOrEqual(2);
  expect(looks.length).toBeLessThanOrEqual(allowed);
});

test('unreadable tracking asks nobody, and is polled at its pace', async () => {
  const { status, state } = await harness.ended(unreadable);
  expect({ status, asked: state?.questionsAsked }).toEqual({ status: 'COMPLETED', asked: 0 });
  expect(state?.timeline.some(({ what }) => what.startsWith('no tracking: '))).toBe(true);
  // The watch waits its longest pace after a look that failed; each look tries three times.
  const requests = await looksAt(unreadable);
  expect(requests.length).toBeLessThanOrEqual(4 * 3);
});
