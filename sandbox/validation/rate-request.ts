import { additionalServices, liftgateAddressTypes, rateRequestAccessorials } from '../model/codes';
import { objectOf } from '../model/json';
import type { Item, ListingDraft } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { loadOf } from '../model/load';
import { readBody, type Fields } from './fields';
import { readLtlItem } from './items';
import { hasPosition, readRoute, refusePastPickup, type StopReading } from './stops';
import { readAccessorials, readReferenceNumbers } from './values';

/** Contract, "Rate request". What only makes the rate list empty is not a problem but a reason to be silent. */
export function readRateRequest(body: unknown, switches: SandboxSwitches) {
  return readBody(body, switches, (fields) => {
    const stops = readRoute(fields, switches);
    checkRoute(stops, switches);
    const lines = fields.objects('items', { required: true, atLeast: 1 }) ?? [];
    const items = lines.map((line) => readLtlItem(line, switches));
    const referenceNumbers = readReferenceNumbers(fields, { types: 'names' }) ?? [];
    const integratorId = fields.text('integratorId');
    const thirdPartyId = fields.text('thirdPartyId');
    const accessorials = readServices(fields, switches);
    const draft: ListingDraft = {
      title: (items[0]?.title ?? items[0]?.commodity ?? 'LTL freight').slice(0, 50),
      route: stops.map(({ stop }) => stop),
      serviceTypes: ['LtlTransportOnly'],
      gallery: [],
      attributes: {},
      ...{ items, referenceNumbers, accessorials },
    };
    const silentBecause = wrongTimeFrame(stops[0]) ?? exceededLimit(items, switches.ltlLimits);
    return { draft, integratorId, thirdPartyId, silentBecause };
  });
}

/** Route rule 7 may mean the request or its stops; the switch `additionalServicesIn` takes either or one. */
function readServices(fields: Fields, switches: SandboxSwitches): readonly string[] {
  const { additionalServicesIn, topLevelAccessorials } = switches;
  const form = { either: 'either', names: 'list', booleans: 'object' } as const;
  const names = readAccessorials(fields, form[topLevelAccessorials], rateRequestAccessorials, (object) => {
    return [...additionalServices].filter((name) => object.flag(name) === true);
  });
  const isOfStop = (name: string): boolean =>
    [...additionalServices].some((service) => service.toLowerCase() === name.toLowerCase());
  if (additionalServicesIn === 'stops')
    for (const name of names.filter(isOfStop)) fields.refuse('accessorials', `${name} belongs to a stop`);
  return names;
}

function checkRoute(stops: readonly StopReading[], switches: SandboxSwitches): void {
  for (const reading of stops) checkStop(reading, switches.liftgateRule);
  const pickup = stops[0];
  if (pickup === undefined) return;
  // Rule 3: the pickup has the only time frame.
  if (pickup.stop.timeFrame === undefined) pickup.fields.refuse('timeFrame', 'is required for the pickup');
  refusePastPickup(pickup);
  for (const { fields, stop } of stops.slice(1))
    if (stop.timeFrame !== undefined) fields.refuse('timeFrame', 'must not be given for the delivery');
  checkPlaces(stops);
}

function checkStop(
  { fields, address, givenType, stop }: StopReading,
  rule: SandboxSwitches['liftgateRule'],
): void {
  // Rule 1.
  if (address !== undefined && stop.address.streetAddress === undefined)
    address.refuse('streetAddress', 'is required');
  // Rule 2.
  if (givenType !== undefined && givenType !== 'Residence' && stop.contact?.['companyName'] === undefined)
    fields.refuse('contact.companyName', 'is required where the address is not a residence');
  // Rule 6.
  if (rule === 'off' || givenType === undefined || !liftgateAddressTypes.has(givenType)) return;
  const given = fields.value['accessorials'];
  const isSet =
    stop.accessorials.includes('liftgateRequired') ||
    (rule === 'given' && typeof objectOf(given)['liftgateRequired'] === 'boolean');
  if (!isSet)
    fields.refuse('accessorials.liftgateRequired', `must be set where the address type is ${givenType}`);
}

/** Rule 5: postal codes for both stops, or latitude and longitude for both. */
function checkPlaces(stops: readonly StopReading[]): void {
  const byPostalCode = stops.every(({ stop }) => stop.address.postalCode !== undefined);
  const byPosition = stops.every(({ stop }) => hasPosition(stop));
  if (byPostalCode || byPosition) return;
  for (const { address, stop } of stops)
    if (stop.address.postalCode === undefined)
      address?.refuse('postalCode', 'give postal codes, or latitude and longitude, for both stops');
}

/** Rule 4, a silent failure. */
function wrongTimeFrame(pickup: StopReading | undefined): string | undefined {
  const { timeFrameType, earliestArrival, latestArrival } = pickup?.stop.timeFrame ?? {};
  if (timeFrameType !== 'on') return 'the pickup time frame is not `on`';
  return earliestArrival === undefined || earliestArrival !== latestArrival
    ? 'earliestArrival and latestArrival of the pickup differ'
    : undefined;
}

/** A silent failure too. The numbers are not published: the switch `ltlLimits` has ours. */
function exceededLimit(items: readonly Item[], limits: SandboxSwitches['ltlLimits']): string | undefined {
  const { weightInGrams } = loadOf(items);
  if (weightInGrams > limits.totalWeightInGrams) return `${weightInGrams} g is over the weight limit`;
  const units = items.reduce((sum, { unitCount }) => sum + unitCount, 0);
  if (units > limits.handlingUnits) return `${units} handling units are over the limit`;
  const sizes = ['lengthInMeters', 'widthInMeters', 'heightInMeters'] as const;
  const isTooLarge = items.some((item) => sizes.some((size) => (item[size] ?? 0) > limits[size]));
  return isTooLarge ? 'an item is over the size limit' : undefined;
}
