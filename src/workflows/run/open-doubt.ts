import { workflowInfo } from '@temporalio/workflow';
import type { OpenDoubt, WriteAttempt } from '../../domain/doubt';
import { countDoubt } from './counters';
import type { ShipmentRun } from './shipment-run';

/** Opens a doubt. The state keeps it until the write is settled and the result acted on. */
export function openDoubt(run: ShipmentRun, doubt: Omit<OpenDoubt, 'askAt'>): OpenDoubt {
  countDoubt();
  run.addTimeline(`${doubt.what} is in doubt: ${doubt.reason}`);
  return {
    ...doubt,
    // Fixed once, because a flood of events that settle nothing must not postpone the question.
    askAt: new Date(Date.now() + run.input.policy.doubtWaitMs).toISOString(),
  };
}

/** The attempt of this run whose outcome may still arrive; null when it has nothing more to report. */
export function attemptOf(activityId: string | null): WriteAttempt | null {
  return activityId === null ? null : { runId: workflowInfo().runId, activityId };
}
