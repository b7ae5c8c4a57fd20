import type { RateCause } from './rate-cause';
import type { LtlItem } from './shipment';

/**
 * The marketplace does not document its limits, so these only warn. Weights come from its texts (150 to 15,000 lb).
 * Sides fit through the door of a 28 ft trailer. A load with more units is no longer partial.
 */
const LTL_LIMITS = {
  minimumGrams: 68_039,
  maximumGrams: 6_803_886,
  text: '150 to 15,000 lb, 68 to 6,804 kg',
  maximumMeters: { length: 8.53, width: 2.59, height: 2.74 },
  maximumUnits: 20,
};

type Measured = Pick<
  LtlItem,
  'quantity' | 'lengthInMeters' | 'widthInMeters' | 'heightInMeters' | 'weightInGrams'
>;

function weightExcess(items: readonly (Measured | null)[]): RateCause[] {
  const grams = items.reduce((sum, item) => sum + (item?.weightInGrams ?? 0) * (item?.quantity ?? 0), 0);
  const isWhole = items.every((item) => item !== null && item.weightInGrams !== null);
  const isHeavy = grams > LTL_LIMITS.maximumGrams;
  if (!isHeavy && (grams >= LTL_LIMITS.minimumGrams || grams === 0 || !isWhole)) return [];
  const problem = `${Math.round(grams / 1_000)} kg in all are outside what LTL usually takes (${LTL_LIMITS.text})`;
  const remedy = isHeavy ? 'split the order' : 'check the weights; a parcel service may be meant';
  return [{ path: '$.items', problem, remedy }];
}

function unitExcess(items: readonly (Measured | null)[]): RateCause[] {
  const units = items.reduce((sum, item) => sum + (item?.quantity ?? 0), 0);
  if (units <= LTL_LIMITS.maximumUnits) return [];
  const problem = `${units} handling units are more than LTL usually takes (${LTL_LIMITS.maximumUnits})`;
  const remedy = 'split the order, or count what is fixed to one pallet as one';
  return [{ path: '$.items', problem, remedy }];
}

function sideExcesses(item: Measured | null, index: number): RateCause[] {
  if (item === null) return [];
  return (['length', 'width', 'height'] as const).flatMap((side) => {
    const meters = item[`${side}InMeters`];
    const maximum = LTL_LIMITS.maximumMeters[side];
    if (meters === null || meters <= maximum) return [];
    const problem = `a ${side} of ${meters} m does not fit a common trailer (${maximum} m)`;
    return [{ path: `$.items[${index}].size.${side}`, problem, remedy: 'check the unit' }];
  });
}

/**
 * What exceeds the limits. Checked before a rate request, and again when no rate came.
 * @param items null for an unreadable item, which counts as unknown
 */
export function beyondLtlLimits(items: readonly (Measured | null)[]): RateCause[] {
  return [...weightExcess(items), ...unitExcess(items), ...items.flatMap(sideExcesses)];
}
