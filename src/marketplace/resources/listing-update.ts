import type { ListingUpdate } from '../../domain/listing-changes';
import { formatMoney, type Money } from '../../domain/money';
import type { ListingUpdateWire, PriceWire } from '../schemas/listing-update';
import type { MarketplaceSettings } from '../settings';
import { toListingItem } from './listing-wire';
import { toMoneyWire } from './money';
import { toReference } from './references';
import { toFurnitureRoute } from './route';

/** Contract: the record and PUT use objects of three fields. Only the value counts; labels are the service's. */
const toTrio = (value: string) => ({ value, label: value, shortLabel: value });

/** Contract: price objects have four fields, "amount and formatting"; money of a request has two. */
function toPrice(price: Money, { changedPrice }: MarketplaceSettings): PriceWire {
  const { amount, currencyType } = toMoneyWire(price);
  if (changedPrice === 'amount') return { amount, currencyType };
  const label = formatMoney(price);
  return { value: amount, label, shortLabel: label, currencyType: toTrio(currencyType) };
}

/** Contract: listing update model; only changed fields and the checksum. */
export function toListingUpdate(
  { checksum, changes }: ListingUpdate,
  settings: MarketplaceSettings,
): ListingUpdateWire {
  const price = changes.listPrice && toPrice(changes.listPrice, settings);
  return {
    checksum: checksum ?? undefined,
    title: changes.title,
    description: changes.description,
    route: changes.route && toFurnitureRoute(changes.route, settings),
    isAuction: changes.isAuction,
    isDutchAuction: changes.isDutchAuction,
    isItineraryMandatory: changes.isItineraryMandatory,
    namedPrice: settings.pricing === 'namedPrice' ? price : undefined,
    offerPrice: settings.pricing === 'offerPrice' ? price : undefined,
    items: changes.items?.map((item) => toListingItem(item, settings)),
    serviceTypes: changes.serviceTypes?.map(toTrio),
    referenceNumbers: changes.references?.map((reference) => toReference(reference, settings)),
    attributes: changes.attributes,
    importSource: changes.importSource,
  };
}
