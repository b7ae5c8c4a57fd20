import type { FurnitureShipment } from '../../domain/shipment';
import type { AcceptanceRequestWire } from '../schemas/rates';
import type { ListingCreateWire } from '../schemas/listings';
import type { Money } from '../../domain/money';
import { toMoneyWire } from './money';

/** The commodity of the whole shipment, when there is one. */
export function sharedCommodity({ items }: FurnitureShipment): string | undefined {
  const [first, ...rest] = items.map(({ commodity }) => commodity);
  return rest.every((commodity) => commodity === first) ? first : undefined;
}

/** Furniture: `insurance.coverageAmount`, the same on fixed price and listing; absent when none is asked for. */
export function toInsurance(shipment: FurnitureShipment): ListingCreateWire['insurance'] {
  if (shipment.coverage === null) return undefined;
  return { coverageAmount: { ...toMoneyWire(shipment.coverage), commodity: sharedCommodity(shipment) } };
}

/** LTL: `insurance.coverage`, and null where the protection is declined. */
export function toAcceptanceInsurance(coverage: Money | null): AcceptanceRequestWire['insurance'] {
  return { coverage: coverage === null ? null : toMoneyWire(coverage) };
}
