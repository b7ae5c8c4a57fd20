import { EXTRA_PRICES, type ExtraPrice, type ListingExtras } from '../../domain/listing-extras';
import type { Money } from '../../domain/money';
import type { ListingRecordWire } from '../schemas/listings';
import { withinLength } from './details';
import { toMoney } from './money';

/** The contract describes a few codes; a far longer list is cut. */
const MAX_CODES = 20;

const isExtraPrice = (name: string): name is ExtraPrice => Object.hasOwn(EXTRA_PRICES, name);

function toExtraPrices(wire: ListingRecordWire, currency: string): ListingExtras['prices'] {
  const prices: Partial<Record<ExtraPrice, Money>> = {};
  for (const name of Object.keys(EXTRA_PRICES).filter(isExtraPrice)) {
    const amount = wire[name];
    if (amount !== null) prices[name] = toMoney(amount, currency);
  }
  return prices;
}

/** @param currency of prices without one */
export function toListingExtras(wire: ListingRecordWire, currency: string): ListingExtras {
  return {
    nextTransitStatus: wire.nextTransitStatus,
    previousTransitStatus: wire.previousTransitStatus,
    availableTransitStatuses: wire.availableTransitStatuses.slice(0, MAX_CODES),
    createdOn: wire.createdOn,
    activatedOn: wire.activatedOn,
    cancelledOn: wire.cancelledOn,
    archivedOn: wire.archivedOn,
    prices: toExtraPrices(wire, currency),
    priceDetails: withinLength(wire.priceDetails),
    serviceTypes: wire.serviceTypes.slice(0, MAX_CODES),
    quoteRequestId: wire.quoteRequestId,
    thirdParty: withinLength(wire.thirdParty),
    importSource: wire.importSource,
    privateNetwork: wire.privateNetwork,
    questionsAsked: wire.questionsAsked,
    activeBidsPlaced: wire.activeBidsPlaced,
    totalBidsPlaced: wire.totalBidsPlaced,
  };
}
