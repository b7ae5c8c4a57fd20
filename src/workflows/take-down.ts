import { sleep } from '@temporalio/workflow';
import { delayAfter } from '../domain/policy';
import { send } from './send';
import type { ShipmentRun } from './shipment-run';

/** A DELETE does no harm when it is repeated, so that a lost answer is settled by asking again. */
const MAX_ATTEMPTS = 6;

/**
 * Takes a listing off the market, so that no carrier books it after the order was given up.
 * @returns why it is still there, or null when it is gone
 */
export async function takeDown(run: ShipmentRun, listingId: string): Promise<string | null> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await send(run, 'deleting the listing', {
      write: async () => await run.activities.writes.deleteListing({ account: run.input.account, listingId }),
    });
    if (outcome.kind === 'done') return outcome.value === 'booked' ? 'a carrier booked it before' : null;
    if (outcome.kind === 'rejected' || attempt + 1 === MAX_ATTEMPTS) return outcome.reason;
    run.note(`deleting listing ${listingId} got no clear answer; it is repeated`);
    await sleep(delayAfter(run.input.policy.notSentPace, attempt), {
      summary: 'until the delete is repeated',
    });
  }
}
