import type { SandboxAccount } from '../model/accounts';
import { ApiProblem } from '../model/errors';
import { orderReferenceOf } from '../model/references';
import type { Listing, ListingDraft, ReferenceNumber, Stop } from '../model/state';
import type { Deed } from '../troubles/trouble';
import type { SentEvent } from '../webhooks/deliveries';
import type { SandboxContext } from './context';

type DeedOf<Kind> = Extract<Deed, { readonly kind: Kind }>;

const firstUnmadeListing = 990_000_001;

/** Many events of one listing at once, each with its own id; each attachment event adds a document. */
export const burst = (
  { events, papers }: SandboxContext,
  listing: Listing,
  { count, type }: DeedOf<'eventBurst'>,
): readonly SentEvent[] =>
  Array.from({ length: count }, (_, index) =>
    type === 'Listing.Attachment.AttachmentAdded/v1'
      ? papers.addDocument(listing, { fileName: `document-${index + 1}.pdf`, attachmentType: 'Other' })
      : events.announce(type, listing),
  );

/** One event that names many listings and orders beside its own; nobody has ever made them. */
export function crowded(
  { addresses, events, records }: SandboxContext,
  listing: Listing,
  { listings, orders, own, type }: DeedOf<'crowdedEvent'>,
): SentEvent {
  const { draft } = listing;
  const [account = ''] = orderReferenceOf(draft.referenceNumbers).split('/');
  const others = Array.from({ length: orders }, (_, index): ReferenceNumber => ({
    number: `${account}/other-${index + 1}`,
    type: 'ThirdPartyOrderNumber',
  }));
  const uris = Array.from(
    { length: listings },
    (_, index) => `${addresses.base}/v2/listings/${firstUnmadeListing + index}`,
  );
  const among = <T>(mine: readonly T[], rest: readonly T[]): readonly T[] =>
    own === 'first' ? [...mine, ...rest] : [...rest, ...mine];
  return events.send(type, listing, {
    referenceNumbers: records.referenceNumbers(draft, among(draft.referenceNumbers, others)),
    listings: among([addresses.listing(listing)], uris).map((listingUri) => ({ listingUri })),
  });
}

/**
 * Listings that somebody made by hand, and events about them. The events come no matter how the listings came to be; a
 * status that is not Active is set as `advance` sets it, with the events of its own.
 */
export function foreignListings(
  { carrier, events, store }: SandboxContext,
  { count, eventsEach, type, status, referenceNumbers, like }: DeedOf<'foreignListings'>,
  account: SandboxAccount,
): { readonly listings: readonly Listing[]; readonly events: readonly SentEvent[] } {
  const liked = like === undefined ? undefined : store.listings.get(like);
  if (like !== undefined && liked === undefined) throw new ApiProblem(404, `There is no listing ${like}.`);
  const goods = liked === undefined ? {} : { route: liked.draft.route, items: liked.draft.items };
  const listings = Array.from({ length: count }, () => {
    const draft = { ...foreignDraft, ...goods, referenceNumbers };
    const price = { amount: 450, currencyType: account.currency };
    const listing = store.addListing({ account, createdBy: 'hand', draft, price });
    if (status !== 'Active') carrier.setStatus(listing, status);
    return listing;
  });
  const sent = Array.from({ length: eventsEach }, () =>
    listings.map((listing) => events.announce(type, listing)),
  );
  return { listings, events: sent.flat() };
}

const stop = (postalCode: string, majorMunicipality: string, stateProvince: string): Stop => ({
  address: {
    ...{ streetAddress: '9 Side St', majorMunicipality, stateProvince, postalCode },
    ...{ country: 'US', type: 'Residence' },
  },
  accessorials: [],
});

const foreignDraft: ListingDraft = {
  title: 'Posted by hand',
  route: [stop('60601', 'Chicago', 'IL'), stop('48201', 'Detroit', 'MI')],
  items: [{ title: 'Wardrobe', commodity: 'Furniture', unitCount: 1, weightInGrams: 80_000 }],
  ...{ referenceNumbers: [], serviceTypes: [], gallery: [], accessorials: [], attributes: {} },
};
