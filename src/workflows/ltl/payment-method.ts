import { choosePaymentMethod } from '../../domain/payment-method';
import { ask } from '../asking/ask';
import { PhaseChanged } from '../run/leave-phase';
import { adoptLive } from '../listing/candidates';
import { pauseForAccount } from '../run/pause-for-account';
import type { ShipmentRun } from '../run/shipment-run';

/**
 * Picks the payment method of an LTL order. An account without one pauses, with one question for all its orders. An
 * order whose configured method is unusable asks its own question.
 * @returns a description of the method; null after either, when it must be looked up again
 * @throws LeavePhase when the order was withdrawn, or is booked after all
 */
export async function pickPaymentMethod(run: ShipmentRun): Promise<string | null> {
  const { account, policy } = run.input;
  const methods = await run.unlessWithdrawn(
    async () => await run.activities.reads.listPaymentMethods({ account, topLevelCommodity: 'ltl' }),
  );
  const choice = choosePaymentMethod(methods, policy.paymentMethodId, run.now());
  if (choice.kind !== 'chosen') {
    const trouble = `LTL cannot be paid: ${choice.reason}`;
    if (choice.kind === 'accountHasNone') await pauseUnlessBooked(run, trouble);
    else await askForMethod(run, trouble);
    return null;
  }
  const { paymentMethodId, type } = choice.paymentMethod;
  run.update({ paymentMethodId });
  return type ?? 'its method';
}

/**
 * Waits until the account is fixed, in a phase without anything under way.
 * @throws PhaseChanged when an event shows that an earlier acceptance is booked
 */
export async function pauseUnlessBooked(run: ShipmentRun, trouble: string): Promise<void> {
  await pauseForAccount(run, { reason: trouble, status: null });
  if (run.state.earlierAcceptances.length > 0 && (await adoptLive(run))) throw new PhaseChanged();
}

/** Whether no method is picked yet, or a revised order names another one. */
export function isToBePicked({ state, input }: ShipmentRun): boolean {
  const { paymentMethodId: configured } = input.policy;
  return state.paymentMethodId === null || (configured !== null && configured !== state.paymentMethodId);
}

async function askForMethod(run: ShipmentRun, trouble: string): Promise<void> {
  const text =
    `${trouble}. Fix it at the marketplace, then retry; or name another one in the policy of the order or of its ` +
    'account, and revise the order.';
  await ask(run, { kind: 'paymentMethod', text, answers: ['retry', 'revise', 'cancel'] });
}
