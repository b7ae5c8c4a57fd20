import type { FixedPrice } from '../../domain/fixed-price';
import { addMoney, moneyFromNumber, type Money } from '../../domain/money';
import type { FurnitureShipment } from '../../domain/shipment';
import type { MarketplaceAccount, MarketplaceSettings } from '../account';
import type { Answer } from '../answer';
import type { Api } from '../api';
import type { Marketplace } from '../marketplace';
import {
  fixedPriceRequestSchema,
  fixedPriceResponseSchema,
  type FixedPriceRequestWire,
} from '../schemas/fixed-price';
import { sharedCommodity, toInsurance } from './insurance';
import { toMoney } from './money';

function toFixedPriceRequest(
  shipment: FurnitureShipment,
  priceCorrelationId: string | null,
  account: MarketplaceAccount,
): FixedPriceRequestWire {
  return {
    source: account.source,
    originPostalCode: shipment.origin.address.postalCode,
    destinationPostalCode: shipment.destination.address.postalCode,
    originCountryCode: shipment.origin.address.country,
    destinationCountryCode: shipment.destination.address.country,
    items: shipment.items.map(
      ({ heightInMeters, lengthInMeters, widthInMeters, weightInGrams, quantity }) => ({
        heightInMeters,
        lengthInMeters,
        widthInMeters,
        weightInGrams,
        unitCount: quantity,
      }),
    ),
    insurance: toInsurance(shipment),
    userId: account.userId ?? undefined,
    priceCorrelationId: priceCorrelationId ?? undefined,
    commodity: sharedCommodity(shipment),
  };
}

/**
 * The premium's place is not shown; three are read. Asked for and not found is an error and never 0: the shipper's
 * customer would be shown a price without the protection that was promised.
 */
function readFixedPrice(
  answer: Answer,
  hasCoverage: boolean,
  { currency, listPrice }: MarketplaceSettings,
): FixedPrice {
  const wire = answer.json(fixedPriceResponseSchema);
  const price = moneyFromNumber(wire.price, currency);
  let premium: Money | null = null;
  if (hasCoverage) {
    const found = wire.insuranceQuote ?? wire.insurance ?? wire.premium;
    if (found === null) {
      throw answer.unexpected(
        'insuranceQuote.premium.amount (coverage was asked for, no premium was answered)',
      );
    }
    premium = toMoney(found, currency);
  }
  const total = premium === null ? price : addMoney(price, premium);
  if (total === null)
    throw answer.unexpected(`insuranceQuote.premium.currencyType (must be ${currency}, as the price)`);
  return {
    price,
    // The contract names `nypAmount`; another page of the service the total, where protection is included.
    listPrice:
      listPrice === 'priceWithPremium' && premium !== null
        ? total
        : moneyFromNumber(wire.nypAmount, currency),
    priceCorrelationId: wire.priceCorrelationId,
    premium,
    total,
  };
}

/** Contract: `POST /v2/fixedprice`. */
export function createFixedPriceCalls(
  api: Api,
  account: MarketplaceAccount,
): Pick<Marketplace, 'getFixedPrice'> {
  return {
    async getFixedPrice({ shipment, priceCorrelationId }, call) {
      const value = toFixedPriceRequest(shipment, priceCorrelationId, account);
      const answer = await api.call(
        {
          operation: 'getFixedPrice',
          method: 'POST',
          path: '/v2/fixedprice',
          body: { kind: account.settings.fixedPriceBody, schema: fixedPriceRequestSchema, value },
        },
        call,
      );
      return readFixedPrice(answer, shipment.coverage !== null, account.settings);
    },
  };
}
