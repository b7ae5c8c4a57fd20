import { z } from 'zod';
import { eventTypes, referenceTypes } from './codes';
import type { SandboxContext } from './context';
import type { SentEvent } from './deliveries';
import { ApiProblem } from './errors';
import { newListing } from './new-listing';
import { orderReferenceOf } from './references';
import type { Listing, ListingDraft, ReferenceNumber, Stop } from './state';

const most = 1000;
const firstUnmadeListing = 990_000_001;
const usualType = 'Listing.StatusChanged/v1';

export const burstSchema = z.strictObject({
  listingId: z.number(),
  count: z
    .int()
    .min(1)
    .max(5 * most),
  type: z.string().min(1).default(usualType),
});

export const crowdedSchema = z.strictObject({
  listingId: z.number(),
  /** How many other listings, and orders, it names beside its own. */
  listings: z
    .int()
    .min(0)
    .max(5 * most)
    .default(most),
  orders: z
    .int()
    .min(0)
    .max(5 * most)
    .default(most),
  /** Where its own reference and address stand among them. */
  own: z.enum(['first', 'last']).default('first'),
  type: z.string().min(1).default(usualType),
});

export const foreignSchema = z.strictObject({
  /** How many listings. */
  count: z.int().min(1).max(most).default(1),
  eventsEach: z.int().min(0).max(most).default(1),
  type: z.string().min(1).default(usualType),
  status: z.string().min(1).default('Active'),
  /** The owner; without it the first account, whose keys can read them. */
  account: z.string().optional(),
  referenceNumbers: z
    .array(z.strictObject({ number: z.string().min(1), type: z.enum(referenceTypes) }))
    .default([]),
  /** With the route and the items of this listing: what is posted a second time. */
  like: z.int().optional(),
});

/** An event of the type about the listing as it is now; of a type that nobody knows, with nothing but references. */
export function announce(context: SandboxContext, listing: Listing, type: string): SentEvent {
  const known = eventTypes.find((eventType) => eventType === type);
  return known === undefined
    ? context.events.send(type, listing, {})
    : context.events.describe(known, listing);
}

/** Many events of one listing at once, each with an id of its own; those of attachments add a document each. */
export function sendBurst(
  context: SandboxContext,
  listing: Listing,
  { count, type }: { readonly count: number; readonly type: string },
): readonly SentEvent[] {
  return Array.from({ length: count }, (_, index) =>
    type === 'Listing.Attachment.AttachmentAdded/v1'
      ? context.paperwork.addDocument(listing, {
          fileName: `document-${index + 1}.pdf`,
          attachmentType: 'Other',
        })
      : announce(context, listing, type),
  );
}

/** One event that names many listings and orders beside its own; nobody has ever made them. */
export function sendCrowded(
  context: SandboxContext,
  listing: Listing,
  { listings, orders, own, type }: z.output<typeof crowdedSchema>,
): SentEvent {
  const [account = ''] = orderReferenceOf(listing.draft.referenceNumbers).split('/');
  const others = Array.from({ length: orders }, (_, index): ReferenceNumber => ({
    number: `${account}/other-${index + 1}`,
    type: 'ThirdPartyOrderNumber',
  }));
  const uris = Array.from(
    { length: listings },
    (_, index) => `${context.addresses.base}/v2/listings/${firstUnmadeListing + index}`,
  );
  const mine = listing.draft.referenceNumbers;
  const myUri = context.addresses.listing(listing);
  return context.events.send(type, listing, {
    referenceNumbers: context.records.referenceNumbers(
      listing.draft,
      own === 'first' ? [...mine, ...others] : [...others, ...mine],
    ),
    listings: (own === 'first' ? [myUri, ...uris] : [...uris, myUri]).map((listingUri) => ({ listingUri })),
  });
}

/**
 * Listings that somebody made by hand, without a reference of ours, and events about them. They are told of no matter
 * how they came to be; a status that is not Active is set as `advance` sets it, with the events of its own.
 */
export function floodWithForeign(
  context: SandboxContext,
  input: z.output<typeof foreignSchema>,
): { listings: readonly Listing[]; events: readonly SentEvent[] } {
  const { count, eventsEach, type, status, referenceNumbers } = input;
  const account = context.accounts.list.find(
    ({ name }) => input.account === undefined || name === input.account,
  );
  const liked = input.like === undefined ? undefined : context.store.listings.get(input.like);
  if (input.like !== undefined && liked === undefined)
    throw new ApiProblem(404, `There is no listing ${input.like}.`);
  if (account === undefined) throw new ApiProblem(404, `There is no account ${input.account}.`);
  const listings = Array.from({ length: count }, () => {
    const listing = newListing({
      listingId: context.store.newListingId(),
      account,
      createdBy: 'hand',
      draft: { ...foreignDraft, ...goodsOf(liked), referenceNumbers },
      price: { amount: 450, currencyType: account.currency },
    });
    context.store.listings.set(listing.listingId, listing);
    if (status !== 'Active') context.life.setStatus(listing, status);
    return listing;
  });
  const events = Array.from({ length: eventsEach }, () =>
    listings.map((listing) => announce(context, listing, type)),
  );
  return { listings, events: events.flat() };
}

const stop = (postalCode: string, majorMunicipality: string, stateProvince: string): Stop => ({
  address: {
    streetAddress: '9 Side St',
    majorMunicipality,
    stateProvince,
    postalCode,
    country: 'US',
    type: 'Residence',
  },
  accessorials: [],
});

const goodsOf = (listing: Listing | undefined): Partial<ListingDraft> =>
  listing === undefined ? {} : { route: listing.draft.route, items: listing.draft.items };

const foreignDraft: ListingDraft = {
  title: 'Posted by hand',
  route: [stop('60601', 'Chicago', 'IL'), stop('48201', 'Detroit', 'MI')],
  items: [{ title: 'Wardrobe', commodity: 'Furniture', unitCount: 1, weightInGrams: 80_000 }],
  referenceNumbers: [],
  serviceTypes: [],
  gallery: [],
  attributes: {},
  accessorials: [],
};
