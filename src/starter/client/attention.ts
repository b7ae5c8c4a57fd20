import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { marketplaceQueue, SHIPMENTS_QUEUE } from '../../contract/task-queue';
import { byCodeUnits } from '../../domain/text-order';
import type { OrderKey } from '../../domain/workflow-id';
import { mapAtOnce } from '../../platform/at-once';
import { EncryptionKeyError } from '../../temporal/encryption/payload-codec';
import { failingCalls, failingReads, type FailingCall } from './failing-calls';
import { describeRun } from './list-runs';
import { findWorkers } from './pollers';
import { stuckEndpoints, type StuckEndpoint } from './notifications';
import { countShipments, listShipments, type ShipmentSummary } from './list-shipments';
import { ENDED_BY_TEMPORAL, findUnclearEnd } from './unclear-ends';

const { PendingActivityState, PendingWorkflowTaskState } = temporal.api.enums.v1;
const OPEN = "ExecutionStatus = 'Running'";
/** Temporal sets the attribute while a workflow's task fails repeatedly, and removes it once the task passes. */
const REPORTED = 'NeedsAttention = true OR TemporalReportedProblems IS NOT NULL';
const AT_ONCE = 20;

/** Why a shipment needs a person. */
export type AttentionReason =
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'taskFailure'; readonly text: string }
  /** Temporal ended it, and a booking may exist. */
  | { readonly kind: 'endedUnclearly'; readonly text: string }
  /** What Temporal keeps of it cannot be decrypted. */
  | { readonly kind: 'undecryptable'; readonly text: string }
  /** The marketplace's record has been unreadable since then. */
  | { readonly kind: 'unreadable'; readonly text: string; readonly since: string };

/** A shipment that needs a person, with every reason. */
export interface AttentionEntry {
  readonly shipment: ShipmentSummary;
  readonly reasons: readonly AttentionReason[];
}

/** A task queue whose tasks no worker takes: one line instead of one for each waiting shipment. */
export interface StuckQueue {
  readonly queue: string;
  /** How many workers poll it and get its tasks; null when the server does not report it. */
  readonly workers: number | null;
  /** The build that gets its tasks; null: unversioned workers. */
  readonly build: string | null;
  /** How many of the checked shipments wait for it. */
  readonly shipments: number;
  /** When the first of them began to wait. */
  readonly since: string;
}

/** Everything that needs a person. */
export interface AttentionReport {
  readonly entries: readonly AttentionEntry[];
  readonly queues: readonly StuckQueue[];
  /** Calls that the marketplace keeps failing. */
  readonly calls: readonly FailingCall[];
  /** Endpoints that accept no notifications. */
  readonly endpoints: readonly StuckEndpoint[];
  /** Open shipments whose tasks were checked; older ones are found only by their question or failures. */
  readonly looked: number;
  /** All open shipments. */
  readonly open: number;
}

/** What is searched for needs, and how far. */
export interface AttentionOptions {
  /** A filter in Temporal's visibility language. */
  readonly query?: string | undefined;
  /** How many of the newest open shipments are checked for tasks that no worker takes. */
  readonly limit?: number;
  /** How long a task may wait for a worker, and how long a call may fail. Milliseconds. */
  readonly patienceMs?: number;
}

const FIVE_MINUTES_MS = 300_000;

type DescribedRun = Awaited<ReturnType<typeof describeRun>>;

/**
 * Everything that needs a person: open questions, workflows whose tasks fail, unreadable records, shipments that
 * Temporal ended, queues without a worker, calls and endpoints that fail. Reads only Temporal, and needs no worker. It
 * includes late events that ask a person, but no quotes.
 */
export async function findAttention(
  client: Client,
  { query, limit = 500, patienceMs = FIVE_MINUTES_MS }: AttentionOptions = {},
): Promise<AttentionReport> {
  const only = (choice: string): string => (query === undefined ? choice : `${choice} AND (${query})`);
  const open = only(OPEN);
  const [reported, newest, ended, count, endpoints] = await Promise.all([
    listShipments(client, { query: `${open} AND (${REPORTED})`, limit }),
    listShipments(client, { query: open, limit }),
    listShipments(client, { query: only(ENDED_BY_TEMPORAL), limit }),
    countShipments(client, open),
    stuckEndpoints(client, { query, limit }),
  ]);
  const now = Date.now();
  const looks = await mapAtOnce(newestOfEach([...newest, ...reported]), AT_ONCE, async (shipment) => {
    const found = await describeRun(client, shipment.workflowId);
    const reads = failingReads(shipment.account, found, patienceMs);
    return { shipment, reasons: reasonsOf(shipment, found), waits: waitsOf(shipment, found), reads };
  });
  const ends = await mapAtOnce(newestOfEach(ended), AT_ONCE, async (shipment) => {
    return { shipment, reasons: await reasonsOfEnd(client, shipment) };
  });
  const waits = looks.map((look) => look.waits.filter(({ at }) => at <= now - patienceMs));
  return {
    entries: [...looks, ...ends].flatMap(({ shipment, reasons }) =>
      reasons.length === 0 ? [] : [{ shipment, reasons }],
    ),
    queues: await stuckQueues(client, waits),
    calls: await failingCalls(
      client,
      looks.map(({ reads }) => reads),
    ),
    endpoints,
    looked: looks.length,
    open: count,
  };
}

