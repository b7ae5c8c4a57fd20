import type { Address, Stop } from '../domain/shipment';
import type { Problems } from './problem';
import type { StopShape } from './stop-schema';

type AddressShape = NonNullable<StopShape['address']>;

/** They contain the US and Canada, except the Aleutian islands beyond the 180th meridian, which have no freight. */
const SOUTH = 17;
const NORTH = 84;
const WEST = -180;
const EAST = -52;

const isWithinBounds = (latitude: number, longitude: number): boolean =>
  latitude >= SOUTH && latitude <= NORTH && longitude >= WEST && longitude <= EAST;

/** Latitude and longitude must come as a pair, and lie in the US or Canada. */
export function checkCoordinates(
  { latitude, longitude }: AddressShape,
  path: string,
  problems: Problems,
): void {
  if (latitude === undefined && longitude === undefined) return;
  if (latitude === undefined || longitude === undefined) {
    const missing = latitude === undefined ? 'latitude' : 'longitude';
    problems.add(`${path}.${missing}`, 'is missing beside the other coordinate', 'give both, or neither');
    return;
  }
  if (isWithinBounds(latitude, longitude)) return;
  const remedy = isWithinBounds(latitude, -longitude)
    ? `west is negative: did you mean ${-longitude}?`
    : isWithinBounds(longitude, latitude)
      ? 'did you swap latitude and longitude?'
      : 'check them, or leave them out';
  problems.add(`${path}.longitude`, `${latitude}, ${longitude} is neither in the US nor in CA`, remedy);
}

const hasCoordinates = ({ latitude, longitude }: Address): boolean => latitude !== null && longitude !== null;

/** Contract, route rule 5: postal codes at both stops, or latitude and longitude at both. */
export function checkPlaceForms(origin: Stop | null, destination: Stop | null, problems: Problems): void {
  if (origin === null || destination === null) return;
  const stops = [
    ['$.origin', origin.address],
    ['$.destination', destination.address],
  ] as const;
  if (stops.every(([, address]) => hasCoordinates(address))) return;
  for (const [path, address] of stops) {
    if (address.postalCode !== '') continue;
    problems.add(
      `${path}.address.postalCode`,
      'is missing, and the other stop has no coordinates',
      'give postal codes at both stops, or latitude and longitude at both',
    );
  }
}
