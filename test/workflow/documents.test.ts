import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sha256Of } from '../../src/file-store/file-store';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
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

test('a bill of lading whose address has expired is fetched once there is a fresh one', async () => {
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: -1 });
  const shipment = aFurnitureShipment({ orderId: 'DOC-2' });
  await harness.start(shipment, { settlementWindowMs: 6_000 });
  const pending = await harness.until(
    shipment,
    ({ state }) => state?.phase === 'delivered' && state.wantedAttachments.length === 2,
  );
  expect(pending.state).toMatchObject({ phase: 'delivered', billOfLading: null });
  harness.sandbox.setSwitches({ billOfLadingLinkLifetimeInSeconds: 300 });
  const { state } = await harness.until(shipment, (view) => view.state?.billOfLading !== null);
  expect(state?.billOfLading).toMatchObject({ contentType: 'application/pdf' });
});

test.each([
  ['a web page', '<!doctype html><p>Just a moment</p>'],
  ['nothing', ''],
])('%s in the place of the documents is waited out', async (what, body) => {
  harness.sandbox.addFault({ endpoint: 'getDocument', kind: 'status', status: 200, body });
  const shipment = aFurnitureShipment({ orderId: what === 'nothing' ? 'DOC-5' : 'DOC-6' });
  await harness.start(shipment, { settlementWindowMs: 200 });
  const { state } = await harness.until(shipment, (view) => view.state?.wantedAttachments.length === 2);
  expect(state).toMatchObject({ billOfLading: null, attachments: [] });
  harness.sandbox.clearFaults();
  const ready = await harness.ended(shipment);
  expect(ready.state).toMatchObject({ billOfLading: { contentType: 'application/pdf' }, notices: [] });
  expect(ready.state?.attachments).toHaveLength(2);
});

test('a bill of lading that never becomes a document is a notice, and no failure', async () => {
  harness.sandbox.addFault({ endpoint: 'getDocument', kind: 'status', status: 200, body: '' });
  const shipment = aFurnitureShipment({ orderId: 'DOC-7' });
  await harness.start(shipment, { documentWindowMs: 800, settlementWindowMs: 200 });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.billOfLading).toBe('unavailable');
  expect(state?.notices).toContain('the bill of lading did not become ready');
});
