import { assertNever } from './assert-never';
import { keepSaid } from './bounded-state';
import type { StoredAttachment } from './documents';
import {
  clearMissingPaper,
  missingOf,
  markPaperMissing,
  type BookingPaper,
  type Paper,
  type PapersFound,
} from './missing-papers';
import type { IsoInstant } from './shipment';
import { addTimeline, type ShipmentState } from './shipment-state';

/** News about the papers of a shipment. */
export type PaperFact =
  | { readonly kind: 'papers'; readonly papers: PapersFound; readonly unavailable: readonly BookingPaper[] }
  | {
      readonly kind: 'attachment';
      readonly attachmentId: string;
      readonly found: StoredAttachment | { readonly failure: string };
    };

/** Applies news about papers, with a timeline line for each. */
export const applyPaper = (state: ShipmentState, fact: PaperFact, at: IsoInstant): ShipmentState =>
  fact.kind === 'attachment' ? applyAttachment(state, fact, at) : applyPapers(state, fact, at);

function applyPapers(
  state: ShipmentState,
  { papers, unavailable }: Extract<PaperFact, { kind: 'papers' }>,
  at: IsoInstant,
): ShipmentState {
  const { billOfLading, contacts, trackingLink, refused = [] } = papers;
  let next = state;
  if (billOfLading !== undefined) {
    const what = `bill of lading ${billOfLading.billOfLadingNumber} is ready`;
    next = find({ ...next, billOfLading }, 'billOfLading', { at, what });
  }
  if (contacts !== undefined)
    next = find({ ...next, contacts }, 'contacts', { at, what: 'contacts of the carrier are ready' });
  if (trackingLink !== undefined) {
    const what = trackingLink.url === null ? null : 'the tracking link is ready';
    next = find({ ...next, trackingLink }, 'trackingLink', { at, what });
  }
  for (const { paper, reason, words } of refused) {
    if (words !== null) next = keepSaid(next, at, { about: reason, words });
    const what = paper === 'trackingLink' ? 'no tracking link' : 'given up';
    next = giveUpPaper(addTimeline(next, at, `${what}: ${reason}`), paper, at);
  }
  return unavailable.reduce((before, paper) => giveUpPaper(before, paper, at), next);
}

/** Stops waiting for a paper. A later event that may have made it ready asks again. */
export function giveUpPaper(state: ShipmentState, paper: BookingPaper, at: IsoInstant): ShipmentState {
  switch (paper) {
    case 'billOfLading': {
      const what = 'the bill of lading did not become ready';
      return miss({ ...state, billOfLading: 'unavailable' }, paper, { at, what, isNotice: true });
    }
    case 'contacts': {
      const what = 'contacts did not become ready';
      return miss({ ...state, contacts: 'unavailable' }, paper, { at, what, isNotice: false });
    }
    case 'trackingLink':
      return miss({ ...state, trackingLink: { url: null } }, paper, { at, what: null, isNotice: false });
    default:
      return assertNever(paper);
  }
}

interface Told {
  readonly at: IsoInstant;
  /** Null for no timeline line. */
  readonly what: string | null;
}

function miss(
  state: ShipmentState,
  paper: Paper,
  { at, what, isNotice }: Told & { readonly isNotice: boolean },
): ShipmentState {
  const noted = what === null || missingOf(state, paper) !== undefined ? state : addTimeline(state, at, what);
  return markPaperMissing(noted, paper, isNotice ? what : null);
}

function find(state: ShipmentState, paper: Paper, { at, what }: Told): ShipmentState {
  const late = missingOf(state, paper) === undefined ? '' : ', after its time was over';
  const found = clearMissingPaper(state, paper);
  return what === null ? found : addTimeline(found, at, `${what}${late}`);
}

function applyAttachment(
  state: ShipmentState,
  { attachmentId, found }: Extract<PaperFact, { kind: 'attachment' }>,
  at: IsoInstant,
): ShipmentState {
  const wantedAttachments = state.wantedAttachments.filter((wanted) => wanted.attachmentId !== attachmentId);
  const paper = { attachmentId };
  if ('failure' in found) {
    const what = `attachment ${attachmentId} was not fetched: ${found.failure}`;
    return miss({ ...state, wantedAttachments }, paper, { at, what, isNotice: true });
  }
  // Without the file name: anyone may have chosen it, and it may contain a person's name.
  const type = found.attachmentType === null ? '' : ` (${found.attachmentType})`;
  const what = `attachment ${attachmentId}${type} stored`;
  const attachments = [...state.attachments, found];
  return find({ ...state, wantedAttachments, attachments }, paper, { at, what });
}
