import type { PausedShipment } from '../domain/account-pause';
import { SHIPMENTS_QUEUE } from '../domain/task-queue';
import { accountPauseWorkflowId } from '../domain/workflow-id';
import type { AccountPauseInput } from '../domain/workflow-input';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface PauseForAccountInput extends AccountInput {
  readonly paused: PausedShipment;
  readonly supportAddress: string | null;
}

export function createAccountPauseActivities({ client }: ActivityDependencies) {
  /** Puts a shipment to those that wait for their account; the first one opens the question. */
  async function pauseForAccount({ account, paused, supportAddress }: PauseForAccountInput): Promise<void> {
    const input: AccountPauseInput = { account: account.name, supportAddress };
    await client.workflow.signalWithStart('accountPause', {
      workflowId: accountPauseWorkflowId(account.name),
      taskQueue: SHIPMENTS_QUEUE,
      args: [input],
      signal: 'shipmentPaused',
      signalArgs: [paused],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `account ${account.name} is in trouble`,
    });
  }
  return { pauseForAccount };
}
