import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Counts for one order, over all of its runs. */
export interface HistoryCounts {
  readonly events: number;
  readonly kilobytes: number;
  readonly workflowTasks: number;
  readonly activities: number;
  readonly attempts: number;
  readonly signals: number;
  /** Events that publish the state: memo and search attributes. */
  readonly published: number;
  /** Events of timers. */
  readonly timers: number;
  readonly calls: number;
  /** By the public rules of Temporal Cloud; an estimate. */
  readonly actions: number;
}

export interface CountedOrder {
  readonly workflowId: string;
  /** Marketplace calls of the order, by the request log of the sandbox. */
  readonly calls: number;
  /** Activity attempts behind these calls. */
  readonly attempts: number;
}

export async function countHistory(client: Client, order: CountedOrder): Promise<HistoryCounts> {
  const runs = await runsOf(client, order.workflowId);
  const events = runs.flatMap((run) => run.events);
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const count = (is: (event: HistoryEvent) => unknown): number =>
    events.filter((event) => is(event) != null).length;
  const activities = count((event) => event.activityTaskScheduledEventAttributes);
  const attempts = attemptsOf(events, order);
  const signals = count((event) => event.workflowExecutionSignaledEventAttributes);
  const actions =
    // Start and continue-as-new.
    runs.length +
    signals +
    attempts +
    count((event) => event.timerStartedEventAttributes) +
    count((event) => event.workflowExecutionUpdateAcceptedEventAttributes) +
    count((event) => event.upsertWorkflowSearchAttributesEventAttributes) +
    // A write records one heartbeat before it is sent.
    count(({ activityTaskScheduledEventAttributes: begun }) =>
      begun?.retryPolicy?.maximumAttempts === 1 ? true : null,
    );
  const published =
    count((event) => event.workflowPropertiesModifiedEventAttributes) +
    count((event) => event.upsertWorkflowSearchAttributesEventAttributes);
  const timers =
    count((event) => event.timerStartedEventAttributes) +
    count((event) => event.timerFiredEventAttributes) +
    count((event) => event.timerCanceledEventAttributes);
  return {
    ...{ published, timers },
    ...{ events: events.length, kilobytes: bytes / 1_024, activities, attempts, signals, actions },
    workflowTasks: count((event) => event.workflowTaskStartedEventAttributes),
    calls: order.calls,
  };
}

interface Run {
  readonly events: readonly HistoryEvent[];
  readonly bytes: number;
}

/** Every run of the workflow, the last one first. */
async function runsOf(client: Client, workflowId: string, runId?: string): Promise<Run[]> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
  const events = history.events ?? [];
  const run = { events, bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0) };
  const before = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  return before === '' ? [run] : [run, ...(await runsOf(client, workflowId, before))];
}

/**
 * The history has the attempts of an activity only if its last attempt ended. For polls that were cancelled between two
 * attempts, the attempts are the marketplace calls that no other activity accounts for.
 */
function attemptsOf(events: readonly HistoryEvent[], { attempts }: CountedOrder): number {
  const started = events.flatMap(({ activityTaskStartedEventAttributes: begun }) => begun?.attempt ?? []);
  const known = started.reduce((sum, attempt) => sum + attempt, 0);
  const scheduled = events.filter((event) => event.activityTaskScheduledEventAttributes != null).length;
  const waiting = scheduled - started.length;
  return known + Math.max(waiting, Math.round(attempts) - known);
}
