import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import { IMPORTED } from '../../contract/import-priority';
import { startPairs } from '../../contract/search-attributes';
import type { Statement } from '../../contract/messages';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';
import type { AccountPin } from '../../domain/account-pin';
import { cutText, summaryOf, TEXT_BYTES } from '../../domain/bounds';
import type { ShipmentPolicy } from '../../domain/policy';
import type { Shipment } from '../../domain/shipment';
import { initialState } from '../../domain/shipment-state';
import { describeWaiting, waitColumn, waitingLine } from '../../domain/waiting';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import { claimKey, keyDigest, startedWith, type IdempotencyKey } from './idempotency-key';
import { findLastRun, type LastRun } from './last-run';
import { endedUnclearly, OrderConflictError, otherDocument, withdrawn } from './order-conflict';

/** A valid order, ready to be started. */
export interface StartableOrder {
  readonly shipment: Shipment;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** SHA-256 of the order document. Two documents are the same order only when it is equal. */
  readonly documentHash: string;
  /** Where to get help with the account; named in its questions. */
  readonly supportAddress?: string | null;
  /** Whether the account has endpoints that are notified of its orders. */
  readonly notifies?: boolean;
  /** Who placed the order, and why; kept in the workflow's memo. */
  readonly placedBy?: Statement;
  /** Whether the account has an `integratorId`; without one, `quote` names that among the causes of an empty list. */
  readonly hasIntegrator?: boolean;
}

/** The result of `start`. */
export interface StartedShipment {
  readonly workflowId: string;
  readonly runId: string;
  /** `already`: the same order was started before, and this is that run. */
  readonly outcome: 'started' | 'already' | 'restarted';
}

/** A person's statement that a withdrawn or unclearly ended run left no booking. */
export interface RestartStatement {
  /** What was checked, for instance `no listing carries acme/SO-1`. */
  readonly checked: string;
  readonly by: string;
}

/** What may come with a start. */
export interface StartOptions {
  /**
   * The same request with the same key gets the same result, also after the shipment has ended. The order id and its
   * document protect against a second booking also without a key.
   */
  readonly idempotencyKey?: IdempotencyKey | undefined;
}

/** One way to start an order. */
interface Attempt {
  readonly workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'ALLOW_DUPLICATE';
  readonly outcome: 'started' | 'restarted';
  readonly statement: RestartStatement | undefined;
  /** The listings that the last run knew: the new run reads them before it books. */
  readonly earlierListings: readonly string[];
  readonly priority?: Priority | undefined;
  readonly key?: IdempotencyKey | undefined;
}

const NEW_ORDER: Attempt = {
  workflowIdReusePolicy: 'REJECT_DUPLICATE',
  outcome: 'started',
  statement: undefined,
  earlierListings: [],
};

/** How an order is started. */
interface StartHow extends StartOptions {
  readonly statement?: RestartStatement | undefined;
  /** Its tasks go behind those of orders that were started one by one. */
  readonly isImported?: boolean;
}

/** What a person says, short enough for the memo. */
const saidBy = (by: string, what: 'reason' | 'checked', text: string): Readonly<Record<string, string>> => ({
  by: cutText(by, TEXT_BYTES.value),
  [what]: cutText(text, TEXT_BYTES.notice),
});

/**
 * Starts the shipment of an order, or finds the existing one.
 *
 * Same order id and same document: returns that run. Another document while the last run is open or delivered:
 * a conflict. Failed before booking: a new run. Withdrawn, cancelled, terminated or timed out: a conflict, except
 * with a statement of what was checked; the new run then reads the listings that the last one knew.
 * @throws OrderConflictError, KeyReusedError
 */
export async function startOrder(
  client: Client,
  order: StartableOrder,
  { statement, isImported = false, idempotencyKey: key }: StartHow = {},
): Promise<StartedShipment> {
  const { account, orderId } = order.shipment;
  const priority = isImported ? IMPORTED : undefined;
  const workflowId = shipmentWorkflowId(account, orderId);
  if (key !== undefined) await claimKey(client, key);
  // Each round loses a race to another starter at most once; a second loser only describes.
  for (let round = 0; round < 4; round += 1) {
    const fresh = await tryStart(client, order, { ...NEW_ORDER, priority, key });
    if (fresh !== null) return fresh;
    const before = key === undefined ? null : await startedWith(client, { account, orderId }, key);
    if (before !== null) return before;
    const last = await findLastRun(client, workflowId);
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
    const again = await tryStart(client, order, { ...restartOf(last, statement), priority, key });
    if (again !== null) return again;
  }
  throw new OrderConflictError(
    `Other callers are starting and ending ${workflowId} at this moment. Try again.`,
    workflowId,
    'otherDocument',
  );
}

async function tryStart(
  client: Client,
  order: StartableOrder,
  { workflowIdReusePolicy, outcome, statement, earlierListings, priority, key }: Attempt,
): Promise<StartedShipment | null> {
  const { shipment, account, policy, documentHash, supportAddress, notifies, placedBy } = order;
  const workflowId = shipmentWorkflowId(shipment.account, shipment.orderId);
  const help = supportAddress == null ? {} : { supportAddress };
  const notified = notifies === true ? { notifies } : {};
  const input = { shipment, account, policy, earlierListings, ...help, ...notified };
  const type = shipment.kind === 'furniture' ? 'furnitureShipment' : 'ltlShipment';
  const waiting = describeWaiting(initialState(shipment), order);
  try {
    const handle = await client.workflow.start(type, {
      workflowId,
      taskQueue: SHIPMENTS_QUEUE,
      args: [input],
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'FAIL',
      priority,
      memo: {
        documentHash,
        waitingFor: waitingLine(waiting),
        waitsFor: waitColumn(waiting),
        placedAt: new Date().toISOString(),
        listingIds: earlierListings,
        ...(placedBy === undefined ? {} : { placedBy: saidBy(placedBy.by, 'reason', placedBy.reason) }),
        ...(statement === undefined
          ? {}
          : { restartStatement: saidBy(statement.by, 'checked', statement.checked) }),
        ...(key === undefined ? {} : { startedBy: { key: keyDigest(key), outcome } }),
      },
      typedSearchAttributes: startPairs(shipment),
      staticSummary: summaryOf(`${shipment.kind} ${shipment.account}/${shipment.orderId}: ${shipment.title}`),
    });
    return { workflowId, runId: handle.firstExecutionRunId, outcome };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
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
