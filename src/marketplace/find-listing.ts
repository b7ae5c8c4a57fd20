import { LRUCache } from 'lru-cache';
import type { Authenticator } from './auth';
import { ApiError, UnexpectedResponseError, type RequestName } from './errors';
import type { CallOptions, Marketplace } from './marketplace';
import { isMarkup } from './unreadable';

const MAX_KEPT = 500;
/** Other listings that are read to see whether the key is the account's. */
const MAX_WITNESSES = 3;
/** Any commodity serves: the look-up only shows that the key is good at this moment. */
const ANY_COMMODITY = 'GeneralFreight';

type Calls = Pick<Marketplace, 'getListing' | 'listAddressTypes'>;

/**
 * Reads listings, and believes a 404 only with proof. The marketplace answers 404 for a listing that does not exist and
 * for one of another account (contract: Errors), so a wrong key makes every listing seem to be gone.
 *
 * The proof is kept in memory: which key has read which listing. A key that read any listing of the account before is the
 * account's; another key must read one of the listings that are known to exist.
 */
export function createListingFinder(
  { getListing, listAddressTypes }: Calls,
  authenticator: Pick<Authenticator, 'identify'>,
): Pick<Marketplace, 'getListing' | 'findListing'> {
  /** The key that read it last, by listing. */
  const readers = new LRUCache<string, string>({ max: MAX_KEPT });

  async function readAndRemember(listingId: string, call?: CallOptions) {
    const identity = await authenticator.identify(requestOf(listingId));
    const record = await getListing(listingId, call);
    readers.set(listingId, identity);
    return record;
  }

  async function isKeyGood(listingId: string, witnesses: readonly string[], call?: CallOptions) {
    const identity = await authenticator.identify(requestOf(listingId));
    if ([...readers.values()].includes(identity)) {
      await listAddressTypes(ANY_COMMODITY, call);
      return true;
    }
    const known = new Set([...witnesses, ...readers.keys()]);
    known.delete(listingId);
    for (const witness of [...known].slice(0, MAX_WITNESSES)) {
      if ((await orAbsent(readAndRemember(witness, call))) !== null) return true;
    }
    return false;
  }

  return {
    getListing: readAndRemember,
    async findListing({ listingId, witnesses }, call) {
      let body: string | null = null;
      const observe: CallOptions['observe'] = (answer) => {
        body = answer.body;
        call?.observe?.(answer);
      };
      try {
        return await readAndRemember(listingId, { ...call, observe });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        // A gateway's page says nothing about a listing, whatever status it carries.
        if (body === null || isMarkup(body))
          throw unproven(listingId, 'an answer of the service itself; the listing may exist');
        if (witnesses !== null && !(await isKeyGood(listingId, witnesses, call)))
          throw unproven(listingId, "proof that the account's key is good; the listing may exist");
        throw error;
      }
    },
  };
}

const requestOf = (listingId: string): RequestName => ({
  ...{ operation: 'getListing', method: 'GET', path: `/v2/listings/${listingId}` },
});

async function orAbsent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function unproven(listingId: string, expected: string): UnexpectedResponseError {
  const request = requestOf(listingId);
  return new UnexpectedResponseError({ request, outcome: 'inDoubt', status: 404, expected });
}
