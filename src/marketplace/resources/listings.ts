import type { MarketplaceAccount } from '../account';
import type { Api } from '../api';
import { listingIdOf } from '../location';
import type { Marketplace } from '../marketplace';
import { listingAnswerSchema, listingCreateSchema } from '../schemas/listings';
import { toListingRecord } from './listing-record';
import { toListingCreate } from './listing-wire';

type ListingCalls = Pick<Marketplace, 'createListing' | 'getListing' | 'deleteListing'>;

/** Contract: `POST`, `GET` and `DELETE` of `/v2/listings`. */
export function createListingCalls(api: Api, account: MarketplaceAccount): ListingCalls {
  return {
    async createListing(draft, call) {
      const answer = await api.call(
        {
          operation: 'createListing',
          method: 'POST',
          path: '/v2/listings',
          body: {
            kind: account.settings.listingBody,
            schema: listingCreateSchema,
            value: toListingCreate(draft, account.settings),
          },
        },
        call,
      );
      const listingId = listingIdOf(answer.location);
      if (listingId === null) throw answer.unexpected('a Location header that names the listing');
      return { listingId };
    },

    async getListing(listingId, call) {
      const answer = await api.call(
        { operation: 'getListing', method: 'GET', path: '/v2/listings/{listingId}', params: { listingId } },
        call,
      );
      const records = answer.json(listingAnswerSchema);
      if (records.length === 0) throw answer.notFound('the list of listings is empty');
      const record = records.find((candidate) => candidate.listingId === listingId);
      if (record === undefined) throw answer.unexpected(`listingId (must be ${listingId})`);
      return toListingRecord(record, account.settings.currency);
    },

    async deleteListing(listingId, call) {
      await api.call(
        {
          operation: 'deleteListing',
          method: 'DELETE',
          path: '/v2/listings/{listingId}',
          params: { listingId },
        },
        call,
      );
    },
  };
}
