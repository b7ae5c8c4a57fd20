import type { Client } from '@temporalio/client';
import { SHIPMENTS_FILTER } from '../../contract/search-attributes';
import {
  parseAccountPauseWorkflowId,
  parseLateEventWorkflowId,
  parseShipmentWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';
import { describeRun, listRuns, type ReadRun } from './list-runs';
import { visibilityPage } from './visibility-page';

/** One line of a list. */
export interface ShipmentSummary {
  readonly workflowId: string;
  readonly account: string;
  readonly orderId: string;
  readonly kind: string | null;
  readonly phase: string | null;
  readonly status: string;
  readonly needsAttention: boolean;
  readonly listingId: string | null;
  /** What it waits for, since when, until when, and what a person may do; or why that cannot be decrypted. */
  readonly waitingFor: string | null;
  /** Only what it waits for, cut to a column. */
  readonly waitsFor: string | null;
  /** When the order was placed, however often it has continued as a new run since. */
  readonly startedAt: string;
}

/** Which shipments a list contains. */
export interface ListOptions {
  /** A filter in Temporal's visibility language, such as `ShipmentPhase = 'booked'`. */
  readonly query?: string | undefined;
  /** The maximum number of orders; 50 by default. */
  readonly limit?: number | undefined;
}

/** Which part of the list. */
export interface PageOptions extends ListOptions {
  /** The `next` of the part before; the first part without it. */
  readonly cursor?: string | undefined;
}

/** A part of the list. */
export interface ShipmentPage {
  /** May be fewer than the limit, even none, although a next part exists. */
  readonly shipments: readonly ShipmentSummary[];
  /** Where the next part begins; null after the last one. */
  readonly next: string | null;
}

/** Each order once, by its last run, newest first. */
export async function listShipments(
  client: Client,
  { query, limit = 50 }: ListOptions = {},
): Promise<ShipmentSummary[]> {
  const summaries: ShipmentSummary[] = [];
  for await (const summary of eachShipment(client, query)) {
    summaries.push(summary);
    if (summaries.length >= limit) break;
  }
  return summaries;
}

/** As `listShipments`, page by page. `query` as there. */
export async function* eachShipment(
  client: Client,
  query: string | undefined,
): AsyncGenerator<ShipmentSummary, void, void> {
  const listed = new Set<string>();
  const found = listRuns(client, { query: `${shipmentsThat(query)} AND ${LAST_RUNS}`, pageSize: 100 });
  for await (const run of found) {
    const summary = toSummary(run);
    // The newest run of an order comes first, and represents it.
    if (summary === null || listed.has(summary.workflowId)) continue;
    listed.add(summary.workflowId);
    yield summary;
  }
}

/** A part of the list. */
export async function shipmentPage(
  client: Client,
  { query, limit = 50, cursor }: PageOptions = {},
): Promise<ShipmentPage> {
  const wanted = `${shipmentsThat(query)} AND ${LAST_RUNS}`;
  const { runs, next } = await visibilityPage(client, wanted, { limit, cursor });
  const last = await Promise.all(runs.map(async (run) => ((await isLastRun(client, run)) ? run : null)));
  return { shipments: last.flatMap((run) => (run === null ? [] : (toSummary(run) ?? []))), next };
}

/** Only a run that ended without a delivery may have a later one, which may be in another part of the list. */
async function isLastRun(client: Client, { workflowId, runId, status, memo }: ReadRun) {
  if (status.name === 'RUNNING' || (status.name === 'COMPLETED' && memo?.withdrawn === undefined))
    return true;
  return (await describeRun(client, workflowId)).runId === runId;
}

/** @returns null when it is no shipment, and asks nothing */
function toSummary({
  workflowId,
  searchAttributes,
  memo,
  status,
  startTime,
  undecryptable,
}: ReadRun): ShipmentSummary | null {
  const order = orderOfWorkflow(workflowId);
  if (order === null) return null;
  const first = (name: string): string | null => textOf(searchAttributes[name]?.[0]);
  return {
    workflowId,
    ...{ account: order.account, orderId: order.orderId },
    kind: first('ShipmentKind'),
    phase: first('ShipmentPhase'),
    status: status.name,
    needsAttention: searchAttributes.NeedsAttention?.[0] === true,
    listingId: first('ListingId'),
    waitingFor: textOf(memo?.waitingFor) ?? undecryptable,
    waitsFor: textOf(memo?.waitsFor) ?? undecryptable,
    startedAt: textOf(memo?.placedAt) ?? startTime.toISOString(),
  };
}

/** The number of shipments. `query` as in `listShipments`. */
export async function countShipments(client: Client, query?: string): Promise<number> {
  return (await client.workflow.count(shipmentsThat(query))).count;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A run that continued as a new run is not the current one of its order. */
const LAST_RUNS = "ExecutionStatus != 'ContinuedAsNew'";

function shipmentsThat(query: string | undefined): string {
  // Late events and account pauses that need a person are listed beside the shipments, or nobody would see them.
  const asking =
    "(WorkflowType IN ('lateEvent', 'accountPause') AND ExecutionStatus = 'Running' AND NeedsAttention = true)";
  const base = `(${SHIPMENTS_FILTER} OR ${asking})`;
  return query === undefined ? base : `${base} AND (${query})`;
}

const orderOfWorkflow = (workflowId: string): OrderKey | null =>
  parseShipmentWorkflowId(workflowId) ??
  parseLateEventWorkflowId(workflowId) ??
  parseAccountPauseWorkflowId(workflowId);
