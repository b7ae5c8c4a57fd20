import { continueAsNew } from '@temporalio/workflow';
import { formatMoney } from '../domain/money';
import { choosePaymentMethod } from '../domain/payment-method';
import { isPickupPast } from '../domain/pickup';
import type { ShipmentResult } from '../domain/shipment-result';
import { drive, failedBeforeBooking, type Steps } from './drive';
import { followListing } from './follow-listing';
import type { LtlShipmentInput } from './input';
import { acceptRate } from './accept-rate';
import { ask } from './ask';
import { checkAddressTypes } from './check-address-types';
import { collectRates } from './collect-rates';
import { ShipmentRun } from './shipment-run';

/**
 * An LTL order, from its rate request to the settlement of its price:
 * payment method, rates, choice, acceptance, booking, transit, delivery.
 */
export async function ltlShipment(input: LtlShipmentInput): Promise<ShipmentResult> {
  return await drive(new ShipmentRun(input), STEPS, (carried) =>
    continueAsNew<typeof ltlShipment>({ ...input, carried }),
  );
}

const STEPS: Steps = {
  validating: async (run) => {
    if (isPickupPast(run.input.shipment, run.now())) throw failedBeforeBooking('the pickup day is past');
    await checkAddressTypes(run);
    await pickPaymentMethod(run);
  },
  collectingRates: collectRates,
  accepting: acceptRate,
  awaitingBooking: followListing,
  booked: followListing,
  inTransit: followListing,
  delivered: followListing,
};

/** No usable payment method is a question about the account, not a failed shipment. */
async function pickPaymentMethod(run: ShipmentRun): Promise<void> {
  const { account, policy } = run.input;
  const methods = await run.unlessWithdrawn(
    async () => await run.activities.reads.listPaymentMethods({ account, topLevelCommodity: 'ltl' }),
  );
  const choice = choosePaymentMethod(methods, policy.paymentMethodId, run.now());
  if (choice.kind === 'none') {
    const text = `LTL cannot be paid: ${choice.reason}. Set one up at the marketplace or configure its id, then retry.`;
    await ask(run, { kind: 'paymentMethod', text, answers: ['retry', 'cancel'] });
    return;
  }
  const { paymentMethodId, type } = choice.paymentMethod;
  run.state = { ...run.state, paymentMethodId };
  const { coverage } = run.input.shipment;
  const protection = coverage === null ? 'no protection' : `protection of ${formatMoney(coverage)}`;
  run.enter(
    { phase: 'collectingRates', request: null },
    `order checked; pays by ${type ?? 'its method'}, ${protection}`,
  );
}
