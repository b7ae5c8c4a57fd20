import type { SandboxAccount } from './accounts';
import { hashText, type SeededRandom } from './random';
import type { Acceptance, Listing, Rate, RateRequest, StoredFile } from './state';
import { ApiProblem } from './errors';

type NewListing = Pick<Listing, 'account' | 'createdBy' | 'draft' | 'price'> &
  Pick<Listing, 'rateId' | 'executionId' | 'rateRequestId' | 'integratorId' | 'thirdParty'>;

/** Everything the marketplace has, and the ids it gives. */
export class Store {
  readonly listings = new Map<number, Listing>();
  readonly rateRequests = new Map<string, RateRequest>();
  readonly rates = new Map<string, Rate>();
  readonly acceptances = new Map<string, Acceptance>();
  #nextListingId: number;
  #nextBillOfLadingNumber: number;
  #nextAttachmentId = 5_000_001;

  /** @param ids draws those that are no numbers */
  constructor(
    seed: string,
    readonly ids: SeededRandom,
  ) {
    // Nine digits. Two runs with different seeds hardly ever give the same ids, so old events find no new listing.
    this.#nextListingId = 100_000_000 + (hashText(`listing ${seed}`) % 890_000_000);
    this.#nextBillOfLadingNumber = 10_000_000 + (hashText(`bill ${seed}`) % 80_000_000);
  }

  /** A listing as it stands on the market before anybody has looked at it. */
  addListing(given: NewListing): Listing {
    const now = new Date();
    const listing: Listing = {
      ...given,
      listingId: this.#nextListingId++,
      status: 'Active',
      transitHistory: [],
      hasPendingBookingRequest: false,
      counts: { booked: 0, cancelled: 0, delivered: 0 },
      priceAdjustments: [],
      billOfLadingReady: false,
      files: [],
      positionReads: 0,
      troubles: [],
      revision: 1,
      createdOn: now,
      lastUpdatedOn: now,
    };
    this.listings.set(listing.listingId, listing);
    return listing;
  }

  newBillOfLadingNumber(): number {
    return this.#nextBillOfLadingNumber++;
  }

  addFile(listing: Listing, file: Omit<StoredFile, 'attachmentId' | 'createdOn'>): StoredFile {
    const stored = { ...file, attachmentId: this.#nextAttachmentId++, createdOn: new Date() };
    listing.files.push(stored);
    return stored;
  }

  newRateId(): string {
    return this.ids.hex(24);
  }

  /** A listing of this account that was not deleted. */
  findListing(listingId: string, account: SandboxAccount): Listing | undefined {
    const listing = /^\d{1,10}$/u.test(listingId) ? this.listings.get(Number(listingId)) : undefined;
    return listing?.account === account && listing.deletedOn === undefined ? listing : undefined;
  }

  listing(listingId: string, account: SandboxAccount): Listing {
    const listing = this.findListing(listingId, account);
    if (listing === undefined)
      throw new ApiProblem(404, `Listing ${listingId} does not exist or is not reachable with this key.`);
    return listing;
  }

  clear(): void {
    this.listings.clear();
    this.rateRequests.clear();
    this.rates.clear();
    this.acceptances.clear();
  }
}
