import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/contract/messages';
import { aFurnitureShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
}, 60_000);
beforeEach(() => harness.sandbox.clearTroubles());
afterAll(async () => await harness?.close());

const handleOf = ({ orderId }: { orderId: string }) =>
  harness.temporal.client.workflow.getHandle(shipmentWorkflowId('acme', orderId));

test('a missing attachment ends as a notice, and the shipment continues', async () => {
  harness.sandbox.setSwitches({ transit: 'manual' });
  const shipment = aFurnitureShipment({ orderId: 'DOC-3' });
  await harness.start(shipment, { documentWindowMs: 5_000, settlementWindowMs: 200 });
  const booked = await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
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
  harness.sandbox.setSwitches({ transit: 'normal' });
  const listingId = booked.state?.listing?.listingId ?? '';
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.notices).toEqual([expect.stringMatching(/^attachment 999999 was not fetched: /)]);
  expect(state?.attachments.map(({ attachmentType }) => attachmentType)).toContain('ProofOfDelivery');
});

test('an attachment that never becomes ready does not delay another one', async () => {
  const shipment = aFurnitureShipment({ orderId: 'DOC-8' });
  harness.sandbox.trouble({
    when: { request: 'getDocument', match: '/BOL-' },
    what: { kind: 'status', status: 503 },
  });
  await harness.start(shipment, { settlementWindowMs: 200 });
  const { state } = await harness.until(shipment, (view) => view.state?.attachments.length === 1);
  expect(state?.attachments).toMatchObject([{ attachmentType: 'ProofOfDelivery' }]);
  expect(state?.wantedAttachments).toHaveLength(1);
  harness.sandbox.clearTroubles();
  const { status, state: last } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(last).toMatchObject({ wantedAttachments: [], notices: [] });
});

test('an attachment event that arrives before the listing is known is not lost', async () => {
  const shipment = aFurnitureShipment({ orderId: 'DOC-4', priceLimit: { minorUnits: 100, currency: 'USD' } });
  await harness.start(shipment, { documentWindowMs: 1_500, settlementWindowMs: 200 });
  const { state } = await harness.until(shipment, (view) => view.state?.question != null);
  await handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, {
    ...{ id: 'early', type: 'Listing.Attachment.AttachmentAdded/v1', time: '2035-03-01T00:00:00Z' },
    ...{ listingIds: [], attachmentIds: ['5512'] },
  });
  const asked = await harness.until(shipment, (view) => view.state?.wantedAttachments.length === 1);
  expect(asked.state?.at.phase).toBe('quoting');
  const questionId = state?.question?.id ?? '';
  const answer = { questionId, by: 'Pat', reason: 'fine' };
  await handleOf(shipment).executeUpdate(messages.approvePriceUpdate, { args: [answer] });
  // Nobody has such an attachment: that it is told proves that it was asked for.
  const told = await harness.until(shipment, (view) => (view.state?.notices.length ?? 0) > 0);
  expect(told.state?.notices).toEqual([expect.stringContaining('attachment 5512 was not fetched: ')]);
  expect(harness.sandbox.requests('getListingAttachment').some(({ path }) => path.endsWith('/5512'))).toBe(
    true,
  );
});
