import { createAccountPauseActivities, createAccountTestActivities } from './account-pauses';
import { createAddressTypeCheck } from './address-types';
import { createAttachmentActivities } from './attachments';
import { createBookedListingActivities } from './booked-listings';
import type { ActivityDependencies } from './dependencies';
import { createDeleteListingActivities } from './delete-listing';
import { createDocumentActivities } from './documents';
import { createFixedPriceActivities } from './fixed-price';
import { createListingActivities } from './listings';
import { createListingUpdateActivities } from './listing-updates';
import { createNotificationActivities } from './notifications';
import { createOrderEndActivities } from './order-ends';
import { createPaperActivities } from './papers';
import { createPaymentMethodActivities } from './payment-methods';
import { createProbeActivities } from './probes';
import { createRateActivities } from './rates';
import { createTrackingLinkActivities } from './tracking-links';

/** All activities by their type names: one for each endpoint, and polls and watches for some. */
export function createActivities(dependencies: ActivityDependencies) {
  const checkAddressTypes = createAddressTypeCheck(dependencies);
  const documents = createDocumentActivities(dependencies);
  const bookedListings = createBookedListingActivities(dependencies);
  const trackingLinks = createTrackingLinkActivities(dependencies);
  return {
    ...createFixedPriceActivities(dependencies, checkAddressTypes),
    ...createListingActivities(dependencies),
    ...createDeleteListingActivities(dependencies),
    ...createListingUpdateActivities(dependencies),
    ...createAttachmentActivities(dependencies),
    ...bookedListings,
    ...documents,
    ...trackingLinks,
    ...createPaperActivities({ ...documents, ...bookedListings, ...trackingLinks }),
    ...createRateActivities(dependencies, checkAddressTypes),
    ...createNotificationActivities(dependencies),
    ...createOrderEndActivities(dependencies),
    ...createPaymentMethodActivities(dependencies),
    ...createProbeActivities(dependencies),
    ...createAccountPauseActivities(dependencies),
    ...createAccountTestActivities(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type { ActivityDependencies } from './dependencies';
