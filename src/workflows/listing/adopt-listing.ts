import { isPerhapsEarlier, type UnknownAcceptance } from '../../domain/doubt';
import type { ListingRecord } from '../../domain/listing';
import { isLeft, recordWitness, updateCandidate, withWitnesses } from '../../domain/candidates';
import { commandLines } from '../../domain/command-lines';
import { isBookedOrDelivered } from '../../domain/listing-progress';
import { tryListing } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { noteDuplicate } from './duplicate-listings';

export interface Adoption {
  readonly listingId: string;
  /** What the person checked; null when nothing was, and the record must prove everything. */
  readonly checked: string | null;
  /** Whether only a booked listing is acceptable. */
  readonly onlyLive: boolean;
  /** The one in doubt, see `OpenDoubt`. */
  readonly acceptance: UnknownAcceptance | null;
}

/**
 * Whether a listing that a person names can be followed. It may come from any send, unless the order has left it.
 * @returns the listing's record, or why it cannot be followed
 */
export async function proveAdoption(
  run: ShipmentRun,
  { listingId, onlyLive, acceptance, checked }: Adoption,
): Promise<ListingRecord | string> {
  if (isLeft(run.state, listingId)) return `the order has left listing ${listingId} before`;
  const found = await tryListing(run, listingId);
  if (typeof found === 'string') return found;
  const { record, as } = found;
  if (as.kind === 'differs') noteDuplicate(run, record);
  if (as.kind === 'unreferenced' && as.load.kind !== 'differs') {
    if (checked === null) return `${as.why}. Look it up at the marketplace, then run ${checkedAdoption(run)}`;
    run.state = updateCandidate(run.state, listingId, { isOwn: true });
  } else if (as.kind !== 'ours') return as.why;
  if (!onlyLive) return record;
  // A person who has seen the booking knows more than an unknown status says.
  run.state = recordWitness(run.state, listingId, 'person');
  const told = withWitnesses(record, run.state);
  if (!isBookedOrDelivered(told))
    return `listing ${listingId} is ${record.status ?? 'without a status'}, no carrier has booked it`;
  if (checked !== null || acceptance === null || !isPerhapsEarlier(record, acceptance)) return told;
  return (
    `listing ${listingId} may come from an earlier acceptance, and the one in doubt was sent to ` +
    `${acceptance.carrier.displayName}, which may have booked a second one. Look for it at the marketplace, cancel one ` +
    `of the two, then run ${checkedAdoption(run)}`
  );
}

const checkedAdoption = ({ state }: ShipmentRun): string =>
  `\`${commandLines.answer(state, { answer: 'adopt', isChecked: true })}\``;
