import type { AddressTypeCheck } from '../domain/address-type';
import type { FixedPriceAnswer } from '../domain/fixed-price';
import type { FurnitureShipment } from '../domain/shipment';
import type { CheckAddressTypes } from './address-types';
import { read } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface GetFixedPriceInput extends AccountInput {
  readonly shipment: FurnitureShipment;
  /** From the previous price, when the price is requested again. */
  readonly priceCorrelationId: string | null;
}

export interface PricedFurniture {
  readonly answer: FixedPriceAnswer;
  readonly addressTypes: AddressTypeCheck;
}

export function createFixedPriceActivities(
  { marketplaceOf }: ActivityDependencies,
  checkAddressTypes: CheckAddressTypes,
) {
  /** POST /v2/fixedprice, and the look-up of address types. Without effect, so it repeats like a read. */
  async function getFixedPrice({ account, ...input }: GetFixedPriceInput): Promise<PricedFurniture> {
    return await read(async (call) => {
      const answer = await marketplaceOf(account).getFixedPrice(input, call);
      return { answer, addressTypes: await checkAddressTypes({ account, shipment: input.shipment }, call) };
    });
  }
  return { getFixedPrice };
}
