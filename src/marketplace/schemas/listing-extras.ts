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
 * Contract: listing record, the fields that decide nothing. Each is read when it has the form of the contract, and
 * counts as absent otherwise: it must not cost the reading of the status beside it.
 */
export const listingExtrasShape = {
  nextTransitStatus: orNothing(enumValueSchema),
  previousTransitStatus: orNothing(enumValueSchema),
  availableTransitStatuses: enumValues,
  createdOn: date,
  activatedOn: date,
  cancelledOn: date,
  archivedOn: date,
  /** An object of five fields, not shown: an amount, or one inside of `price`. */
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
