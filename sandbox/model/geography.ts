/** Rough places out of postal codes: enough for prices that grow with distance and for a plausible truck on a map. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** By the first character of a postal code: a digit in the US, a letter in Canada. */
const regions: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  0: [42.5, -72.5],
  1: [41.5, -75.5],
  2: [37.5, -78.5],
  3: [31.5, -84],
  4: [39.8, -84.5],
  5: [43.5, -93.5],
  6: [39.5, -92.5],
  7: [31.8, -96.5],
  8: [38.5, -109.5],
  9: [38.5, -120.5],
  A: [47.5, -53],
  B: [45, -63],
  C: [46.3, -63.2],
  E: [46.3, -66],
  G: [47, -71],
  H: [45.5, -73.6],
  J: [45.8, -73],
  K: [45, -76],
  L: [43.6, -79.6],
  M: [43.7, -79.4],
  N: [43, -81],
  P: [46.5, -81],
  R: [49.9, -97],
  S: [51, -105],
  T: [51.5, -114],
  V: [49.3, -123],
  X: [62, -114],
  Y: [60.7, -135],
};

export function countryOfPostalCode(postalCode: string): 'US' | 'CA' | undefined {
  if (/^\d{5}(-\d{4})?$/u.test(postalCode)) return 'US';
  return /^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/u.test(postalCode) ? 'CA' : undefined;
}

export function placeOfPostalCode(postalCode: string): Place {
  const [latitude, longitude] = regions[postalCode.charAt(0).toUpperCase()] ?? [39.8, -98.6];
  const digits = Number(postalCode.replaceAll(/\D/gu, '').slice(-4));
  return {
    latitude: latitude + ((Math.floor(digits / 100) % 100) / 100 - 0.5) * 2,
    longitude: longitude + ((digits % 100) / 100 - 0.5) * 4,
  };
}

export function distanceInMeters(from: Place, to: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const latitudes = radians(to.latitude - from.latitude);
  const longitudes = radians(to.longitude - from.longitude);
  const chord =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(longitudes / 2) ** 2;
  return Math.round(2 * 6_371_000 * Math.asin(Math.sqrt(chord)));
}

export const betweenPlaces = (from: Place, to: Place, share: number): Place => ({
  latitude: Number((from.latitude + (to.latitude - from.latitude) * share).toFixed(5)),
  longitude: Number((from.longitude + (to.longitude - from.longitude) * share).toFixed(5)),
});
