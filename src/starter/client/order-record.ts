import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { ShipmentState } from '../../domain/shipment-state';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';
import { notFound } from './errors';
import { KeptPayloads } from './kept-payloads';
import { stateOf } from './last-run';
import { isPolled } from './pollers';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
export type Description = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;

/** Everything that Temporal keeps of an order, still encoded: the payloads that this process can decode are readable. */
export interface OrderRecord {
  readonly order: OrderKey;
  readonly description: Description;
  /** The events of the last run and of the runs that it continues, oldest run first. */
  readonly runs: readonly (readonly HistoryEvent[])[];
  /** False when earlier runs exist that Temporal has forgotten, or that are too many to read. */
  readonly isWhole: boolean;
  /** By name; undefined when a field cannot be decoded. */
  readonly memo: Readonly<Record<string, unknown>>;
  readonly searchAttributes: Readonly<Record<string, unknown>>;
  /** Null while no worker answers, or when its answer cannot be decoded. */
  readonly state: ShipmentState | null;
  readonly payloads: KeptPayloads;
}

/** A run has thousands of events before it continues as a new one, so these cover months. */
const MOST_RUNS = 20;
const NOT_FOUND = 5;

/** Reads what Temporal keeps of an order. Needs no worker and no key. @throws ShipmentNotFoundError */
export async function readOrderRecord(client: Client, order: OrderKey): Promise<OrderRecord> {
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  const payloads = new KeptPayloads(client.options.loadedDataConverter);
  const description = await unlessForgotten(
    async () =>
      await client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId },
      }),
  );
  const info = description?.workflowExecutionInfo;
  const runId = info?.execution?.runId;
  if (description === null || typeof runId !== 'string') throw notFound(order);
  const [history, hasWorker] = await Promise.all([
    readRuns(client, workflowId, runId),
    isPolled(client, { name: SHIPMENTS_QUEUE, kind: 'workflow' }),
  ]);
  return {
    ...{ order, description, payloads, ...history },
    memo: await payloads.readMemo(info?.memo?.fields),
    searchAttributes: await payloads.readAttributes(info?.searchAttributes?.indexedFields),
    state: hasWorker === false ? null : await decodedState(client, payloads, { workflowId, runId }),
  };
}

async function decodedState(
  client: Client,
  payloads: KeptPayloads,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<ShipmentState | null> {
  const state = await payloads.attempt(async () => await stateOf(client, workflowId, runId));
  return state ?? null;
}

async function readRuns(
  client: Client,
  workflowId: string,
  lastRunId: string,
): Promise<Pick<OrderRecord, 'runs' | 'isWhole'>> {
  const runs: (readonly HistoryEvent[])[] = [];
  let runId = lastRunId;
  while (runId !== '' && runs.length < MOST_RUNS) {
    const id = runId;
    const history = await unlessForgotten(
      async () => await client.workflow.getHandle(workflowId, id).fetchHistory(),
    );
    if (history === null) break;
    const events = history.events ?? [];
    runs.unshift(events);
    runId = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  }
  return { runs, isWhole: runId === '' };
}

async function unlessForgotten<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code === NOT_FOUND) return null;
    throw error;
  }
}

/** An activity that a workflow called, as its history shows it. */
export interface ActivityCall {
  readonly name: string;
  readonly scheduledAt: HistoryEvent['eventTime'];
  readonly input: Payload | null;
  /** Null while it is pending. */
  readonly end: HistoryEvent | null;
}

/** The activity calls of one run, by the id of the event that scheduled them. */
export function activityCalls(events: readonly HistoryEvent[]): ReadonlyMap<string, ActivityCall> {
  const calls = new Map<string, ActivityCall>();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled != null)
      calls.set(String(event.eventId), {
        name: scheduled.activityType?.name ?? '',
        scheduledAt: event.eventTime,
        input: scheduled.input?.payloads?.[0] ?? null,
        end: null,
      });
    const id = String(endOf(event)?.scheduledEventId);
    const call = calls.get(id);
    if (call !== undefined) calls.set(id, { ...call, end: event });
  }
  return calls;
}

const endOf = (event: HistoryEvent) =>
  event.activityTaskCompletedEventAttributes ??
  event.activityTaskFailedEventAttributes ??
  event.activityTaskTimedOutEventAttributes ??
  event.activityTaskCanceledEventAttributes;
