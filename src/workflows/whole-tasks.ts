import type { ActivateInput, WorkflowInternalsInterceptor } from '@temporalio/workflow';

/** Identifies a workflow task; null when the server does not give its time. */
function taskOf({ timestamp, historySizeBytes }: ActivateInput['activation']): string | null {
  if (timestamp == null) return null;
  return `${String(timestamp.seconds)}.${timestamp.nanos ?? 0} ${String(historySizeBytes)}`;
}

/**
 * Refuses events that reach a workflow before the task that they belong to.
 *
 * A worker without the workflow in its cache can get a query before the next task. The SDK then first gives the workflow
 * all events that wait for the task, and with the task only those that came later. On replay they come together. A
 * workflow that issued commands for the first ones can issue others then: a nondeterminism error, and it stands still
 * for ever (seen with SDK 1.24).
 *
 * The refusal costs only that query: the SDK answers it with an error, and drops the workflow from its cache. The task
 * then comes as a whole. Such events are detected by a history that is longer although no other task has begun. A query
 * alone is not refused: the events that the task itself left make the history longer too.
 */
export function wholeTasks(): WorkflowInternalsInterceptor {
  let task: string | null = null;
  let taskLength = 0;
  return {
    activate(input, next) {
      const current = taskOf(input.activation);
      const length = input.activation.historyLength ?? 0;
      const hasEvents = (input.activation.jobs ?? []).some(({ queryWorkflow }) => queryWorkflow == null);
      if (current === null || current !== task) {
        task = current;
        taskLength = length;
      } else if (hasEvents && length > taskLength)
        throw new Error('the query came before the task that the newest events belong to; ask again');
      next(input);
    },
  };
}
