import type { FurnitureRoute } from '../../domain/listing-changes';
import type {
  Address,
  Contact,
  IsoDate,
  LtlShipment,
  Stop,
  StopServices,
  TimeFrame,
} from '../../domain/shipment';
import type {
  AddressWire,
  ContactWire,
  FurnitureRouteWire,
  LtlRouteWire,
  StopAccessorialsWire,
  TimeFrameWire,
} from '../schemas/route';
import type { MarketplaceSettings } from '../settings';
import { toServicesOfStop } from './additional-services';

/** How a route gives the places of its stops. */
type PlaceForm = 'postalCode' | 'coordinates' | 'both';

/** The address type look-up and route rule 6 spell the same type differently. */
const NO_DOCK = {
  lookup: 'BusinessWithoutLoadingDockOrForklift',
  short: 'BusinessWithoutLoadingDock',
} as const;

function toAddressType(type: string, { addressTypes }: MarketplaceSettings): string {
  return Object.values(NO_DOCK).some((known) => known === type) ? NO_DOCK[addressTypes] : type;
}

/** Contract: dates of time frames are `YYYY/MM/DD`. */
function toDateWire(date: IsoDate): string {
  return date.replaceAll('-', '/');
}

function toAddress(stop: Stop, form: PlaceForm, settings: MarketplaceSettings): AddressWire {
  const { street, unit, city, state, postalCode, country, latitude, longitude } = stop.address;
  return {
    streetAddress: street,
    alternateStreetAddress: unit ?? undefined,
    majorMunicipality: city,
    ...(form !== 'coordinates' && { postalCode }),
    stateProvince: state,
    country,
    ...(form !== 'postalCode' && { latitude: latitude ?? undefined, longitude: longitude ?? undefined }),
    type: stop.addressType === null ? undefined : toAddressType(stop.addressType, settings),
    timeZone: stop.timeZone,
  };
}

function toContact({ name, companyName, phone, email }: Contact): ContactWire {
  return { name, companyName: companyName ?? undefined, phoneNumber: phone, email: email ?? undefined };
}

function toTimeFrame({ type, earliest, latest }: TimeFrame): TimeFrameWire {
  return {
    earliestArrival: earliest === null ? undefined : toDateWire(earliest),
    latestArrival: toDateWire(latest),
    timeFrameType: type,
  };
}

/** The first stop is the pickup, the second the delivery. */
export function toFurnitureRoute(
  { origin, destination, pickup, delivery }: FurnitureRoute,
  settings: MarketplaceSettings,
): FurnitureRouteWire {
  return {
    items: [
      {
        address: toAddress(origin, 'both', settings),
        timeFrame: toTimeFrame(pickup),
        contact: toContact(origin.contact),
      },
      {
        address: toAddress(destination, 'both', settings),
        timeFrame: delivery === null ? undefined : toTimeFrame(delivery),
        contact: toContact(destination.contact),
      },
    ],
  };
}

/** Route rule 5: both stops in the same form; postal codes win when both are given. */
function placeForm(addresses: readonly Address[]): PlaceForm {
  if (addresses.every(({ postalCode }) => postalCode !== '')) return 'postalCode';
  return addresses.every(({ latitude, longitude }) => latitude !== null && longitude !== null)
    ? 'coordinates'
    : 'postalCode';
}

/** Route rules 6 and 7. One service has two names: the rule's and a sample's. */
function toStopAccessorials(
  services: StopServices,
  additional: Readonly<Record<string, true>>,
  { stopAccessorials, callAccessorial }: MarketplaceSettings,
): StopAccessorialsWire {
  const booleans = {
    inside: services.inside,
    liftgateRequired: services.liftgate,
    [callAccessorial]: services.callBeforeArrival,
    appointmentRequired: services.appointment,
    ...additional,
  };
  if (stopAccessorials === 'object') return booleans;
  return Object.entries(booleans)
    .filter(([, wanted]) => wanted)
    .map(([name]) => name);
}

/** Route rules 3 and 4: the pickup is one day, and the delivery has no time frame. */
export function toLtlRoute(
  { origin, destination, pickup, services }: LtlShipment,
  settings: MarketplaceSettings,
): LtlRouteWire {
  const form = placeForm([origin.address, destination.address]);
  const additional = toServicesOfStop(services, settings);
  const toStop = (stop: Stop) => ({
    address: toAddress(stop, form, settings),
    accessorials: toStopAccessorials(stop.services, additional, settings),
    contact: toContact(stop.contact),
  });
  const timeFrame = {
    earliestArrival: toDateWire(pickup.earliest ?? pickup.latest),
    latestArrival: toDateWire(pickup.latest),
    timeFrameType: 'on' as const,
  };
  return { items: [{ ...toStop(origin), timeFrame }, toStop(destination)] };
}
