import { z } from 'zod';
import { LENGTH_UNITS, WEIGHT_UNITS } from './units';
import { chooseSchema, moneySchema, policySchema } from './policy';

const text = z.string().trim().min(1);
const positive = z.number().positive();
const date = z.string();

const addressSchema = z.strictObject({
  street: text,
  unit: text.optional(),
  city: text,
  // Not needed where city or country implies it: Washington DC, Puerto Rico.
  state: text.optional(),
  postalCode: z
    .union([z.string(), z.number()], { error: 'give it in quotes, such as "78703"' })
    .transform(String)
    .optional(),
  country: text,
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
});

/** The call has two names in the contract (route rule 6). Only one is kept: a stop can then override its location. */
const servicesSchema = z
  .strictObject({
    inside: z.boolean().optional(),
    liftgate: z.boolean().optional(),
    callBeforeArrival: z.boolean().optional(),
    callAhead: z.boolean().optional(),
    appointment: z.boolean().optional(),
  })
  .refine(
    ({ callBeforeArrival, callAhead }) =>
      (callBeforeArrival ?? callAhead) === (callAhead ?? callBeforeArrival),
    {
      path: ['callAhead'],
      error: 'callBeforeArrival is the same service, and has another value; give only one of them',
    },
  )
  .transform(({ callAhead, ...services }) =>
    callAhead === undefined ? services : { ...services, callBeforeArrival: callAhead },
  );

/** A stop, as in an order or in a location of the account. */
export const stopSchema = z.strictObject({
  location: text.optional(),
  address: addressSchema.optional(),
  addressType: text.optional(),
  timeZone: text.optional(),
  contact: z
    .strictObject({
      name: text,
      company: text.optional(),
      phone: text,
      email: z.email('give an e-mail address, or leave it out').optional(),
    })
    .optional(),
  services: servicesSchema.optional(),
});

/** A location of the accounts file: a stop that refers to no other location. */
export const locationSchema = stopSchema.omit({ location: true });

const stopShapeSchema = stopSchema.extend({
  address: addressSchema.partial().optional(),
  contact: stopSchema.shape.contact.unwrap().partial().optional(),
});
/** A stop whose malformed parts have been reported and removed. */
export type StopShape = z.infer<typeof stopShapeSchema>;

const timeFrameSchema = z.union(
  [
    z.strictObject({ on: date }),
    z.strictObject({ between: z.tuple([date, date]) }),
    z.strictObject({ before: date }),
  ],
  { error: 'give one of {"on": day}, {"between": [day, day]}, {"before": day}; days as YYYY-MM-DD' },
);
export type TimeFrameWire = z.infer<typeof timeFrameSchema>;

const itemBase = {
  title: text.optional(),
  description: text.optional(),
  commodity: text,
  quantity: z.number().int().min(1).max(500).default(1),
  size: z
    .strictObject({ length: positive, width: positive, height: positive, unit: z.enum(LENGTH_UNITS) })
    .optional(),
  weightEach: z.strictObject({ value: positive, unit: z.enum(WEIGHT_UNITS) }).optional(),
};
/** Furniture is priced by size and weight; LTL may give a freight class instead. */
const furnitureItemSchema = z.strictObject({
  ...itemBase,
  size: itemBase.size.unwrap(),
  weightEach: itemBase.weightEach.unwrap(),
});
const ltlItemSchema = z.strictObject({
  ...itemBase,
  handlingUnit: text,
  packaging: text.optional(),
  freightClass: z
    .union([z.string(), z.number()], { error: 'give one of the 18 classes, such as "92.5"' })
    .transform(String)
    .optional(),
  stackable: z.boolean().default(false),
  hazardous: z.boolean().default(false),
});
const furnitureItemShapeSchema = furnitureItemSchema.partial();
const ltlItemShapeSchema = ltlItemSchema.partial();
export type FurnitureItemShape = z.infer<typeof furnitureItemShapeSchema>;
export type LtlItemShape = z.infer<typeof ltlItemShapeSchema>;

const orderBase = {
  account: text,
  orderId: text,
  title: text.optional(),
  references: z
    .record(
      z.string(),
      z.union([text, z.array(z.union([text, z.strictObject({ label: text, number: text })]))], {
        error: 'give a text, or a list of texts and of {"label": …, "number": …}',
      }),
    )
    .default({}),
  labels: z.record(z.string(), z.string()).default({}),
  origin: stopSchema,
  destination: stopSchema,
  pickup: timeFrameSchema,
  coverage: moneySchema.optional(),
  priceLimit: moneySchema.optional(),
  policy: policySchema.optional(),
};

export const furnitureOrderSchema = z.strictObject({
  kind: z.literal('furniture'),
  ...orderBase,
  description: z.string().optional(),
  delivery: timeFrameSchema.optional(),
  items: z.array(furnitureItemSchema).min(1).max(200),
  driverNotes: z.string().max(2_000).optional(),
  images: z.array(text).max(20).default([]),
  attributes: z
    .strictObject({
      crated: z.boolean().default(false),
      stackable: z.boolean().default(false),
      palletized: z.boolean().default(false),
    })
    .optional(),
  serviceTypes: z.array(z.enum(['BlanketWrap', 'LtlTransportOnly', 'LtlFreightPackaging'])).default([]),
  gallery: z.array(z.string()).default([]),
  requestedRateTypes: z.string().optional(),
});

export const ltlOrderSchema = z.strictObject({
  kind: z.literal('ltl'),
  ...orderBase,
  items: z.array(ltlItemSchema).min(1).max(200),
  services: z.array(text).default([]),
  choose: chooseSchema.optional(),
});

const stopShapes = { origin: stopShapeSchema.optional(), destination: stopShapeSchema.optional() };
export const furnitureShapeSchema = furnitureOrderSchema.partial().extend({
  kind: z.literal('furniture'),
  ...stopShapes,
  items: z.array(furnitureItemShapeSchema.nullable()).optional(),
});
export const ltlShapeSchema = ltlOrderSchema.partial().extend({
  kind: z.literal('ltl'),
  ...stopShapes,
  items: z.array(ltlItemShapeSchema.nullable()).optional(),
});
export type FurnitureShape = z.infer<typeof furnitureShapeSchema>;
export type LtlShape = z.infer<typeof ltlShapeSchema>;
/** An order without its malformed parts; complete when there were none. */
export type OrderShape = FurnitureShape | LtlShape;
