import type { SandboxAccount } from './accounts';
import type { CarrierProfile } from './carriers';
import type { ReferenceType } from './codes';

/** What the sandbox remembers. Plain records, changed in place: there is one process and no persistence. */

export interface Money {
  readonly amount: number;
  readonly currencyType: string;
}

export interface ReferenceNumber {
  readonly number: string;
  readonly type: ReferenceType;
  readonly referenceNumberLabel?: string;
}

export interface StopAddress {
  readonly streetAddress?: string;
  readonly alternateStreetAddress?: string;
  readonly majorMunicipality?: string;
  readonly postalCode?: string;
  readonly stateProvince?: string;
  readonly country?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly type: string;
  readonly timeZone?: string;
}

export interface TimeFrame {
  readonly earliestArrival?: string;
  readonly latestArrival?: string;
  readonly timeFrameType: string;
}

export interface Stop {
  readonly address: StopAddress;
  readonly timeFrame?: TimeFrame;
  readonly contact?: Readonly<Record<string, string | undefined>>;
  readonly accessorials: readonly string[];
}

export interface Item {
  readonly title?: string;
  readonly description?: string;
  readonly commodity?: string;
  readonly unitCount: number;
  readonly lengthInMeters?: number;
  readonly widthInMeters?: number;
  readonly heightInMeters?: number;
  readonly weightInGrams?: number;
  /** The weight is that of the whole line and not of one unit. */
  readonly isWeightOfLine?: boolean;
  readonly freightClass?: number;
  readonly handlingUnit?: string;
  readonly packaging?: string;
  readonly stackable?: boolean;
  readonly hazardous?: boolean;
}

/** What a shipper says about a shipment, in either flow. */
export interface ListingDraft {
  readonly title: string;
  readonly description?: string;
  readonly confidentialDescription?: string;
  readonly pricing?: { readonly kind: 'namedPrice' | 'offerPrice'; readonly price: Money };
  readonly coverage?: Money;
  readonly route: readonly Stop[];
  readonly items: readonly Item[];
  readonly requestedRateTypes?: string;
  readonly referenceNumbers: readonly ReferenceNumber[];
  readonly serviceTypes: readonly string[];
  readonly gallery: readonly string[];
  readonly attributes: Readonly<Record<string, boolean | undefined>>;
  readonly accessorials: readonly string[];
  readonly importSource?: string;
}

export interface StoredFile {
  readonly attachmentId: number;
  readonly fileName: string;
  readonly fileType: string;
  readonly bytes: Buffer;
  readonly createdOn: Date;
  readonly attachmentType: 'Image' | 'BillOfLading' | 'ProofOfDelivery' | 'Other';
  readonly uploaderId: number;
  readonly notes?: string;
}

export interface Listing {
  readonly listingId: number;
  readonly account: SandboxAccount;
  /** `hand`: somebody posted it on the website. */
  readonly createdBy: 'createListing' | 'acceptance' | 'hand';
  readonly rateId?: string;
  readonly executionId?: string;
  readonly rateRequestId?: string;
  readonly integratorId?: string;
  readonly thirdParty?: { readonly provenance?: string; readonly identity: string };
  draft: ListingDraft;
  status: string;
  transitStatus?: string;
  readonly transitHistory: { readonly status: string; readonly setOn: Date }[];
  /** How much of the way lies behind the goods, 0 to 1, where somebody said so by hand. */
  locationShare?: number;
  /** How often its position was read under the switch `movingPosition`. */
  positionReads: number;
  hasPendingBookingRequest: boolean;
  carrier?: CarrierProfile;
  price: Money;
  readonly priceAdjustments: { readonly description: string; readonly amount: number }[];
  /** How often each happened, also when it was taken back. */
  readonly counts: { booked: number; cancelled: number; delivered: number };
  readonly troubles: string[];
  billOfLadingNumber?: number;
  billOfLadingReady: boolean;
  readonly files: StoredFile[];
  revision: number;
  readonly createdOn: Date;
  lastUpdatedOn: Date;
  bookedOn?: Date;
  /** Cancelled, expired or closed since; a listing that is back on the market has no `bookedOn` at all. */
  bookingEndedOn?: Date;
  completedOn?: Date;
  cancelledOn?: Date;
  deletedOn?: Date;
}

/** What can go wrong with the rates of a request. */
export const rateTroubles = [
  'noRates',
  'lateRates',
  'flickeringRates',
  'cheapestRateWithdrawn',
  'allRatesWithdrawn',
] as const;

export interface RateRequest {
  readonly id: string;
  readonly account: SandboxAccount;
  readonly createdOn: Date;
  readonly draft: ListingDraft;
  readonly integratorId?: string;
  readonly thirdParty?: { readonly provenance?: string; readonly identity: string };
  /** Why no carrier answers, for the ledger; a client is told nothing (contract, "Silent failures"). */
  readonly silentBecause?: string;
  readonly rates: Rate[];
  reads: number;
  trouble?: (typeof rateTroubles)[number];
}

export interface Rate {
  readonly id: string;
  readonly request: RateRequest;
  readonly carrier: CarrierProfile;
  readonly price: Money;
  readonly createdOn: Date;
  readonly expiresOn: Date;
  /** The carrier took it back before it expired. */
  withdrawnOn?: Date;
}

/** What can go wrong with an acceptance. */
export const acceptanceTroubles = [
  'failed',
  'failedLeavingListing',
  'pending',
  'bookedSilently',
  'bookedButFailed',
  'failedThenBooked',
] as const;

export interface Acceptance {
  readonly executionId: string;
  readonly rate: Rate;
  readonly acceptedOn: Date;
  readonly coverage: Money | null;
  /** What becomes of it; the usual one is `booked`. */
  readonly course: 'booked' | (typeof acceptanceTroubles)[number];
  outcome: 'pending' | 'booked' | 'failed';
  /** It failed, and is to be booked all the same. */
  isToBook?: boolean;
  polls: number;
  listing?: Listing;
}

/** The shipper's own number of the order; empty where a listing carries none. */
export const orderReferenceOf = (references: readonly ReferenceNumber[]): string =>
  references.find(({ type }) => type === 'ThirdPartyOrderNumber')?.number ?? '';

/** Booked, on hold or completed, and neither ended (cancelled, expired, closed) nor back on the market nor deleted. */
export const isLiveBooking = (listing: Listing): boolean =>
  listing.bookedOn !== undefined && listing.bookingEndedOn === undefined && listing.deletedOn === undefined;
