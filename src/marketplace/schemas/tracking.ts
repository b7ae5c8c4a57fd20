import { z } from 'zod';
import { detailsSchema, idSchema, numberWithin, textSchema, webAddressSchema } from './common';

const oneOrMany = <T extends z.ZodType>(schema: T) =>
  z
    .union([z.array(schema), schema.transform((one) => [one])])
    .nullish()
    .transform((many) => many ?? []);

export const trackingStatusSchema = z.union([z.record(z.string(), z.unknown()), z.string()]);
export const trackedLocationSchema = z.looseObject({
  latitude: numberWithin(-90, 90),
  longitude: numberWithin(-180, 180),
});
export const trackedAddressSchema = z.looseObject({
  city: textSchema,
  majorMunicipality: textSchema,
  state: textSchema,
  stateProvince: textSchema,
});

/** Contract: tracking info. It does not show the inner fields of a status, so they are recognised by content. */
export const trackingSchema = z.looseObject({
  shipmentTrackingSummaryModel: detailsSchema,
  carrierContactModel: detailsSchema,
  shipmentTrackingStatuses: z
    .array(trackingStatusSchema)
    .nullish()
    .transform((statuses) => statuses ?? []),
  mostRecentLocation: oneOrMany(trackedLocationSchema),
  mostRecentAddress: oneOrMany(trackedAddressSchema),
});

/** Contract: listing contacts; their fields are not shown and pass through. */
export const contactsSchema = z.record(z.string(), z.unknown());

/** Contract: bill of lading. */
export const billOfLadingSchema = z.looseObject({
  billOfLadingNumber: idSchema,
  document: z.looseObject({ href: webAddressSchema }),
});
