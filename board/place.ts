import type { Address } from '../src/domain/shipment';

/** A place on the earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Only the middle of the area of its postal code is known. */
  readonly isRough: boolean;
}

type Areas = Readonly<Record<string, readonly [number, number] | undefined>>;

/** Where an address is: by its own coordinates, else by its postal code; null outside the US without coordinates. */
export function placeOf(
  {
    latitude,
    longitude,
    postalCode,
    country,
  }: Pick<Address, 'latitude' | 'longitude' | 'postalCode' | 'country'>,
  areas: Areas,
): Place | null {
  if (latitude !== null && longitude !== null) return { latitude, longitude, isRough: false };
  if (country !== 'US') return null;
  const area = areas[postalCode.slice(0, 3)];
  return area === undefined ? null : { latitude: area[0], longitude: area[1], isRough: true };
}
