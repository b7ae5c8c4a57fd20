import type { JsonObject } from '../model/json';
import type { Item, Listing, Stop } from '../model/state';
import type { Labels } from './enum-labels';

/** Days are asked for as `YYYY/MM/DD` and answered as instants. */
export function stopRecord({ address, timeFrame, contact, accessorials }: Stop, labels: Labels): JsonObject {
  const day = (text: string | undefined): string | undefined =>
    text && labels.instant(new Date(`${text.replaceAll('/', '-')}T00:00:00Z`));
  return {
    address: { ...address, type: labels.trio(address.type) },
    timeFrame: timeFrame && {
      earliestArrival: day(timeFrame.earliestArrival),
      latestArrival: day(timeFrame.latestArrival),
      timeFrameType: labels.trio(timeFrame.timeFrameType),
    },
    contact,
    accessorials: accessorials.map((name) => labels.trio(name)),
  };
}

export function itemRecord(item: Item, labels: Labels): JsonObject {
  const { commodity, handlingUnit, isWeightOfLine: _reading, ...rest } = item;
  return {
    ...rest,
    commodity: commodity && labels.trio(commodity),
    handlingUnit: handlingUnit && labels.trio(handlingUnit),
  };
}

/** A link appears only while the caller may do the action. */
export function linksOf(listing: Listing): readonly JsonObject[] {
  const href = `/v2/listings/${listing.listingId}`;
  const link = (rel: string, verb: string, path = ''): JsonObject => ({
    rel,
    verb,
    href: `${href}${path}`,
    title: rel,
  });
  const isBooked = listing.bookedOn !== undefined;
  return [
    link('self', 'GET'),
    ...(isBooked ? [] : [link('edit', 'PUT'), link('delete', 'DELETE')]),
    ...(isBooked ? [link('contacts', 'GET', '/contacts'), link('track', 'GET', '/track')] : []),
    ...(listing.billOfLadingReady ? [link('billoflading', 'GET', '/billoflading')] : []),
  ];
}
