import { transitStatuses } from '../model/codes';
import type { Listing } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from './enum-labels';

/** By their numbers under `numberLabel`, which count from 0. */
const listingStatuses = [
  'Saved',
  'Active',
  'OnHold',
  'Booked',
  'Completed',
  'Closed',
  'Cancelled',
  'Expired',
  'Archived',
] as const;

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

const unknownWord = 'Reconsidered';

const numberOf = (value: string): number =>
  Math.max(
    listingStatuses.findIndex((status) => status === value),
    transitStatuses.findIndex((status) => status === value),
  );

/** A status of the listing, its payment or its transit in the form that the switch `statusForm` wants. */
function writeState(value: string, form: SandboxSwitches['statusForm'], labels: Labels): unknown {
  const { label } = labels.trio(value);
  switch (form) {
    case 'bare':
      return value;
    case 'lowerCase':
      return value.toLowerCase();
    case 'idName':
      return { id: numberOf(value), name: value, translation: label };
    case 'numberLabel':
      return { value: numberOf(value), label };
    case 'words':
      return labels.trio(otherWords[value] ?? value);
    case 'unknown':
      return labels.trio(unknownWord);
    default:
      return labels.trio(value);
  }
}

/** Writes the states of one listing; what is not set stays undefined. */
export function stateWriter(
  { draft }: Listing,
  { switches, labels }: { readonly switches: SandboxSwitches; readonly labels: Labels },
): (value: string | undefined) => unknown {
  const { statusForm } = switchesFor(draft, switches);
  return (value) => (value === undefined ? undefined : writeState(value, statusForm, labels));
}
