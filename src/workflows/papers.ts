import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { assertNever } from '../domain/assert-never';
import type { StoredAttachment, StoredBillOfLading } from '../domain/documents';
import {
  findPaper,
  isAskedAgain,
  missPaper,
  missingOf,
  paperWindowStart,
  type Paper,
} from '../domain/missing-papers';
import type { ShipmentState } from '../domain/shipment-state';
import type { KnownContacts } from '../domain/tracking';
import { askForAttachment, askForPaper, type Asking, type PaperQuest } from './ask-for-paper';
import type { ShipmentRun } from './shipment-run';
import type { Watch } from './watches';

/** What became known of the papers of a shipment. */
export type PaperFact =
  | { readonly kind: 'billOfLading'; readonly billOfLading: StoredBillOfLading | 'unavailable' }
  | { readonly kind: 'contacts'; readonly contacts: KnownContacts | 'unavailable' }
  /** No `url` where the account has no web login. */
  | { readonly kind: 'trackingLink'; readonly link: { readonly url: string | null } | 'unavailable' }
  | {
      readonly kind: 'attachment';
      readonly attachmentId: string;
      readonly found: StoredAttachment | { readonly failure: string };
    };

/** One that does not become ready must not hold up the proof of delivery behind it. */
const ATTACHMENTS_AT_ONCE = 5;

const FINDERS = {
  billOfLading: awaitBillOfLading,
  contacts: awaitContacts,
  trackingLink: awaitTrackingLink,
};

/** The papers that are still unknown. Attachments come in the order of their events, some at once. */
export function* paperWatches(run: ShipmentRun, listingId: string): Generator<Watch<PaperFact>> {
  const { state } = run;
  const { bookedAt, reasonsToAsk } = state;
  if (bookedAt !== null) {
    const since = paperWindowStart(bookedAt, run.input.shipment.pickup.latest, state.pickedUpAt);
    for (const name of ['billOfLading', 'contacts', 'trackingLink'] as const) {
      const asking = askingOf(state, name, since);
      if (asking === null) continue;
      // The bill of lading is asked for at once when the record tells its number.
      const number = name === 'billOfLading' ? (state.listing?.billOfLadingNumber ?? null) : null;
      yield {
        name,
        dependsOn: [listingId, asking, number, reasonsToAsk],
        bring: async () => await FINDERS[name](run, { listingId, asking }),
      };
    }
  }
  yield* attachmentWatches(run, listingId);
}

/** @returns null for a paper that is known, or that there is no reason to ask for */
function askingOf(
  state: ShipmentState,
  name: 'billOfLading' | 'contacts' | 'trackingLink',
  since: string,
): Asking | null {
  if (state[name] === null) return { kind: 'window', since };
  return isAskedAgain(state, name) ? { kind: 'once' } : null;
}

function* attachmentWatches(run: ShipmentRun, listingId: string): Generator<Watch<PaperFact>> {
  const { wantedAttachments, reasonsToAsk } = run.state;
  const watch = (attachmentId: string, asking: Asking): Watch<PaperFact> => ({
    name: 'attachment',
    dependsOn: [listingId, attachmentId, asking, reasonsToAsk],
    bring: async () => ({
      kind: 'attachment',
      attachmentId,
      found: await askForAttachment(run, { listingId, asking }, attachmentId),
    }),
  });
  for (const { attachmentId, since } of wantedAttachments.slice(0, ATTACHMENTS_AT_ONCE))
    yield watch(attachmentId, { kind: 'window', since });
  for (const attachmentId of attachmentsAskedAgain(run.state).slice(0, ATTACHMENTS_AT_ONCE))
    yield watch(attachmentId, { kind: 'once' });
}

function attachmentsAskedAgain(state: ShipmentState): readonly string[] {
  const wanted = new Set(state.wantedAttachments.map(({ attachmentId }) => attachmentId));
  return state.missingPapers
    .filter(({ paper }) => isAskedAgain(state, paper))
    .flatMap(({ paper }) => (typeof paper === 'object' ? [paper.attachmentId] : []))
    .filter((attachmentId) => !wanted.has(attachmentId));
}

