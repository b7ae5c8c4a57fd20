import { ActivityFailure, isCancellation, sleep, type ActivityOptions } from '@temporalio/workflow';
import { summaryOf } from '../../domain/bounds';
import type { StoredAttachment } from '../../domain/documents';
import type { BookingPaper } from '../../domain/missing-papers';
import type { PaperFact } from '../../domain/paper-fact';
import type { Asking } from '../../domain/wants';
import { isAccountTrouble } from '../run/failure-cause';
import type { ShipmentRun } from '../run/shipment-run';

type PaperOptions = Pick<ActivityOptions, 'scheduleToCloseTimeout' | 'retry'> & { readonly summary: string };

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

/**
 * Asks for papers. Papers that do not become ready count as unavailable until something happens again. They stop no
 * shipment.
 */
export async function askForPapers(
  run: ShipmentRun,
  { listingId, asking }: PaperQuest,
  wanted: readonly BookingPaper[],
): Promise<PaperFact> {
  const options = optionsOf(
    run,
    asking,
    summaryOf(`waits for ${wanted.map((paper) => NAMES[paper]).join(', ')}`),
  );
  const none: PaperFact = { kind: 'papers', papers: {}, unavailable: wanted };
  if (options === null) return none;
  const { account, policy } = run.input;
  const input = { account, listingId, wanted, pace: policy.documentPace };
  try {
    const papers = await run.activities.documents.pollPapers.executeWithOptions(options, [input]);
    const found = new Set([...Object.keys(papers), ...(papers.refused ?? []).map(({ paper }) => paper)]);
    // Within the window Consign keeps asking. Papers that are asked for once had their chance.
    const unavailable = asking.kind === 'once' ? wanted.filter((paper) => !found.has(paper)) : [];
    return { kind: 'papers', papers, unavailable };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    if (asking.kind === 'once') return none;
    // A person must fix the account.
    if (isAccountTrouble(error)) throw error;
    run.addTimeline(`given up: ${run.why(error)}`);
    return none;
  }
}

const NAMES: Record<BookingPaper, string> = {
  billOfLading: 'the bill of lading',
  contacts: "the carrier's contacts",
  trackingLink: 'the tracking link',
};

/**
 * Asks for an attachment. Problems are reported and stop nothing. Account trouble is waited out, because no list
 * could name the attachment again; the listing's watch asks the person.
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
