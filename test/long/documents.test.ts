import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sha256Of } from '../../src/platform/file-store/file-store';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/contract/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    ...{ billOfLadingLinkLifetimeInSeconds: 300, billOfLading: 'normal', transit: 'normal' },
  });
});
afterAll(async () => await harness?.close());

const referenceOf = ({ account, orderId }: { account: string; orderId: string }): string =>
  `${account}/${orderId}`;

const handleOf = ({ orderId }: { orderId: string }) =>
  harness.temporal.client.workflow.getHandle(shipmentWorkflowId('acme', orderId));

test('bill of lading and attachments are stored, and their addresses are not in the history', async () => {
  const shipment = anLtlShipment({ orderId: 'DOC-1' });
  await harness.start(shipment, { settlementWindowMs: 200 });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  const bill = state?.billOfLading;
  if (bill === null || bill === undefined || bill === 'unavailable') throw new Error('no bill of lading');
  const bytes = await harness.files.get(bill.sha256);
  expect(Buffer.from(bytes).toString('latin1')).toContain('BILL OF LADING');
  expect(bill).toMatchObject({ sizeInBytes: bytes.length, contentType: 'application/pdf' });
  const types = state?.attachments.map(({ attachmentType }) => attachmentType);
  expect(types?.toSorted()).toEqual(['BillOfLading', 'ProofOfDelivery']);
  expect(state).toMatchObject({ wantedAttachments: [], notices: [] });
  for (const { sha256 } of state?.attachments ?? [])
    expect(sha256Of(await harness.files.get(sha256))).toBe(sha256);
  const history = await handleOf(shipment).fetchHistory();
  const texts = (history.events ?? []).map((event) => Buffer.from(JSON.stringify(event)).toString());
  const decoded = texts.map((text) =>
    text.replaceAll(/"data":"([\w+/=]+)"/g, (_, data: string) => Buffer.from(data, 'base64').toString()),
  );
  expect(decoded.some((text) => text.includes(bill.sha256))).toBe(true);
  expect(decoded.filter((text) => /expires=|127.0.0.1:\d+\/documents\//.test(text))).toEqual([]);
});

test('a bill of lading whose address has expired is fetched from a fresh address', async () => {
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: -1 });
  const shipment = aFurnitureShipment({ orderId: 'DOC-2' });
  await harness.start(shipment, { settlementWindowMs: 6_000 });
  const pending = await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'delivered' && state.wantedAttachments.length === 2,
  );
  expect(pending.state).toMatchObject({ at: { phase: 'delivered' }, billOfLading: null });
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: 300 });
  const { state } = await harness.until(shipment, (view) => view.state?.billOfLading !== null);
  expect(state?.billOfLading).toMatchObject({ contentType: 'application/pdf' });
});

test.each([
  ['a web page', '<!doctype html><p>Just a moment</p>'],
  ['nothing', ''],
])('Consign waits when it gets %s instead of the documents', async (what, body) => {
  harness.sandbox.trouble({ when: 'getDocument', what: { kind: 'status', status: 200, body } });
  const shipment = aFurnitureShipment({ orderId: what === 'nothing' ? 'DOC-5' : 'DOC-6' });
  await harness.start(shipment, { settlementWindowMs: 200 });
  const { state } = await harness.until(shipment, (view) => view.state?.wantedAttachments.length === 2);
  expect(state).toMatchObject({ billOfLading: null, attachments: [] });
  harness.sandbox.clearTroubles();
  const ready = await harness.ended(shipment);
  expect(ready.state).toMatchObject({ billOfLading: { contentType: 'application/pdf' }, notices: [] });
  expect(ready.state?.attachments).toHaveLength(2);
});

test('a bill of lading that never becomes a document is a notice, and not a failure', async () => {
  harness.sandbox.trouble({ when: 'getDocument', what: { kind: 'status', status: 200, body: '' } });
  const shipment = aFurnitureShipment({ orderId: 'DOC-7' });
  await harness.start(shipment, { documentWindowMs: 800, settlementWindowMs: 200 });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.billOfLading).toBe('unavailable');
  expect(state?.notices).toContain('the bill of lading did not become ready');
});

const PAPERS = ['getBillOfLading', 'getListingContacts', 'getListingAttachment', 'getTrackingLink'] as const;