async function awaitBillOfLading(run: ShipmentRun, quest: PaperQuest): Promise<PaperFact> {
  const billOfLading = await askForPaper(
    run,
    { ...quest, summary: 'waits for the bill of lading' },
    async (options, args) =>
      await run.activities.documents.pollBillOfLading.executeWithOptions(options, args),
  );
  return { kind: 'billOfLading', billOfLading };
}

async function awaitContacts(run: ShipmentRun, quest: PaperQuest): Promise<PaperFact> {
  const contacts = await askForPaper(
    run,
    { ...quest, summary: "waits for the carrier's contacts" },
    async (options, args) => await run.activities.polls.pollContacts.executeWithOptions(options, args),
  );
  return { kind: 'contacts', contacts };
}

/** The page where anybody may look at the shipment; asked for with the account's web login, if it has one. */
async function awaitTrackingLink(run: ShipmentRun, quest: PaperQuest): Promise<PaperFact> {
  try {
    const link = await askForPaper(
      run,
      { ...quest, summary: 'waits for the tracking link' },
      async (options, args) => ({
        url: await run.activities.polls.pollTrackingLink.executeWithOptions(options, args),
      }),
    );
    return { kind: 'trackingLink', link };
  } catch (error) {
    // The web login is not the account's key: that it is refused holds up nothing that is booked.
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    run.note(`no tracking link: ${run.why(error)}`);
    return { kind: 'trackingLink', link: 'unavailable' };
  }
}

/** Keeps what became known, and tells it. */
export function takePaper(run: ShipmentRun, fact: PaperFact): void {
  switch (fact.kind) {
    case 'billOfLading':
      run.state = { ...run.state, billOfLading: fact.billOfLading };
      if (fact.billOfLading === 'unavailable')
        miss(run, 'billOfLading', 'the bill of lading did not become ready');
      else find(run, 'billOfLading', `bill of lading ${fact.billOfLading.billOfLadingNumber} is ready`);
      return;
    case 'contacts':
      run.state = { ...run.state, contacts: fact.contacts };
      if (fact.contacts !== 'unavailable') find(run, 'contacts', 'contacts of the carrier are ready');
      else {
        if (!isMissing(run, 'contacts')) run.note('contacts did not become ready');
        miss(run, 'contacts', null);
      }
      return;
    case 'trackingLink':
      run.state = {
        ...run.state,
        trackingLink: fact.link === 'unavailable' ? { url: null } : fact.link,
      };
      if (fact.link === 'unavailable') miss(run, 'trackingLink', null);
      else find(run, 'trackingLink', fact.link.url === null ? null : 'the tracking link is ready');
      return;
    case 'attachment':
      takeAttachment(run, fact.attachmentId, fact.found);
      return;
    default:
      assertNever(fact);
  }
}

/** A shipment that completes waits for its bill of lading no longer. */
export function endPapers(run: ShipmentRun): void {
  if (run.state.billOfLading === null) takePaper(run, { kind: 'billOfLading', billOfLading: 'unavailable' });
}

const isMissing = ({ state }: ShipmentRun, paper: Paper): boolean => missingOf(state, paper) !== undefined;

function miss(run: ShipmentRun, paper: Paper, notice: string | null): void {
  if (notice !== null && !isMissing(run, paper)) run.note(notice);
  run.state = missPaper(run.state, paper, notice);
}

function find(run: ShipmentRun, paper: Paper, what: string | null): void {
  const late = isMissing(run, paper) ? ', after its time was over' : '';
  run.state = findPaper(run.state, paper);
  if (what !== null) run.note(`${what}${late}`);
}

function takeAttachment(
  run: ShipmentRun,
  attachmentId: string,
  found: StoredAttachment | { readonly failure: string },
): void {
  const { attachments, wantedAttachments } = run.state;
  const left = wantedAttachments.filter((wanted) => wanted.attachmentId !== attachmentId);
  run.state = { ...run.state, wantedAttachments: left };
  const paper = { attachmentId };
  if ('failure' in found) {
    miss(run, paper, `attachment ${attachmentId} was not fetched: ${found.failure}`);
    return;
  }
  run.state = { ...run.state, attachments: [...attachments, found] };
  // Its name is whatever somebody called it, and may name people.
  const type = found.attachmentType === null ? '' : ` (${found.attachmentType})`;
  find(run, paper, `attachment ${attachmentId}${type} stored`);
}
