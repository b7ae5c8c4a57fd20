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
  /** Both for people only, and never in logs; one that an earlier version read has neither. */
  readonly summary?: Details | null;
  readonly carrierContact?: Details | null;
}

/** Contacts of a booked listing as the marketplace gives them; `known` when they are not kept. */
export type KnownContacts = 'known' | Details;

/**
 * What a change of tracking means to the shipment, for polling. Without summary and contact, whose fields nobody
 * documents: one that is another at each reading would be polled without a pause.
 */
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
