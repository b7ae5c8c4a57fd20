import type { AnswerKind } from '../../../domain/question';
import type { QuestionAnswer } from '../../client/answer-question';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
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
  if (kind === 'revise') {
    await reviseOrder(context, options.document ?? '-', { ...options, order });
    return;
  }
  const given = answerOf({ kind, ...options });
  await context.withShipments(
    async (shipments) =>
      await confirm(
        { context, json: options.json, what: 'answer' },
        async () => await shipments.answer(order.account, order.orderId, given),
      ),
  );
}

/** The answer with the option that its kind needs; the command line has checked that it is given. */
function answerOf(options: AnswerOptions & { readonly kind: Kind }): QuestionAnswer {
  const { kind, by, reason, checked, question, listing = '', rate = '', premium = 0 } = options;
  const statement = { by, reason, checked, questionId: question };
  switch (kind) {
    case 'adopt':
      return { ...statement, kind, listingId: listing };
    case 'selectRate':
      return { ...statement, kind, rateId: rate };
    case 'premium':
      return { ...statement, kind, premiumMinorUnits: premium };
    case 'resend':
    case 'abandon':
      return { ...statement, kind, questionId: question ?? '' };
    default:
      return { ...statement, kind };
  }
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
