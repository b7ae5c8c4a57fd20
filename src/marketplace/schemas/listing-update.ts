import { z } from 'zod';
import { requestMoneySchema } from './common';
import { listingAttributesSchema, listingItemSchema, referenceNumberSchema } from './listings';
import { furnitureRouteSchema } from './route';

const trioSchema = z.strictObject({ value: z.string().min(1), label: z.string(), shortLabel: z.string() });

const priceSchema = z.union([
  requestMoneySchema,
  z.strictObject({
    value: z.number().nonnegative(),
    label: z.string(),
    shortLabel: z.string(),
    currencyType: trioSchema,
  }),
]);
export type PriceWire = z.input<typeof priceSchema>;

/** Type of Consign's own reference: a listing without it cannot be distinguished from a foreign one. */
const OWN_TYPE = 'ThirdPartyOrderNumber';

/** Contract: listing update model. All fields are optional; at least one must change something. */
export const listingUpdateSchema = z
  .strictObject({
    checksum: z.string().min(1).optional(),
    title: z.string().min(1).optional(),
    description: z.string().optional(),
    route: furnitureRouteSchema.optional(),
    isAuction: z.boolean().optional(),
    isDutchAuction: z.boolean().optional(),
    isItineraryMandatory: z.boolean().optional(),
    namedPrice: priceSchema.optional(),
    offerPrice: priceSchema.optional(),
    items: z.array(listingItemSchema).min(1).optional(),
    serviceTypes: z.array(trioSchema).optional(),
    referenceNumbers: z
      .array(referenceNumberSchema)
      .refine((all) => all.some(({ type }) => type === OWN_TYPE), `must hold one of type ${OWN_TYPE}`)
      .optional(),
    attributes: listingAttributesSchema.optional(),
    importSource: z.string().min(1).optional(),
  })
  .refine(
    ({ checksum: _checksum, ...changes }) => Object.values(changes).some((value) => value !== undefined),
    'must change something',
  );
export type ListingUpdateWire = z.input<typeof listingUpdateSchema>;
