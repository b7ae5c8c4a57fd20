import { ApplicationFailure, sleep, type ActivityOptions } from '@temporalio/workflow';
import { updateCandidate, proofOf } from '../../domain/candidates';
import { FailureType } from '../../domain/failure-type';
import { delayAfter } from '../../domain/policy';
import { readListing } from './read-listing';
import { send } from '../run/send';
import type { ShipmentRun } from '../run/shipment-run';

/** Repeating a DELETE does no harm, so a lost answer is settled by sending it again. */
const MAX_ATTEMPTS = 6;

export type Removal =
  | { readonly kind: 'gone' }
  /** A carrier booked it before, perhaps only briefly. */
  | { readonly kind: 'booked'; readonly why: string }
  /** It may still exist. */
  | { readonly kind: 'stands'; readonly why: string };

/**
 * Deletes a listing, because no carrier may book it after the order was given up.
 * @param options of the reading that decides when the deletes do not
 * @throws ActivityFailure when it answers 404 and its absence is not proved
 */
export async function removeFromMarket(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions = {},
): Promise<Removal> {
  const end = await deleteUntilClear(run, listingId, options);
  // Later news about it, from an event or from another key's reading, no longer counts.
  if (end.kind === 'gone') run.state = updateCandidate(run.state, listingId, { gone: 'believed' });
  return end;
}

async function deleteUntilClear(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions,
): Promise<Removal> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await send(run, 'deleting the listing', {
      write: async () => {
        const { account } = run.input;
        const proof = proofOf(run.state, listingId);
        return await run.activities.writes.deleteListing({ account, listingId, ...proof });
      },
    });
    if (outcome.kind === 'done')
      return outcome.value === 'booked'
        ? { kind: 'booked', why: 'a carrier booked it before' }
        : { kind: 'gone' };
    if (outcome.kind === 'rejected' || attempt + 1 === MAX_ATTEMPTS) {
      const isGone = (await readListing(run, listingId, options)) === null;
      return isGone ? { kind: 'gone' } : { kind: 'stands', why: outcome.reason };
    }
    run.addTimeline(`deleting listing ${listingId} got no clear answer; it is repeated`);
    await sleep(delayAfter(run.input.policy.notSentPace, attempt), {
      summary: 'until the delete is repeated',
    });
  }
}

/** Nothing may continue while a carrier can still book this listing. */
export function stillOnMarket(
  listingId: string,
  { why }: Exclude<Removal, { kind: 'gone' }>,
): ApplicationFailure {
  const text = `listing ${listingId} could not be taken off the market (${why})`;
  return ApplicationFailure.nonRetryable(text, FailureType.UnexpectedResponse);
}
