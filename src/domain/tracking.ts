import type { IsoInstant } from './shipment';

/** An object of the marketplace whose fields are not documented, as it came. May hold people's data. */
export type Details = Readonly<Record<string, unknown>>;

/** Where a booked shipment is (contract: tracking info). City level at most. */
export interface Tracking {
  readonly statuses: readonly { readonly status: string; readonly setAt: IsoInstant | null }[];
  /** `Waco, TX` as far as known, or null when the carrier shares no location. */
  readonly lastKnownPlace: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Both for people only, and never in logs. */
  readonly summary: Details | null;
  readonly carrierContact: Details | null;
}

/** Contacts of a booked listing as the marketplace gives them; `known` when they are not kept. */
export type KnownContacts = 'known' | Details;

/** What is known of the tracking, as far as a later reading is compared with it. */
export interface TrackingMark {
  readonly statuses: number;
  readonly lastStatus: string | null;
  /** The last place that was named; between two places the marketplace names none. */
  readonly place: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * Without summary and contact, whose fields nobody documents: one that is another at each reading would be polled without
 * a pause.
 * @param lastSeen the last place that was named before this reading
 */
export function markOf(
  { statuses, lastKnownPlace, ...tracking }: Tracking,
  lastSeen: string | null,
): TrackingMark {
  const { latitude, longitude } = tracking;
  const lastStatus = statuses.at(-1)?.status ?? null;
  return {
    ...{ statuses: statuses.length, lastStatus, place: lastKnownPlace ?? lastSeen },
    ...{ latitude, longitude },
  };
}

export const isDelivered = (tracking: Tracking | null): boolean =>
  tracking?.statuses.some(({ status }) => status === 'Delivered') ?? false;

/** What a reading brings: a truck on the road is at another position each time, which alone matters little. */
export type TrackingChange = 'none' | 'position' | 'news';

/** Degrees, about a kilometre: the position of a truck at rest is another one at each reading too. */
const NEAR = 0.01;

const isNear = (seen: number | null, known: number | null): boolean =>
  seen === null || known === null ? seen === known : Math.abs(seen - known) < NEAR;

export function compareTracking(known: TrackingMark, tracking: Tracking): TrackingChange {
  const seen = markOf(tracking, known.place);
  const isNews =
    seen.statuses !== known.statuses || seen.lastStatus !== known.lastStatus || seen.place !== known.place;
  if (isNews) return 'news';
  const isThere = isNear(seen.latitude, known.latitude) && isNear(seen.longitude, known.longitude);
  return isThere ? 'none' : 'position';
}

/** What the marketplace answers. The document itself is fetched in the same moment and kept instead. */
export interface BillOfLading {
  readonly billOfLadingNumber: string;
  /** Pre-signed: a secret that expires, and that must not get into a workflow's history. */
  readonly documentUrl: string;
}
