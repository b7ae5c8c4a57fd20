import type { Api } from '../api';
import type { Marketplace } from '../marketplace';
import { addressTypeSchema } from '../schemas/address-types';

/** Contract: `GET /v2/lookups/addressTypes`, for one commodity. */
export function createAddressTypeCalls(api: Api): Pick<Marketplace, 'listAddressTypes'> {
  return {
    async listAddressTypes(commodityCode, call) {
      const answer = await api.call(
        {
          operation: 'listAddressTypes',
          method: 'GET',
          path: '/v2/lookups/addressTypes',
          query: { commodityCode },
        },
        call,
      );
      return answer
        .list(addressTypeSchema)
        .items.map(({ value, label, shortLabel }) => ({ value, label: label ?? shortLabel ?? value }));
    },
  };
}
