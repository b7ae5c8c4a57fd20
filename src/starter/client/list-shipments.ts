import type { Client } from '@temporalio/client';
import {
  parseAccountPauseWorkflowId,
  parseLateEventWorkflowId,
  parseShipmentWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';

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
  /** What it waits for, since when, until when, and what a person may do. */
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
  const found = client.workflow.list({ query: `${shipmentsThat(query)} AND ${LAST_RUNS}`, pageSize: 100 });
  for await (const { workflowId, searchAttributes, memo, status, startTime } of found) {
    const order = orderOfWorkflow(workflowId);
    // The newest run of an order comes first, and represents it.
    if (order === null || listed.has(workflowId)) continue;
    listed.add(workflowId);
    const first = (name: string): string | null => textOf(searchAttributes[name]?.[0]);
    yield {
      workflowId,
      ...{ account: order.account, orderId: order.orderId },
      kind: first('ShipmentKind'),
      phase: first('ShipmentPhase'),
      status: status.name,
      needsAttention: searchAttributes.NeedsAttention?.[0] === true,
      listingId: first('ListingId'),
      waitingFor: textOf(memo?.waitingFor),
      waitsFor: textOf(memo?.waitsFor),
      startedAt: textOf(memo?.placedAt) ?? startTime.toISOString(),
    };
  }
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
  const base = `(WorkflowType IN ('furnitureShipment', 'ltlShipment') OR ${asking})`;
  return query === undefined ? base : `${base} AND (${query})`;
}

const orderOfWorkflow = (workflowId: string): OrderKey | null =>
  parseShipmentWorkflowId(workflowId) ??
  parseLateEventWorkflowId(workflowId) ??
  parseAccountPauseWorkflowId(workflowId);
