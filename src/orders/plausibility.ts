import type { Problems } from './problem';
import { toGrams, toMeters, type LengthUnit, type WeightUnit } from './units';

/** Limits beyond which the unit must be wrong: nobody ships a sofa of 84 metres, or of 26 grams. */
const MAX_METERS = 12;
const MIN_METERS = 0.01;
const MIN_GRAMS = 200;
const MAX_GRAMS = 10_000_000;

type Side = 'length' | 'width' | 'height';
export type SizeWire = Readonly<Record<Side, number>> & { readonly unit: LengthUnit };
export interface WeightWire {
  readonly value: number;
  readonly unit: WeightUnit;
}

/** The size in meters. Each implausible side is reported with the unit that was probably meant. */
export function readSize(size: SizeWire | undefined, path: string, problems: Problems) {
  if (size === undefined) return null;
  const { unit } = size;
  const meters = (side: Side): number => {
    const result = toMeters(size[side], unit);
    if (result > MAX_METERS || result < MIN_METERS) {
      const guess = result > MAX_METERS ? (unit === 'm' ? 'in' : 'cm') : 'in';
      problems.add(
        `${path}.size.${side}`,
        `${size[side]} ${unit} is ${result} metres, which is implausible`,
        `check the unit; did you mean "${guess}"?`,
      );
    }
    return result;
  };
  return {
    lengthInMeters: meters('length'),
    widthInMeters: meters('width'),
    heightInMeters: meters('height'),
  };
}

/** The weight of one unit in grams. */
export function readWeight(weight: WeightWire | undefined, path: string, problems: Problems): number | null {
  if (weight === undefined) return null;
  const { value, unit } = weight;
  const grams = toGrams(value, unit);
  if (grams < MIN_GRAMS || grams > MAX_GRAMS) {
    problems.add(
      `${path}.weightEach`,
      `${value} ${unit} is ${grams} grams each, which is implausible`,
      `check the unit; did you mean "${unit === 'g' ? 'kg' : 'lb'}"?`,
    );
  }
  return grams;
}
