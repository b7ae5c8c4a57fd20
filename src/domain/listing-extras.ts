import type { Money } from './money';
import type { IsoInstant } from './shipment';
import type { Details } from './tracking';

/** Price fields of the record that no decision uses, with the words that people read. */
export const EXTRA_PRICES = {
  offerPrice: 'offer',
  bookingDeposit: 'booking deposit',
  amountDueToServiceProvider: 'due to the carrier',
  amountToMe: 'due to the shipper',
  minimumBidAmount: 'lowest bid allowed',
  lowestBidPrice: 'lowest bid',
  autoAcceptPrice: 'taken at once at',
  auctionTargetPrice: 'target of the auction',
  auctionMaxPrice: 'most of the auction',
} as const;
/** A price of the listing record that is shown and decides nothing. */
export type ExtraPrice = keyof typeof EXTRA_PRICES;

/** Other content of the record, for people. No decision and no poll depends on it. */
export interface ListingExtras {
  readonly nextTransitStatus: string | null;
  readonly previousTransitStatus: string | null;
  readonly availableTransitStatuses: readonly string[];
  readonly createdOn: IsoInstant | null;
  /** When the listing came on the market. */
  readonly activatedOn: IsoInstant | null;
  readonly cancelledOn: IsoInstant | null;
  readonly archivedOn: IsoInstant | null;
  /** Only prices that the record has. */
  readonly prices: Readonly<Partial<Record<ExtraPrice, Money>>>;
  /** Line items of the price; the contract does not document their fields. */
  readonly priceDetails: Details | null;
  readonly serviceTypes: readonly string[];
  readonly quoteRequestId: string | null;
  /** The external system that the listing came from, with its revision; the contract does not document the fields. */
  readonly thirdParty: Details | null;
  readonly importSource: string | null;
  readonly privateNetwork: string | null;
  /** Carriers' questions; people answer them on the marketplace's web site. */
  readonly questionsAsked: number | null;
  readonly activeBidsPlaced: number | null;
  readonly totalBidsPlaced: number | null;
}
