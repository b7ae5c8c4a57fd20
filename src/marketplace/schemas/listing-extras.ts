import { z } from 'zod';
import {
  amountSchema,
  detailsSchema,
  enumValueSchema,
  integerWithin,
  optionalAmountSchema,
  optionalTimestampSchema,
  orNothing,
  textSchema,
} from './common';

const price = orNothing(optionalAmountSchema);
const date = orNothing(optionalTimestampSchema);
const count = orNothing(integerWithin(0, Number.MAX_SAFE_INTEGER));
const text = orNothing(textSchema);
const enumValues = orNothing(z.array(enumValueSchema)).transform((values) =>
  (values ?? []).filter((value) => value !== null),
);

/**
 * Contract: fields of the listing record that no decision uses. A field in another form counts as absent: it must not
 * fail the reading of the status.
 */
export const listingExtrasShape = {
  nextTransitStatus: orNothing(enumValueSchema),
  previousTransitStatus: orNothing(enumValueSchema),
  availableTransitStatuses: enumValues,
  createdOn: date,
  activatedOn: date,
  cancelledOn: date,
  archivedOn: date,
  /** Five fields that the contract does not show: an amount, or one inside `price`. */
  offerPrice: orNothing(
    z.union([z.looseObject({ price: amountSchema }).transform((offer) => offer.price), optionalAmountSchema]),
  ),
  bookingDeposit: price,
  amountDueToServiceProvider: price,
  amountToMe: price,
  minimumBidAmount: price,
  lowestBidPrice: price,
  autoAcceptPrice: price,
  auctionTargetPrice: price,
  auctionMaxPrice: price,
  priceDetails: detailsSchema,
  serviceTypes: enumValues,
  quoteRequestId: text,
  thirdParty: detailsSchema,
  importSource: text,
  privateNetwork: text,
  questionsAsked: count,
  activeBidsPlaced: count,
  totalBidsPlaced: count,
};
