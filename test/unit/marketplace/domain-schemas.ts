import { z } from 'zod';

/** What the domain's types promise beyond their TypeScript: written anew, so that no schema of the client is trusted. */
const text = z.string().min(1);
const instant = z.string().refine((value) => {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}, 'must be an instant');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const money = z.strictObject({
  minorUnits: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const days = z.int().min(-3_650).max(3_650).nullable();

const rate = z.strictObject({
  rateId: text,
  createdAt: instant.nullable(),
  expiresAt: instant,
  totalPrice: money.refine(({ minorUnits }) => minorUnits > 0),
  accountCurrency: z.literal('USD'),
  serviceType: text.nullable(),
  transportMode: text.nullable(),
  vehicleType: text.nullable(),
  pickupDelayInDays: days,
  deliveryDelayInDays: days,
  additionalInformation: text.nullable(),
  carrier: z.strictObject({
    userId: text.nullable(),
    displayName: text,
    feedbackCount: z.int().min(0).nullable(),
    percentPositive: z.number().min(0).max(100).nullable(),
    starRating: z.number().min(0).max(5).nullable(),
  }),
});

const details = z.record(z.string(), z.unknown()).nullable();
const count = z.int().min(0).nullable();
const extras = z.strictObject({
  nextTransitStatus: text.nullable(),
  previousTransitStatus: text.nullable(),
  availableTransitStatuses: z.array(text),
  createdOn: instant.nullable(),
  activatedOn: instant.nullable(),
  cancelledOn: instant.nullable(),
  archivedOn: instant.nullable(),
  prices: z.strictObject({
    ...{ offerPrice: money.optional(), bookingDeposit: money.optional(), amountToMe: money.optional() },
    ...{ amountDueToServiceProvider: money.optional(), minimumBidAmount: money.optional() },
    ...{ lowestBidPrice: money.optional(), autoAcceptPrice: money.optional() },
    ...{ auctionTargetPrice: money.optional(), auctionMaxPrice: money.optional() },
  }),
  priceDetails: details,
  serviceTypes: z.array(text),
  quoteRequestId: text.nullable(),
  thirdParty: details,
  importSource: text.nullable(),
  privateNetwork: text.nullable(),
  questionsAsked: count,
  activeBidsPlaced: count,
  totalBidsPlaced: count,
});

const answeredPrice = { price: money, listPrice: money, priceCorrelationId: text.nullable() };
const leftOut = z.strictObject({ count: z.int().nonnegative(), where: z.array(text).max(10) });

export const domainSchemas = {
  getFixedPrice: z.union([
    z.strictObject({
      ...answeredPrice,
      premium: money.refine(({ minorUnits }) => minorUnits >= 0),
      total: money,
    }),
    z.strictObject({ ...answeredPrice, premium: z.literal('unknown'), isListedAtTotal: z.boolean() }),
  ]),
  getListing: z.strictObject({
    listingId: text,
    title: z.string(),
    status: text.nullable(),
    transitStatus: text.nullable(),
    paymentStatus: text.nullable(),
    cancellationStatus: text.nullable(),
    hasPendingBookingRequest: z.boolean().nullable(),
    carrier: z.strictObject({ userId: text.nullable(), displayName: text }).nullable(),
    billOfLadingNumber: text.nullable(),
    namedPrice: money.nullable(),
    acceptedPrice: money.nullable(),
    totalCost: money.nullable(),
    cancellationLink: text.nullable(),
    bookedOn: instant.nullable(),
    completedOn: instant.nullable(),
    expiresOn: instant.nullable(),
    lastUpdatedOn: instant.nullable(),
    checksum: text.nullable(),
    referenceNumbers: z.array(z.strictObject({ number: text, type: z.string(), label: text.nullable() })),
    postalCodes: z.array(z.string()),
    deliveryWindow: z.strictObject({ earliestOn: day.nullable(), latestOn: day.nullable() }).nullable(),
    totalWeightInGrams: z.number().min(0).max(1e9).nullable(),
    readBy: z.string().length(8),
    extras,
  }),
  isListingUpdated: z.boolean(),
  getListingContacts: z.record(z.string(), z.unknown()),
  getTracking: z.strictObject({
    statuses: z.array(z.strictObject({ status: text, setAt: instant.nullable() })),
    lastKnownPlace: text.nullable(),
    latitude: z.number().min(-90).max(90).nullable(),
    longitude: z.number().min(-180).max(180).nullable(),
    summary: details,
    carrierContact: details,
  }),
  getBillOfLading: z.strictObject({
    billOfLadingNumber: z.string().regex(/^\S/),
    documentUrl: z.url({ protocol: /^https?$/ }),
  }),
  getListingAttachment: z.strictObject({
    attachmentId: text,
    uri: text,
    fileName: text.nullable(),
    fileType: text.nullable(),
    fileSizeInBytes: z.int().min(0).nullable(),
    createdAt: instant.nullable(),
    uploaderId: text.nullable(),
    type: text.nullable(),
    notes: text.nullable(),
  }),
  listRates: z.strictObject({ rates: z.array(rate), leftOut, clock: z.enum(['worker', 'marketplace']) }),
  getAcceptanceStatus: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('pending'),
      statusCode: z.int().nullable(),
      listingId: text.nullable(),
    }),
    z.strictObject({ kind: z.literal('notVisible') }),
    z.strictObject({ kind: z.literal('booked'), listingId: text }),
    z.strictObject({
      kind: z.literal('failed'),
      statusCode: z.int().min(400).max(499),
      reason: text,
      words: text.nullable(),
      listingId: text.nullable(),
      isDuplicate: z.boolean(),
    }),
    z.strictObject({
      kind: z.literal('inDoubt'),
      reason: text,
      words: text.nullable(),
      listingId: text.nullable(),
    }),
  ]),
  listPaymentMethods: z.strictObject({
    leftOut,
    methods: z.array(
      z.strictObject({
        paymentMethodId: text,
        type: text.nullable(),
        isPrimary: z.boolean(),
        active: z.boolean(),
        expiration: z
          .strictObject({ month: z.int().min(1).max(12), year: z.int().min(1_900).max(9_999) })
          .nullable(),
      }),
    ),
  }),
  listAddressTypes: z.array(z.strictObject({ value: text, label: text })),
  getTrackingLink: z.url({ protocol: /^https?$/ }),
  createListing: z.strictObject({ listingId: text }),
  createRateRequest: z.strictObject({ rateRequestId: text }),
  acceptRate: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('pending'), executionId: text }),
    z.strictObject({ kind: z.literal('booked'), listingId: text }),
  ]),
} as const;
