import { assertNever } from '../../domain/assert-never';
import type { Money } from '../../domain/money';
import type { FurnitureShipment } from '../../domain/shipment';
import type { FixedPriceRequestWire } from '../schemas/fixed-price';
import type { ListingCreateWire } from '../schemas/listings';
import type { AcceptanceRequestWire } from '../schemas/rates';
import type { MarketplaceSettings } from '../settings';
import { toMoneyWire } from './money';

/** The commodity that all items share, if any. */
export function sharedCommodity({ items }: FurnitureShipment): string | undefined {
  const [first, ...rest] = items.map(({ commodity }) => commodity);
  return rest.every((commodity) => commodity === first) ? first : undefined;
}

/** Fixed price: `insurance.coverageAmount`; absent when no coverage is asked for. */
export function toInsurance(shipment: FurnitureShipment): FixedPriceRequestWire['insurance'] {
  if (shipment.coverage === null) return undefined;
  return { coverageAmount: { ...toMoneyWire(shipment.coverage), commodity: sharedCommodity(shipment) } };
}

/**
 * Listing: the contract does not name the one field. Uses that of the fixed price, unless the account's settings
 * differ.
 */
export function toListingInsurance(
  shipment: FurnitureShipment,
  { listingInsurance }: MarketplaceSettings,
): ListingCreateWire['insurance'] {
  const insurance = toInsurance(shipment);
  if (insurance === undefined || listingInsurance === 'coverageAmount') return insurance;
  return { coverage: insurance.coverageAmount };
}

/** LTL: `insurance.coverage`. The contract does not show how to decline coverage. */
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
