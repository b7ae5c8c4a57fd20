import { send } from './send';
import type { ShipmentRun } from './shipment-run';

/**
 * Takes a listing off the market, so that no carrier books it after the order was given up.
 * @returns why it is still there, or null when it is gone
 */
export async function takeDown(run: ShipmentRun, listingId: string): Promise<string | null> {
  const outcome = await send(run, 'deleting the listing', () =>
    run.activities.writes.deleteListing({ ...run.guard, listingId }),
  );
  if (outcome.kind !== 'done') return outcome.reason;
  return outcome.value === 'booked' ? 'a carrier booked it before' : null;
}
