import { ActivityFailure, isCancellation, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { summaryOf } from '../domain/bounds';
import { assertNever } from '../domain/assert-never';
import type { StoredAttachment, StoredBillOfLading, WantedAttachment } from '../domain/documents';
import type { KnownContacts } from '../domain/tracking';
import { isAccountTrouble, reasonOf } from './failure-cause';
import type { ShipmentRun } from './shipment-run';
import type { Watch } from './watches';

/** What became known of the papers of a shipment. */
export type PaperFact =
  | { readonly kind: 'billOfLading'; readonly billOfLading: StoredBillOfLading | 'unavailable' }
  | { readonly kind: 'contacts'; readonly contacts: KnownContacts | 'unavailable' }
  | { readonly kind: 'trackingLink'; readonly url: string | null }
  | {
      readonly kind: 'attachment';
      readonly attachmentId: string;
      readonly found: StoredAttachment | { readonly failure: string };
    };

type PaperInput = Parameters<Activities['pollContacts']>[0];
type PaperOptions = { readonly scheduleToCloseTimeout: number; readonly summary: string };

/** One that does not become ready must not hold up the proof of delivery behind it. */
const ATTACHMENTS_AT_ONCE = 5;

/** The papers that are still unknown. Attachments come in the order of their events, some at once. */
export function* paperWatches(run: ShipmentRun, listingId: string): Generator<Watch<PaperFact>> {
  const { bookedAt, billOfLading, contacts, wantedAttachments } = run.state;
  // It is asked for at once when the record tells its number.
  const number = run.state.listing?.billOfLadingNumber ?? null;
  const paper = (
    name: PaperFact['kind'],
    find: (run: ShipmentRun, listingId: string, since: string) => Promise<PaperFact>,
    since: string,
  ): Watch<PaperFact> => ({
    name,
    dependsOn: [listingId, since, name === 'billOfLading' ? number : null],
    bring: () => find(run, listingId, since),
  });
  if (bookedAt !== null && billOfLading === null) yield paper('billOfLading', awaitBillOfLading, bookedAt);
  if (bookedAt !== null && contacts === null) yield paper('contacts', awaitContacts, bookedAt);
  if (bookedAt !== null && run.state.trackingLink === null)
    yield paper('trackingLink', awaitTrackingLink, bookedAt);
  for (const wanted of wantedAttachments.slice(0, ATTACHMENTS_AT_ONCE))
    yield {
      name: 'attachment',
      dependsOn: [listingId, wanted],
      bring: () => awaitAttachment(run, listingId, wanted),
    };
}

/** What remains of the time in which a paper is asked for; milliseconds. */
function remainingMs(run: ShipmentRun, since: string): number {
  return Date.parse(since) + run.input.policy.documentWindowMs - Date.now();
}

/** A paper is asked for only so long after booking; then it is unavailable, which is a notice and no failure. */
async function awaitPaper<T>(
  run: ShipmentRun,
  { listingId, since, summary }: { listingId: string; since: string; summary: string },
  poll: (options: PaperOptions, args: [PaperInput]) => Promise<T>,
): Promise<T | 'unavailable'> {
  const scheduleToCloseTimeout = remainingMs(run, since);
  if (scheduleToCloseTimeout <= 0) return 'unavailable';
  const { account, policy } = run.input;
  const input = { account, listingId, pace: policy.documentPace };
  try {
    return await poll({ scheduleToCloseTimeout, summary }, [input]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    // Trouble of the account is a person's; anything else that does not pass is told, and stops no shipment.
    if (isCancellation(error) || isAccountTrouble(error)) throw error;
    run.note(`given up: ${reasonOf(error)}`);
    return 'unavailable';
  }
}

async function awaitBillOfLading(run: ShipmentRun, listingId: string, since: string): Promise<PaperFact> {
  const summary = 'waits for the bill of lading';
  const billOfLading = await awaitPaper(
    run,
    { listingId, since, summary },
    async (options, args) =>
      await run.activities.documents.pollBillOfLading.executeWithOptions(options, args),
  );
  return { kind: 'billOfLading', billOfLading };
}

async function awaitContacts(run: ShipmentRun, listingId: string, since: string): Promise<PaperFact> {
  const summary = "waits for the carrier's contacts";
  const contacts = await awaitPaper(
    run,
    { listingId, since, summary },
    async (options, args) => await run.activities.polls.pollContacts.executeWithOptions(options, args),
  );
  return { kind: 'contacts', contacts };
}

/** The page where anybody may look at the shipment; asked for with the account's web login, if it has one. */
async function awaitTrackingLink(run: ShipmentRun, listingId: string, since: string): Promise<PaperFact> {
  try {
    const found = await awaitPaper(
      run,
      { listingId, since, summary: 'waits for the tracking link' },
      async (options, args) => await run.activities.polls.pollTrackingLink.executeWithOptions(options, args),
    );
    return { kind: 'trackingLink', url: found === 'unavailable' ? null : found };
  } catch (error) {
    // The web login is not the account's key: that it is refused holds up nothing that is booked.
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    run.note(`no tracking link: ${reasonOf(error)}`);
    return { kind: 'trackingLink', url: null };
  }
}

/**
 * Whatever goes wrong with an attachment is told, and stops nothing. Trouble of the account is waited out, because no
 * list could name the attachment again; that a person is asked is up to the watch of the listing.
 */
async function awaitAttachment(
  run: ShipmentRun,
  listingId: string,
  { attachmentId, since }: WantedAttachment,
): Promise<PaperFact> {
  const result = (found: StoredAttachment | { readonly failure: string }): PaperFact => ({
    ...{ kind: 'attachment', attachmentId, found },
  });
  const { account, policy } = run.input;
  const input = { account, listingId, attachmentId, pace: policy.documentPace };
  const summary = summaryOf(`fetches attachment ${attachmentId}`);
  const { fetchListingAttachment } = run.activities.documents;
  for (let failure = 'its time is over'; ;) {
    const scheduleToCloseTimeout = remainingMs(run, since);
    if (scheduleToCloseTimeout <= 0) return result({ failure });
    try {
      return result(
        await fetchListingAttachment.executeWithOptions({ scheduleToCloseTimeout, summary }, [input]),
      );
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      failure = reasonOf(error);
      if (!isAccountTrouble(error)) return result({ failure });
      await sleep(policy.documentPace.maximumMs, {
        summary: summaryOf(`until attachment ${attachmentId} is tried again`),
      });
    }
  }
}

/** Keeps what became known, and tells it. */
export function takePaper(run: ShipmentRun, fact: PaperFact): void {
  switch (fact.kind) {
    case 'billOfLading':
      run.state = { ...run.state, billOfLading: fact.billOfLading };
      if (fact.billOfLading === 'unavailable') run.notice('the bill of lading did not become ready');
      else run.note(`bill of lading ${fact.billOfLading.billOfLadingNumber} is ready`);
      return;
    case 'contacts':
      run.state = { ...run.state, contacts: fact.contacts };
      run.note(
        fact.contacts === 'unavailable'
          ? 'contacts did not become ready'
          : 'contacts of the carrier are ready',
      );
      return;
    case 'trackingLink':
      run.state = { ...run.state, trackingLink: { url: fact.url } };
      if (fact.url !== null) run.note('the tracking link is ready');
      return;
    case 'attachment':
      takeAttachment(run, fact.attachmentId, fact.found);
      return;
    default:
      assertNever(fact);
  }
}

function takeAttachment(
  run: ShipmentRun,
  attachmentId: string,
  found: StoredAttachment | { readonly failure: string },
): void {
  const { attachments, wantedAttachments } = run.state;
  const left = wantedAttachments.filter((wanted) => wanted.attachmentId !== attachmentId);
  if ('failure' in found) {
    run.state = { ...run.state, wantedAttachments: left };
    run.notice(`attachment ${attachmentId} was not fetched: ${found.failure}`);
    return;
  }
  run.state = { ...run.state, wantedAttachments: left, attachments: [...attachments, found] };
  // Its name is whatever somebody called it, and may name people.
  run.note(
    `attachment ${attachmentId}${found.attachmentType === null ? '' : ` (${found.attachmentType})`} stored`,
  );
}
