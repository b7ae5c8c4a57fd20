import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { AccountPause } from '../../src/domain/account-pause';
import { SHIPMENTS_QUEUE } from '../../src/domain/task-queue';
import { accountPauseWorkflowId, shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { AccountPauseInput } from '../../src/domain/workflow-input';
import { WORKFLOW_BUNDLE } from '../../src/workflow-bundle';
import { accountPauseQuery, accountResumedSignal, resumeAccountUpdate } from '../../src/workflows/messages';
import { BY } from '../support/harness';
import { startTestTemporal, until, type TestTemporal } from '../support/temporal';

/** More than the 2,000 signals that a server lets one workflow have under way by default. */
const MANY = 2_100;
const AT_ONCE = 200;

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTestTemporal();
});

afterAll(async () => {
  await temporal.close();
});

function waitingOf(account: string, count: number): AccountPause['waiting'] {
  return Array.from({ length: count }, (_, index) => ({
    workflowId: shipmentWorkflowId(account, `SO-${index}`),
    ...{ reason: 'answered 401', since: '2035-03-01T10:00:00.000Z' },
  }));
}

/** The question of an account whose shipments wait, answered; the shipments themselves were withdrawn meanwhile. */
async function answered(account: string, count: number): Promise<WorkflowHandle> {
  const input: AccountPauseInput = {
    ...{ account, supportAddress: null },
    carried: { account, supportAddress: null, waiting: waitingOf(account, count), resumes: 0 },
  };
  const handle = await temporal.client.workflow.start('accountPause', {
    ...{ workflowId: accountPauseWorkflowId(account), taskQueue: SHIPMENTS_QUEUE, args: [input] },
  });
  await handle.executeUpdate(resumeAccountUpdate, { args: [BY] });
  return handle;
}

interface Told {
  /** Whom it told, in this order. */
  readonly workflowIds: readonly string[];
  /** How many of its signals were under way at once. */
  readonly mostAtOnce: number;
}

async function toldBy(handle: WorkflowHandle): Promise<Told> {
  const { events } = await handle.fetchHistory();
  const workflowIds: string[] = [];
  let [underWay, mostAtOnce] = [0, 0];
  for (const event of events ?? []) {
    const sent = event.signalExternalWorkflowExecutionInitiatedEventAttributes;
    if (sent?.signalName === accountResumedSignal.name) {
      workflowIds.push(sent.workflowExecution?.workflowId ?? '');
      mostAtOnce = Math.max(mostAtOnce, (underWay += 1));
    } else if (
      event.signalExternalWorkflowExecutionFailedEventAttributes != null ||
      event.externalWorkflowExecutionSignaledEventAttributes != null
    )
      underWay -= 1;
  }
  return { workflowIds, mostAtOnce };
}

test('every shipment is resumed, also where more wait than a workflow may signal at once', async () => {
  const workflowBundle = { code: readFileSync(WORKFLOW_BUNDLE, 'utf8') };
  await temporal.withWorkers(workflowBundle, { [SHIPMENTS_QUEUE]: {} }, async () => {
    const [many, few] = await Promise.all([answered('acme', MANY), answered('globex', AT_ONCE)]);
    await until(async () => (await many.describe()).status.name === 'COMPLETED');
    await few.result();
    for (const [handle, account, count] of [
      [many, 'acme', MANY],
      [few, 'globex', AT_ONCE],
    ] as const) {
      const wanted = waitingOf(account, count).map(({ workflowId }) => workflowId);
      expect(await toldBy(handle)).toEqual({ workflowIds: wanted, mostAtOnce: AT_ONCE });
      expect(await handle.query(accountPauseQuery)).toMatchObject({ waiting: [], resumes: 1 });
    }
  });
});
