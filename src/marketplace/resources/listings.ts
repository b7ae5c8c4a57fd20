import type { MarketplaceAccount } from '../account';
import type { ApiResponse } from '../api-response';
import type { Api } from '../api';
import { parseList } from '../lenient';
import { listingIdOf } from '../location';
import type { CallOptions, Marketplace } from '../marketplace';
import { listingUpdateSchema } from '../schemas/listing-update';
import {
  anyListingsSchema,
  listingCreateSchema,
  listingRecordSchema,
  rawListingAnswerSchema,
} from '../schemas/listings';
import { toListingRecord } from './listing-record';
import { toListingUpdate } from './listing-update';
import { toListingCreate } from './listing-wire';
import { showsChanges } from './shows-changes';

type ListingCalls = Pick<
  Marketplace,
  'createListing' | 'getListing' | 'updateListing' | 'isListingUpdated' | 'deleteListing'
>;

const ONE_LISTING = '/v2/listings/{listingId}';

/** A list may be empty, or contain other listings. */
function pick<T extends { readonly listingId: string }>(
  answer: ApiResponse,
  records: readonly T[],
  listingId: string,
): T {
  if (records.length === 0) throw answer.notFound('the list of listings is empty');
  const record = records.find((candidate) => candidate.listingId === listingId);
  if (record === undefined) throw answer.unexpected(`listingId (must be ${listingId})`);
  return record;
}

/** Contract: `POST`, `GET`, `PUT` and `DELETE` of `/v2/listings`. */
export function createListingCalls(api: Api, account: MarketplaceAccount): ListingCalls {
  const { settings } = account;
  const fetchListing = async (listingId: string, call?: CallOptions): Promise<ApiResponse> =>
    await api.call(
      { operation: 'getListing', method: 'GET', path: ONE_LISTING, params: { listingId } },
      call,
    );
  return {
    async createListing(draft, call) {
      const value = toListingCreate(draft, settings);
      const answer = await api.call(
        {
          operation: 'createListing',
          method: 'POST',
          path: '/v2/listings',
          body: { kind: settings.listingBody, schema: listingCreateSchema, value },
        },
        call,
      );
      const listingId = listingIdOf(answer.location.own);
      if (listingId === null) throw answer.withoutLocation('the listing');
      return { listingId };
    },

    async getListing(listingId, call) {
      const answer = await fetchListing(listingId, call);
      const { items, leftOut } = parseList(listingRecordSchema, answer.json(anyListingsSchema), '');
      const [bad] = leftOut.where;
      if (bad !== undefined && items.every((record) => record.listingId !== listingId))
        throw answer.unexpected(`${bad} (must be as the contract says)`);
      const record = pick(answer, items, listingId);
      return toListingRecord(record, settings);
    },

    async updateListing(update, call) {
      const { listingId } = update;
      const value = toListingUpdate(update, settings);
      const body = { kind: 'json', schema: listingUpdateSchema, value } as const;
      await api.call(
        { operation: 'updateListing', method: 'PUT', path: ONE_LISTING, params: { listingId }, body },
        call,
      );
    },

    async isListingUpdated(update, call) {
      const answer = await fetchListing(update.listingId, call);
      const record = pick(answer, answer.json(rawListingAnswerSchema), update.listingId);
      return showsChanges(record, toListingUpdate(update, { ...settings, changedPrice: 'amount' }));
    },

    async deleteListing(listingId, call) {
      await api.call(
        { operation: 'deleteListing', method: 'DELETE', path: ONE_LISTING, params: { listingId } },
        call,
      );
    },
  };
}
