import { z } from 'zod';
import { LENGTH_UNITS, WEIGHT_UNITS } from './units';
import { chooseSchema, moneySchema, policySchema } from './policy';

const text = z.string().trim().min(1);
const positive = z.number().positive();
const date = z.string();

export const addressSchema = z.strictObject({
  street: text,
  unit: text.optional(),
  city: text,
  state: z.string().regex(/^[A-Z]{2}$/, 'give the two letters of the state or province, such as TX'),
  postalCode: z.union([z.string(), z.number()]).transform(String),
  country: z.enum(['US', 'CA']),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
});

const servicesSchema = z.strictObject({
  inside: z.boolean().optional(),
  liftgate: z.boolean().optional(),
  callBeforeArrival: z.boolean().optional(),
  appointment: z.boolean().optional(),
});

/** A stop as an order or a location of the account gives it. */
export const stopSchema = z.strictObject({
  location: text.optional(),
  address: addressSchema.optional(),
  addressType: text.optional(),
  timeZone: text.optional(),
  contact: z
    .strictObject({ name: text, company: text.optional(), phone: text, email: z.email().optional() })
    .optional(),
  services: servicesSchema.optional(),
});
export type StopWire = z.infer<typeof stopSchema>;

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
const furnitureItemSchema = z.strictObject(itemBase);
const ltlItemSchema = z.strictObject({
  ...itemBase,
  handlingUnit: text,
  packaging: text.optional(),
  freightClass: z.union([z.string(), z.number()]).transform(String).optional(),
  stackable: z.boolean().default(false),
  hazardous: z.boolean().default(false),
});
export type ItemWire = z.infer<typeof ltlItemSchema> | z.infer<typeof furnitureItemSchema>;
export type LtlItemWire = z.infer<typeof ltlItemSchema>;

const orderBase = {
  account: text,
  orderId: text,
  title: text.optional(),
  description: z.string().optional(),
  references: z
    .record(
      z.string(),
      z.union([text, z.array(z.union([text, z.strictObject({ label: text, number: text })]))]),
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
export type FurnitureOrderWire = z.infer<typeof furnitureOrderSchema>;

export const ltlOrderSchema = z.strictObject({
  kind: z.literal('ltl'),
  ...orderBase,
  items: z.array(ltlItemSchema).min(1).max(200),
  services: z.array(text).default([]),
  choose: chooseSchema.optional(),
});
export type LtlOrderWire = z.infer<typeof ltlOrderSchema>;
export type OrderWire = FurnitureOrderWire | LtlOrderWire;
