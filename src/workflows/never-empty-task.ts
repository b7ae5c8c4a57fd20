import {
  defaultPayloadConverter,
  workflowInfo,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';

/** Those that a person answers: only updates are met by what is mended here. */
const ANSWERED: ReadonlySet<string> = new Set([
  'furnitureShipment',
  'ltlShipment',
  'accountPause',
  'lateEvent',
]);

/** What a task can hear that has to be heard at the same time again. Whoever signals others reads no clock by it. */
const HEARD = ['signalWorkflow', 'resolveActivity', 'fireTimer', 'cancelWorkflow'] as const;

/**
 * A workflow task that hears something and has no command leaves nothing between its end and the next task. When that one
 * brings an update and the workflow is not in a worker's memory any more, the SDK replays the two as one task, and later
 * as the two that they were (temporalio/sdk-rust#1146, open as of 2026-11-28). What the first one heard then has another
 * time than before: a window that was open is over, and a shipment stands still with a nondeterminism error, for ever.
 * So no such task is left empty: it writes in the memo when it was.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  if (!ANSWERED.has(workflowInfo().workflowType)) return {};
  /** Of the task that is under way, told by the length of the history. */
  let task: number | null = null;
  let hasHeard = false;
  let isEmpty = true;
  return {
    internals: [
      {
        activate(input, next) {
          const { historyLength, jobs } = input.activation;
          if (historyLength !== task) {
            task = historyLength ?? null;
            isEmpty = true;
          }
          hasHeard ||= (jobs ?? []).some((job) => HEARD.some((kind) => job[kind] != null));
          next(input);
        },
        concludeActivation(input, next) {
          const { commands } = next(input);
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
};
