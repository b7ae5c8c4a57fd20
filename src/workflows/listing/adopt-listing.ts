import type { ListingRecord } from '../../domain/listing';
import { commandLines } from '../../domain/command-lines';
import { withListing } from '../../domain/shipment-state';
import { keepTold, withWitnesses } from '../../domain/told-bookings';
import { isLive, tryListing } from './recognise-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { noteStray } from './strays';

export interface Adoption {
  readonly listingId: string;
  /** What the person checked; null: nothing, and the record must prove all. */
  readonly checked: string | null;
  /** Whether a listing that no carrier has booked is no answer. */
  readonly onlyLive: boolean;
}

/**
 * Whether a listing that a person names can be followed: one of whichever send, as long as the order has not left it.
 * @returns its record, or in words why not
 */
export async function proveAdoption(
  run: ShipmentRun,
  { listingId, onlyLive, checked }: Adoption,
): Promise<ListingRecord | string> {
  if (run.state.earlierListingIds.includes(listingId))
    return `the order has left listing ${listingId} before`;
  const found = await tryListing(run, listingId);
  if (typeof found === 'string') return found;
  const { record, as } = found;
  if (as.kind === 'differs') noteStray(run, record);
  if (as.kind === 'unreferenced' && as.load.kind !== 'differs') {
    if (checked === null)
      return `${as.why}. Look it up at the marketplace, then run \`${commandLines.answer(run.state, { answer: 'adopt', isChecked: true })}\``;
    run.update({ ownListingIds: withListing(run.state.ownListingIds, listingId) });
  } else if (as.kind !== 'ours') return as.why;
  if (!onlyLive) return record;
  // A person who has seen the booking knows better than a status that nobody knows.
  run.state = keepTold(run.state, { listingId, by: 'person' });
  const told = withWitnesses(record, run.state);
  if (isLive(told)) return told;
  return `listing ${listingId} is ${record.status ?? 'without a status'}, no carrier has booked it`;
}
