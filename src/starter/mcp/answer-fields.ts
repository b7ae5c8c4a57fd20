import { z } from 'zod';
import { parseMoney } from '../../domain/money';
import { UserError } from '../../platform/user-error';
import { toQuestionAnswer, type AnswerFields, type QuestionAnswer } from '../client/answer-question';

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

type Fields = z.infer<z.ZodObject<typeof answerFields>> & Pick<AnswerFields, 'by' | 'reason'>;

/** @throws UserError when the answer lacks what its kind needs, or its premium is no amount */
export function toAnswer({ answer, premium, ...fields }: Fields): QuestionAnswer {
  const amount = premium === undefined ? undefined : parseMoney(premium, '');
  if (amount === null) throw new UserError('The premium is an amount such as 48.50.');
  return toQuestionAnswer({ ...fields, kind: answer, premiumMinorUnits: amount?.minorUnits });
}
