import type { ShipmentState } from '../../domain/shipment-state';
import type { Tracking } from '../../domain/tracking';
import { printable } from './printable';
import { detailLines, section } from './show-details';
import { timeText } from './time-text';

/** `31.5, -97.1`, or null when the carrier shares no location. */
export function positionOf(tracking: Tracking | null): string | null {
  const { latitude = null, longitude = null } = tracking ?? {};
  return latitude === null || longitude === null ? null : `${latitude}, ${longitude}`;
}

/** Every status that the marketplace lists with its time, and its own summary. */
export function trackingLines({ tracking }: ShipmentState): string[] {
  if (tracking === null) return [];
  const statuses = tracking.statuses.map(
    ({ status, setAt }) => `${(setAt === null ? '' : timeText(setAt)).padEnd(20)}  ${printable(status)}`,
  );
  return section('Tracking', [...statuses, ...detailLines(tracking.summary)]);
}

/** Shipper, carrier and places with all fields that the marketplace sends: they are not documented. */
export function contactLines({ contacts, tracking }: ShipmentState): string[] {
  const all = typeof contacts === 'string' ? [] : detailLines(contacts);
  return section('Contacts', [...all, ...detailLines(tracking?.carrierContact, 'carrier of the tracking')]);
}
