import { LRUCache } from 'lru-cache';
import { unlistedAddressTypes, type AddressType, type AddressTypeCheck } from '../domain/address-type';
import type { AccountPin } from '../domain/account-pin';
import type { Shipment } from '../domain/shipment';
import { MarketplaceError } from '../marketplace/errors';
import type { CallOptions } from '../marketplace/marketplace';
import type { AccountInput, ActivityDependencies } from './dependencies';

/** The list hardly ever changes, and every order needs it. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const MAX_KEPT = 1_000;
/** The list is only a hint, so no order waits long for it. */
const LOOK_UP_TIMEOUT_MS = 5_000;

export interface PricedOrder extends AccountInput {
  readonly shipment: Shipment;
}

/**
 * Finds the address types of an order that the marketplace does not list. Called within the activities that price the
 * order, because a separate activity would cost each order a place in the account's queue.
 */
export type CheckAddressTypes = (order: PricedOrder, call: CallOptions) => Promise<AddressTypeCheck>;

/** GET /v2/lookups/addressTypes, once a day for each account and commodity. */
export function createAddressTypeCheck({ marketplaceOf }: ActivityDependencies): CheckAddressTypes {
  const kept = new LRUCache<string, readonly AddressType[]>({ max: MAX_KEPT, ttl: KEPT_MS });

  async function listed(account: AccountPin, commodityCode: string, call: CallOptions) {
    const key = `${account.environment}/${account.name}/${commodityCode}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const options = { ...call, timeoutMs: LOOK_UP_TIMEOUT_MS };
    const types = await marketplaceOf(account).listAddressTypes(commodityCode, options);
    kept.set(key, types);
    return types;
  }
  return async ({ account, shipment }, call) => {
    const named = [shipment.origin.addressType, shipment.destination.addressType];
    const commodityCode = shipment.items[0]?.commodity ?? '';
    if (commodityCode === '' || named.every((type) => type === null))
      return { commodityCode, unlisted: [], trouble: null };
    try {
      const unlisted = unlistedAddressTypes(named, await listed(account, commodityCode, call));
      return { commodityCode, unlisted, trouble: null };
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      return { commodityCode, unlisted: [], trouble: error.message };
    }
  };
}
