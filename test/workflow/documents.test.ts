import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sha256Of } from '../../src/file-store/file-store';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/workflows/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearFaults();
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: 300, billOfLading: 'normal' });
});
afterAll(async () => await harness?.close());

const handleOf = ({ orderId }: { orderId: string }) =>
  harness.temporal.client.workflow.getHandle(shipmentWorkflowId('acme', orderId));

test('bill of lading and attachments are stored, and no address of theirs is in the history', async () => {
  const shipment = anLtlShipment({ orderId: 'DOC-1' });
  await harness.start(shipment);
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  const bill = state?.billOfLading;
  if (bill === null || bill === undefined || bill === 'unavailable') throw new Error('no bill of lading');
  const bytes = await harness.files.get(bill.sha256);
  expect(Buffer.from(bytes).toString('latin1')).toContain('BILL OF LADING');
  expect(bill).toMatchObject({ sizeInBytes: bytes.length, contentType: 'application/pdf' });
  const types = state?.attachments.map(({ attachmentType }) => attachmentType);
  expect(types).toEqual(['BillOfLading', 'ProofOfDelivery']);
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

test('a bill of lading whose address has expired is fetched once there is a fresh one', async () => {
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: -1 });
  const shipment = aFurnitureShipment({ orderId: 'DOC-2' });
  await harness.start(shipment, { settlementWindowMs: 6_000 });
  const pending = await harness.until(shipment, ({ state }) => state?.phase === 'inTransit');
  expect(pending.state?.billOfLading).toBeNull();
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: 300 });
  const { state } = await harness.until(shipment, (view) => view.state?.billOfLading !== null);
  expect(state?.billOfLading).toMatchObject({ contentType: 'application/pdf' });
});

test('an attachment that is not there ends as a notice, and the shipment goes on', async () => {
  const shipment = aFurnitureShipment({ orderId: 'DOC-3' });
  await harness.start(shipment, { documentWindowMs: 1_500 });
  await harness.until(shipment, ({ state }) => state?.phase === 'booked');
  const event = {
    type: 'Listing.Attachment.AttachmentAdded/v1',
    time: '2035-03-01T00:00:00Z',
    listingIds: [],
  };
  for (const id of ['e1', 'e2', 'e2']) {
    await handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, {
      ...{ ...event, id, attachmentIds: ['999999'] },
    });
  }
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.notices).toEqual([expect.stringMatching(/^attachment 999999 was not fetched: /)]);
  expect(state?.attachments.map(({ attachmentType }) => attachmentType)).toContain('ProofOfDelivery');
});

test('an attachment event that comes before the listing is known is not lost', async () => {
  const shipment = aFurnitureShipment({ orderId: 'DOC-4', priceLimit: { minorUnits: 100, currency: 'USD' } });
  await harness.start(shipment, { documentWindowMs: 1_500 });
  const { state } = await harness.until(shipment, (view) => view.state?.question != null);
  await handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, {
    ...{ id: 'early', type: 'Listing.Attachment.AttachmentAdded/v1', time: '2035-03-01T00:00:00Z' },
    ...{ listingIds: [], attachmentIds: ['5512'] },
  });
  const asked = await harness.until(shipment, (view) => view.state?.wantedAttachments.length === 1);
  expect(asked.state?.phase).toBe('quoting');
  const questionId = state?.question?.id ?? '';
  const answer = { questionId, by: 'Pat', reason: 'fine' };
  await handleOf(shipment).executeUpdate(messages.approvePriceUpdate, { args: [answer] });
  // Nobody has such an attachment: that it is told proves that it was asked for.
  const told = await harness.until(shipment, (view) => (view.state?.notices.length ?? 0) > 0);
  expect(told.state?.notices).toEqual([expect.stringContaining('attachment 5512 was not fetched: ')]);
  expect(harness.sandbox.requests('getAttachment').some(({ path }) => path.endsWith('/5512'))).toBe(true);
});
