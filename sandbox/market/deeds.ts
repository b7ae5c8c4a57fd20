import type { SandboxAccount } from '../model/accounts';
import { ApiProblem } from '../model/errors';
import { orderReferenceOf, type Listing, type ListingDraft, type Stop } from '../model/state';
import type { Deed, ListingTrouble, Trouble, WhatOf } from '../troubles/trouble';
import type { SentEvent } from '../webhooks/deliveries';
import type { SandboxContext } from './context';

/** What a deed made. */
interface Made {
  readonly listings?: readonly Listing[];
  readonly events?: readonly SentEvent[];
}

/** Does it now; undefined where it is not possible yet: the order has no listing. */
export function doDeed(context: SandboxContext, what: Deed | ListingTrouble, whom: Whom): Made | undefined {
  const { accounts, store, carrier } = context;
  switch (what.kind) {
    case 'rotateKey':
      accounts.rotateKey(accounts.named(whom.account), what.key);
      return {};
    case 'expireTokens':
      accounts.expireTokens();
      return {};
    case 'endSessions':
      accounts.endSessions();
      return {};
    case 'foreignListings':
      return foreignListings(context, what, accounts.named(whom.account));
    default:
      break;
  }
  const isTheirs = ({ listingId, draft }: Listing): boolean =>
    whom.listing === undefined
      ? orderReferenceOf(draft.referenceNumbers) === whom.order
      : listingId === whom.listing;
  const listing = [...store.listings.values()].findLast(isTheirs);
  if (listing === undefined) return undefined;
  if (what.kind === 'eventBurst') return { events: burst(context, listing, what) };
  carrier.befall(listing, what);
  return { listings: [listing] };
}

type Whom = NonNullable<Trouble['whom']>;

/** Many events of one listing at once, each with its own id; each attachment event adds a document. */
const burst = (
  { events, papers }: SandboxContext,
  listing: Listing,
  { count, type }: WhatOf<'eventBurst'>,
): readonly SentEvent[] =>
  Array.from({ length: count }, (_, index) =>
    type === 'Listing.Attachment.AttachmentAdded/v1'
      ? papers.addDocument(listing, { fileName: `document-${index + 1}.pdf`, attachmentType: 'Other' })
      : events.announce(type, listing),
  );

/**
 * Listings that somebody made by hand, and events about them. The events come no matter how the listings came to be; a
 * status that is not Active is set as `advance` sets it, with the events of its own.
 */
function foreignListings(
  { carrier, events, store }: SandboxContext,
  { count, eventsEach, type, status, referenceNumbers, like }: WhatOf<'foreignListings'>,
  account: SandboxAccount,
): Made {
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
