import type { Money } from '../../domain/money';
import type { FurnitureItem, FurnitureShipment } from '../../domain/shipment';
import type { ListingDraft } from '../marketplace';
import type { ListingCreateWire, ListingItemWire } from '../schemas/listings';
import type { MarketplaceSettings } from '../settings';
import { weightOfLine } from './furniture-weight';
import { toListingInsurance } from './insurance';
import { toMoneyWire } from './money';
import { toListingReferences } from './references';
import { toFurnitureRoute } from './route';

const unlessEmpty = (values: readonly string[]): string[] | undefined =>
  values.length === 0 ? undefined : [...values];

/** Contract: listing item. The contract uses capitals; samples of the service mix them with camelCase. */
export function toListingItem(item: FurnitureItem, settings: MarketplaceSettings): ListingItemWire {
  const size = {
    widthInMeters: item.widthInMeters,
    lengthInMeters: item.lengthInMeters,
    heightInMeters: item.heightInMeters,
    weightInGrams: weightOfLine(item, settings),
    unitCount: item.quantity,
  };
  const { title, commodity } = item;
  const description = item.description ?? undefined;
  return settings.listingItemKeys === 'capitalised'
    ? { Title: title, Commodity: commodity, Description: description, ...size }
    : { title, commodity, description, ...size };
}

/** One of `namedPrice` and `offerPrice`, never both. */
function toPricing(price: Money, { pricing }: MarketplaceSettings): ListingCreateWire['pricing'] {
  const money = toMoneyWire(price);
  return pricing === 'namedPrice' ? { namedPrice: money } : { offerPrice: money };
}

/** Contract: listing create request. */
export function toListingCreate(draft: ListingDraft, settings: MarketplaceSettings): ListingCreateWire {
  const shipment: FurnitureShipment = draft.shipment;
  return {
    title: shipment.title,
    description: shipment.description ?? undefined,
    confidentialDescription: shipment.driverNotes ?? undefined,
    pricing: toPricing(draft.listPrice, settings),
    insurance: toListingInsurance(shipment, settings),
    route: toFurnitureRoute(shipment, settings),
    items: shipment.items.map((item) => toListingItem(item, settings)),
    requestedRateTypes: shipment.requestedRateTypes ?? undefined,
    referenceNumbers: toListingReferences(draft, settings),
    serviceTypes: unlessEmpty(shipment.serviceTypes),
    gallery: unlessEmpty(shipment.gallery),
    attributes: shipment.attributes ?? undefined,
  };
}
