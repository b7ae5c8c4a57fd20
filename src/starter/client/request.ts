import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { NotConfirmedError, RefusedError, ShipmentEndedError } from './errors';
import { ANSWER_DEADLINE_MS } from './send-answer';

/** What became of a person's request. It is safe to repeat each request: the same one has an effect once. */
export interface Receipt {
  /** `doneBefore`: nothing was left to do, because the same request, or an event, has had its effect before. */
  readonly outcome: 'accepted' | 'doneBefore';
}

export const ACCEPTED: Receipt = { outcome: 'accepted' };

/** What a person sends. */
interface Request {
  /** The noun for it, in `the answer may still be applied`. */
  readonly what: 'acknowledgement' | 'answer' | 'change' | 'retry' | 'withdrawal';
  /** Of an answer. */
  readonly questionId?: string;
}

/**
 * Sends a person's request, and waits for its confirmation: it is durable before it is confirmed.
 * @throws RefusedError, ShipmentEndedError, NotConfirmedError
 */
export async function confirmed(
  client: Client,
  request: Request,
  send: () => Promise<void>,
): Promise<Receipt> {
  try {
    await client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, send);
    return ACCEPTED;
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      throw new RefusedError(`Refused: ${error.cause?.message ?? error.message}`, { cause: error });
    if (error instanceof WorkflowNotFoundError)
      throw new ShipmentEndedError('The shipment has ended: there is nothing to answer or to withdraw.', {
        cause: error,
      });
    if (error instanceof ServiceError || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
      throw notConfirmed(request, error);
    throw error;
  }
}

function notConfirmed({ what, questionId }: Request, cause: Error): NotConfirmedError {
  const question = questionId === undefined ? '' : ` with \`--question ${questionId}\``;
  return new NotConfirmedError(
    `No confirmation from Temporal; the ${what} may still be applied.`,
    questionId ?? null,
    { hint: `It is safe to run the command again${question}. (${cause.message})`, cause },
  );
}
