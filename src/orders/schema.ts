import { z } from 'zod';
import { REFERENCE_TYPES } from '../domain/reference-type';
import { LTL_SERVICES } from './codes';
import { described } from '../platform/described';
import {
  furnitureItemSchema,
  furnitureItemShapeSchema,
  ltlItemSchema,
  ltlItemShapeSchema,
} from './item-schema';
import { moneySchema } from './money-schema';
import { policySchema, rateRuleSchema } from './policy-schema';
import { stopSchema, stopShapeSchema } from './stop-schema';
import { textSchema } from './text-schema';

/** The reader checks days and their order, and corrects days in other formats. */
const day = (description: string) =>
  described(z.string().meta({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }), description);

const timeFrameSchema = z
  .union(
    [
      z.strictObject({ on: day('That day, as `YYYY-MM-DD`.') }),
      z.strictObject({
        between: described(
          z.tuple([day('The first day.'), day('The last day.')]),
          'The first and the last day.',
        ),
      }),
      z.strictObject({ before: day('That day or an earlier one.') }),
    ],
    { error: 'give one of {"on": day}, {"between": [day, day]}, {"before": day}; days as YYYY-MM-DD' },
  )
  .meta({ title: '{on: day}, {between: [day, day]} or {before: day}' });
export type TimeFrameWire = z.infer<typeof timeFrameSchema>;

const referencesSchema = z
  .record(
    z.string(),
    z.union(
      [
        textSchema,
        z.array(
          z.union([
            textSchema,
            z.strictObject({
              label: described(textSchema, 'What the number is; only for the type `Other`.'),
              number: described(textSchema, 'The number; with its label at most 60 characters.'),
            }),
          ]),
        ),
      ],
      { error: 'give a text, or a list of texts and of {"label": …, "number": …}' },
    ),
  )
  .meta({ propertyNames: { enum: [...REFERENCE_TYPES] } });

/** The reader checks both, and suggests a text that fits. */
const ASCII = String.raw`[\u0020-\u007E\t\r\n]*$`;

const orderBase = {
  account: described(textSchema, 'The account that ships and pays, by its name in the accounts file.'),
  orderId: described(
    textSchema.meta({ pattern: String.raw`^\s*[A-Za-z0-9._-]{1,50}\s*$` }),
    'Your own id: letters, digits, `.`, `-` and `_`, at most 50.',
  ),
  title: described(
    textSchema.meta({ maxLength: 50, pattern: String.raw`^(?=\s*\S)${ASCII}` }),
    "At most 50 ASCII characters; default: made from the items; LTL: shown only in Temporal's web UI.",
  ).optional(),
  references: described(
    referencesSchema,
    'A number or a list of numbers for each type, such as `PurchaseOrder`; `Other` takes `{label, number}`.',
  ).default({}),
  labels: described(
    z.record(z.string(), z.string()),
    'Your own notes by name; Consign never sends them.',
  ).default({}),
  origin: described(stopSchema, 'Where the carrier picks the goods up.'),
  destination: described(stopSchema, 'Where the carrier delivers the goods.'),
  pickup: described(
    timeFrameSchema,
    'When the carrier may come; LTL takes only `on`, a business day from tomorrow on.',
  ),
  coverage: described(
    moneySchema,
    "The value to protect; only within the US and in the account's currency.",
  ).optional(),
  priceLimit: described(moneySchema, "A price above this limit needs a person's approval.").optional(),
  policy: described(policySchema, "What differs from the account's policy.").optional(),
};

export const furnitureOrderSchema = z.strictObject({
  kind: described(z.literal('furniture'), '`furniture` or `ltl`.'),
  ...orderBase,
  description: described(
    z.string().meta({ maxLength: 5_000, pattern: `^${ASCII}` }),
    'What carriers read about the order: at most 5000 ASCII characters.',
  ).optional(),
  delivery: described(timeFrameSchema, 'When the goods may arrive, in the form of `pickup`.').optional(),
  items: described(z.array(furnitureItemSchema).min(1).max(200), 'The goods, 1 to 200 lines.'),
  driverNotes: described(
    z.string().max(2_000),
    'Notes that only the driver sees; at most 2000 characters.',
  ).optional(),
  images: described(
    z.array(textSchema).max(20),
    'At most 20 images: files, relative to the document, or https addresses.',
  ).default([]),
  attributes: described(
    z.strictObject({
      crated: described(z.boolean(), 'The goods are in crates.').default(false),
      stackable: described(z.boolean(), 'The goods can be stacked.').default(false),
      palletized: described(z.boolean(), 'The goods are on pallets.').default(false),
    }),
    'How the goods are packed.',
  ).optional(),
  serviceTypes: described(
    z.array(z.enum(['BlanketWrap', 'LtlTransportOnly', 'LtlFreightPackaging'])),
    'Service types of the listing.',
  ).default([]),
  gallery: described(z.array(z.string()), 'Sent with the listing as it is.').default([]),
  requestedRateTypes: described(z.string(), 'Sent with the listing as it is.').optional(),
});

export const ltlOrderSchema = z.strictObject({
  kind: described(z.literal('ltl'), '`furniture` or `ltl`.'),
  ...orderBase,
  // The reader checks it together with the day, and corrects a window of one day.
  pickup: orderBase.pickup.meta({ required: ['on'] }),
  items: described(z.array(ltlItemSchema).min(1).max(200), 'The goods, 1 to 200 lines.'),
  services: described(
    z.array(textSchema.meta({ enum: [...LTL_SERVICES] })),
    'Additional services for the whole order.',
  ).default([]),
  rateRule: described(rateRuleSchema, 'Which rate Consign takes, as `rateRule` of the policy.').optional(),
});

/** An order document as it is written, before Consign checks and normalises it. */
export type OrderDocument = z.input<typeof furnitureOrderSchema> | z.input<typeof ltlOrderSchema>;

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
