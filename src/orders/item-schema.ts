import { z } from 'zod';
import { FREIGHT_CLASSES } from '../domain/ltl-codes';
import { HANDLING_UNITS, LTL_COMMODITIES } from './codes';
import { described } from '../platform/described';
import { textSchema } from './text-schema';
import { LENGTH_UNITS, WEIGHT_UNITS } from './units';

const positive = z.number().positive();

const sizeSchema = described(
  z.strictObject({
    length: described(positive, 'Length, 1 cm to 12 m.'),
    width: described(positive, 'Width, 1 cm to 12 m.'),
    height: described(positive, 'Height, 1 cm to 12 m.'),
    unit: described(z.enum(LENGTH_UNITS), 'Unit of the three sides.'),
  }),
  'Size of one unit with its packaging; LTL may give `freightClass` instead.',
);
const weightSchema = described(
  z.strictObject({
    value: described(positive, 'Weight, 200 g to 10 t; rounded up to grams.'),
    unit: described(z.enum(WEIGHT_UNITS), 'Unit of the weight.'),
  }),
  'Weight of one unit with its packaging; LTL may give `freightClass` instead.',
);

const itemBase = {
  title: described(textSchema, 'Name of the goods.').optional(),
  description: described(textSchema, 'More about the goods.').optional(),
  quantity: described(z.number().int().min(1).max(500), 'Number of units, 1 to 500.').default(1),
};

/** Furniture is priced by size and weight; LTL may give a freight class instead. */
export const furnitureItemSchema = z.strictObject({
  commodity: described(textSchema, 'What it is, in free text.'),
  ...itemBase,
  size: sizeSchema,
  weightEach: weightSchema,
});

/** The reader takes this one in any case (contract, Handling units: both spellings occur). */
const OTHER_PALLET = 'Pallets48x40Inches';

export const ltlItemSchema = z.strictObject({
  commodity: described(
    textSchema.meta({ enum: [...LTL_COMMODITIES] }),
    'A commodity code of the marketplace, such as `NewCommercialGoods`.',
  ),
  ...itemBase,
  size: sizeSchema.optional(),
  weightEach: weightSchema.optional(),
  handlingUnit: described(
    textSchema.meta({ enum: [...HANDLING_UNITS, OTHER_PALLET] }),
    'What the carrier moves, such as `Pallets48X40Inches`, `Crates` or `Drums`.',
  ),
  packaging: described(textSchema, 'How the goods are packed, in free text.').optional(),
  freightClass: described(
    z
      .union([z.string().meta({ examples: [...FREIGHT_CLASSES] }), z.number()], {
        error: 'give one of the 18 classes, such as "92.5"',
      })
      .transform(String),
    'One of the 18 freight classes, such as `"92.5"`; when unsure, give size and weight instead.',
  ).optional(),
  stackable: described(z.boolean(), 'Whether other goods may stand on it.').default(false),
  hazardous: described(
    z.boolean(),
    'Hazardous goods; refused unless the account has `allowHazardous: true`.',
  ).default(false),
});

export const furnitureItemShapeSchema = furnitureItemSchema.partial();
export const ltlItemShapeSchema = ltlItemSchema.partial();
export type FurnitureItemShape = z.infer<typeof furnitureItemShapeSchema>;
export type LtlItemShape = z.infer<typeof ltlItemShapeSchema>;
