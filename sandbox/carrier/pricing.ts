import type { CarrierProfile } from '../model/carriers';
import type { Load } from '../model/load';
import type { SeededRandom } from '../model/random';
import type { ListingDraft } from '../model/state';

/** Invented tariffs: they grow with distance, weight, volume and services, and the same input costs the same. */

export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Both amounts of the fixed price: with the service charges (`price`) and without (`nypAmount`). */
export function fixedPriceOf(distance: number, load: Load) {
  const nypAmount = cents(
    89 + (distance / 1000) * 0.11 + load.volumeInCubicMeters * 38 + (load.weightInGrams / 1000) * 0.42,
  );
  return { nypAmount, price: cents(nypAmount * 1.18) };
}

export const premiumOf = (coverage: number): number => Math.max(5, cents(coverage * 0.015));

/** Every service of a stop or of the shipment carries an extra charge (contract, route rules 6 and 7). */
export function ratePriceOf(
  carrier: CarrierProfile,
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

/** Services that cost extra, wherever they were asked for. */
export const countServices = ({ accessorials, route }: ListingDraft): number =>
  accessorials.length + route.flatMap((stop) => stop.accessorials).length;
