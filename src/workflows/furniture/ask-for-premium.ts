import { commandLines } from '../../domain/command-lines';
import { withPremium, type FixedPrice, type PriceWithoutPremium } from '../../domain/fixed-price';
import { formatMoney } from '../../domain/money';
import { ask } from '../asking/ask';
import type { ShipmentRun } from '../run/shipment-run';

/**
 * Asks a person for the premium, because requested coverage is neither dropped nor free.
 * @returns null when the price must be requested again
 */
export async function askForPremium(
  run: ShipmentRun,
  answered: PriceWithoutPremium,
): Promise<FixedPrice | null> {
  const { price } = answered;
  const text =
    `The fixed price is ${formatMoney(price)}, and its answer names no premium for the coverage. Look up the premium, and ` +
    `run \`${commandLines.answer(run.state, { answer: 'premium' })}\` with the amount in ${price.currency}. If the answer names it elsewhere, set premiumPath in the ` +
    'settings of the account, restart the worker, and answer retry.';
  const answer = await ask(run, {
    kind: 'premiumUnknown',
    text,
    answers: ['premium', 'retry', 'revise', 'cancel'],
  });
  if (answer.kind !== 'premium') return null;
  const premium = { minorUnits: answer.premiumMinorUnits, currency: price.currency };
  run.addTimeline(`a person stated the premium: ${formatMoney(premium)}`);
  return withPremium(answered, premium);
}
