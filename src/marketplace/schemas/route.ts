import { z } from 'zod';

const dateSchema = z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/, 'must be YYYY/MM/DD');

/** Contract: route stop, address. */
const addressSchema = z.strictObject({
  streetAddress: z.string().min(1),
  alternateStreetAddress: z.string().optional(),
  majorMunicipality: z.string(),
  postalCode: z.string().optional(),
  stateProvince: z.string(),
  country: z.string(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  type: z.string().optional(),
  timeZone: z.string().optional(),
});

const contactSchema = z.strictObject({
  name: z.string(),
  companyName: z.string().optional(),
  phoneNumber: z.string(),
  email: z.string().optional(),
});

const timeFrameSchema = z.strictObject({
  earliestArrival: dateSchema.optional(),
  latestArrival: dateSchema,
  timeFrameType: z.enum(['between', 'before', 'on']),
});

const furnitureStopSchema = z.strictObject({
  address: addressSchema,
  timeFrame: timeFrameSchema.optional(),
  contact: contactSchema,
});

/** Route rule 6: an object of booleans; samples also show an array of names. */
const stopAccessorialsSchema = z.union([
  z.strictObject({
    inside: z.boolean(),
    liftgateRequired: z.boolean(),
    callBeforeArrival: z.boolean().optional(),
    callAhead: z.boolean().optional(),
    appointmentRequired: z.boolean(),
    // Route rule 7, and the one service of the array that the rule does not name.
    protectFromFreezing: z.literal(true).optional(),
    blindShipmentCoordination: z.literal(true).optional(),
    sortandSegregate: z.literal(true).optional(),
    excessiveLength: z.literal(true).optional(),
  }),
  z.array(z.string()),
]);

const ltlStopSchema = z.strictObject({
  address: addressSchema,
  accessorials: stopAccessorialsSchema,
  contact: contactSchema,
});

/**
 * Route rules 3 and 4: a pickup day and no delivery time frame; otherwise the rates come back empty without a reason.
 */
export const ltlRouteSchema = z.strictObject({
  items: z.tuple([
    ltlStopSchema.extend({
      timeFrame: z
        .strictObject({
          earliestArrival: dateSchema,
          latestArrival: dateSchema,
          timeFrameType: z.literal('on'),
        })
        .refine((frame) => frame.earliestArrival === frame.latestArrival, 'must be a single day'),
    }),
    ltlStopSchema,
  ]),
});

export const furnitureRouteSchema = z.strictObject({
  items: z.tuple([furnitureStopSchema, furnitureStopSchema]),
});

export type AddressWire = z.input<typeof addressSchema>;
export type ContactWire = z.input<typeof contactSchema>;
export type TimeFrameWire = z.input<typeof timeFrameSchema>;
export type FurnitureRouteWire = z.input<typeof furnitureRouteSchema>;
export type LtlRouteWire = z.input<typeof ltlRouteSchema>;
export type StopAccessorialsWire = z.input<typeof stopAccessorialsSchema>;
