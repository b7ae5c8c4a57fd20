import { z } from 'zod';
import { parseMoney } from '../../domain/money';
import { UserError } from '../../platform/user-error';
import type { QuestionAnswer } from '../client/answer-question';

/** The fields of a tool call that answers a question. */
export const answerFields = {
  answer: z
    .enum([
      ...(['approve', 'selectRate', 'adopt', 'resend', 'abandon', 'retry'] as const),
      ...(['postpone', 'rebook', 'close', 'premium'] as const),
    ])
    .describe('One of the answers of the open question.'),
  questionId: z
    .string()
    .optional()
    .describe('The question that was read; required for resend and abandon, by default the open one.'),
  listingId: z.string().optional().describe('With adopt: the listing that is this order.'),
  rateId: z.string().optional().describe('With selectRate: the rate.'),
  premium: z.string().optional().describe('With premium: the cost of the coverage, such as 48.50.'),
  checked: z
    .string()
    .optional()
    .describe(
      'What a person checked with the marketplace or the carrier; required when a refusal asks for it.',
    ),
};

type Fields = z.infer<z.ZodObject<typeof answerFields>> & { readonly by: string; readonly reason: string };

/** @throws UserError when the answer lacks what its kind needs */
export function toAnswer({
  answer,
  questionId,
  listingId,
  rateId,
  premium,
  ...said
}: Fields): QuestionAnswer {
  switch (answer) {
    case 'adopt':
      return { ...said, kind: answer, questionId, listingId: needed(listingId, 'listingId', answer) };
    case 'selectRate':
      return { ...said, kind: answer, questionId, rateId: needed(rateId, 'rateId', answer) };
    case 'resend':
    case 'abandon':
      return { ...said, kind: answer, questionId: needed(questionId, 'questionId', answer) };
    case 'premium': {
      const amount = parseMoney(needed(premium, 'premium', answer), '');
      if (amount === null) throw new UserError('The premium is an amount such as 48.50.');
      return { ...said, kind: answer, questionId, premiumMinorUnits: amount.minorUnits };
    }
    default:
      return { ...said, kind: answer, questionId };
  }
}

function needed(given: string | undefined, field: string, answer: string): string {
  if (given === undefined) throw new UserError(`The answer ${answer} needs ${field}.`);
  return given;
}
