import { ActivityFailure } from '@temporalio/workflow';
import { unlistedAddressTypes } from '../domain/address-type';
import { kept } from './activity-groups';
import type { ShipmentRun } from './shipment-run';

/** The list is a hint: an order never waits for it. */
const LOOK_UP = { scheduleToCloseTimeout: '15 seconds', summary: 'looks up the address types' } as const;

/**
 * Address types are an open list that the marketplace looks up by commodity. One that it does not list is a notice: it
 * may be taken all the same, or silently become a residence.
 */
export async function checkAddressTypes(run: ShipmentRun): Promise<void> {
  const { account, shipment } = run.input;
  const named = [shipment.origin.addressType, shipment.destination.addressType];
  const commodityCode = shipment.items[0]?.commodity;
  if (commodityCode === undefined || named.every((type) => type === null)) return;
  try {
    const input = { account, commodityCode };
    const listed =
      (await kept.knownAddressTypes.executeWithOptions(LOOK_UP, [input])) ??
      (await run.activities.reads.listAddressTypes.executeWithOptions(LOOK_UP, [input]));
    for (const type of unlistedAddressTypes(named, listed))
      run.notice(
        `the marketplace lists no address type ${type} for ${commodityCode}; check how the stop is rated`,
      );
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    run.note(`address types were not looked up: ${run.why(error)}`);
  }
}
