import type {
  ActivateInput,
  ConcludeActivationOutput,
  WorkflowInternalsInterceptor,
} from '@temporalio/workflow';

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];
type Command = ConcludeActivationOutput['commands'][number];

/** The end of one task, and the scheduling and start of the next. */
const EVENTS_BETWEEN_TASKS = 3;

/** Events of the history. An update is none: a refused one leaves nothing, and the history gets shorter again. */
const isEvent = (job: Job): boolean =>
  [
    job.signalWorkflow,
    job.resolveActivity,
    job.fireTimer,
    job.cancelWorkflow,
    job.resolveSignalExternalWorkflow,
    job.resolveChildWorkflowExecutionStart,
    job.resolveChildWorkflowExecution,
  ].some((kind) => kind != null);

/** The SDK can take other commands back within the same task. */
const leavesEvent = ({ modifyWorkflowProperties, upsertWorkflowSearchAttributes }: Command): boolean =>
  modifyWorkflowProperties != null || upsertWorkflowSearchAttributes != null;

/** Identifies a workflow task; null when the server does not give its time. */
function taskOf({ timestamp, historySizeBytes }: ActivateInput['activation']): string | null {
  if (timestamp == null) return null;
  return `${String(timestamp.seconds)}.${timestamp.nanos ?? 0} ${String(historySizeBytes)}`;
}

/**
 * Refuses workflow tasks that come in two parts.
 *
 * A worker without the workflow in its cache can get a query before the next task. The SDK then first gives the workflow
 * all events that wait for the task, and with the task only what came later. On replay all of it comes together. A
 * workflow that issued commands for the first part can issue others then: a nondeterminism error, and it stands still
 * for ever (seen with SDK 1.24).
 *
 * 1. The first part is refused when the last task was given to the workflow: the history is longer, and no other task
 * has begun. This costs only the query: the SDK answers it with an error, and drops the workflow from its cache. The
 * task then comes as a whole. A query alone is not refused: the events that the last task left make the history longer
 * too.
 * 2. The SDK does not give the workflow a task without news for it, such as the end of an activity that the workflow
 * cancelled. After such a task the first part looks like a task. The second part is then refused, because less has
 * happened since the first one than between two tasks. The server then sends the task again, as a whole.
 */
export function wholeTasks(): WorkflowInternalsInterceptor {
  let task: string | null = null;
  let taskLength = 0;
  /** The length of the history at the last events, and the least length at a task after theirs. */
  let events = { at: 0, nextFrom: 0 };
  return {
    activate(input, next) {
      const current = taskOf(input.activation);
      const length = input.activation.historyLength ?? 0;
      const jobs = input.activation.jobs ?? [];
      const isQuery = jobs.every(({ queryWorkflow }) => queryWorkflow != null);
      if (current === null || current !== task) {
        task = current;
        taskLength = length;
      } else if (!isQuery && length > taskLength)
        throw new Error('the query came before the task that the newest events belong to; ask again');
      if (!isQuery && length > events.at && length < events.nextFrom)
        throw new Error(
          'a query came before this task and took its first events; it is tried again as a whole',
        );
      next(input);
      if (jobs.some(isEvent)) events = { at: length, nextFrom: length + EVENTS_BETWEEN_TASKS };
    },
    concludeActivation(input, next) {
      const output = next(input);
      events.nextFrom += output.commands.filter(leavesEvent).length;
      return output;
    },
  };
}
