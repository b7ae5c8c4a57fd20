import { assertNever } from '../../domain/assert-never';
import type { StoredAttachment } from '../../domain/documents';
import {
  BOOKING_PAPERS,
  findPaper,
  isAskedAgain,
  missPaper,
  missingOf,
  paperWindowStart,
  type BookingPaper,
  type Paper,
} from '../../domain/missing-papers';
import type { ShipmentState } from '../../domain/shipment-state';
import { askForAttachment, askForPapers, type Asking, type PaperFact } from './ask-for-paper';
import type { ShipmentRun } from '../run/shipment-run';
import type { Watch } from '../run/watches';

/** One that does not become ready must not hold up the proof of delivery behind it. */
const ATTACHMENTS_AT_ONCE = 5;

/** The papers that are still unknown. Attachments come in the order of their events, some at once. */
export function* paperWatches(run: ShipmentRun, listingId: string): Generator<Watch<PaperFact>> {
  const { state } = run;
  const { bookedAt, pickedUpAt, reasonsToAsk } = state;
  if (bookedAt !== null) {
    const since = paperWindowStart(bookedAt, run.input.shipment.pickup.latest, pickedUpAt);
    const unknown = BOOKING_PAPERS.filter((name) => state[name] === null);
    const again = BOOKING_PAPERS.filter((name) => state[name] !== null && isAskedAgain(state, name));
    const askings: readonly (readonly [readonly BookingPaper[], Asking])[] = [
      [unknown, { kind: 'window', since }],
      [again, { kind: 'once' }],
    ];
    // The bill of lading is asked for at once when the record tells its number.
    const number = state.listing?.billOfLadingNumber ?? null;
    for (const [wanted, asking] of askings) {
      if (wanted.length === 0) continue;
      yield {
        name: 'papers',
        dependsOn: [listingId, wanted, asking, wanted.includes('billOfLading') ? number : null, reasonsToAsk],
        bring: async () => await askForPapers(run, { listingId, asking }, wanted),
      };
    }
  }
  yield* attachmentWatches(run, listingId);
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

/** Keeps what became known, and tells it. */
export function takePaper(run: ShipmentRun, fact: PaperFact): void {
  if (fact.kind === 'attachment') {
    takeAttachment(run, fact.attachmentId, fact.found);
    return;
  }
  const { billOfLading, contacts, trackingLink, refused = [] } = fact.papers;
  if (billOfLading !== undefined) {
    run.update({ billOfLading });
    find(run, 'billOfLading', `bill of lading ${billOfLading.billOfLadingNumber} is ready`);
  }
  if (contacts !== undefined) {
    run.update({ contacts });
    find(run, 'contacts', 'contacts of the carrier are ready');
  }
  if (trackingLink !== undefined) {
    run.update({ trackingLink });
    find(run, 'trackingLink', trackingLink.url === null ? null : 'the tracking link is ready');
  }
  for (const { paper, reason, words } of refused) {
    run.keepSaid(reason, words);
    run.note(`${paper === 'trackingLink' ? 'no tracking link' : 'given up'}: ${reason}`);
    giveUp(run, paper);
  }
  for (const paper of fact.unavailable) giveUp(run, paper);
}

/** It is asked for again when something happens that can have made it ready. */
function giveUp(run: ShipmentRun, paper: BookingPaper): void {
  switch (paper) {
    case 'billOfLading':
      run.update({ billOfLading: 'unavailable' });
      miss(run, paper, 'the bill of lading did not become ready');
      return;
    case 'contacts':
      run.update({ contacts: 'unavailable' });
      if (!isMissing(run, paper)) run.note('contacts did not become ready');
      miss(run, paper, null);
      return;
    case 'trackingLink':
      run.update({ trackingLink: { url: null } });
      miss(run, paper, null);
      return;
    default:
      assertNever(paper);
  }
}

/** A shipment that completes waits for its bill of lading no longer. */
export function endPapers(run: ShipmentRun): void {
  if (run.state.billOfLading === null) giveUp(run, 'billOfLading');
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
  run.update({ wantedAttachments: left });
  const paper = { attachmentId };
  if ('failure' in found) {
    miss(run, paper, `attachment ${attachmentId} was not fetched: ${found.failure}`);
    return;
  }
  run.update({ attachments: [...attachments, found] });
  // Its name is whatever somebody called it, and may name people.
  const type = found.attachmentType === null ? '' : ` (${found.attachmentType})`;
  find(run, paper, `attachment ${attachmentId}${type} stored`);
}
