import { expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { numberedOrders } from '../support/builders';
import { withWorld, WRITE_OF, type World } from '../support/worker-world';
import { delayWrites, holdWrites, writeRequests } from '../support/writes-in-world';

const { furniture, ltl } = numberedOrders('D');
const NEVER_MS = 300_000;
const POLICY = { writeTimeoutMs: 6_000, doubtWaitMs: 500 };
/** A sixth of it is the time of a mark: the worker must be killed before that is over. */
const SLOW = { ...POLICY, writeTimeoutMs: 24_000 };

/** As `temporal activity update-options --retry-maximum-attempts 3` does to an activity that runs. */
async function allowThreeAttempts(world: World, shipment: Shipment): Promise<void> {
  const workflowId = shipmentWorkflowId(shipment.account, shipment.orderId);
  await world.client.workflowService.updateActivityOptions({
    namespace: 'default',
    execution: { workflowId },
    type: WRITE_OF[shipment.kind],
    activityOptions: { retryPolicy: { maximumAttempts: 3 } },
    updateMask: { paths: ['retry_policy.maximum_attempts'] },
  });
}

async function expectOneRequestAndAQuestion(world: World, orders: readonly Shipment[]): Promise<void> {
  for (const order of orders) {
    const { state } = await world.until(order, (view) => view.state?.question?.kind === 'inDoubt');
    expect(state?.question?.text).toMatch(/dispatched this write again \(attempt 2\)/u);
    expect(world.ledgerOf(order).mostLiveBookings).toBeLessThanOrEqual(1);
  }
}

test.each(['delay', 'delayBefore'] as const)(
  'a write that Temporal dispatches again after a kill (%s) is not sent again, under any retry policy',
  async (kind) => {
    await withWorld({ hasWebhooks: false, isPersistent: false }, async (world) => {
      const orders = [ltl(), furniture()];
      delayWrites(world, { kind, delayMs: NEVER_MS });
      for (const order of orders) await world.start(order, POLICY);
      await world.reach(() => writeRequests(world).length === orders.length);
      for (const order of orders) await allowThreeAttempts(world, order);
      await world.killWorker();
      await world.startWorker();
      await expectOneRequestAndAQuestion(world, orders);
      expect(writeRequests(world)).toHaveLength(orders.length);
    });
  },
  150_000,
);

test('a write whose mark was lost is not sent by its second attempt either', async () => {
  await withWorld({ hasWebhooks: false, isPersistent: false }, async (world) => {
    const orders = [ltl(), furniture()];
    const marks = holdWrites(world, 'marks');
    for (const order of orders) await world.start(order, SLOW);
    await world.reach(() => marks.count() === orders.length);
    for (const order of orders) await allowThreeAttempts(world, order);
    await world.killWorker();
    marks.release();
    await world.startWorker();
    await expectOneRequestAndAQuestion(world, orders);
    expect(writeRequests(world)).toHaveLength(0);
  });
}, 150_000);
