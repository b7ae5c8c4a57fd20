import type { AddressType } from '../domain/address-type';
import { read } from './call';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface ListAddressTypesInput extends AccountInput {
  readonly commodityCode: string;
}

export function createAddressTypeActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/lookups/addressTypes */
  async function listAddressTypes({ account, commodityCode }: ListAddressTypesInput) {
    return await read<readonly AddressType[]>((call) =>
      marketplaceOf(account).listAddressTypes(commodityCode, call),
    );
  }
  return { listAddressTypes };
}
