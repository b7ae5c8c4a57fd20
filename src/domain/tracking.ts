import type { IsoInstant } from './shipment';

/** An object of the marketplace with undocumented fields, kept unchanged. May contain personal data. */
export type Details = Readonly<Record<string, unknown>>;

/** Where a booked shipment is (contract: tracking info). City level at most. */
export interface Tracking {
  readonly statuses: readonly { readonly status: string; readonly setAt: IsoInstant | null }[];
  /** Such as `Waco, TX`; null when the carrier shares no location. */
  readonly lastKnownPlace: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Only for people, never in logs. */
  readonly summary: Details | null;
  readonly carrierContact: Details | null;
}

/** Contacts of a booked listing from the marketplace; `known` when they are not kept. */
export type KnownContacts = 'known' | Details;

/** The part of the tracking that a later reading is compared with. */
export interface TrackingMark {
  readonly statuses: number;
  readonly lastStatus: string | null;
  /** The last named place, because between two places the marketplace names none. */
  readonly place: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * Leaves out summary and contact, whose fields are not documented: if they differed in each reading, polling would
 * never pause.
 * @param lastSeen the last place named before this reading
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

/** What changed between two readings. A moving truck has a new position each time, which alone matters little. */
export type TrackingChange = 'none' | 'position' | 'news';

/** In degrees, about a kilometre: even a parked truck's position varies between readings. */
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

/** The marketplace's answer. Consign fetches the document at once and keeps it instead. */
export interface BillOfLading {
  readonly billOfLadingNumber: string;
  /** Pre-signed: a secret that expires, and that must not enter a workflow's history. */
  readonly documentUrl: string;
}
