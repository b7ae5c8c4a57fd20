import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils';
import { SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../../contract/task-queue';

/** Which open workflows are replayed. */
export interface Choice {
  /** A filter in Temporal's visibility language, added to the condition that they are open and of this project. */
  readonly query?: string | undefined;
  /** How many, newest first; default: all. */
  readonly limit?: number | undefined;
}

/** An open workflow and its history so far. */
export interface OpenHistory {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** Null when Temporal forgot it since it was listed. */
  readonly history: History | null;
}

/** How many histories are fetched ahead while one is replayed, because each takes one or more calls. */
const AHEAD = 8;

/** Every workflow of this project is on one of these queues, whatever its type. */
export function openQuery({ query }: Choice): string {
  const ours = `ExecutionStatus = 'Running' AND TaskQueue IN ('${SHIPMENTS_QUEUE}', '${UNROUTED_EVENTS_QUEUE}')`;
  return query === undefined ? ours : `${ours} AND (${query})`;
}

/** The open workflows with their histories, each fetched a little before it is needed. */
export async function* openHistories(client: Client, choice: Choice): AsyncGenerator<OpenHistory> {
  const ahead: Promise<OpenHistory>[] = [];
  let left = choice.limit ?? Number.POSITIVE_INFINITY;
  for await (const listed of client.workflow.list({ query: openQuery(choice) })) {
    if (left === 0) break;
    left -= 1;
    const fetched = fetch(client, listed);
    // The failure reaches the code that awaits this promise. Until then it must not count as unhandled.
    fetched.catch(() => null);
    ahead.push(fetched);
    if (ahead.length >= AHEAD) yield* first(ahead);
  }
  while (ahead.length > 0) yield* first(ahead);
}

async function* first(ahead: Promise<OpenHistory>[]): AsyncGenerator<OpenHistory> {
  const next = ahead.shift();
  if (next !== undefined) yield await next;
}

interface Listed {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
}

async function fetch(client: Client, { workflowId, runId, type }: Listed): Promise<OpenHistory> {
  const found = { workflowId, runId, type };
  try {
    return { ...found, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { ...found, history: null };
    throw error;
  }
}
