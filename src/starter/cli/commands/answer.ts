import type { AnswerKind } from '../../../domain/question';
import { toQuestionAnswer } from '../../client/answer-question';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
import { reviseOrder } from './revise';

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
  if (kind === 'revise') {
    await reviseOrder(context, options.document ?? '-', { ...options, order });
    return;
  }
  const { by, reason, checked, question, listing, rate, premium } = options;
  const given = toQuestionAnswer({
    ...{ kind, by, reason, checked, questionId: question },
    ...{ listingId: listing, rateId: rate, premiumMinorUnits: premium },
  });
  await context.withShipments(
    async (shipments) =>
      await confirm(
        { context, json: options.json, what: 'answer' },
        async () => await shipments.answer(order.account, order.orderId, given),
      ),
  );
}

/** `consign cancel`. */
export async function withdraw(
  context: CliContext,
  text: string,
  { by, reason, json }: AnswerOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  const doneBefore = 'The order has already ended, and nothing is booked.';
  await context.withShipments(
    async (shipments) =>
      await confirm(
        { context, json, what: 'withdrawal', doneBefore },
        async () => await shipments.cancel(account, orderId, { by, reason }),
      ),
  );
}
