import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils';
import { SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../../contract/task-queue';

/** Which open workflows are looked at. */
export interface Choice {
  /** A filter in Temporal's visibility language, beside that they are open and of this project. */
  readonly query?: string | undefined;
  /** How many, the newest first; all when left out. */
  readonly limit?: number | undefined;
}

/** An open workflow and what it has done so far. */
export interface OpenHistory {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** Null when Temporal forgot it since it was listed. */
  readonly history: History | null;
}

/** A history takes one call and more; so many are on their way while one is replayed. */
const AHEAD = 8;

/** Every workflow of this project is on one of these queues, whatever its type. */
export function openQuery({ query }: Choice): string {
  const ours = `ExecutionStatus = 'Running' AND TaskQueue IN ('${SHIPMENTS_QUEUE}', '${UNROUTED_EVENTS_QUEUE}')`;
  return query === undefined ? ours : `${ours} AND (${query})`;
}

/** The open workflows with their histories, each fetched a little before it is asked for. */
export async function* openHistories(client: Client, choice: Choice): AsyncGenerator<OpenHistory> {
  const ahead: Promise<OpenHistory>[] = [];
  let left = choice.limit ?? Number.POSITIVE_INFINITY;
  for await (const listed of client.workflow.list({ query: openQuery(choice) })) {
    if (left === 0) break;
    left -= 1;
    const fetched = fetch(client, listed);
    // Whoever awaits it hears of its failure; until then it must not count as one that nobody hears.
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
