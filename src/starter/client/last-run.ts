import {
  QueryNotRegisteredError,
  ServiceError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { ApplicationFailure, type QueryDefinition } from '@temporalio/common';
import { FailureType } from '../../domain/failure-type';
import { listOfIds, parseWithdrawal, type Withdrawal } from '../../domain/shipment-result';
import type { ShipmentState } from '../../domain/shipment-state';
import { shipmentStateQuery } from '../../contract/messages';
import { messageOf } from '../../platform/message-of';

/** The last run of an order, as far as it matters for its next start. */
export interface LastRun {
  /** `withdrawn`: by a person or by Temporal's cancel. `endedUnclearly`: a booking may exist. */
  readonly kind: 'open' | 'delivered' | 'failedBeforeBooking' | 'withdrawn' | 'endedUnclearly';
  /** Temporal's word for it. */
  readonly status: string;
  readonly runId: string;
  /** Before it continued as a new run, if it did. */
  readonly firstRunId: string;
  /** The request that started it, if that had an idempotency key. */
  readonly startedBy: { readonly key: string; readonly outcome: 'started' | 'restarted' } | null;
  readonly documentHash: string | null;
  readonly withdrawal: Withdrawal | null;
  /** The listings that it knew. The next run reads them before it books. */
  readonly listingIds: readonly string[];
}

export async function describeLast(
  client: Client,
  workflowId: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** @returns null when the order was never started, or Temporal has forgotten it */
export async function findLastRun(client: Client, workflowId: string): Promise<LastRun | null> {
  const found = await describeLast(client, workflowId);
  if (found === null) return null;
  const { memo, runId, status } = found;
  const hash = memo?.documentHash;
  return {
    kind: await kindOf(client, workflowId, found),
    ...{ status: status.name, runId },
    firstRunId: found.raw.workflowExecutionInfo?.firstRunId || runId,
    startedBy: parseStartedBy(memo?.startedBy),
    documentHash: typeof hash === 'string' ? hash : null,
    withdrawal: parseWithdrawal(memo?.withdrawn),
    listingIds: recordedListings(found),
  };
}

function parseStartedBy(memo: unknown): LastRun['startedBy'] {
  if (typeof memo !== 'object' || memo === null) return null;
  const { key, outcome }: Record<string, unknown> = { ...memo };
  return typeof key === 'string' && (outcome === 'started' || outcome === 'restarted')
    ? { key, outcome }
    : null;
}

async function kindOf(
  client: Client,
  workflowId: string,
  found: WorkflowExecutionDescription,
): Promise<LastRun['kind']> {
  switch (found.status.name) {
    case 'COMPLETED':
      return parseWithdrawal(found.memo?.withdrawn) === null ? 'delivered' : 'withdrawn';
    case 'CANCELLED':
      return 'withdrawn';
    case 'FAILED': {
      const failure = await failureOf(client, workflowId, found);
      return failure?.type === FailureType.FailedBeforeBooking ? 'failedBeforeBooking' : 'endedUnclearly';
    }
    case 'TERMINATED':
    case 'TIMED_OUT':
      return 'endedUnclearly';
    default:
      // Running, paused, or about to continue as a new run.
      return 'open';
  }
}

/** The listings that a run knew, each once. They are in its memo, so no worker is needed. */
export function recordedListings({
  memo,
  searchAttributes,
}: Pick<WorkflowExecutionDescription, 'memo' | 'searchAttributes'>): readonly string[] {
  const ofWithdrawal = parseWithdrawal(memo?.withdrawn)?.listingIds ?? [];
  const all = [...listOfIds(memo?.listingIds), ...ofWithdrawal, ...listOfIds(searchAttributes.ListingId)];
  return [...new Set(all)];
}

/** The state of a run, also after its end; null while no worker answers. */
export async function stateOf(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<ShipmentState | null> {
  return await answerOf(client, { workflowId, runId }, shipmentStateQuery);
}

/** What a worker answers for a workflow; null when none does. */
export async function answerOf<T>(
  client: Client,
  { workflowId, runId }: { readonly workflowId: string; readonly runId?: string },
  query: QueryDefinition<T>,
  patienceMs = 3_000,
): Promise<T | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const deadline = Date.now() + patienceMs;
  const ask = async (): Promise<T> => await client.withDeadline(deadline, () => handle.query(query));
  try {
    // A worker that has just started refuses a query that comes before the workflow's next task, but only once.
    return await ask().catch(async (error: unknown) => {
      if (error instanceof QueryNotRegisteredError) return await ask();
      throw error;
    });
  } catch (error) {
    // Only a worker can answer a query. Without one, or when it cannot answer (the SDK calls every refused query "not
    // registered"), the state is unknown. That is not a failure of the shipment.
    if (error instanceof ServiceError || error instanceof QueryNotRegisteredError) return null;
    throw error;
  }
}

/** Why a run failed or was cancelled; null for any other. */
export async function failureOf(
  client: Client,
  workflowId: string,
  { status, runId }: WorkflowExecutionDescription,
): Promise<{ readonly type: string | null; readonly message: string } | null> {
  if (status.name !== 'FAILED' && status.name !== 'CANCELLED') return null;
  try {
    await client.workflow.getHandle(workflowId, runId).result();
    return null;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const type = cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
    return { type, message: messageOf(cause) };
  }
}
