import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowFailedError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { ACCOUNT_HINT } from '../../domain/account-pause';
import { FailureType } from '../../domain/failure-type';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';
import { NoAnswerError, NoWorkerError } from './errors';

/** A short workflow whose result the caller waits for. */
export interface Asked<I> {
  readonly type: string;
  readonly workflowId: string;
  readonly input: I;
  readonly summary: string;
  /** The account whose worker is needed. */
  readonly account: string;
  /** Temporal ends the workflow after this long, even when the caller still waits. Milliseconds. */
  readonly timeoutMs: number;
}

/** How a caller waits for a worker's answer. */
export interface AskOptions {
  /** Receives each progress report, such as `3 rates so far`. */
  readonly onProgress?: (text: string) => void;
  /** How long a task may wait for a worker. Milliseconds. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 15_000;
const PACE_MS = 400;
const { PendingActivityState, PendingWorkflowTaskState } = temporal.api.enums.v1;

/**
 * Asks the marketplace through a worker: only workers' addresses are on its allow-list, and only workers need its
 * keys.
 * @throws NoWorkerError, NoAnswerError
 */
export async function askWorkers<I, R>(
  client: Client,
  asked: Asked<I>,
  { onProgress = () => undefined, patienceMs = PATIENCE_MS }: AskOptions = {},
): Promise<R> {
  const handle = await client.workflow.start<(input: I) => Promise<R>>(asked.type, {
    ...{ workflowId: asked.workflowId, taskQueue: SHIPMENTS_QUEUE, args: [asked.input] },
    ...{ workflowExecutionTimeout: asked.timeoutMs, staticSummary: asked.summary },
  });
  const answer = handle.result();
  let isOver = false;
  const over = answer.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  let waitedSince = Date.now();
  let reported = '';
  for (;;) {
    await Promise.race([over, pause(PACE_MS)]);
    if (isOver) break;
    const seen = await handle.describe();
    if (!waitsForWorker(seen)) waitedSince = Date.now();
    else if (Date.now() - waitedSince > patienceMs) {
      await handle.terminate('no worker took the request');
      throw noWorker(asked.account, patienceMs);
    }
    const progress = await progressOf(client, seen);
    if (progress !== null && progress !== reported) onProgress(progress);
    reported = progress ?? reported;
  }
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new NoAnswerError(failureText(error), { cause: error });
  }
}

const noWorker = (account: string, patienceMs: number): NoWorkerError =>
  new NoWorkerError(
    `No worker took the request for account ${account} within ${Math.round(patienceMs / 1_000)} s.`,
    {
      hint: 'Start one with `npx consign-worker`, with the same accounts file and the same Temporal namespace.',
    },
  );

/** Whether a task waits for its first worker; a task that waits for a retry does not. */
function waitsForWorker({ raw }: WorkflowExecutionDescription): boolean {
  if (raw.pendingWorkflowTask?.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED)
    return true;
  return (raw.pendingActivities ?? []).some(
    ({ state, attempt }) =>
      state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED && (attempt ?? 1) <= 1,
  );
}

/** The last failure of a pending activity: polls report their progress in it. */
async function progressOf(client: Client, { raw }: WorkflowExecutionDescription): Promise<string | null> {
  const failed = raw.pendingActivities?.find(({ lastFailure }) => lastFailure != null);
  // The SDK gives it as it is stored, so its message may be encrypted.
  const { loadedDataConverter } = client.options;
  return (
    (await decodeOptionalFailureToOptionalError(loadedDataConverter, failed?.lastFailure))?.message ?? null
  );
}

function failureText(error: WorkflowFailedError): string {
  let cause: Error = error;
  while (cause instanceof WorkflowFailedError || cause instanceof TemporalFailure) {
    if (!(cause.cause instanceof Error)) break;
    cause = cause.cause;
  }
  const isTrouble = cause instanceof ApplicationFailure && cause.type === FailureType.AccountTrouble;
  return isTrouble ? `${cause.message}. ${ACCOUNT_HINT}` : cause.message;
}
