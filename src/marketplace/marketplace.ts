import type { AcceptanceReceipt, AcceptanceStatus } from '../domain/acceptance';
import type { AddressType } from '../domain/address-type';
import type { Attachment } from '../domain/attachment';
import type { FixedPriceAnswer } from '../domain/fixed-price';
import type { ReadingProof } from '../domain/known-reading';
import type { ListingRecord } from '../domain/listing';
import type { ListingUpdate } from '../domain/listing-changes';
import type { Money } from '../domain/money';
import type { PaymentMethodList } from '../domain/payment-method';
import type { ReadRates } from '../domain/rate';
import type { FurnitureShipment, LtlShipment } from '../domain/shipment';
import type { BillOfLading, Tracking } from '../domain/tracking';

/** Options of every call. One call is one attempt; the caller decides about another. */
export interface CallOptions {
  /** Ends the call when aborted. Writes get none, because a cancellation must not hide a booking. */
  readonly signal?: AbortSignal;
  /** For the complete answer. */
  readonly timeoutMs?: number;
  /**
   * Asked once connected, right before the first byte: false ends the call as not sent. For writes, because a process
   * that was frozen must no longer send them.
   */
  readonly mayStillSend?: () => boolean;
  /**
   * Receives the raw answer before it is parsed, and the fingerprint of the key that asked. Not called for token
   * requests.
   */
  readonly observe?: (answer: RawResponse, askedBy: string) => void;
}

/** A raw answer. It may contain anything, and an observer must not keep any of it. */
export interface RawResponse {
  readonly status: number;
  /** Null when it did not arrive completely. */
  readonly body: string | null;
}

export interface ListingDraft {
  readonly shipment: FurnitureShipment;
  readonly listPrice: Money;
  readonly priceCorrelationId: string | null;
  /** Identifies this send among the listing's references, to distinguish its listing from other sends' listings. */
  readonly sendId: string;
}

export interface ListingImage {
  readonly listingId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Public; needed when `imagePayload` is `url`. */
  readonly url?: string;
}

export interface RateAcceptance {
  readonly rateId: string;
  readonly paymentMethodId: string;
  /** Null declines the coverage. */
  readonly coverage: Money | null;
}

/** Contacts of a booked listing. The contract does not document their inner fields, so they pass through unchanged. */
export type ListingContacts = Readonly<Record<string, unknown>>;

/**
 * The marketplace's REST API for one account, in domain terms.
 *
 * Every method makes one attempt and throws a `MarketplaceError`, which says whether the request may have had an
 * effect.
 */
export interface Marketplace {
  getFixedPrice(
    input: { readonly shipment: FurnitureShipment; readonly priceCorrelationId: string | null },
    call?: CallOptions,
  ): Promise<FixedPriceAnswer>;
  createListing(draft: ListingDraft, call?: CallOptions): Promise<{ readonly listingId: string }>;
  getListing(listingId: string, call?: CallOptions): Promise<ListingRecord>;
  /**
   * As `getListing`, for callers that need to know whether the listing exists.
   * @throws ApiError 404 only when the service itself says so, and the key is proved to be able to read the listing
   * @throws UnexpectedResponseError for any other 404: the listing may exist
   */
  findListing(
    input: ReadingProof & { readonly listingId: string },
    call?: CallOptions,
  ): Promise<ListingRecord>;
  /**
   * Sends the changed fields and the checksum. Refused when the record has changed since (409 or 412) or is booked
   * (403); both are `rejected`.
   */
  updateListing(update: ListingUpdate, call?: CallOptions): Promise<void>;
  /** Reads the listing: whether it already has the update, from any author. */
  isListingUpdated(update: ListingUpdate, call?: CallOptions): Promise<boolean>;
  deleteListing(listingId: string, call?: CallOptions): Promise<void>;
  uploadListingImage(image: ListingImage, call?: CallOptions): Promise<void>;
  getListingContacts(listingId: string, call?: CallOptions): Promise<ListingContacts>;
  getTracking(listingId: string, call?: CallOptions): Promise<Tracking>;
  getBillOfLading(listingId: string, call?: CallOptions): Promise<BillOfLading>;
  getListingAttachment(
    input: { readonly listingId: string; readonly attachmentId: string },
    call?: CallOptions,
  ): Promise<Attachment>;
  /**
   * Signs in to the web site again, to test the sign-in; tracking links sign in by themselves.
   * @throws MarketplaceError `accountTrouble` when the sign-in is refused, or the account has none
   */
  signIn(call?: CallOptions): Promise<void>;
  /**
   * The public tracking page, at city level. Null when the account has no web sign-in. Before the booking the link is
   * refused, or leads nowhere.
   */
  getTrackingLink(listingId: string, call?: CallOptions): Promise<string | null>;
  createRateRequest(
    input: { readonly shipment: LtlShipment; readonly attempt: number },
    call?: CallOptions,
  ): Promise<{ readonly rateRequestId: string }>;
  /** Rates that cannot be read are left out and counted. */
  listRates(rateRequestId: string, call?: CallOptions): Promise<ReadRates>;
  acceptRate(acceptance: RateAcceptance, call?: CallOptions): Promise<AcceptanceReceipt>;
  getAcceptanceStatus(
    input: { readonly rateId: string; readonly executionId: string },
    call?: CallOptions,
  ): Promise<AcceptanceStatus>;
  /** @param commodityCode such as `NewCommercialGoods`: each commodity has its own address types */
  listAddressTypes(commodityCode: string, call?: CallOptions): Promise<readonly AddressType[]>;
  /** Payment methods that cannot be read are left out and counted. */
  listPaymentMethods(topLevelCommodity: string, call?: CallOptions): Promise<PaymentMethodList>;
}
