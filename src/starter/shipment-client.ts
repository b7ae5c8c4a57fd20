import {
  QueryNotRegisteredError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { AccountPin } from '../domain/account-pin';
import { cutText, summaryOf, TEXT_BYTES } from '../domain/bounds';
import type { ShipmentPolicy } from '../domain/policy';
import { initialState, type ShipmentState } from '../domain/shipment-state';
import type { Shipment } from '../domain/shipment';
import type { ShipmentResult } from '../domain/shipment-result';
import { SHIPMENTS_QUEUE } from '../domain/task-queue';
import { describeWaiting, waitingLine } from '../domain/waiting';
import {
  parseAccountPauseWorkflowId,
  parseLateEventWorkflowId,
  parseShipmentWorkflowId,
  shipmentWorkflowId,
  type OrderKey,
} from '../domain/workflow-id';
import * as messages from '../workflows/messages';
import { fixedAttributePairs } from './fixed-attributes';
import { countPollers } from './pollers';

/** An order that was read and found good, ready to be started. */
export interface StartableOrder {
  readonly shipment: Shipment;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** SHA-256 of the order as it was given; two documents are the same order only when it is equal. */
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

/** Thrown when an order id is in use by something else than this order, so that starting it could book twice. */
export class OrderConflictError extends Error {
  override readonly name = 'OrderConflictError';
  constructor(
    message: string,
    readonly workflowId: string,
    readonly kind: 'otherDocument' | 'endedUnclearly',
  ) {
    super(message);
  }
}

/** Thrown when no shipment has this account and order id. */
export class ShipmentNotFoundError extends Error {
  override readonly name = 'ShipmentNotFoundError';
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
  readonly waitingFor: string | null;
  readonly startedAt: string;
}

/** What `get` answers: Temporal's view of the run, and the shipment's own when a worker can be asked. */
export interface ShipmentView {
  readonly workflowId: string;
  readonly runId: string;
  readonly status: string;
  readonly waitingFor: string | null;
  /** Null while no worker answers; `waitingFor` is there all the same. */
  readonly state: ShipmentState | null;
  readonly failure: string | null;
}

/** Statement of a person that a run which ended unclearly left no booking. */
export interface RestartStatement {
  /** What was looked at, for instance `no listing carries acme/SO-1`. */
  readonly checked: string;
  readonly by: string;
}

const cutStatement = ({ checked, by }: RestartStatement): RestartStatement => ({
  checked: cutText(checked, TEXT_BYTES.notice),
  by: cutText(by, TEXT_BYTES.value),
});

const RESTARTABLE = new Set(['FAILED', 'CANCELLED']);

/** Starts and reads shipments for an upstream order system. Safe to repeat: an order is one workflow. */
export class ShipmentClient {
  constructor(private readonly client: Client) {}

  /**
   * Starts the shipment of an order, or finds the one that there is.
   *
   * Same order id and same document: answers with that run. Another document while the last run is open or
   * completed: a conflict. Failed or cancelled, which means that nothing is booked: a new run. Terminated or
   * timed out: only with a statement of what was checked.
   * @throws OrderConflictError
   */
  async start(order: StartableOrder, statement?: RestartStatement): Promise<StartedShipment> {
    const { account, orderId } = order.shipment;
    const workflowId = shipmentWorkflowId(account, orderId);
    // Each round loses a race to another starter at most once; a second loser only describes.
    for (let round = 0; round < 4; round += 1) {
      const fresh = await this.tryStart(order, workflowId, 'REJECT_DUPLICATE', 'started');
      if (fresh !== null) return fresh;
      const last = await this.describe(workflowId);
      if (last === null) continue;
      const status = last.status.name;
      // No start can be tied to the run that was described. Whoever restarts it in between is noticed while that run is
      // open or completed, but not once a person has terminated it too, within the moment between these two calls.
      if (RESTARTABLE.has(status)) {
        const again = await this.tryStart(order, workflowId, 'ALLOW_DUPLICATE_FAILED_ONLY', 'restarted');
        if (again !== null) return again;
        continue;
      }
      if (status === 'TERMINATED' || status === 'TIMED_OUT') {
        if (statement === undefined) throw endedUnclearly(workflowId, last);
        const again = await this.tryStart(
          order,
          workflowId,
          'ALLOW_DUPLICATE_FAILED_ONLY',
          'restarted',
          statement,
        );
        if (again !== null) return again;
        continue;
      }
      if (last.memo?.documentHash === order.documentHash)
        return { workflowId, runId: last.runId, outcome: 'already' };
      throw otherDocument(workflowId, last, order.documentHash);
    }
    throw new OrderConflictError(
      `${workflowId} is being started and ended by others at this moment. Try again.`,
      workflowId,
      'otherDocument',
    );
  }

  /** @throws ShipmentNotFoundError */
  async get(account: string, orderId: string): Promise<ShipmentView> {
    const workflowId = shipmentWorkflowId(account, orderId);
    const [found, workers] = await Promise.all([
      this.describe(workflowId),
      countPollers(this.client, { name: SHIPMENTS_QUEUE, kind: 'workflow' }),
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
      // With nobody there to answer, the query would only run into its deadline.
      state: workers === 0 ? null : await this.stateOf(workflowId, found.runId),
      failure: await this.failureOf(workflowId, found),
    };
  }

  /** The newest first. `query` is a filter in Temporal's visibility language, added to the choice of shipments. */
  async list(options: { readonly query?: string; readonly limit?: number } = {}): Promise<ShipmentSummary[]> {
    const query = shipmentsThat(options.query);
    const summaries: ShipmentSummary[] = [];
    for await (const found of this.client.workflow.list({ query, pageSize: 100 })) {
      const order = orderOfWorkflow(found.workflowId);
      if (order === null) continue;
      const attributes = found.searchAttributes;
      const first = (name: string): string | null => {
        const value = attributes[name]?.[0];
        return typeof value === 'string' ? value : null;
      };
      summaries.push({
        workflowId: found.workflowId,
        ...{ account: order.account, orderId: order.orderId },
        kind: first('ShipmentKind'),
        phase: first('ShipmentPhase'),
        status: found.status.name,
        needsAttention: attributes.NeedsAttention?.[0] === true,
        listingId: first('ListingId'),
        waitingFor: typeof found.memo?.waitingFor === 'string' ? found.memo.waitingFor : null,
        startedAt: found.startTime.toISOString(),
      });
      if (summaries.length >= (options.limit ?? 50)) break;
    }
    return summaries;
  }

  /** How many there are. `query` as in `list`. */
  async count(query?: string): Promise<number> {
    return (await this.client.workflow.count(shipmentsThat(query))).count;
  }

  /** Waits until the shipment is over. @throws WorkflowFailedError when it failed or was cancelled */
  async result(account: string, orderId: string): Promise<ShipmentResult> {
    const handle = this.client.workflow.getHandle<() => Promise<ShipmentResult>>(
      shipmentWorkflowId(account, orderId),
    );
    return await handle.result();
  }

  private async tryStart(
    order: StartableOrder,
    workflowId: string,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
    outcome: StartedShipment['outcome'],
    statement?: RestartStatement,
  ): Promise<StartedShipment | null> {
    const { shipment, account, policy, documentHash, supportAddress } = order;
    const input = { shipment, account, policy, ...(supportAddress != null && { supportAddress }) };
    const type = shipment.kind === 'furniture' ? 'furnitureShipment' : 'ltlShipment';
    const waitingFor = waitingLine(describeWaiting(initialState(shipment), policy));
    try {
      const handle = await this.client.workflow.start(type, {
        workflowId,
        taskQueue: SHIPMENTS_QUEUE,
        args: [input],
        workflowIdReusePolicy,
        workflowIdConflictPolicy: 'FAIL',
        memo: {
          documentHash,
          waitingFor,
          ...(statement === undefined ? {} : { restartStatement: cutStatement(statement) }),
        },
        typedSearchAttributes: fixedAttributePairs(shipment),
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

  private async describe(workflowId: string): Promise<WorkflowExecutionDescription | null> {
    try {
      return await this.client.workflow.getHandle(workflowId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  private async stateOf(workflowId: string, runId: string): Promise<ShipmentState | null> {
    const handle = this.client.workflow.getHandle(workflowId, runId);
    try {
      return await this.client.withDeadline(Date.now() + 3_000, () =>
        handle.query(messages.shipmentStateQuery),
      );
    } catch (error) {
      // Queries are answered by workers: with none up, or one that cannot answer (the SDK calls every refused
      // query "not registered"), there is no state, which is no failure of the shipment.
      if (error instanceof ServiceError || error instanceof QueryNotRegisteredError) return null;
      throw error;
    }
  }

  private async failureOf(workflowId: string, found: WorkflowExecutionDescription): Promise<string | null> {
    if (!RESTARTABLE.has(found.status.name)) return null;
    try {
      await this.client.workflow.getHandle(workflowId, found.runId).result();
      return null;
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      return cause instanceof Error ? cause.message : String(cause);
    }
  }
}

function shipmentsThat(query: string | undefined): string {
  // What an order that is over wants of a person is shown beside the shipments, or nobody would see it.
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
  return new ShipmentNotFoundError(
    `No shipment ${account}/${orderId}. Check the account and the order id; \`consign list\` shows what there is.`,
  );
}

function otherDocument(
  workflowId: string,
  last: WorkflowExecutionDescription,
  hash: string,
): OrderConflictError {
  const known = typeof last.memo?.documentHash === 'string' ? last.memo.documentHash.slice(0, 12) : 'unknown';
  return new OrderConflictError(
    `${workflowId} is ${last.status.name.toLowerCase()} with another document (${known}, yours is ${hash.slice(0, 12)}). ` +
      'Nothing was started. To ship something else, give it an order id of its own; to change this order, ' +
      'cancel it first, as long as it is not booked.',
    workflowId,
    'otherDocument',
  );
}

function endedUnclearly(workflowId: string, last: WorkflowExecutionDescription): OrderConflictError {
  const listing = last.searchAttributes.ListingId?.[0];
  const where = listing === undefined ? 'no listing is known of it' : `its listing is ${String(listing)}`;
  return new OrderConflictError(
    `${workflowId} was ${last.status.name === 'TERMINATED' ? 'terminated' : 'timed out'}, so that a booking may exist; ${where}. ` +
      'Look at the marketplace first; then start it again with a statement of what you checked.',
    workflowId,
    'endedUnclearly',
  );
}
