import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { initialState } from '../../../src/domain/shipment-state';
import { findDue } from '../../../src/starter/client/due-shipments';
import { aFurnitureShipment, anLtlShipment } from '../../support/builders';
import { clientOfRuns } from '../../support/listed-runs';

test.each([
  ['furniture', aFurnitureShipment({ pickup: { type: 'on', earliest: '2035-03-05', latest: '2035-03-05' } })],
  ['LTL', anLtlShipment({ pickup: { type: 'on', earliest: '2035-03-05', latest: '2035-03-05' } })],
])('one question for each %s shipment says what is due of it', async (_, order) => {
  const asked: string[] = [];
  const workflowIds = ['SO-1', 'SO-2', 'SO-3'].map((id) => `shipment/acme/${id}`);
  const { options, workflowService } = clientOfRuns(workflowIds.map((workflowId) => ({ workflowId })));
  const answer = { order, state: { ...initialState(order), bookedAt: '2035-03-01T08:00:00Z' } };
  const client = {
    options,
    withDeadline: async (_deadline: number, ask: () => Promise<unknown>) => await ask(),
    workflowService: {
      ...workflowService,
      describeTaskQueue: async () =>
        await Promise.resolve({ pollers: [{ lastAccessTime: msToTs(Date.now()) }] }),
      listTaskQueuePartitions: async () =>
        await Promise.resolve({ workflowTaskQueuePartitions: [], activityTaskQueuePartitions: [] }),
    },
    workflow: {
      count: async () => await Promise.resolve({ count: 3 }),
      getHandle: (workflowId: string) => ({
        query: async ({ name }: { readonly name: string }) => {
          asked.push(`${workflowId} ${name}`);
          return await Promise.resolve(workflowId.endsWith('3') ? null : answer);
        },
      }),
    },
  } as unknown as Client;
  const { unanswered, looked } = await findDue(client, { on: '2035-03-05' });
  expect({ unanswered, looked }).toEqual({ unanswered: 1, looked: 3 });
  expect(asked.toSorted()).toEqual(workflowIds.map((id) => `${id} shipment`));
});
