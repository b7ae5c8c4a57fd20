import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { marketplaceQueue, SHIPMENTS_QUEUE } from '../domain/task-queue';
import { byCodeUnits } from '../domain/text-order';
import type { ShipmentClient, ShipmentSummary } from './shipment-client';

const { PendingActivityState, PendingWorkflowTaskState } = temporal.api.enums.v1;
const OPEN = "ExecutionStatus = 'Running'";
/** Temporal sets the attribute while a workflow's task fails again and again, and takes it back once it passes. */
const TOLD = 'NeedsAttention = true OR TemporalReportedProblems IS NOT NULL';
const AT_ONCE = 20;

export type AttentionReason =
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'taskFailure'; readonly text: string }
  | { readonly kind: 'noWorker'; readonly text: string; readonly since: string };

export interface AttentionEntry {
  readonly shipment: ShipmentSummary;
  readonly reasons: readonly AttentionReason[];
}

export interface AttentionReport {
  readonly entries: readonly AttentionEntry[];
  /** Open shipments whose tasks were looked at; older ones are only found by their question or failures. */
  readonly looked: number;
  /** All open shipments. */
  readonly open: number;
}

export interface AttentionOptions {
  /** A filter in Temporal's visibility language. */
  readonly query?: string | undefined;
  /** How many of the newest open shipments are looked at for tasks that no worker takes. */
  readonly limit?: number;
  /** How long a task may wait for a worker. Milliseconds. */
  readonly patienceMs?: number;
}

const FIVE_MINUTES_MS = 300_000;

/**
 * Everything that needs a person: open questions, workflows whose tasks fail, tasks that no worker takes. Reads what
 * Temporal holds, so that it also tells while no worker is up. Late events that ask are among it, quotes are not.
 */
export async function findAttention(
  client: Client,
  shipments: ShipmentClient,
  { query, limit = 500, patienceMs = FIVE_MINUTES_MS }: AttentionOptions = {},
): Promise<AttentionReport> {
  const open = query === undefined ? OPEN : `${OPEN} AND (${query})`;
  const [told, newest, count] = await Promise.all([
    shipments.list({ query: `${open} AND (${TOLD})`, limit }),
    shipments.list({ query: open, limit }),
    shipments.count(open),
  ]);
  const byId = new Map([...newest, ...told].map((summary) => [summary.workflowId, summary]));
  const summaries = [...byId.values()].toSorted((a, b) => byCodeUnits(b.startedAt, a.startedAt));
  const entries: AttentionEntry[] = [];
  for (let from = 0; from < summaries.length; from += AT_ONCE) {
    const part = summaries.slice(from, from + AT_ONCE).map(async (shipment) => {
      const found = await client.workflow.getHandle(shipment.workflowId).describe();
      return { shipment, reasons: reasonsOf(shipment, found, Date.now() - patienceMs) };
    });
    entries.push(...(await Promise.all(part)).filter(({ reasons }) => reasons.length > 0));
  }
  return { entries, looked: summaries.length, open: count };
}

function reasonsOf(
  { account, needsAttention, waitingFor }: ShipmentSummary,
  { status, searchAttributes, raw }: WorkflowExecutionDescription,
  tooLongAgo: number,
): AttentionReason[] {
  // It ended since it was listed.
  if (status.name !== 'RUNNING') return [];
  const problems = searchAttributes.TemporalReportedProblems ?? [];
  const activities = (raw.pendingActivities ?? [])
    .filter(({ state }) => state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED)
    .map(({ activityType, scheduledTime }) => ({
      what: `activity ${activityType?.name ?? '?'}`,
      at: optionalTsToMs(scheduledTime) ?? Number.NaN,
      queue: marketplaceQueue(account),
    }));
  const task = raw.pendingWorkflowTask;
  const isWaiting = task?.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED;
  const at = optionalTsToMs(task?.originalScheduledTime ?? task?.scheduledTime) ?? Number.NaN;
  // A task that failed waits for its next attempt, which is told as a failure.
  const tasks =
    isWaiting && problems.length === 0 ? [{ what: 'the workflow task', at, queue: SHIPMENTS_QUEUE }] : [];
  return [
    ...(needsAttention ? [{ kind: 'question' as const, text: waitingFor ?? 'a person' }] : []),
    ...(problems.length === 0
      ? []
      : [{ kind: 'taskFailure' as const, text: `workflow tasks fail: ${problems.map(String).join(', ')}` }]),
    ...[...tasks, ...activities]
      .filter((waiting) => waiting.at <= tooLongAgo)
      .map(({ what, at: since, queue }) => ({
        kind: 'noWorker' as const,
        text: `no worker takes ${what} of queue ${queue}`,
        since: new Date(since).toISOString(),
      })),
  ];
}
