import type { FixedPriceAnswer } from '../domain/fixed-price';
import type { FurnitureShipment } from '../domain/shipment';
import { read } from './call';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface GetFixedPriceInput extends AccountInput {
  readonly shipment: FurnitureShipment;
  /** Of the price before, when it is asked again. */
  readonly priceCorrelationId: string | null;
}

export function createFixedPriceActivities({ marketplaceOf }: ActivityDependencies) {
  /** POST /v2/fixedprice. Has no effect, so that it repeats like a read. */
  async function getFixedPrice({ account, ...input }: GetFixedPriceInput): Promise<FixedPriceAnswer> {
    return await read((call) => marketplaceOf(account).getFixedPrice(input, call));
  }
  return { getFixedPrice };
}
