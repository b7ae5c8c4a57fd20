import type { SandboxAccount } from './accounts';
import { hashText, type SeededRandom } from './random';
import type { Acceptance, Listing, Rate, RateRequest, StoredFile } from './state';
import { ApiProblem } from './errors';

/** Everything the marketplace has, and the ids it gives. */
export class Store {
  readonly listings = new Map<number, Listing>();
  readonly rateRequests = new Map<string, RateRequest>();
  readonly rates = new Map<string, Rate>();
  readonly acceptances = new Map<string, Acceptance>();
  #nextListingId: number;
  #nextBillOfLadingNumber: number;
  #nextAttachmentId = 5_000_001;

  constructor(
    seed: string,
    private readonly random: SeededRandom,
  ) {
    // Nine digits. Two runs with different seeds hardly ever give the same ids, so old events find no new listing.
    this.#nextListingId = 100_000_000 + (hashText(`listing ${seed}`) % 890_000_000);
    this.#nextBillOfLadingNumber = 10_000_000 + (hashText(`bill ${seed}`) % 80_000_000);
  }

  newListingId(): number {
    return this.#nextListingId++;
  }

  newBillOfLadingNumber(): number {
    return this.#nextBillOfLadingNumber++;
  }

  addFile(listing: Listing, file: Omit<StoredFile, 'attachmentId' | 'createdOn' | 'downloads'>): StoredFile {
    const stored = { ...file, attachmentId: this.#nextAttachmentId++, createdOn: new Date(), downloads: 0 };
    listing.files.push(stored);
    return stored;
  }

  newRateId(): string {
    return this.random.hex(24);
  }

  newUuid(): string {
    return this.random.uuid();
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
