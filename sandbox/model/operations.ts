import { keysOf } from './json';

/** The marketplace's endpoints by name: what troubles aim at and what the ledger counts. These want a key or a token. */
export const accountEndpoints = {
  getFixedPrice: ['POST', '/v2/fixedprice'],
  createListing: ['POST', '/v2/listings'],
  getListing: ['GET', '/v2/listings/:listingId'],
  updateListing: ['PUT', '/v2/listings/:listingId'],
  deleteListing: ['DELETE', '/v2/listings/:listingId'],
  uploadListingImage: ['POST', '/v2/listings/:listingId/images'],
  getListingContacts: ['GET', '/v2/listings/:listingId/contacts'],
  getTracking: ['GET', '/v2/listings/:listingId/track'],
  getBillOfLading: ['GET', '/v2/listings/:listingId/billoflading'],
  getListingAttachment: ['GET', '/v2/listings/:listingId/attachments/:attachmentId'],
  createRateRequest: ['POST', '/v2/raterequests'],
  listRates: ['GET', '/v2/raterequests/:id/rates'],
  acceptRate: ['POST', '/v2/rates/:id/acceptance'],
  getAcceptanceStatus: ['GET', '/v2/rates/:id/acceptance/status/:executionId'],
  listPaymentMethods: ['GET', '/v2/paymentmethods'],
  listAddressTypes: ['GET', '/v2/lookups/addressTypes'],
} as const;

/** These want none. */
export const openEndpoints = {
  createToken: ['POST', '/oauth/token'],
  createUserToken: ['POST', '/oauth/token_authenticated'],
  signIn: ['POST', '/mvc/authentication/signin'],
  getTrackingLink: ['GET', '/listing/track/:listingId/trackinglink'],
  openTrackingLink: ['GET', '/track/:listingId'],
  getDocument: ['GET', '/documents/:listingId/:attachmentId/:fileName'],
  cancelBooking: [['GET', 'POST'], '/listing/cancel/:listingId'],
} as const;

export type Operation = keyof typeof accountEndpoints | keyof typeof openEndpoints;
export const operations = [...keysOf(accountEndpoints), ...keysOf(openEndpoints)];
