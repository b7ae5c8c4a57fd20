import { hash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { UNROUTED_EVENTS_QUEUE } from '../../contract/task-queue';
import type { IdempotencyKeyInput } from '../../contract/workflow-input';
import { idempotencyKeyWorkflowId, shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { KeyReusedError } from './errors';
import { describeLast, findLastRun } from './last-run';

/** A key that a caller sends with a start, and again with each repetition of the same request. */
export interface IdempotencyKey {
  /** Unique for the caller: put the caller's name in front. */
  readonly key: string;
  /** What the request is, such as a hash of its body: a key belongs to one request. */
  readonly request: string;
}

/** For the memo of the shipment that the request started. */
export const keyDigest = ({ key }: IdempotencyKey): string => hash('sha256', key).slice(0, 32);

/**
 * Ties the key to its request. Repeating is safe.
 * @throws KeyReusedError when the key came with another request
 */
export async function claimKey(client: Client, key: IdempotencyKey): Promise<void> {
  const request = hash('sha256', key.request);
  const input: IdempotencyKeyInput = { request };
  const workflowId = idempotencyKeyWorkflowId(keyDigest(key));
  try {
    await client.workflow.start('idempotencyKey', {
      workflowId,
      taskQueue: UNROUTED_EVENTS_QUEUE,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      memo: { request },
      staticSummary: 'an idempotency key of the HTTP API',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await isClaimed(client, key);
  }
}

/** @returns whether the key came with this request before @throws KeyReusedError when it came with another one */
async function isClaimed(client: Client, key: IdempotencyKey): Promise<boolean> {
  const found = await describeLast(client, idempotencyKeyWorkflowId(keyDigest(key)));
  if (found === null) return false;
  if (found.memo?.request === hash('sha256', key.request)) return true;
  throw new KeyReusedError('The idempotency key came with another request before.', {
    hint: 'Send a new key with each new request, and the same key only to repeat a request.',
  });
}

/**
 * The answer that the request with this key got, while the run that it started is the order's last.
 * @returns null when it started none
 * @throws KeyReusedError
 */
export async function startedWith(
  client: Client,
  order: OrderKey,
  key: IdempotencyKey,
): Promise<{
  readonly workflowId: string;
  readonly runId: string;
  readonly outcome: 'started' | 'restarted';
} | null> {
  if (!(await isClaimed(client, key))) return null;
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  const last = await findLastRun(client, workflowId);
  return last?.startedBy?.key === keyDigest(key)
    ? { workflowId, runId: last.firstRunId, outcome: last.startedBy.outcome }
    : null;
}
