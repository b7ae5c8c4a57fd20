import type { Answer, AnswerKind } from '../../../domain/question';
import { shipmentWorkflowId, type OrderKey } from '../../../domain/workflow-id';
import { confirm, SHIPMENT_OVER, type Over } from '../confirm';
import type { CliContext } from '../context';
import { openQuestionOf } from '../open-question';
import { sendAnswer, sendWithdrawal } from '../../client/send-answer';
import type { ShipmentClient } from '../../client/shipment-client';
import { reviseOrder } from './revise';

/** The answers without `revise` and `cancel`, which are commands as well. */
type Kind = Exclude<AnswerKind, 'revise' | 'cancel'>;

export interface AnswerOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
  readonly listing?: string;
  readonly rate?: string;
  readonly checked?: string;
  /** Hundredths of the currency of the price. */
  readonly premium?: number;
  readonly document?: string;
  readonly json?: boolean;
}

/** `consign answer`: each answer that a question names, `revise` and `cancel` included. */
export async function answer(
  context: CliContext,
  text: string,
  { kind, ...options }: AnswerOptions & { readonly kind: AnswerKind },
): Promise<void> {
  if (kind === 'cancel') {
    await withdraw(context, text, options);
    return;
  }
  const order = await context.orderOf(text);
  if (kind === 'revise') await reviseOrder(context, options.document ?? '-', { ...options, order });
  else await answerQuestion(context, order, { kind, ...options });
}

async function answerQuestion(
  context: CliContext,
  { account, orderId }: OrderKey,
  options: AnswerOptions & { readonly kind: Kind },
): Promise<void> {
  const { by, reason, checked, json } = options;
  await context.withShipments(async (shipments, client) => {
    const questionId = options.question ?? (await openQuestionOf(context, shipments, { account, orderId }));
    if (questionId === null) return;
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    const { runId } = await handle.describe();
    const statement = { by, reason, ...(checked === undefined ? {} : { checked }) };
    await confirm({ context, client, json, what: 'answer', questionId }, async () => {
      await sendAnswer(handle, { questionId, runId, ...statement }, answerOf(options));
    });
  });
}

/** The answer with the option that its kind needs; the command line has checked that it is given. */
function answerOf({
  kind,
  listing = '',
  rate = '',
  premium = 0,
}: AnswerOptions & { readonly kind: Kind }): Answer {
  switch (kind) {
    case 'adopt':
      return { kind, listingId: listing };
    case 'selectRate':
      return { kind, rateId: rate };
    case 'premium':
      return { kind, premiumMinorUnits: premium };
    default:
      return { kind };
  }
}

/** `consign cancel`. */
export async function withdraw(
  context: CliContext,
  text: string,
  { by, reason, json }: AnswerOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  await context.withShipments(async (shipments, client) => {
    await shipments.get(account, orderId);
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    const whenOver = async (): Promise<Over> => await overOf(shipments, { account, orderId });
    await confirm(
      { context, client, json, what: 'withdrawal', whenOver },
      async () => await sendWithdrawal(handle, { by, reason }),
    );
  });
}

const NOTHING_BOOKED = new Set(['FAILED', 'CANCELLED']);

/** A withdrawal of a failed, withdrawn or cancelled shipment succeeds: an earlier try of it may be what ended it. */
async function overOf(shipments: ShipmentClient, { account, orderId }: OrderKey): Promise<Over> {
  const { status, withdrawal } = await shipments.get(account, orderId);
  return NOTHING_BOOKED.has(status) || withdrawal !== null
    ? { isWanted: true, text: 'The order has already ended, and nothing is booked.' }
    : SHIPMENT_OVER;
}