function newestOfEach(summaries: readonly ShipmentSummary[]): readonly ShipmentSummary[] {
  const newestFirst = summaries.toSorted((a, b) => byCodeUnits(b.startedAt, a.startedAt));
  // A map keeps the last of each.
  const byId = new Map(newestFirst.toReversed().map((summary) => [summary.workflowId, summary]));
  return [...byId.values()].toReversed();
}

function reasonsOf(
  { needsAttention }: ShipmentSummary,
  { status, searchAttributes, memo, undecryptable }: DescribedRun,
): AttentionReason[] {
  // It has ended since it was listed.
  if (status.name !== 'RUNNING') return [];
  const problems = searchAttributes.TemporalReportedProblems ?? [];
  const since = memo?.unreadableSince;
  const asked = typeof memo?.waitingFor === 'string' ? memo.waitingFor : null;
  const reasons: AttentionReason[] = undecryptable === null ? [] : [undecryptableBecause(undecryptable)];
  // The shipment sets it after the policy's `unreadableAfter`.
  if (typeof since === 'string')
    reasons.push({
      kind: 'unreadable',
      text: asked ?? "the marketplace's record cannot be read",
      since,
    });
  else if (needsAttention) reasons.push({ kind: 'question', text: asked ?? 'a person' });
  if (problems.length > 0)
    reasons.push({ kind: 'taskFailure', text: `workflow tasks fail: ${problems.map(String).join(', ')}` });
  return reasons;
}

const undecryptableBecause = (text: string): AttentionReason => ({ kind: 'undecryptable', text });

async function reasonsOfEnd(client: Client, order: OrderKey): Promise<AttentionReason[]> {
  try {
    const end = await findUnclearEnd(client, order);
    return end === null ? [] : [{ kind: 'endedUnclearly', text: end.text }];
  } catch (error) {
    if (!(error instanceof EncryptionKeyError)) throw error;
    return [undecryptableBecause(`Temporal ended it; what it keeps cannot be decrypted, ${error.problem}`)];
  }
}

/** A task that waits for a worker. */
interface Wait {
  readonly queue: string;
  readonly at: number;
}

function waitsOf(
  { account }: ShipmentSummary,
  { status, searchAttributes, raw }: DescribedRun,
): readonly Wait[] {
  if (status.name !== 'RUNNING') return [];
  const activities = (raw.pendingActivities ?? [])
    .filter(({ state }) => state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED)
    .map(({ scheduledTime, activityOptions }) => ({
      queue: activityOptions?.taskQueue?.name ?? marketplaceQueue(account),
      at: optionalTsToMs(scheduledTime) ?? Number.NaN,
    }));
  const task = raw.pendingWorkflowTask;
  const isWaiting = task?.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED;
  // A failed task waits for its next attempt, and is reported as a failure.
  if (!isWaiting || (searchAttributes.TemporalReportedProblems ?? []).length > 0) return activities;
  const at = optionalTsToMs(task.originalScheduledTime ?? task.scheduledTime) ?? Number.NaN;
  return [{ queue: SHIPMENTS_QUEUE, at }, ...activities];
}

/** @param waits of each shipment */
async function stuckQueues(client: Client, waits: readonly (readonly Wait[])[]): Promise<StuckQueue[]> {
  const names = [...new Set(waits.flat().map(({ queue }) => queue))].toSorted();
  return await mapAtOnce(names, AT_ONCE, async (queue) => {
    const own = waits.map((ofShipment) => ofShipment.filter((wait) => wait.queue === queue));
    const kind = queue === SHIPMENTS_QUEUE ? 'workflow' : 'activity';
    const found = await findWorkers(client, { name: queue, kind });
    return {
      queue,
      workers: found?.serving.length ?? null,
      build: found?.current ?? null,
      shipments: own.filter((ofShipment) => ofShipment.length > 0).length,
      since: new Date(Math.min(...own.flat().map(({ at }) => at))).toISOString(),
    };
  });
}
