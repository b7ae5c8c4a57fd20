import { z } from 'zod';
import { parseMoney } from '../domain/money';
import { described } from '../platform/described';

/** For editors; `parseMoney` decides. */
const AMOUNT = String.raw`^\s*\d{1,12}(\.\d{1,2}0*)?\s*$`;

/** Minor units, from a decimal text. */
export const moneySchema = z
  .strictObject({
    amount: described(
      z.union([z.string().meta({ pattern: AMOUNT }), z.number().meta({ minimum: 0 })], {
        error: 'give the amount as text, such as "650.00"',
      }),
      'A decimal amount in quotes, such as `"650.00"`.',
    ),
    currency: described(z.enum(['USD', 'CAD']), 'The currency of the amount.'),
  })
  .transform(({ amount, currency }, context) => {
    const money = parseMoney(String(amount), currency);
    if (money !== null && money.minorUnits >= 0) return money;
    context.addIssue({ code: 'custom', path: ['amount'], message: 'give a decimal amount such as "650.00"' });
    return z.NEVER;
  })
  .meta({ title: '{amount, currency}' });
