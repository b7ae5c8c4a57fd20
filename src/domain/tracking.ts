import type { IsoInstant } from './shipment';

/** Where a booked shipment is (contract: tracking info). City level at most. */
export interface Tracking {
  readonly statuses: readonly { readonly status: string; readonly setAt: IsoInstant | null }[];
  /** `Waco, TX` as far as known, or null when the carrier shares no location. */
  readonly lastKnownPlace: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Contacts of a booked listing as the marketplace gives them; `known` when they are not kept. */
export type KnownContacts = 'known' | Readonly<Record<string, unknown>>;

/** What a change of tracking means to the shipment, for polling. */
export function trackingFingerprint(tracking: Tracking): string {
  return [
    tracking.statuses.length,
    tracking.statuses.at(-1)?.status,
    tracking.lastKnownPlace,
    tracking.latitude,
    tracking.longitude,
  ].join('|');
}

/** What the marketplace answers. The document itself is fetched in the same moment and kept instead. */
export interface BillOfLading {
  readonly billOfLadingNumber: string;
  /** Pre-signed: a secret that expires, and that must not get into a workflow's history. */
  readonly documentUrl: string;
}
