import { offeredRates, withdrawRates } from '../carrier/rating';
import { orderReferenceOf } from '../model/references';
import type { Listing, ListingDraft } from '../model/state';
import type { Deed, ListingTrouble, Trouble } from '../troubles/trouble';
import type { SentEvent } from '../webhooks/deliveries';
import type { SandboxContext } from './context';
import { burst, crowded, foreignListings } from './floods';

/** What a deed made; a list is empty where it makes no such thing. */
export interface Made {
  readonly listings: readonly Listing[];
  readonly events: readonly SentEvent[];
}

const made = ({ listings = [], events = [] }: Partial<Made> = {}): Made => ({ listings, events });

/** Does it now; undefined where it is not possible yet: the order has no listing or no rate. */
export function doDeed(context: SandboxContext, what: Deed | ListingTrouble, whom: Whom): Made | undefined {
  const { accounts, store, carrier } = context;
  switch (what.kind) {
    case 'rotateKey':
      accounts.rotateKey(accounts.named(whom.account), what.key);
      return made();
    case 'expireTokens':
      accounts.expireTokens();
      return made();
    case 'endSessions':
      accounts.endSessions();
      return made();
    case 'withdrawRates': {
      const request = latestOf(store.rateRequests.values(), whom.order);
      if (request === undefined || offeredRates(request).length === 0) return undefined;
      withdrawRates(offeredRates(request), what.which);
      return made();
    }
    case 'foreignListings':
      return foreignListings(context, what, accounts.named(whom.account));
    default:
      break;
  }
  const listing =
    whom.listing === undefined
      ? latestOf(store.listings.values(), whom.order)
      : store.listings.get(whom.listing);
  if (listing === undefined) return undefined;
  switch (what.kind) {
    case 'eventBurst':
      return made({ events: burst(context, listing, what) });
    case 'crowdedEvent':
      return made({ events: [crowded(context, listing, what)] });
    default:
      carrier.befall(listing, what);
      return made({ listings: [listing] });
  }
}

type Whom = NonNullable<Trouble['whom']>;

const latestOf = <Owned extends { readonly draft: ListingDraft }>(
  owned: Iterable<Owned>,
  reference: string | undefined,
): Owned | undefined =>
  [...owned].findLast(({ draft }) => orderReferenceOf(draft.referenceNumbers) === reference);
