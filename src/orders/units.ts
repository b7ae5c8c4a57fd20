const METERS = { in: 0.0254, ft: 0.3048, cm: 0.01, mm: 0.001, m: 1 } as const;
const GRAMS = { lb: 453.592_37, oz: 28.349_523_125, g: 1, kg: 1_000 } as const;

export type LengthUnit = keyof typeof METERS;
export type WeightUnit = keyof typeof GRAMS;
export const LENGTH_UNITS: readonly LengthUnit[] = ['in', 'ft', 'cm', 'mm', 'm'];
export const WEIGHT_UNITS: readonly WeightUnit[] = ['lb', 'oz', 'g', 'kg'];

/** Meters with their decimals, to the tenth of a millimeter. */
export function toMeters(value: number, unit: LengthUnit): number {
  return Math.round(value * METERS[unit] * 10_000) / 10_000;
}

/** Whole grams, rounded up: a carrier that reweighs heavier than declared bills the difference. */
export function toGrams(value: number, unit: WeightUnit): number {
  // Remove floating-point noise before rounding up: 1.1 kg is 1100 g, not 1101.
  return Math.ceil(Math.round(value * GRAMS[unit] * 1e6) / 1e6);
}
