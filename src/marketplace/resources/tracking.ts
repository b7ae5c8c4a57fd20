import { boundedTracking } from '../../domain/bounded-record';
import type { Tracking } from '../../domain/tracking';
import type { Api, ApiRequest } from '../api';
import type { Marketplace } from '../marketplace';
import { enumValueSchema, parseTimestamp } from '../schemas/common';
import { billOfLadingSchema, contactsSchema, trackingSchema } from '../schemas/tracking';
import { withinLength } from './details';
import type { z } from 'zod';

type TrackingWire = z.output<typeof trackingSchema>;
type StatusWire = TrackingWire['shipmentTrackingStatuses'][number];

/**
 * A status has three fields that the contract does not name: the one that is a timestamp says when it was set, the
 * one whose name speaks of a status (or else the first other text or enum) says what.
 */
function toStatus(wire: StatusWire): Tracking['statuses'][number] | null {
  if (typeof wire === 'string') return wire.trim() === '' ? null : { status: wire, setAt: null };
  const fields = Object.entries(wire);
  const setAt = fields
    .map(([, value]) => (typeof value === 'string' ? parseTimestamp(value) : null))
    .find((instant) => instant !== null);
  const candidates = fields.flatMap(([name, value]) => {
    const parsed = enumValueSchema.safeParse(value);
    const text = parsed.success ? parsed.data : null;
    return text === null || typeof value === 'number' || parseTimestamp(text) !== null
      ? []
      : [{ name, text }];
  });
  const status =
    candidates.find(({ name }) => /status|value/i.test(name)) ??
    candidates.find(({ name }) => !/label/i.test(name));
  return status === undefined ? null : { status: status.text, setAt: setAt ?? null };
}

function toTracking(wire: TrackingWire): Tracking {
  const location = wire.mostRecentLocation[0];
  const address = wire.mostRecentAddress[0];
  const place = [
    address?.city ?? address?.majorMunicipality ?? null,
    address?.state ?? address?.stateProvince ?? null,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return boundedTracking({
    statuses: wire.shipmentTrackingStatuses.map(toStatus).filter((status) => status !== null),
    lastKnownPlace: place === '' ? null : place,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    summary: withinLength(wire.shipmentTrackingSummaryModel),
    carrierContact: withinLength(wire.carrierContactModel),
  });
}

/** Contract: contacts, track and billoflading of a listing. Before it is booked they answer 403 or 404. */
export function createTrackingCalls(
  api: Api,
): Pick<Marketplace, 'getListingContacts' | 'getTracking' | 'getBillOfLading'> {
  const read = (operation: ApiRequest['operation'], part: string, listingId: string): ApiRequest => ({
    operation,
    method: 'GET',
    path: `/v2/listings/{listingId}/${part}`,
    params: { listingId },
  });
  return {
    async getListingContacts(listingId, call) {
      return (await api.call(read('getListingContacts', 'contacts', listingId), call)).json(contactsSchema);
    },

    async getTracking(listingId, call) {
      return toTracking((await api.call(read('getTracking', 'track', listingId), call)).json(trackingSchema));
    },

    async getBillOfLading(listingId, call) {
      const answer = await api.call(read('getBillOfLading', 'billoflading', listingId), call);
      const { billOfLadingNumber, document } = answer.json(billOfLadingSchema);
      return { billOfLadingNumber, documentUrl: document.href };
    },
  };
}
