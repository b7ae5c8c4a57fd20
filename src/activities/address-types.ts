import { LRUCache } from 'lru-cache';
import type { AddressType } from '../domain/address-type';
import { read } from './call';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface ListAddressTypesInput extends AccountInput {
  readonly commodityCode: string;
}

/** The list hardly ever changes, and every order asks for it. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const MAX_KEPT = 1_000;

export function createAddressTypeActivities({ marketplaceOf }: ActivityDependencies) {
  const kept = new LRUCache<string, readonly AddressType[]>({ max: MAX_KEPT, ttl: KEPT_MS });

  const keyOf = ({ account, commodityCode }: ListAddressTypesInput): string =>
    `${account.environment}/${account.name}/${commodityCode}`;

  /** What this worker looked up before, without a call; null when it did not. */
  async function knownAddressTypes(input: ListAddressTypesInput): Promise<readonly AddressType[] | null> {
    return await Promise.resolve(kept.get(keyOf(input)) ?? null);
  }

  /** GET /v2/lookups/addressTypes, of each account and commodity once a day. */
  async function listAddressTypes({ account, commodityCode }: ListAddressTypesInput) {
    const key = keyOf({ account, commodityCode });
    const known = kept.get(key);
    if (known !== undefined) return known;
    const types = await read<readonly AddressType[]>((call) =>
      marketplaceOf(account).listAddressTypes(commodityCode, call),
    );
    kept.set(key, types);
    return types;
  }
  return { knownAddressTypes, listAddressTypes };
}
