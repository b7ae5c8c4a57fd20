import { workflowInfo } from '@temporalio/workflow';
import type { OpenDoubt, WriteAttempt } from '../../domain/doubt';
import { countDoubt } from './counters';
import type { ShipmentRun } from './shipment-run';

/** The doubt for the state, where it stays until what it was about is settled and done. */
export function openDoubt(run: ShipmentRun, doubt: Omit<OpenDoubt, 'askAt'>): OpenDoubt {
  countDoubt();
  run.addTimeline(`${doubt.what} is in doubt: ${doubt.reason}`);
  return {
    ...doubt,
    // One moment for all: a flood of events that settle nothing must not put the question off.
    askAt: new Date(Date.now() + run.input.policy.doubtWaitMs).toISOString(),
  };
}

/** The attempt of this run whose outcome may still be told; null when it has told all that it knows. */
export function attemptOf(activityId: string | null): WriteAttempt | null {
  return activityId === null ? null : { runId: workflowInfo().runId, activityId };
}
