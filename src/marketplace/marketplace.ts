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

/** What every call takes besides its input. One call is one attempt; whoever calls decides about another. */
export interface CallOptions {
  /** Ends the call when aborted. Writes are not given one: a booking must not be hidden by a cancellation. */
  readonly signal?: AbortSignal;
  /** Until the whole answer was read. */
  readonly timeoutMs?: number;
  /**
   * Asked once the connection stands, right before the first byte: false ends the call as not sent. For writes, which
   * a process that was frozen meanwhile must not send any more.
   */
  readonly mayStillSend?: () => boolean;
  /**
   * Is given the answer as it came, before it is read, with the fingerprint of the key that asked; not the one to a request
   * for a token.
   */
  readonly observe?: (answer: SeenAnswer, askedBy: string) => void;
}

/** An answer as it came. It may hold anything; whoever looks at it keeps nothing of it. */
export interface SeenAnswer {
  readonly status: number;
  /** Null when it did not come whole. */
  readonly body: string | null;
}

export interface ListingDraft {
  readonly shipment: FurnitureShipment;
  readonly listPrice: Money;
  readonly priceCorrelationId: string | null;
  /** Names this one send among the references, so that a listing can be told from that of another send. */
  readonly sendId: string;
}

export interface ListingImage {
  readonly listingId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Public; needed where `imagePayload` is `url`. */
  readonly url?: string;
}

export interface RateAcceptance {
  readonly rateId: string;
  readonly paymentMethodId: string;
  /** Null declines the protection. */
  readonly coverage: Money | null;
}

/** Contacts of a booked listing. Their inner fields are not documented, so they pass through as they are. */
export type ListingContacts = Readonly<Record<string, unknown>>;

/**
 * The marketplace's REST API for one account, in the words of the domain.
 *
 * Every method makes one attempt and throws a `MarketplaceError`, which says whether the request can have had
 * an effect.
 */
export interface Marketplace {
  getFixedPrice(
    input: { readonly shipment: FurnitureShipment; readonly priceCorrelationId: string | null },
    call?: CallOptions,
  ): Promise<FixedPriceAnswer>;
  createListing(draft: ListingDraft, call?: CallOptions): Promise<{ readonly listingId: string }>;
  getListing(listingId: string, call?: CallOptions): Promise<ListingRecord>;
  /**
   * As `getListing`, where it matters whether the listing exists.
   * @throws ApiError 404 only when the service itself says so and the key is proved to be one that can read the listing
   * @throws UnexpectedResponseError for any other 404: the listing may exist
   */
  findListing(
    input: ReadingProof & { readonly listingId: string },
    call?: CallOptions,
  ): Promise<ListingRecord>;
  /**
   * Sends the changed fields and the checksum. A record that changed meanwhile refuses it (409 or 412), a booked one
   * too (403); both are `rejected`.
   */
  updateListing(update: ListingUpdate, call?: CallOptions): Promise<void>;
  /** Reads the listing: whether it already is as the update wants it, whoever made it so. */
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
   * Signs in to the web site anew, to see whether that works; links sign in by themselves.
   * @throws MarketplaceError `accountTrouble` when it is refused, or the account has no web sign-in
   */
  signIn(call?: CallOptions): Promise<void>;
  /**
   * Where anybody may watch the shipment, at city level. Null where the account has no web sign-in. Before the
   * booking it is refused, or leads nowhere yet.
   */
  getTrackingLink(listingId: string, call?: CallOptions): Promise<string | null>;
  createRateRequest(
    input: { readonly shipment: LtlShipment; readonly attempt: number },
    call?: CallOptions,
  ): Promise<{ readonly rateRequestId: string }>;
  /** A rate that cannot be read is left out, and counted. */
  listRates(rateRequestId: string, call?: CallOptions): Promise<ReadRates>;
  acceptRate(acceptance: RateAcceptance, call?: CallOptions): Promise<AcceptanceReceipt>;
  getAcceptanceStatus(
    input: { readonly rateId: string; readonly executionId: string },
    call?: CallOptions,
  ): Promise<AcceptanceStatus>;
  /** @param commodityCode such as `NewCommercialGoods`: each commodity has its own kinds of places */
  listAddressTypes(commodityCode: string, call?: CallOptions): Promise<readonly AddressType[]>;
  /** A method that cannot be read is left out, and counted. */
  listPaymentMethods(topLevelCommodity: string, call?: CallOptions): Promise<PaymentMethodList>;
}
