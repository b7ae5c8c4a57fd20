import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  isGrpcServiceError,
  ServiceError,
  type WorkflowHandle,
  type WorkflowUpdateOptions,
} from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { assertNever } from '../../domain/assert-never';
import type { AmendmentInput } from '../../domain/amendment';
import type { Answer } from '../../domain/question';
import * as messages from '../../contract/messages';

/** An answer must be durable before it is confirmed, but the CLI must not wait for ever when Temporal is down. */
export const ANSWER_DEADLINE_MS = 10_000;

const MOST_TRIES = 10;
const PAUSE_MS = 200;

/** gRPC's FAILED_PRECONDITION. */
const FAILED_PRECONDITION = 9;

/**
 * Sends an update, and repeats it when Temporal threw away the task that brought it: the workflow has not read it then.
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when the workflow is over
 */
export async function sendUpdate<R, A extends [unknown, ...unknown[]]>(
  handle: WorkflowHandle,
  definition: UpdateDefinition<R, A>,
  options: WorkflowUpdateOptions & { args: A },
): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await handle.executeUpdate(definition, options);
    } catch (error) {
      if (!isThrownAway(error) || tries === MOST_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function isThrownAway(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const code: number | null = isGrpcServiceError(error.cause) ? error.cause.code : null;
  return code === FAILED_PRECONDITION;
}

/** What distinguishes two answers of one kind: a repeated click is the same update. */
function detailOf(answer: Answer): string[] {
  switch (answer.kind) {
    case 'selectRate':
      return [answer.rateId];
    case 'adopt':
      return [answer.listingId];
    case 'premium':
      return [String(answer.premiumMinorUnits)];
    case 'revise':
      return [answer.documentHash.slice(0, 16)];
    default:
      return [];
  }
}

/**
 * Sends an answer as the update of its kind. The update's id is made of question and answer: sending it again after an
 * outage is the same answer.
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when the shipment has ended
 */
export async function sendAnswer(
  handle: WorkflowHandle,
  input: messages.AnswerInput,
  answer: Answer,
): Promise<void> {
  const checked = input.checked === undefined ? [] : ['checked'];
  const updateId = [input.questionId, answer.kind, ...detailOf(answer), ...checked].join('/');
  const plain = { updateId, args: [input] as [messages.AnswerInput] };
  switch (answer.kind) {
    case 'approve':
      return await sendUpdate(handle, messages.approvePriceUpdate, plain);
    case 'premium': {
      const { premiumMinorUnits } = answer;
      return await sendUpdate(handle, messages.statePremiumUpdate, {
        updateId,
        args: [{ ...input, premiumMinorUnits }],
      });
    }
    case 'selectRate': {
      const { rateId } = answer;
      return await sendUpdate(handle, messages.selectRateUpdate, {
        updateId,
        args: [{ ...input, rateId }],
      });
    }
    case 'adopt':
    case 'resend':
    case 'abandon': {
      const args: [messages.AnswerInput & { decision: messages.DoubtDecision }] = [
        { ...input, decision: answer },
      ];
      return await sendUpdate(handle, messages.resolveInDoubtUpdate, { updateId, args });
    }
    case 'retry':
      return await sendUpdate(handle, messages.retryNowUpdate, plain);
    case 'postpone':
      return await sendUpdate(handle, messages.postponePickupUpdate, plain);
    case 'revise': {
      const { shipment, policy, documentHash } = answer;
      const args = [{ ...input, shipment, policy, documentHash }] as const;
      return await sendUpdate(handle, messages.reviseOrderUpdate, { updateId, args: [...args] });
    }
    case 'rebook':
      return await sendUpdate(handle, messages.rebookUpdate, plain);
    case 'close':
      return await sendUpdate(handle, messages.closeShipmentUpdate, plain);
    default:
      return assertNever(answer);
  }
}

/**
 * Withdraws an order. A repeated click is the same update, or finds that the same person has withdrawn the order for the
 * same reason: it is then accepted again, without effect.
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when the shipment has ended
 */
export async function sendWithdrawal(handle: WorkflowHandle, statement: messages.Statement): Promise<void> {
  const updateId = await updateIdOf(handle, 'cancel', statement);
  await sendUpdate(handle, messages.cancelShipmentUpdate, { updateId, args: [statement] });
}

/**
 * Makes the workflow request the missing documents of a shipment again.
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when the shipment has ended
 */
export async function sendFetchDocuments(
  handle: WorkflowHandle,
  statement: messages.Statement,
): Promise<void> {
  await sendUpdate(handle, messages.fetchDocumentsUpdate, { args: [statement] });
}

/**
 * Changes an open listing. A repeated click is the same update, unless an earlier change has ended in between.
 * @param earlierAt when the last change of the listing was reported, as the person saw it
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when the shipment has ended
 */
export async function sendAmendment(
  handle: WorkflowHandle,
  input: AmendmentInput,
  earlierAt: string | null,
): Promise<void> {
  const updateId = ['amend', input.documentHash.slice(0, 16), earlierAt ?? 'first'].join('/');
  await sendUpdate(handle, messages.amendListingUpdate, { updateId, args: [input] });
}

/**
 * Makes every shipment that waits for an account try again; `handle` is the account's one question.
 * @throws WorkflowUpdateFailedError when it is refused
 * @throws WorkflowNotFoundError when nothing waits for the account
 */
export async function sendResume(handle: WorkflowHandle, statement: messages.Statement): Promise<void> {
  const updateId = await updateIdOf(handle, 'resume', statement);
  await sendUpdate(handle, messages.resumeAccountUpdate, { updateId, args: [statement] });
}

/**
 * Made of what the person saw and says, as the id of an answer is made of its question: a repeated click is the same
 * update. After another wait began, at another instant, it is a new update. The memo can be read without a worker.
 */
async function updateIdOf(
  handle: WorkflowHandle,
  what: string,
  { by, reason }: messages.Statement,
): Promise<string> {
  const { memo } = await handle.describe();
  const content = JSON.stringify([memo?.waitingFor ?? null, by, reason]);
  return `${what}/${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}
