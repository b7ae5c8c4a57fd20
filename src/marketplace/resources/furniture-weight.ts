import type { FurnitureItem } from '../../domain/shipment';
import type { MarketplaceSettings } from '../settings';

/** The contract does not say whether the weight of an item with a `unitCount` is of one unit or of all units. */
export function weightOfLine(
  { weightInGrams, quantity }: FurnitureItem,
  { furnitureWeight }: MarketplaceSettings,
): number {
  return furnitureWeight === 'perLine' ? weightInGrams * quantity : weightInGrams;
}
