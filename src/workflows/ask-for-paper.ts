import { ActivityFailure, isCancellation, sleep, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { summaryOf } from '../domain/bounds';
import type { StoredAttachment } from '../domain/documents';
import { isAccountTrouble } from './failure-cause';
import type { ShipmentRun } from './shipment-run';

type PaperInput = Parameters<Activities['pollContacts']>[0];
type PaperOptions = Pick<ActivityOptions, 'scheduleToCloseTimeout' | 'retry'> & { readonly summary: string };

/** For how long a paper is asked for. */
export type Asking =
  /** Until its window is over; `since` is its start. */
  | { readonly kind: 'window'; readonly since: string }
  /** After its window: something happened that can have made it ready. */
  | { readonly kind: 'once' };

export interface PaperQuest {
  readonly listingId: string;
  readonly asking: Asking;
}

/** @returns null when the window is over */
function optionsOf(run: ShipmentRun, asking: Asking, summary: string): PaperOptions | null {
  if (asking.kind === 'once') return { retry: { maximumAttempts: 1 }, summary };
  const remainingMs = Date.parse(asking.since) + run.input.policy.documentWindowMs - Date.now();
  return remainingMs <= 0 ? null : { scheduleToCloseTimeout: remainingMs, summary };
}

/** A paper that does not become ready is unavailable until something happens again. It stops no shipment. */
export async function askForPaper<T>(
  run: ShipmentRun,
  { listingId, asking, summary }: PaperQuest & { readonly summary: string },
  poll: (options: PaperOptions, args: [PaperInput]) => Promise<T>,
): Promise<T | 'unavailable'> {
  const options = optionsOf(run, asking, summary);
  if (options === null) return 'unavailable';
  const { account, policy } = run.input;
  try {
    return await poll(options, [{ account, listingId, pace: policy.documentPace }]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    if (asking.kind === 'once') return 'unavailable';
    // A person must mend the account.
    if (isAccountTrouble(error)) throw error;
    run.note(`given up: ${run.why(error)}`);
    return 'unavailable';
  }
}

/**
 * Whatever goes wrong with an attachment is told, and stops nothing. Trouble of the account is waited out, because no
 * list could name the attachment again; that a person is asked is up to the watch of the listing.
 */
export async function askForAttachment(
  run: ShipmentRun,
  { listingId, asking }: PaperQuest,
  attachmentId: string,
): Promise<StoredAttachment | { readonly failure: string }> {
  const { account, policy } = run.input;
  const input = { account, listingId, attachmentId, pace: policy.documentPace };
  const { fetchListingAttachment } = run.activities.documents;
  for (let failure = 'its time is over'; ;) {
    const options = optionsOf(run, asking, summaryOf(`fetches attachment ${attachmentId}`));
    if (options === null) return { failure };
    try {
      return await fetchListingAttachment.executeWithOptions(options, [input]);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      failure = run.why(error);
      if (asking.kind === 'once' || !isAccountTrouble(error)) return { failure };
      await sleep(policy.documentPace.maximumMs, {
        summary: summaryOf(`until attachment ${attachmentId} is tried again`),
      });
    }
  }
}
