import {
  ApplicationFailure,
  defaultPayloadConverter,
  workflowInfo,
  type ConcludeActivationOutput,
  type WorkflowInterceptors,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { REPEAT_UPDATE } from '../contract/messages';

/** Those that a person answers: only updates meet what is repaired here. */
const ANSWERED: ReadonlySet<string> = new Set([
  'furnitureShipment',
  'ltlShipment',
  'accountPause',
  'lateEvent',
]);

/** What a task can hear that has to be heard at the same time again. Whoever signals others reads no clock by it. */
const HEARD = ['signalWorkflow', 'resolveActivity', 'fireTimer', 'cancelWorkflow'] as const;

/** The end of a task, and that the next one is scheduled and started. */
const EVENTS_BETWEEN_TASKS = 3;

type Command = ConcludeActivationOutput['commands'][number];
/** Others can be taken back in the same task. */
const leavesEvent = ({ modifyWorkflowProperties, upsertWorkflowSearchAttributes }: Command): boolean =>
  modifyWorkflowProperties != null || upsertWorkflowSearchAttributes != null;

/**
 * Two ways in which the SDK replays updates otherwise than it ran them. Each ends with a nondeterminism error, and the
 * shipment stands still for ever.
 *
 * A workflow task that hears something and has no command leaves nothing between its end and the next task. When that one
 * brings an update and the workflow is not in a worker's memory any more, the SDK replays the two as one task, and later
 * as the two that they were (temporalio/sdk-rust#1146, open as of 2026-11-28). What the first one heard then has another
 * time than before: a window that was open is over. So no such task is left empty: it writes in the memo when it was.
 *
 * A worker that has just started can be given a task in two parts: an event, and then the update that came with it. When
 * the task is replayed, both come together (temporalio/sdk-python#1591, open as of 2026-11-29). So such an update is
 * refused, which leaves nothing in the history; whoever sent it sends it again. It is recognised by the length of the
 * history: between two tasks there are at least three events, and one for each command that always leaves one.
 */
export function replayGuards(): WorkflowInterceptors {
  /** Of the task that is under way, told by the length of the history. */
  let task: number | null = null;
  let hasHeard = false;
  let isEmpty = true;
  /** The least length of the history at a task that comes after the one which heard something last. */
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
          const hears = (jobs ?? []).some((job) => HEARD.some((kind) => job[kind] != null));
          hasHeard ||= hears;
          next(input);
          if (hears) nextTaskFrom = length + EVENTS_BETWEEN_TASKS;
        },
        concludeActivation(input, next) {
          const { commands } = next(input);
          nextTaskFrom += commands.filter(leavesEvent).length;
          // One that its validator refused leaves nothing in the history.
          if (commands.some(({ updateResponse }) => updateResponse?.rejected == null)) isEmpty = false;
          const isToBeFilled = hasHeard && isEmpty;
          hasHeard = false;
          if (!isToBeFilled) return { commands };
          isEmpty = false;
          const fields = { heardAt: defaultPayloadConverter.toPayload(new Date().toISOString()) };
          return { commands: [...commands, { modifyWorkflowProperties: { upsertedMemo: { fields } } }] };
        },
      },
    ],
  };
}

export const interceptors: WorkflowInterceptorsFactory = () =>
  ANSWERED.has(workflowInfo().workflowType) ? replayGuards() : {};