test('Consign waits when requests for papers get empty, garbled and HTML answers', async () => {
  const bodies = ['', '{"billOfLading', '<!doctype html><p>Just a moment</p>'];
  const orders = bodies.map((_, index) => aFurnitureShipment({ orderId: `DOC-1${index}` }));
  for (const [index, body] of bodies.entries())
    for (const endpoint of PAPERS)
      harness.sandbox.trouble({
        when: endpoint,
        whom: referenceOf(orders[index] ?? aFurnitureShipment()),
        what: { kind: 'status', status: 200, body },
      });
  await Promise.all(orders.map(async (order) => await harness.start(order, { settlementWindowMs: 200 })));
  for (const order of orders) {
    const { state } = await harness.until(order, (view) => view.state?.wantedAttachments.length === 2);
    expect(state).toMatchObject({ billOfLading: null, contacts: null, trackingLink: null, notices: [] });
  }
  harness.sandbox.clearTroubles();
  for (const order of orders) {
    const { status, state } = await harness.ended(order);
    expect({ status, state }).toMatchObject({
      status: 'COMPLETED',
      state: { billOfLading: { contentType: 'application/pdf' }, notices: [] },
    });
    expect(state?.attachments).toHaveLength(2);
  }
});

test('an event, a transit step or a retry brings a missing bill of lading, and removes its notice', async () => {
  harness.sandbox.setSwitches({ transit: 'manual' });
  harness.sandbox.trouble({ when: 'getBillOfLading', what: { kind: 'status', status: 404 } });
  const orders = ['DOC-20', 'DOC-21', 'DOC-22'].map((orderId) => aFurnitureShipment({ orderId }));
  const notice = 'the bill of lading did not become ready';
  const listingIds = await Promise.all(
    orders.map(async (order) => {
      await harness.start(order, { documentWindowMs: 300, settlementWindowMs: 20_000 });
      const { state } = await harness.until(order, (view) => view.state?.at.phase === 'booked');
      const listingId = state?.listing?.listingId ?? '';
      // The window counts from the pickup: nothing is given up before.
      expect(state?.billOfLading).toBeNull();
      harness.sandbox.controls.advance(listingId, { to: 'PickedUp', kind: 'transit' });
      return listingId;
    }),
  );
  for (const order of orders)
    await harness.until(order, (view) => view.state?.notices.includes(notice) === true);
  harness.sandbox.clearTroubles();
  const [withEvent, withStep, byPerson] = orders;
  harness.sandbox.controls.addReference(listingIds[0] ?? '', { number: '7788', type: 'ThirdPartyTracking' });
  harness.sandbox.controls.advance(listingIds[1] ?? '', { to: 'Delivered', kind: 'transit' });
  await handleOf(byPerson ?? aFurnitureShipment()).executeUpdate(messages.fetchDocumentsUpdate, {
    args: [{ by: 'Pat', reason: 'the carrier sent it' }],
  });
  for (const order of [withEvent, withStep, byPerson]) {
    if (order === undefined) continue;
    const { state } = await harness.until(
      order,
      (view) => view.state?.billOfLading !== null && view.state?.billOfLading !== 'unavailable',
    );
    expect(state?.notices).not.toContain(notice);
    const late = expect.stringMatching(/^bill of lading \S+ is ready, after its time was over$/);
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(late);
  }
  const { state } = await harness.until(withEvent ?? aFurnitureShipment(), (view) => view.state !== null);
  expect(state?.timeline.map(({ what }) => what)).toContain('PRO number 7788');
  harness.sandbox.controls.advance(listingIds[0] ?? '', { to: 'Delivered', kind: 'transit' });
  harness.sandbox.setSwitches({ transit: 'normal' });
});

test.each([
  [403, 'DOC-30'],
  [429, 'DOC-31'],
  [401, 'DOC-32'],
])('an image that is answered %i does not stop a booked shipment', async (status, orderId) => {
  const image = {
    ...{ fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4 },
    sha256: await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9])),
  };
  const shipment = aFurnitureShipment({ orderId, images: [image] });
  harness.sandbox.trouble({ when: 'uploadListingImage', what: { kind: 'status', status } });
  await harness.start(shipment, { settlementWindowMs: 200 });
  const { status: end, state } = await harness.ended(shipment);
  expect({ end, state }).toMatchObject({ end: 'COMPLETED', state: { imagesTried: 1, questionsAsked: 0 } });
  expect(state?.notices).toEqual([expect.stringMatching(/^image 1 was not uploaded/)]);
});
