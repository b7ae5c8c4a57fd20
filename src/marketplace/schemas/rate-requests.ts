import { z } from 'zod';
import { ltlRouteSchema } from './route';

/** Contract: LTL item. */
const ltlItemSchema = z.strictObject({
  commodity: z.string().min(1),
  unitCount: z.int().positive(),
  handlingUnit: z.string().min(1),
  packaging: z.string().optional(),
  stackable: z.boolean(),
  hazardous: z.boolean(),
  lengthInMeters: z.number().positive().optional(),
  widthInMeters: z.number().positive().optional(),
  heightInMeters: z.number().positive().optional(),
  weightInGrams: z.int().positive().optional(),
  freightClass: z.number().positive().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});
export type LtlItemWire = z.input<typeof ltlItemSchema>;

/** Contract: rate request. Its references have no label. */
export const rateRequestSchema = z.strictObject({
  route: ltlRouteSchema,
  items: z.array(ltlItemSchema).min(1),
  referenceNumbers: z.array(z.strictObject({ number: z.string().min(1), type: z.string().min(1) })),
  integratorId: z.string().optional(),
  /** The field table has an array of names; route rule 7 describes booleans. */
  accessorials: z.union([z.array(z.string()), z.record(z.string(), z.literal(true))]).optional(),
  thirdPartyId: z.string(),
});
export type RateRequestWire = z.input<typeof rateRequestSchema>;
