import type { AddressTypeCheck } from '../../domain/address-type';
import type { ShipmentRun } from './shipment-run';

/**
 * Address types are an open list: Consign reports one that the marketplace does not list, and lets the marketplace
 * refuse it.
 */
export function noteAddressTypes(
  run: ShipmentRun,
  { commodityCode, unlisted, trouble }: AddressTypeCheck,
): void {
  if (trouble !== null) run.addTimeline(`address types were not looked up: ${trouble}`);
  for (const type of unlisted)
    run.addWarning(
      `the marketplace lists no address type ${type} for ${commodityCode}; check how the stop is rated`,
    );
}
