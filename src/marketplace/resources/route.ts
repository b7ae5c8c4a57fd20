import type {
  Address,
  Contact,
  FurnitureShipment,
  IsoDate,
  LtlShipment,
  Stop,
  StopServices,
  TimeFrame,
} from '../../domain/shipment';
import type { MarketplaceSettings } from '../account';
import type {
  AddressWire,
  ContactWire,
  FurnitureRouteWire,
  LtlRouteWire,
  StopAccessorialsWire,
  TimeFrameWire,
} from '../schemas/route';

/** How a route says where its stops are. */
type PlaceForm = 'postalCode' | 'coordinates' | 'both';

/** Samples write a short form of one address type. */
const ADDRESS_TYPE_FORMS: Readonly<Record<string, string>> = {
  BusinessWithoutLoadingDock: 'BusinessWithoutLoadingDockOrForklift',
};

/** Contract: dates of time frames are `YYYY/MM/DD`. */
function toDateWire(date: IsoDate): string {
  return date.replaceAll('-', '/');
}

function toAddress(stop: Stop, form: PlaceForm): AddressWire {
  const { street, unit, city, state, postalCode, country, latitude, longitude } = stop.address;
  return {
    streetAddress: street,
    alternateStreetAddress: unit ?? undefined,
    majorMunicipality: city,
    ...(form !== 'coordinates' && { postalCode }),
    stateProvince: state,
    country,
    ...(form !== 'postalCode' && { latitude: latitude ?? undefined, longitude: longitude ?? undefined }),
    type: stop.addressType === null ? undefined : (ADDRESS_TYPE_FORMS[stop.addressType] ?? stop.addressType),
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
export function toFurnitureRoute({
  origin,
  destination,
  pickup,
  delivery,
}: FurnitureShipment): FurnitureRouteWire {
  return {
    items: [
      {
        address: toAddress(origin, 'both'),
        timeFrame: toTimeFrame(pickup),
        contact: toContact(origin.contact),
      },
      {
        address: toAddress(destination, 'both'),
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

/** Route rule 6. `callAhead`, the name of a sample, is not sent. */
function toStopAccessorials(
  services: StopServices,
  form: MarketplaceSettings['stopAccessorials'],
): StopAccessorialsWire {
  const booleans = {
    inside: services.inside,
    liftgateRequired: services.liftgate,
    callBeforeArrival: services.callBeforeArrival,
    appointmentRequired: services.appointment,
  };
  if (form === 'object') return booleans;
  return Object.entries(booleans)
    .filter(([, wanted]) => wanted)
    .map(([name]) => name);
}

/** Route rules 3 and 4: the pickup is one day, and the delivery has no time frame at all. */
export function toLtlRoute(
  { origin, destination, pickup }: LtlShipment,
  { stopAccessorials }: MarketplaceSettings,
): LtlRouteWire {
  const form = placeForm([origin.address, destination.address]);
  const toStop = (stop: Stop) => ({
    address: toAddress(stop, form),
    accessorials: toStopAccessorials(stop.services, stopAccessorials),
    contact: toContact(stop.contact),
  });
  const timeFrame = {
    earliestArrival: toDateWire(pickup.earliest ?? pickup.latest),
    latestArrival: toDateWire(pickup.latest),
    timeFrameType: 'on' as const,
  };
  return { items: [{ ...toStop(origin), timeFrame }, toStop(destination)] };
}
