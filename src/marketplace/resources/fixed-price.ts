import { z } from 'zod';
import { withPremium, type FixedPriceAnswer } from '../../domain/fixed-price';
import { moneyFromNumber } from '../../domain/money';
import type { FurnitureShipment } from '../../domain/shipment';
import type { MarketplaceAccount, MarketplaceSettings } from '../account';
import type { ApiResponse } from '../api-response';
import type { Api } from '../api';
import type { Marketplace } from '../marketplace';
import { optionalAmountSchema, type Amount } from '../schemas/common';
import {
  fixedPriceRequestSchema,
  fixedPriceResponseSchema,
  type FixedPriceRequestWire,
} from '../schemas/fixed-price';
import { weightOfLine } from './furniture-weight';
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
    items: shipment.items.map((item) => ({
      heightInMeters: item.heightInMeters,
      lengthInMeters: item.lengthInMeters,
      widthInMeters: item.widthInMeters,
      weightInGrams: weightOfLine(item, account.settings),
      unitCount: item.quantity,
    })),
    insurance: toInsurance(shipment),
    userId: account.userId ?? undefined,
    priceCorrelationId: priceCorrelationId ?? undefined,
    commodity: sharedCommodity(shipment),
  };
}

/** The value at a dotted path of a JSON value; undefined when there is none. */
function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** The amount at the account's own path. Anything else there is ignored, and the known places are read. */
function premiumByPath(answer: ApiResponse, path: string | null): Amount | null {
  if (path === null) return null;
  const read = optionalAmountSchema.safeParse(valueAt(answer.json(z.unknown()), path));
  return read.success && read.data !== null && read.data.amount >= 0 ? read.data : null;
}

/**
 * The contract does not show where the premium is. It is read at the account's own path, then in three known places.
 * A premium that was asked for and not found is unknown, never 0: otherwise the shipper's customer would see a price
 * without the coverage.
 */
function readFixedPrice(
  answer: ApiResponse,
  hasCoverage: boolean,
  settings: MarketplaceSettings,
): FixedPriceAnswer {
  const { currency, premiumPath } = settings;
  const wire = answer.json(fixedPriceResponseSchema);
  const price = moneyFromNumber(wire.price, currency);
  const listPrice = moneyFromNumber(wire.nypAmount, currency);
  const { priceCorrelationId } = wire;
  if (!hasCoverage) return { price, listPrice, priceCorrelationId, premium: null, total: price };
  // The contract uses `nypAmount`; another page of the service uses the total when coverage is included.
  const isListedAtTotal = settings.listPrice === 'priceWithPremium';
  const unpriced = { price, listPrice, priceCorrelationId, premium: 'unknown', isListedAtTotal } as const;
  const found = premiumByPath(answer, premiumPath) ?? wire.insuranceQuote ?? wire.insurance ?? wire.premium;
  if (found === null) return unpriced;
  const complete = withPremium(unpriced, toMoney(found, currency));
  if (complete === null)
    throw answer.unexpected(`currencyType of the premium (must be ${currency}, as the price)`);
  return complete;
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
