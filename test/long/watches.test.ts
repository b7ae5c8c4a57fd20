import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentView } from '../../src/starter/shipment-client';
import * as messages from '../../src/workflows/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { resume } from '../support/account-in-trouble';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

/** What is looked at while a listing is followed, and how often. The orders run at the same time. */
let harness: Harness;

const HOUR_MS = 3_600_000;
const TRACKING_MS = 300;

const moving = anLtlShipment({ orderId: 'W-1' });
const unreadable = aFurnitureShipment({ orderId: 'W-2' });
const refused = aFurnitureShipment({ orderId: 'W-3' });
const referenceOf = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 4, steps: { delivered: 8_000 } } });
  const { sandbox, files } = harness;
  sandbox.addFault({ endpoint: 'getTracking', kind: 'unreadable', reference: referenceOf(unreadable) });
  sandbox.addFault({
    ...{ endpoint: 'uploadImage', kind: 'status', status: 401, reference: referenceOf(refused) },
  });
  const sha256 = await files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
  const image = { fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256 };
  const tracked: Partial<ShipmentPolicy> = {
    trackingPace: { initialMs: TRACKING_MS, maximumMs: HOUR_MS },
    settlementWindowMs: 100,
  };
  await Promise.all([
    harness.start(moving, tracked),
    harness.start(unreadable, tracked),
    harness.start(
      { ...refused, images: [image] },
      { ...tracked, sweepPace: { initialMs: HOUR_MS, maximumMs: HOUR_MS } },
    ),
  ]);
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

test('a truck that is elsewhere at each reading is asked for at its pace', async () => {
  expect((await harness.ended(moving)).status).toBe('COMPLETED');
  const looks = await looksAt(moving);
  const [first = 0] = looks;
  // Two are asked at the steps of the transit, and one by the watch when it begins.
  const allowed = 3 + ((looks.at(-1) ?? 0) - first) / TRACKING_MS;
  expect(looks.length).toBeGreaterThanOrEqual(2);
  expect(looks.length).toBeLessThanOrEqual(allowed);
});

test('tracking that cannot be read asks nobody, and is not asked for again and again', async () => {
  const { status, state } = await harness.ended(unreadable);
  expect({ status, asked: state?.questionsAsked }).toEqual({ status: 'COMPLETED', asked: 0 });
  expect(state?.timeline.some(({ what }) => what.startsWith('no tracking: '))).toBe(true);
  // The steps of the transit ask for a moment each, and the watch waits its longest pace; each look tries three times.
  const requests = await looksAt(unreadable);
  expect(requests.length).toBeLessThanOrEqual(4 * 3);
});

test('a write that is refused for the account is tried again for each event, and no more often', async () => {
  const uploads = (): number => harness.sandbox.requests('uploadImage').length;
  const eventsOf = async (): Promise<number> => {
    const { state } = await harness.until(refused, (view) => view.state !== null);
    return state?.events.taken ?? 0;
  };
  let since = '';
  const pausedAgain = async (): Promise<void> => {
    const isAnother = ({ state }: ShipmentView): boolean =>
      state?.pause != null && state.pause.since !== since;
    since = (await harness.until(refused, isAnother)).state?.pause?.since ?? '';
  };
  for (const number of [1, 2, 3]) {
    await pausedAgain();
    const before = uploads();
    const event = {
      id: `e-${number}`,
      type: 'Listing.StatusChanged/v1',
      time: `2035-03-0${number}T00:00:00Z`,
    };
    await harness
      .handleOf(refused)
      .signal(messages.marketplaceEventReceivedSignal, { ...event, listingIds: [] });
    await until(async () => await Promise.resolve(uploads() > before));
  }
  expect(uploads()).toBeLessThanOrEqual(1 + (await eventsOf()));
  await pausedAgain();
  harness.sandbox.clearFaults();
  await resume(harness);
  const { status, state } = await harness.ended(refused);
  expect({ status, imagesTried: state?.imagesTried }).toEqual({ status: 'COMPLETED', imagesTried: 1 });
});
