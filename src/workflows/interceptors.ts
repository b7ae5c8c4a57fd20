import {
  defaultPayloadConverter,
  workflowInfo,
  type ActivateInput,
  type WorkflowInternalsInterceptor,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { traceHeaders } from './trace-headers';
import { wholeTasks } from './whole-tasks';

/** Workflows that a person can answer: only updates meet the problem below. */
const ANSWERED: ReadonlySet<string> = new Set([
  'furnitureShipment',
  'ltlShipment',
  'accountPause',
  'lateEvent',
]);

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];

/**
 * Activations that must see the same time on replay. Signals to other workflows are left out: they decide nothing by
 * the clock.
 */
const isReceived = (job: Job): boolean =>
  [job.signalWorkflow, job.resolveActivity, job.fireTimer, job.cancelWorkflow].some((kind) => kind != null);

/**
 * Fills each workflow task that received something but would issue no command: the interceptor writes the task's time to
 * the memo.
 *
 * A task that issues no command leaves nothing between its end and the next task. If the next task brings an update, and
 * the workflow is no longer in a worker's cache, the SDK replays the two tasks as one, and later as two
 * (temporalio/sdk-rust#1146, open as of 2026-11-28; temporalio/sdk-python#1591, open as of 2026-11-29, is likely the
 * same). Then the first task's input gets another time than before, and a window that was open is over: a nondeterminism
 * error, and the shipment stands still for ever.
 */
export function filledTasks(): WorkflowInternalsInterceptor {
  /** The current task, identified by the length of the history. */
  let task: number | null = null;
  let hasReceived = false;
  let isEmpty = true;
  return {
    activate(input, next) {
      const { historyLength = null, jobs } = input.activation;
      if (historyLength !== task) {
        task = historyLength;
        isEmpty = true;
      }
      hasReceived ||= (jobs ?? []).some(isReceived);
      next(input);
    },
    concludeActivation(input, next) {
      const { commands } = next(input);
      // An update that its validator refused leaves nothing in the history.
      if (commands.some(({ updateResponse }) => updateResponse?.rejected == null)) isEmpty = false;
      const isToBeFilled = hasReceived && isEmpty;
      hasReceived = false;
      if (!isToBeFilled) return { commands };
      isEmpty = false;
      const fields = { heardAt: defaultPayloadConverter.toPayload(new Date().toISOString()) };
      return { commands: [...commands, { modifyWorkflowProperties: { upsertedMemo: { fields } } }] };
    },
  };
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  ...traceHeaders(),
  // First: what it refuses does not reach the other.
  internals: [wholeTasks(), ...(ANSWERED.has(workflowInfo().workflowType) ? [filledTasks()] : [])],
});
