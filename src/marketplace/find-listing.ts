import { LRUCache } from 'lru-cache';
import { withKey, type KnownReading } from '../domain/known-reading';
import type { ListingRecord } from '../domain/listing';
import { ApiError, UnexpectedResponseError, type RequestName } from './errors';
import type { CallOptions, Marketplace } from './marketplace';

const MAX_KEPT = 500;
/** How many other listings are read to check whether a key belongs to the account. */
const MAX_WITNESSES = 3;
/** Any commodity works: the look-up only shows that the key is valid at this moment. */
const ANY_COMMODITY = 'GeneralFreight';

type Calls = Pick<Marketplace, 'getListing' | 'listAddressTypes'>;

type Found =
  | { readonly kind: 'record'; readonly record: ListingRecord }
  | { readonly kind: 'absent'; readonly error: ApiError; readonly askedBy: string };

/** A listing that may not exist, and others of its order. */
type Asked = KnownReading & { readonly witnesses: readonly KnownReading[] };

/**
 * Reads listings, and believes a 404 only with proof. The marketplace answers 404 for a missing listing and for
 * another account's listing (contract: Errors), so with a wrong key every listing seems to be gone.
 *
 * The proof is about the listing itself: a key that has read it before would read it now. Another key proves
 * something only if both keys are of one account: it must have read, or now read, a listing that the first key has
 * read. If no key is known to have read the listing or another of its order, any key counts that has read some
 * listing of the account. The caller keeps what was read, and so does this module's memory.
 */
export function createListingFinder({
  getListing,
  listAddressTypes,
}: Calls): Pick<Marketplace, 'getListing' | 'findListing'> {
  /** Fingerprints of the keys that have read each listing. */
  const readers = new LRUCache<string, readonly string[]>({ max: MAX_KEPT });

  async function readOnce(listingId: string, call?: CallOptions): Promise<Found> {
    let askedBy = '';
    const observe: CallOptions['observe'] = (answer, key) => {
      askedBy = key;
      call?.observe?.(answer, key);
    };
    try {
      const record = await getListing(listingId, { ...call, observe });
      readers.set(listingId, withKey(readers.get(listingId) ?? [], askedBy));
      return { kind: 'record', record: { ...record, readBy: askedBy } };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { kind: 'absent', error, askedBy };
      throw error;
    }
  }

  const withMemory = ({ listingId, readBy }: KnownReading): KnownReading => ({
    listingId,
    readBy: [...readBy, ...(readers.get(listingId) ?? [])],
  });

  /** Whether the key that asked can read the listing, or belongs to the same account as a key that could. */
  async function isProven(askedBy: string, asked: Asked, call?: CallOptions): Promise<boolean> {
    const own = withMemory(asked);
    const witnesses = asked.witnesses.map(withMemory);
    const trusted = own.readBy.length > 0 ? own.readBy : witnesses.flatMap(({ readBy }) => readBy);
    const ofOthers = [...readers].map(([listingId, readBy]) => ({ listingId, readBy }));
    const linked = [own, ...witnesses, ...ofOthers].filter(
      ({ readBy }) => trusted.length === 0 || readBy.some((key) => trusted.includes(key)),
    );
    if (linked.some(({ readBy }) => readBy.includes(askedBy))) {
      await listAddressTypes(ANY_COMMODITY, call);
      return true;
    }
    const others = new Set(linked.map(({ listingId }) => listingId));
    others.delete(own.listingId);
    for (const other of [...others].slice(0, MAX_WITNESSES)) {
      const found = await readOnce(other, call);
      if (found.kind === 'record' && found.record.readBy === askedBy) return true;
    }
    return false;
  }

  return {
    async getListing(listingId, call) {
      const found = await readOnce(listingId, call);
      if (found.kind === 'absent') throw found.error;
      return found.record;
    },

    async findListing({ listingId, readBy, witnesses }, call) {
      const found = await readOnce(listingId, call);
      if (found.kind === 'record') return found.record;
      const { error, askedBy } = found;
      // A gateway's page says nothing about a listing, whatever its status.
      if (!error.isReadable)
        throw unproven(listingId, 'an answer of the service itself; the listing may exist');
      if (witnesses !== null && !(await isProven(askedBy, { listingId, readBy, witnesses }, call)))
        throw unproven(listingId, "proof that the account's key is good; the listing may exist");
      throw error;
    },
  };
}

function unproven(listingId: string, expected: string): UnexpectedResponseError {
  const request: RequestName = {
    ...{ operation: 'getListing', method: 'GET', path: `/v2/listings/${listingId}`, listingId },
  };
  return new UnexpectedResponseError({ request, outcome: 'inDoubt', status: 404, expected });
}
