import { startPairs } from '../../contract/search-attributes';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';
import type { AccountPin } from '../../domain/account-pin';
import { cutText, summaryOf, TEXT_BYTES } from '../../domain/bounds';
import { commandLines } from '../../domain/command-lines';
import type { ShipmentPolicy } from '../../domain/policy';
import { initialState, type ShipmentState } from '../../domain/shipment-state';
import type { Shipment } from '../../domain/shipment';
import { parseWithdrawal, type ShipmentResult, type Withdrawal } from '../../domain/shipment-result';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';
import { describeWaiting, waitColumn, waitingLine } from '../../domain/waiting';
import {
  parseAccountPauseWorkflowId,
  parseLateEventWorkflowId,
  parseShipmentWorkflowId,
  shipmentWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';
import { describeLast, failureOf, findLastRun, stateOf, type LastRun } from './last-run';
import { endedUnclearly, otherDocument, withdrawn, OrderConflictError } from './order-conflict';
import { isPolled } from './pollers';

export { OrderConflictError } from './order-conflict';

/** A valid order, ready to be started. */
export interface StartableOrder {
  readonly shipment: Shipment;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** SHA-256 of the order document. Two documents are the same order only when it is equal. */
  readonly documentHash: string;
  /** Where to get help with the account; named in its questions. */
  readonly supportAddress?: string | null;
}

export interface StartedShipment {
  readonly workflowId: string;
  readonly runId: string;
  /** `already`: the same order was started before, and this is that run. */
  readonly outcome: 'started' | 'already' | 'restarted';
}

/** Thrown when no shipment has this account and order id. */
export class ShipmentNotFoundError extends UserError {
  override readonly name = 'ShipmentNotFoundError';
  override readonly exitCode = ExitCode.NotFound;
}

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

/** The result of `get`: Temporal's view of the run, and the shipment's own state when a worker answers. */
export interface ShipmentView {
  readonly workflowId: string;
  readonly runId: string;
  readonly status: string;
  readonly waitingFor: string | null;
  /** Null while no worker answers; `waitingFor` is available even then. */
  readonly state: ShipmentState | null;
  readonly failure: string | null;
  /** Who withdrew the order, and why; null unless it ended by that. */
  readonly withdrawal: Withdrawal | null;
}

/** A person's statement that a withdrawn or unclearly ended run left no booking. */
export interface RestartStatement {
  /** What was checked, for instance `no listing carries acme/SO-1`. */
  readonly checked: string;
  readonly by: string;
}

/** One way to start an order. */
interface Attempt {
  readonly workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'ALLOW_DUPLICATE';
  readonly outcome: StartedShipment['outcome'];
  readonly statement: RestartStatement | undefined;
  /** The listings that the last run knew: the new run reads them before it books. */
  readonly earlierListings: readonly string[];
}

const NEW_ORDER: Attempt = {
  workflowIdReusePolicy: 'REJECT_DUPLICATE',
  outcome: 'started',
  statement: undefined,
  earlierListings: [],
};

const cutStatement = ({ checked, by }: RestartStatement): RestartStatement => ({
  checked: cutText(checked, TEXT_BYTES.notice),
  by: cutText(by, TEXT_BYTES.value),
});

/** Starts and reads shipments for an upstream order system. Safe to repeat: an order is one workflow. */
export class ShipmentClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Starts the shipment of an order, or finds the existing one.
   *
   * Same order id and same document: returns that run. Another document while the last run is open or delivered:
   * a conflict. Failed before booking: a new run. Withdrawn, cancelled, terminated or timed out: a conflict, except
   * with a statement of what was checked; the new run then reads the listings that the last one knew.
   * @throws OrderConflictError
   */
  async start(order: StartableOrder, statement?: RestartStatement): Promise<StartedShipment> {
    const { account, orderId } = order.shipment;
    const workflowId = shipmentWorkflowId(account, orderId);
    // Each round loses a race to another starter at most once; a second loser only describes.
    for (let round = 0; round < 4; round += 1) {
      const fresh = await this.#tryStart(order, workflowId, NEW_ORDER);
      if (fresh !== null) return fresh;
      const last = await findLastRun(this.#client, workflowId);
      if (last === null) continue;
      if (last.kind === 'open' || last.kind === 'delivered') {
        if (last.documentHash === order.documentHash)
          return { workflowId, runId: last.runId, outcome: 'already' };
        throw otherDocument(workflowId, last, order.documentHash);
      }
      if (last.kind !== 'failedBeforeBooking' && statement === undefined)
        throw last.kind === 'withdrawn' ? withdrawn(workflowId, last) : endedUnclearly(workflowId, last);
      // Temporal cannot tie a start to the described run. A restart by somebody else between these two calls is noticed
      // while the new run is open or delivered, but not when a person has already ended that run too.
      const again = await this.#tryStart(order, workflowId, restartOf(last, statement));
      if (again !== null) return again;
    }
    throw new OrderConflictError(
      `Other callers are starting and ending ${workflowId} at this moment. Try again.`,
      workflowId,
      'otherDocument',
    );
  }

  /** @throws ShipmentNotFoundError */
  async get(account: string, orderId: string): Promise<ShipmentView> {
    const workflowId = shipmentWorkflowId(account, orderId);
    const [found, hasWorker] = await Promise.all([
      describeLast(this.#client, workflowId),
      isPolled(this.#client, { name: SHIPMENTS_QUEUE, kind: 'workflow' }),
    ]);
    if (found === null) throw notFound(account, orderId);
    const view = {
      workflowId,
      runId: found.runId,
      status: found.status.name,
      waitingFor: typeof found.memo?.waitingFor === 'string' ? found.memo.waitingFor : null,
    };
    return {
      ...view,
      // Without a worker the query would only run into its deadline.
      state: hasWorker === false ? null : await stateOf(this.#client, workflowId, found.runId),
      failure: (await failureOf(this.#client, workflowId, found))?.message ?? null,
      withdrawal: parseWithdrawal(found.memo?.withdrawn),
    };
  }

  /** Each order once, by its last run, newest first. `query` is a filter in Temporal's visibility language. */
  async list(options: { readonly query?: string; readonly limit?: number } = {}): Promise<ShipmentSummary[]> {
    const query = `${shipmentsThat(options.query)} AND ${LAST_RUNS}`;
    const { limit = 50 } = options;
    const summaries = new Map<string, ShipmentSummary>();
    for await (const found of this.#client.workflow.list({ query, pageSize: 100 })) {
      const order = orderOfWorkflow(found.workflowId);
      // The newest run of an order comes first, and represents it.
      if (order === null || summaries.has(found.workflowId)) continue;
      const attributes = found.searchAttributes;
      const first = (name: string): string | null => {
        const value = attributes[name]?.[0];
        return typeof value === 'string' ? value : null;
      };
      summaries.set(found.workflowId, {
        workflowId: found.workflowId,
        ...{ account: order.account, orderId: order.orderId },
        kind: first('ShipmentKind'),
        phase: first('ShipmentPhase'),
        status: found.status.name,
        needsAttention: attributes.NeedsAttention?.[0] === true,
        listingId: first('ListingId'),
        waitingFor: typeof found.memo?.waitingFor === 'string' ? found.memo.waitingFor : null,
        waitsFor: typeof found.memo?.waitsFor === 'string' ? found.memo.waitsFor : null,
        startedAt:
          typeof found.memo?.placedAt === 'string' ? found.memo.placedAt : found.startTime.toISOString(),
      });
      if (summaries.size >= limit) break;
    }
    return [...summaries.values()];
  }

  /** The number of shipments. `query` as in `list`. */
  async count(query?: string): Promise<number> {
    return (await this.#client.workflow.count(shipmentsThat(query))).count;
  }

  /** Waits until the shipment has ended. @throws WorkflowFailedError when it failed or was cancelled */
  async result(account: string, orderId: string): Promise<ShipmentResult> {
    const handle = this.#client.workflow.getHandle<() => Promise<ShipmentResult>>(
      shipmentWorkflowId(account, orderId),
    );
    return await handle.result();
  }

  async #tryStart(
    order: StartableOrder,
    workflowId: string,
    { workflowIdReusePolicy, outcome, statement, earlierListings }: Attempt,
  ): Promise<StartedShipment | null> {
    const { shipment, account, policy, documentHash, supportAddress } = order;
    const help = supportAddress == null ? {} : { supportAddress };
    const input = { shipment, account, policy, earlierListings, ...help };
    const type = shipment.kind === 'furniture' ? 'furnitureShipment' : 'ltlShipment';
    const waiting = describeWaiting(initialState(shipment), policy);
    try {
      const handle = await this.#client.workflow.start(type, {
        workflowId,
        taskQueue: SHIPMENTS_QUEUE,
        args: [input],
        workflowIdReusePolicy,
        workflowIdConflictPolicy: 'FAIL',
        memo: {
          documentHash,
          waitingFor: waitingLine(waiting),
          waitsFor: waitColumn(waiting),
          placedAt: new Date().toISOString(),
          listingIds: earlierListings,
          ...(statement === undefined ? {} : { restartStatement: cutStatement(statement) }),
        },
        typedSearchAttributes: startPairs(shipment),
        staticSummary: summaryOf(
          `${shipment.kind} ${shipment.account}/${shipment.orderId}: ${shipment.title}`,
        ),
      });
      return { workflowId, runId: handle.firstExecutionRunId, outcome };
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
      throw error;
    }
  }
}

function restartOf({ status, listingIds }: LastRun, statement: RestartStatement | undefined): Attempt {
  return {
    // Among the runs that may be restarted, only a withdrawn one is completed. Temporal restarts it only with this policy.
    workflowIdReusePolicy: status === 'COMPLETED' ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
    outcome: 'restarted',
    statement,
    earlierListings: listingIds,
  };
}

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

function notFound(account: string, orderId: string): ShipmentNotFoundError {
  return new ShipmentNotFoundError(`No shipment ${account}/${orderId}.`, {
    hint: `Check the account and the order id; \`${commandLines.list()}\` lists the orders.`,
  });
}
