import {
  ApplicationFailure,
  defaultPayloadConverter,
  workflowInfo,
  type ActivateInput,
  type ConcludeActivationOutput,
  type WorkflowInterceptors,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { REPEAT_UPDATE } from '../contract/messages';
import { traceHeaders } from './trace-headers';
import { wholeTasks } from './whole-tasks';

/** Workflows that a person can answer: only updates meet the problems below. */
const ANSWERED: ReadonlySet<string> = new Set([
  'furnitureShipment',
  'ltlShipment',
  'accountPause',
  'lateEvent',
]);

/**
 * Activations that must see the same time on replay. Signals to other workflows are left out: they decide nothing by
 * the clock.
 */
const RECEIVED = ['signalWorkflow', 'resolveActivity', 'fireTimer', 'cancelWorkflow'] as const;

/** Activations that issue other commands when an update comes before them than when it comes after. */
const ORDERED = [...RECEIVED, 'resolveSignalExternalWorkflow', 'resolveChildWorkflowExecutionStart'] as const;

/** The end of one task, and the scheduling and start of the next. */
const EVENTS_BETWEEN_TASKS = 3;

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];
type Command = ConcludeActivationOutput['commands'][number];
/** The SDK can take other commands back within the same task. */
const leavesEvent = ({ modifyWorkflowProperties, upsertWorkflowSearchAttributes }: Command): boolean =>
  modifyWorkflowProperties != null || upsertWorkflowSearchAttributes != null;

/**
 * Repairs two ways in which the SDK replays updates differently from how it ran them. Each ends in a nondeterminism
 * error, and the shipment then stands still for ever.
 *
 * 1. A workflow task that receives something and issues no command leaves nothing between its end and the next task.
 * If the next task brings an update, and the workflow is no longer in a worker's cache, the SDK replays the two tasks
 * as one, and later as two (temporalio/sdk-rust#1146, open as of 2026-11-28). Then the first task's input gets
 * another time than before, and a window that was open is over. So no such task stays empty: the interceptor writes
 * the task's time to the memo.
 *
 * 2. A worker that has just started can receive a task in two parts: an event, then the update that came with it. On
 * replay both come together (temporalio/sdk-python#1591, open as of 2026-11-29). So the interceptor refuses such an
 * update, which leaves nothing in the history, and the sender sends it again. It detects the case by the length of
 * the history: between two tasks there are at least three events, plus one for each command that always leaves one.
 */
export function replayGuards(): WorkflowInterceptors {
  /** The current task, identified by the length of the history. */
  let task: number | null = null;
  let hasReceived = false;
  let isEmpty = true;
  /** The least history length at a task after the last one whose order matters. */
  let nextTaskFrom = 0;
  let isInTheMiddle = false;
  return {
    inbound: [
      {
        validateUpdate(input, next) {
          if (isInTheMiddle)
            throw ApplicationFailure.nonRetryable(
              'an event came at the same moment; repeat it',
              REPEAT_UPDATE,
            );
          next(input);
        },
      },
    ],
    internals: [
      {
        activate(input, next) {
          const { historyLength, jobs } = input.activation;
          if (historyLength !== task) {
            task = historyLength ?? null;
            isEmpty = true;
          }
          const length = historyLength ?? 0;
          isInTheMiddle = length < nextTaskFrom;
          const has = (kinds: readonly (keyof Job)[]): boolean =>
            (jobs ?? []).some((job) => kinds.some((kind) => job[kind] != null));
          hasReceived ||= has(RECEIVED);
          next(input);
          if (has(ORDERED)) nextTaskFrom = length + EVENTS_BETWEEN_TASKS;
        },
        concludeActivation(input, next) {
          const { commands } = next(input);
          nextTaskFrom += commands.filter(leavesEvent).length;
          // An update that its validator refused leaves nothing in the history.
          if (commands.some(({ updateResponse }) => updateResponse?.rejected == null)) isEmpty = false;
          const isToBeFilled = hasReceived && isEmpty;
          hasReceived = false;
          if (!isToBeFilled) return { commands };
          isEmpty = false;
          const fields = { heardAt: defaultPayloadConverter.toPayload(new Date().toISOString()) };
          return { commands: [...commands, { modifyWorkflowProperties: { upsertedMemo: { fields } } }] };
        },
      },
    ],
  };
}

export const interceptors: WorkflowInterceptorsFactory = () => {
  const { inbound = [], outbound } = traceHeaders();
  const guards = ANSWERED.has(workflowInfo().workflowType) ? replayGuards() : {};
  return {
    inbound: [...inbound, ...(guards.inbound ?? [])],
    outbound,
    // First: what it refuses does not reach the guards.
    internals: [wholeTasks(), ...(guards.internals ?? [])],
  };
};
