/** The marketplace's endpoints by name: what faults aim at and what the ledger counts. */
export const operations = [
  'getFixedPrice',
  'createListing',
  'getListing',
  'updateListing',
  'deleteListing',
  'uploadListingImage',
  'getListingContacts',
  'getTracking',
  'getBillOfLading',
  'getListingAttachment',
  'createRateRequest',
  'listRates',
  'acceptRate',
  'getAcceptanceStatus',
  'listPaymentMethods',
  'listAddressTypes',
  'createToken',
  'createUserToken',
  'signIn',
  'getTrackingLink',
  'openTrackingLink',
  'getDocument',
  'cancelBooking',
] as const;

export type Operation = (typeof operations)[number];
