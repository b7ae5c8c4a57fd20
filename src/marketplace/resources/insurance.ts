import { assertNever } from '../../domain/assert-never';
import type { Money } from '../../domain/money';
import type { FurnitureShipment } from '../../domain/shipment';
import type { FixedPriceRequestWire } from '../schemas/fixed-price';
import type { ListingCreateWire } from '../schemas/listings';
import type { AcceptanceRequestWire } from '../schemas/rates';
import type { MarketplaceSettings } from '../settings';
import { toMoneyWire } from './money';

/** The commodity of the whole shipment, when there is one. */
export function sharedCommodity({ items }: FurnitureShipment): string | undefined {
  const [first, ...rest] = items.map(({ commodity }) => commodity);
  return rest.every((commodity) => commodity === first) ? first : undefined;
}

/** Fixed price: `insurance.coverageAmount`; absent when no protection is asked for. */
export function toInsurance(shipment: FurnitureShipment): FixedPriceRequestWire['insurance'] {
  if (shipment.coverage === null) return undefined;
  return { coverageAmount: { ...toMoneyWire(shipment.coverage), commodity: sharedCommodity(shipment) } };
}

/** Listing: one field that the contract does not name; that of the fixed price unless the account says otherwise. */
export function toListingInsurance(
  shipment: FurnitureShipment,
  { listingInsurance }: MarketplaceSettings,
): ListingCreateWire['insurance'] {
  const insurance = toInsurance(shipment);
  if (insurance === undefined || listingInsurance === 'coverageAmount') return insurance;
  return { coverage: insurance.coverageAmount };
}

/** LTL: `insurance.coverage`. How a protection is declined is not shown. */
export function toAcceptanceInsurance(
  coverage: Money | null,
  { declinedInsurance }: MarketplaceSettings,
): AcceptanceRequestWire['insurance'] {
  if (coverage !== null) return { coverage: toMoneyWire(coverage) };
  switch (declinedInsurance) {
    case 'nullCoverage':
      return { coverage: null };
    case 'empty':
      return {};
    case 'null':
      return null;
    default:
      return assertNever(declinedInsurance);
  }
}
