import { z } from 'zod';
import { boundedTracking } from '../../domain/bounded-record';
import { recogniseTransitStatus, type StatusNames } from '../../domain/listing-status';
import type { Tracking } from '../../domain/tracking';
import type { Api, ApiRequest } from '../api';
import { parseList } from '../lenient';
import type { Marketplace } from '../marketplace';
import { enumValueSchema, parseTimestamp } from '../schemas/common';
import {
  billOfLadingSchema,
  contactsSchema,
  trackedAddressSchema,
  trackedLocationSchema,
  trackingSchema,
  trackingStatusSchema,
} from '../schemas/tracking';
import type { MarketplaceSettings } from '../settings';
import { withinLength } from './details';

type TrackingWire = z.output<typeof trackingSchema>;
type StatusWire = TrackingWire['shipmentTrackingStatuses'][number];

const known = (word: string, names: StatusNames): string => recogniseTransitStatus([word], names) ?? word;

/**
 * A status has three fields that the contract does not name. The timestamp is the time. The status is the field whose
 * name contains "status", or else the first other text or enum.
 */
function toStatus(wire: StatusWire, names: StatusNames): Tracking['statuses'][number] | null {
  if (typeof wire === 'string')
    return wire.trim() === '' ? null : { status: known(wire, names), setAt: null };
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
    candidates.find(({ name }) => !/label|date|time/i.test(name));
  return status === undefined ? null : { status: known(status.text, names), setAt: setAt ?? null };
}

const bodySchema = z.record(z.string(), z.unknown());

const asList = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
};

function withoutBadElements(body: z.output<typeof bodySchema>): Record<string, unknown> {
  const kept = (name: string, element: z.ZodType): readonly unknown[] =>
    parseList(element, asList(body[name])).items;
  return {
    ...body,
    shipmentTrackingStatuses: kept('shipmentTrackingStatuses', trackingStatusSchema),
    mostRecentLocation: kept('mostRecentLocation', trackedLocationSchema),
    mostRecentAddress: kept('mostRecentAddress', trackedAddressSchema),
  };
}

function toTracking(wire: TrackingWire, names: StatusNames): Tracking {
  const location = wire.mostRecentLocation.find(
    ({ latitude, longitude }) => latitude !== null && longitude !== null,
  );
  const address = wire.mostRecentAddress.find(
    ({ city, majorMunicipality, state, stateProvince }) =>
      (city ?? majorMunicipality ?? state ?? stateProvince) !== null,
  );
  const place = [
    address?.city ?? address?.majorMunicipality ?? null,
    address?.state ?? address?.stateProvince ?? null,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return boundedTracking({
    statuses: wire.shipmentTrackingStatuses
      .map((status) => toStatus(status, names))
      .filter((status) => status !== null),
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
  { statusNames }: Pick<MarketplaceSettings, 'statusNames'>,
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
      const answer = await api.call(read('getTracking', 'track', listingId), call);
      return toTracking(trackingSchema.parse(withoutBadElements(answer.json(bodySchema))), statusNames);
    },

    async getBillOfLading(listingId, call) {
      const answer = await api.call(read('getBillOfLading', 'billoflading', listingId), call);
      const { billOfLadingNumber, document } = answer.json(billOfLadingSchema);
      return { billOfLadingNumber, documentUrl: document.href };
    },
  };
}
