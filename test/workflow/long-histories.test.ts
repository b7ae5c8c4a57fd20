import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/workflows/messages';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 30 };
  harness = await startHarness({ clock: { speed: 10 }, embedded: { dynamicConfig } });
}, 60_000);
afterAll(async () => await harness?.close());

test.each([
  ['furniture', aFurnitureShipment({ orderId: 'L-1' })],
  ['LTL', anLtlShipment({ orderId: 'L-2' })],
])('a long %s shipment goes on in new runs, books once and loses nothing', async (_, shipment) => {
  await harness.start(shipment);
  const first = await harness.until(shipment, () => true);
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { phase: 'settled', notices: [] } });
  expect(end.runId).not.toBe(first.runId);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
  expect(
    end.state?.timeline.map(({ what }) => what).filter((what) => what.startsWith('booked with')),
  ).toHaveLength(1);
});

test('an order that was revised is known by its revised document in every later run', async () => {
  const shipment = aFurnitureShipment({ orderId: 'L-3', priceLimit: { minorUnits: 1, currency: 'USD' } });
  await harness.start(shipment);
  const { runId, state } = await harness.until(shipment, (view) => view.state?.question != null);
  const order = { shipment: { ...shipment, priceLimit: null }, policy: FAST_POLICY, documentHash: 'revised' };
  await harness.temporal.client.workflow
    .getHandle(shipmentWorkflowId(shipment.account, shipment.orderId))
    .executeUpdate(messages.reviseOrderUpdate, {
      args: [{ questionId: state?.question?.id ?? '', by: 'Pat', reason: 'a typing error', ...order }],
    });
  const end = await harness.ended(shipment);
  expect(end.runId).not.toBe(runId);
  const account = { name: 'acme', environment: 'sandbox' } as const;
  await expect(harness.shipments.start({ ...order, account })).resolves.toMatchObject({ outcome: 'already' });
});
