import type { FastifyInstance } from 'fastify';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** What a process does for its work to show in traces. Without an endpoint it does nothing, and loads nothing. */
export interface Tracing {
  /** For the client of Temporal. */
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  /** For workers that run activities. */
  readonly activityInterceptors: readonly ActivityInterceptorsFactory[];
  /** Of a log line: the trace in which it is written. */
  logFields(): { readonly traceId?: string };
  /** The trace of the activity that runs now, as the header of that name; the same for each attempt. Null: none. */
  traceparent(): string | null;
  /** Each request becomes a part of its caller's trace, or begins one. Call it before anything else adds hooks. */
  serve(server: Pick<FastifyInstance, 'addHook'>): void;
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}
