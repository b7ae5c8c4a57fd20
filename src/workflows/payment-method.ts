import { choosePaymentMethod } from '../domain/payment-method';
import { ask } from './ask';
import type { ShipmentRun } from './shipment-run';

/**
 * Picks what pays for an LTL order. No usable payment method is a question about the account, not a failed shipment.
 * @returns in words what pays; null after that question, when it is to be looked up again
 * @throws LeavePhase when the order was withdrawn, or is booked after all
 */
export async function pickPaymentMethod(run: ShipmentRun): Promise<string | null> {
  const { account, policy } = run.input;
  const methods = await run.unlessWithdrawn(
    async () => await run.activities.reads.listPaymentMethods({ account, topLevelCommodity: 'ltl' }),
  );
  const choice = choosePaymentMethod(methods, policy.paymentMethodId, run.now());
  if (choice.kind === 'none') {
    const text = `LTL cannot be paid: ${choice.reason}. Set one up at the marketplace or configure its id, then retry.`;
    await ask(run, { kind: 'paymentMethod', text, answers: ['retry', 'cancel'] });
    return null;
  }
  const { paymentMethodId, type } = choice.paymentMethod;
  run.state = { ...run.state, paymentMethodId };
  return type ?? 'its method';
}
