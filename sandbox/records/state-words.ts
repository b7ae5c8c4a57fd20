import { transitStatuses, words } from '../model/codes';
import type { Listing } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from './enum-labels';

/** By their numbers under `numberLabel`, which count from 0. */
const listingStatuses = [...words('Saved Active OnHold Booked Completed Closed Cancelled Expired Archived')];

/** How another marketplace names the same states. */
const otherWords: Readonly<Record<string, string>> = {
  Active: 'Posted',
  Booked: 'Assigned To Carrier',
  Completed: 'Complete',
  Cancelled: 'Canceled',
  ReadyForDispatch: 'Awaiting Driver',
  Dispatched: 'Driver En Route',
  PickedUp: 'Picked-up',
  Delivered: 'Delivered To Consignee',
};

const numberOf = (value: string): number =>
  Math.max(listingStatuses.indexOf(value), transitStatuses.indexOf(value));

/** A status of the listing, its payment or its transit in each form of the switch `statusForm`. */
const formsOf = (value: string, labels: Labels): Record<SandboxSwitches['statusForm'], unknown> => ({
  trio: labels.trio(value),
  bare: value,
  lowerCase: value.toLowerCase(),
  idName: { id: numberOf(value), name: value, translation: labels.trio(value).label },
  numberLabel: { value: numberOf(value), label: labels.trio(value).label },
  words: labels.trio(otherWords[value] ?? value),
  unknown: labels.trio('Reconsidered'),
});

/** Writes the states of one listing; what is not set stays undefined. */
export function stateWriter(
  listing: Listing,
  parts: { readonly switches: SandboxSwitches; readonly labels: Labels },
): (value: string | undefined) => unknown {
  const { statusForm } = switchesFor(listing, parts);
  return (value) => (value === undefined ? undefined : formsOf(value, parts.labels)[statusForm]);
}
