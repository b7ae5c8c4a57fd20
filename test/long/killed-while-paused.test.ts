import { expect, test } from '@jest/globals';
import { accountPauseWorkflowId } from '../../src/domain/workflow-id';
import { resumeAccountUpdate } from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY } from '../support/harness';
import { withWorld } from '../support/worker-world';

const { furniture } = numberedOrders('KP');

test('shipments whose worker is killed while their account is paused keep waiting, and resume with the others', async () => {
  await withWorld({ hasWebhooks: true, isPersistent: false }, async (world) => {
    world.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 } });
    const shipments = [furniture(), furniture(), furniture()];
    for (const shipment of shipments) await world.start(shipment, {});
    for (const shipment of shipments) await world.until(shipment, ({ state }) => state?.pause != null);
    const account = world.client.workflow.getHandle(accountPauseWorkflowId('acme'));
    const { runId } = await account.describe();
    await world.killWorker();
    await world.startWorker();
    const refused = (): number => world.sandbox.requests('createListing').length;
    const before = refused();
    for (const shipment of shipments) await world.until(shipment, ({ state }) => state?.pause != null);
    expect(await account.describe()).toMatchObject({ runId, status: { name: 'RUNNING' } });
    expect(refused()).toBe(before);
    world.sandbox.clearTroubles();
    await account.executeUpdate(resumeAccountUpdate, { args: [BY] });
    for (const shipment of shipments) {
      await world.until(shipment, ({ status }) => status === 'COMPLETED');
      expect(world.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
    }
  });
}, 180_000);
