import { distanceInMeters, placeOfPostalCode, type Place } from './geography';
import type { Item, Stop } from './state';

/** What is carried, and how far. */
export type Load = Readonly<ReturnType<typeof loadOf>>;

/** Weight is one unit's unless the item says otherwise; a freight class without a weight counts as an average pallet. */
export function loadOf(items: readonly Item[]) {
  let weightInGrams = 0;
  let volumeInCubicMeters = 0;
  for (const item of items) {
    const { weightInGrams: weight = (item.freightClass ?? 0) * 2500, isWeightOfLine, unitCount } = item;
    weightInGrams += isWeightOfLine === true ? weight : weight * unitCount;
    const { lengthInMeters = 1, widthInMeters = 1, heightInMeters = 1 } = item;
    volumeInCubicMeters += lengthInMeters * widthInMeters * heightInMeters * unitCount;
  }
  return { weightInGrams, volumeInCubicMeters };
}

export function placeOfStop({ address }: Stop): Place {
  const { latitude, longitude } = address;
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  return placeOfPostalCode(address.postalCode ?? '');
}

export function routeDistanceInMeters(route: readonly Stop[]): number {
  const places = route.map(placeOfStop);
  return places
    .slice(1)
    .reduce((sum, place, index) => sum + distanceInMeters(places[index] ?? place, place), 0);
}
