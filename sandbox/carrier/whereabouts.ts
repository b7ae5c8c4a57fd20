import type { Parts as CarrierParts } from './parts';
import type { BadElement } from '../model/bad-element';
import { badPlace, badPlaceAddress } from '../records/bad-elements';
import { transitStatuses } from '../model/codes';
import type { Labels } from '../records/enum-labels';
import { betweenPlaces, type Place } from '../model/geography';
import { placeOfStop } from '../model/load';
import type { Listing, Stop } from '../model/state';
import { switchesFor } from '../model/switches';

type Parts = Pick<CarrierParts, 'clock' | 'switches'> & { readonly labels: Labels };

/** Up to here the goods are still in the city of the pickup, and from there on in that of the delivery. */
const [leftOrigin, nearDestination] = [0.1, 0.9];

/** Shares of the way under way: it ends short of 1, which only the delivery is. */
const mostUnderWay = 0.95;

/**
 * Where the goods were last seen. Absent while nothing is known: before the dispatch, or under the switch
 * `recentLocation`. The address is left out between the cities, where the sandbox knows no name of a place.
 */
export function whereabouts(parts: Parts, listing: Listing): object {
  const share = shareOfWay(parts, listing);
  const [from, to] = [listing.draft.route[0], listing.draft.route.at(-1)];
  if (!parts.switches.recentLocation || share === undefined || from === undefined || to === undefined)
    return {};
  const { badElements } = switchesFor(listing, parts);
  const place = drifted(parts, listing, betweenPlaces(placeOfStop(from), placeOfStop(to), share));
  const seenOn = isUnderWay(parts, listing)
    ? new Date()
    : (listing.transitHistory.at(-1)?.setOn ?? new Date());
  return {
    mostRecentLocation: [...badPlace(badElements), { ...place, dateSet: parts.labels.instant(seenOn) }],
    ...(share <= leftOrigin ? addressPart(from, badElements) : {}),
    ...(share >= nearDestination ? addressPart(to, badElements) : {}),
  };
}

const isUnderWay = (parts: Parts, listing: Listing): boolean =>
  listing.transitStatus === 'PickedUp' && switchesFor(listing, parts).transit === 'normal';

/** At the origin when dispatched and picked up, then ahead with the clock; a manual transit stays where it is. */
function shareOfWay(parts: Parts, listing: Listing): number | undefined {
  if (listing.locationShare !== undefined) return listing.locationShare;
  const index = transitStatuses.findIndex((status) => status === listing.transitStatus);
  if (index < 1) return undefined;
  if (listing.transitStatus === 'Delivered') return 1;
  if (!isUnderWay(parts, listing)) return 0;
  const pickedUpAt = listing.transitHistory.at(-1)?.setOn.getTime() ?? Date.now();
  const lengthMs = Math.max(1, parts.clock.lengthMs('delivered'));
  return Math.min(mostUnderWay, (Date.now() - pickedUpAt) / lengthMs);
}

/** Under the switch `movingPosition` no two readings before the delivery show the same place. */
function drifted(parts: Parts, listing: Listing, { latitude, longitude }: Place): Place {
  if (!switchesFor(listing, parts).movingPosition || listing.transitStatus === 'Delivered')
    return { latitude, longitude };
  listing.positionReads += 1;
  return { latitude: Number((latitude + listing.positionReads / 10_000).toFixed(5)), longitude };
}

const addressPart = ({ address }: Stop, bad: readonly BadElement[]): object => ({
  mostRecentAddress: [
    ...badPlaceAddress(bad),
    {
      majorMunicipality: address.majorMunicipality ?? null,
      stateProvince: address.stateProvince ?? null,
      postalCode: address.postalCode ?? null,
      country: address.country ?? null,
    },
  ],
});
