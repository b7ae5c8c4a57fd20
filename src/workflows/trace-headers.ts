import type { WorkflowExecuteInput, WorkflowInterceptors } from '@temporalio/workflow';

/** Where OpenTelemetry's interceptors of clients and activities write a trace. */
const TRACE_HEADER = '_tracer-data';

type Headers = WorkflowExecuteInput['headers'];

/**
 * Hands the trace in which a run was started on to what the run starts: activities, other workflows, and its next run.
 *
 * OpenTelemetry's own interceptors of workflows do more, and change what a run does: they take numbers from its random
 * generator, and promises settle later. A history that was recorded without them may then not replay with them, nor the
 * other way round. Headers are no part of that comparison.
 */
export function traceHeaders(): Pick<WorkflowInterceptors, 'inbound' | 'outbound'> {
  let given: Headers = {};
  const withTrace = <T extends { readonly headers: Headers }>(input: T): T => ({
    ...input,
    headers: { ...input.headers, ...given },
  });
  // None of them is async: that would change the order in which promises settle.
  /* oxlint-disable typescript/promise-function-async */
  return {
    inbound: [
      {
        execute(input, next) {
          const trace = input.headers[TRACE_HEADER];
          if (trace !== undefined) given = { [TRACE_HEADER]: trace };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
  /* oxlint-enable typescript/promise-function-async */
}
