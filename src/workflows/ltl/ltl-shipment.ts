import { continueAsNew } from '@temporalio/workflow';
import { formatMoney } from '../../domain/money';
import { isPickupPast } from '../../domain/pickup';
import type { ShipmentResult } from '../../domain/shipment-result';
import { runPhases, type PhaseSteps } from '../phase-loop';
import { failedBeforeBooking } from '../run/failed-before-booking';
import { followListing } from '../follow/follow-listing';
import type { LtlShipmentInput } from '../run/input';
import { acceptRate } from './accept-rate';
import { collectRates } from './collect-rates';
import { pickPaymentMethod } from './payment-method';
import { ShipmentRun } from '../run/shipment-run';

/**
 * An LTL order from its rate request to settlement: payment method, rates, choice, acceptance, booking, transit,
 * delivery.
 */
export async function ltlShipment(input: LtlShipmentInput): Promise<ShipmentResult> {
  return await runPhases(new ShipmentRun(input), STEPS, (carried) =>
    continueAsNew<typeof ltlShipment>({ ...input, carried }),
  );
}

const STEPS: PhaseSteps = {
  validating: async (run) => {
    if (isPickupPast(run.input.shipment, run.now()))
      throw failedBeforeBooking('the pickup day is past', null);
    await payAndCollect(run);
  },
  collectingRates: collectRates,
  accepting: acceptRate,
  awaitingBooking: followListing,
  booked: followListing,
  inTransit: followListing,
  delivered: followListing,
};

/** Without a usable payment method the order waits here, and checks again. */
async function payAndCollect(run: ShipmentRun): Promise<void> {
  const type = await pickPaymentMethod(run);
  if (type === null) return;
  const { coverage } = run.input.shipment;
  const protection = coverage === null ? 'no protection' : `protection of ${formatMoney(coverage)}`;
  run.enter({ phase: 'collectingRates', request: null }, `order checked; pays by ${type}, ${protection}`);
}
