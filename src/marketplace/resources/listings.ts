import type { MarketplaceAccount } from '../account';
import type { Api } from '../api';
import { listingIdOf } from '../location';
import type { ListingDraft, Marketplace } from '../marketplace';
import { listingAnswerSchema, listingCreateSchema, type ListingCreateWire } from '../schemas/listings';
import { toInsurance } from './insurance';
import { toListingRecord } from './listing-record';
import { toMoneyWire } from './money';
import { toListingReferences } from './references';
import { toFurnitureRoute } from './route';

const unlessEmpty = (values: readonly string[]): string[] | undefined =>
  values.length === 0 ? undefined : [...values];

function toListingCreate(draft: ListingDraft): ListingCreateWire {
  const { shipment } = draft;
  return {
    title: shipment.title,
    description: shipment.description ?? undefined,
    confidentialDescription: shipment.driverNotes ?? undefined,
    // One of `namedPrice` and `offerPrice`, never both.
    pricing: { namedPrice: toMoneyWire(draft.listPrice) },
    insurance: toInsurance(shipment),
    route: toFurnitureRoute(shipment),
    items: shipment.items.map((item) => ({
      Title: item.title,
      Commodity: item.commodity,
      Description: item.description ?? undefined,
      widthInMeters: item.widthInMeters,
      lengthInMeters: item.lengthInMeters,
      heightInMeters: item.heightInMeters,
      weightInGrams: item.weightInGrams,
      unitCount: item.quantity,
    })),
    requestedRateTypes: shipment.requestedRateTypes ?? undefined,
    referenceNumbers: toListingReferences(draft),
    serviceTypes: unlessEmpty(shipment.serviceTypes),
    gallery: unlessEmpty(shipment.gallery),
    attributes: shipment.attributes ?? undefined,
  };
}

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
          body: { kind: 'json', schema: listingCreateSchema, value: toListingCreate(draft) },
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
