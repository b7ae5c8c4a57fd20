import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import type { Answer } from '../../domain/question';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { UserError } from '../../platform/user-error';
import { NoQuestionError, notFound, noWorkerAnswers, RefusedError, StaleQuestionError } from './errors';
import { getShipment, isOpen } from './get-shipment';
import { describeLast } from './last-run';
import { confirmed, type Receipt } from './request';
import { sendAnswer } from './send-answer';

/**
 * A person's answer to a question of a shipment. `revise` and `cancel` are methods of the client. `resend` and `abandon`
 * state that nothing exists: they must name the question that the person read, because a later one may be about
 * something else.
 */
export type QuestionAnswer = Statement & {
  /** What the person checked with the marketplace or the carrier; required when a refusal asks for it. */
  readonly checked?: string | undefined;
} & (
    | (Exclude<Answer, { kind: 'revise' | 'resend' | 'abandon' }> & {
        /** The question that the person read; by default the open one. */
        readonly questionId?: string | undefined;
      })
    | { readonly kind: 'resend' | 'abandon'; readonly questionId: string }
  );

/** What a form, a tool or a command line gives for an answer: each kind needs other fields. */
export interface AnswerFields extends Statement {
  readonly kind: QuestionAnswer['kind'];
  readonly checked?: string | undefined;
  readonly questionId?: string | undefined;
  readonly listingId?: string | undefined;
  readonly rateId?: string | undefined;
  /** Hundredths of the currency of the price. */
  readonly premiumMinorUnits?: number | undefined;
}

/** @throws UserError when the answer lacks what its kind needs */
export function toQuestionAnswer(fields: AnswerFields): QuestionAnswer {
  const { kind, questionId, listingId, rateId, premiumMinorUnits, ...said } = fields;
  const need = <T>(field: string, given: T | undefined): T => {
    if (given === undefined) throw new UserError(`The answer ${kind} needs ${field}.`);
    return given;
  };
  switch (kind) {
    case 'adopt':
      return { ...said, kind, questionId, listingId: need('listingId', listingId) };
    case 'selectRate':
      return { ...said, kind, questionId, rateId: need('rateId', rateId) };
    case 'premium':
      return {
        ...{ ...said, kind, questionId },
        premiumMinorUnits: need('an amount such as 48.50', premiumMinorUnits),
      };
    case 'resend':
    case 'abandon':
      return { ...said, kind, questionId: need('questionId', questionId) };
    default:
      return { ...said, kind, questionId };
  }
}

/**
 * Answers the named question of a shipment, or the open one.
 * @throws ShipmentNotFoundError, NoQuestionError, StaleQuestionError, RefusedError, ShipmentEndedError, NoWorkerError,
 *   NotConfirmedError
 */
export async function answerQuestion(
  client: Client,
  order: OrderKey,
  { questionId: named, by, reason, checked, ...answer }: QuestionAnswer,
): Promise<Receipt> {
  // A caller in JavaScript has no types that require it.
  if (named === undefined && (answer.kind === 'resend' || answer.kind === 'abandon'))
    throw new UserError(`The answer ${answer.kind} must name the question that was read.`);
  const questionId = named ?? (await openQuestionOf(client, order));
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  const found = await describeLast(client, workflowId);
  if (found === null) throw notFound(order);
  const { runId } = found;
  const statement = { by, reason, ...(checked === undefined ? {} : { checked }) };
  return await answered(client, order, questionId, async () => {
    const handle = client.workflow.getHandle(workflowId);
    await sendAnswer(handle, { questionId, runId, ...statement }, answer);
  });
}

/** Sends an answer. A refusal because of another question gets its own error. */
export async function answered(
  client: Client,
  order: OrderKey,
  questionId: string,
  send: () => Promise<void>,
): Promise<Receipt> {
  try {
    return await confirmed(client, { what: 'answer', questionId }, send);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const { state } = await getShipment(client, order);
    if (state === null || state.question?.id === questionId) throw error;
    throw new StaleQuestionError(error.message, { cause: error });
  }
}

/** @throws ShipmentNotFoundError, NoWorkerError, NoQuestionError */
export async function openQuestionOf(client: Client, order: OrderKey): Promise<string> {
  const view = await getShipment(client, order);
  if (view.state?.question != null) return view.state.question.id;
  if (view.state === null && isOpen(view))
    throw noWorkerAnswers(view.workflowId, 'Start one, or name the question with `--question`.');
  throw new NoQuestionError(`${view.workflowId} has no open question.`);
}
