import { distanceInMeters, placeOfPostalCode, type Place } from './geography';
import type { SeededRandom } from './random';
import type { Carrier, Item, Stop } from './state';

/** Invented tariffs: they grow with distance, weight, volume and services, and the same input costs the same. */

export const cents = (amount: number): number => Math.round(amount * 100) / 100;

export interface Load {
  readonly weightInGrams: number;
  readonly volumeInCubicMeters: number;
}

/** Weight is one unit's unless the item says otherwise; a freight class without a weight counts as an average pallet. */
export function loadOf(items: readonly Item[]): Load {
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

export interface FixedPrice {
  readonly price: number;
  readonly nypAmount: number;
}

/** Both amounts of the fixed price: with the service charges (`price`) and without (`nypAmount`). */
export function fixedPriceOf(distance: number, load: Load): FixedPrice {
  const nypAmount = cents(
    89 + (distance / 1000) * 0.11 + load.volumeInCubicMeters * 38 + (load.weightInGrams / 1000) * 0.42,
  );
  return { nypAmount, price: cents(nypAmount * 1.18) };
}

export const premiumOf = (coverage: number): number => Math.max(5, cents(coverage * 0.015));

/** Every service of a stop or of the shipment carries an extra charge (contract, route rules 6 and 7). */
export function ratePriceOf(
  carrier: Carrier,
  distance: number,
  load: Load,
  services: number,
  random: SeededRandom,
): number {
  const weight = (load.weightInGrams / 1000) ** 0.7;
  const base = 75 + weight * (0.9 + distance / 1_000_000) + services * 42;
  const spread = 0.97 + random.next() * 0.06;
  return cents(base * carrier.priceFactor * spread);
}
