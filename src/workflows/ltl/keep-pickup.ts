import { missedPickup } from '../../domain/pickup';
import { ask } from '../asking/ask';
import type { ShipmentRun } from '../run/shipment-run';

/**
 * Makes sure that a carrier can still keep the pickup of an LTL order, because any wait can make it pass. By policy a
 * person is asked, or the next business day is used.
 * @param cutOffHour null when carriers have already offered the day
 * @returns `moved` when the pickup has another day, which needs new rates
 */
export async function keepPickup(run: ShipmentRun, cutOffHour: number | null): Promise<'kept' | 'moved'> {
  const missed = () =>
    missedPickup(run.input.shipment, run.now(), { ...run.input.policy.pickup, cutOffHour });
  const found = missed();
  if (found === null) return 'kept';
  const { day, possible } = found;
  if (run.input.policy.pickup.whenMissed === 'ask') {
    const text =
      `The pickup on ${day} cannot be kept any more: carriers need a day. Postpone it to the next day that is ` +
      `possible (${possible} as of now), or revise the order.`;
    await ask(run, { kind: 'pickupPassed', text, answers: ['postpone', 'revise', 'cancel'] });
  }
  // The answer may have come days later.
  run.movePickup(missed()?.possible ?? possible);
  return 'moved';
}
