import pc from 'picocolors';
import { duplicateListings } from '../../domain/candidates';
import { noticesOf } from '../../domain/bounded-state';
import { errorPage, questionPage } from '../../domain/docs-page';
import { FailureType } from '../../domain/failure-type';
import { checkableAnswers } from '../../domain/believe-gone';
import { answerLines, commandLines } from '../../domain/command-lines';
import { deliveryText } from '../../domain/listing';
import { questionText } from '../../domain/question';
import { billOfLadingNumber, carrierName, priceLines } from '../../domain/shipment-result';
import { followedListing, type Said, type ShipmentState } from '../../domain/shipment-state';
import type { LateEvent } from '../client/event-client';
import { printable } from './printable';
import { documentLines } from './show-documents';
import { rateLines } from './show-rates';
import { recordFacts, recordLines, type Fact } from './show-record';
import { contactLines, positionOf, trackingLines } from './show-tracking';
import type { ShipmentView } from '../client/get-shipment';
import type { ShipmentSummary } from '../client/list-shipments';
import { table, terminalWidth } from './table';
import { ageText, timeText } from './time-text';

/** `consign list` for people: an order in one row, within the width of the terminal. */
export function renderList(
  summaries: readonly ShipmentSummary[],
  { nowMs = Date.now(), width = terminalWidth() }: { readonly nowMs?: number; readonly width?: number } = {},
): string {
  if (summaries.length === 0) return `No shipments. \`${commandLines.start()}\` starts one.`;
  return table(
    ['ORDER', 'KIND', 'STATE', 'AGE', 'WAITS FOR'],
    summaries.map((summary) => [
      `${summary.account}/${summary.orderId}`,
      summary.kind ?? '-',
      `${stateWord(summary)}${summary.needsAttention ? ' !' : ''}`,
      ageText(summary.startedAt, nowMs),
      summary.status === 'RUNNING' ? printable(summary.waitsFor ?? '-') : '-',
    ]),
    { width },
  );
}

/** The phase of a running shipment; how it ended for any other. */
const stateWord = (summary: ShipmentSummary): string =>
  summary.status === 'RUNNING' ? (summary.phase ?? 'running') : statusWord(summary);

/** Each order once. A late event may need a person after the order has ended: then that line represents the order. */
export function onePerOrder(summaries: readonly ShipmentSummary[]): ShipmentSummary[] {
  const byOrder = new Map<string, ShipmentSummary>();
  for (const summary of summaries) {
    const name = `${summary.account}/${summary.orderId}`;
    const known = byOrder.get(name);
    if (known === undefined || (summary.needsAttention && !known.needsAttention)) byOrder.set(name, summary);
  }
  return [...byOrder.values()];
}

/** With the number of reads that showed each. */
function unknownLine(values: ShipmentState['unknownValues']): string | null {
  const lines = values.map(({ value, times }) => `${printable(value)} (${times} times)`);
  return lines.length === 0 ? null : lines.join(', ');
}

/** What the state omits without a notice, because a person does not have to see it. */
function leftOutLine({ leftOut: { timeline, rates } }: ShipmentState): string | null {
  const lines = [
    timeline > 0 && `${timeline} older lines of the timeline`,
    rates > 0 && `${rates} rates that were not the cheapest`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? null : lines.join(', ');
}

function stateFacts(state: ShipmentState): Fact[] {
  const { listing, contacts, unknownValues } = state;
  return [
    ['Phase', state.at.phase],
    ['Listing', followedListing(state)],
    ['Listing status', listing?.status],
    ['Transit', listing?.transitStatus],
    ['Delivery', listing === null ? null : deliveryText(listing)],
    ['Payment', listing?.paymentStatus],
    ['Carrier', carrierName(state)],
    ...priceLines(state),
    ['Bill of lading', state.billOfLading === 'unavailable' ? 'unavailable' : billOfLadingNumber(state)],
    ['Last seen', state.lastSeen],
    ['Position', positionOf(state.tracking)],
    ['Tracking link', state.trackingLink?.url],
    ['Cancel at', listing?.cancellationLink],
    ...duplicateListings(state).map(({ listingId, cancellationLink }): Fact => [
      `Cancel ${listingId}`,
      cancellationLink,
    ]),
    ...recordFacts(listing),
    ['Contacts', typeof contacts === 'string' ? contacts : null],
    ['Unknown values', unknownLine(unknownValues)],
    ['Omitted', leftOutLine(state)],
    [
      'Events',
      `${state.events.taken} accepted, ${state.events.doubled} duplicates, ${state.events.quarantined} quarantined; ${state.repairs} missed ones recovered by reading`,
    ],
  ];
}

function withdrawnBy({ withdrawal }: ShipmentView): string | null {
  if (withdrawal === null) return null;
  const { by, reason, at, listingIds } = withdrawal;
  const listings = listingIds.length === 0 ? '' : ` (listings it had: ${listingIds.join(', ')})`;
  return `by ${by} at ${at}: ${reason}${listings}`;
}

/** A withdrawn order also ends as completed, but it was not delivered. */
function statusWord({ status, phase }: Pick<ShipmentSummary, 'status' | 'phase'>): string {
  return status === 'COMPLETED' && phase === 'cancelled' ? 'withdrawn' : status.toLowerCase();
}

/** The question itself is printed below, with its answers. */
function waitFact({ status, state, waitingFor }: ShipmentView): string | null {
  if (status !== 'RUNNING') return null;
  const question = state?.question ?? null;
  return question === null ? waitingFor : `a person since ${question.since}: see the question below`;
}

/** One kind of failure ends a shipment. */
function failureLine({ status, failure }: ShipmentView): string | null {
  if (failure === null || status !== 'FAILED') return failure;
  return `${failure} (explained in ${errorPage(FailureType.FailedBeforeBooking)})`;
}

/** `consign show` for people. */
export function renderShipment(view: ShipmentView): string {
  const { state } = view;
  const facts: Fact[] = [
    ['Workflow', `${view.workflowId} (${view.status.toLowerCase()})`],
    ['Waits for', waitFact(view)],
    ['Withdrawn', withdrawnBy(view)],
    ['Failure', view.withdrawal === null ? failureLine(view) : null],
    ...(state === null
      ? [['State', 'no worker answers; the lines above are the last known'] as [string, string]]
      : stateFacts(state)),
  ];
  const lines = facts.flatMap(([name, value]) =>
    value == null ? [] : [`${pc.bold(name.padEnd(15))} ${printable(value)}`],
  );
  if (state === null) return lines.join('\n');
  const { question } = state;
  if (question !== null) {
    lines.push(
      '',
      pc.yellow(`Question ${question.id}: ${questionText(question)}`),
      'Answer with one of:',
      ...answerLines(state, question, checkableAnswers(state)).map((line) => `  ${line}`),
      `Explained in ${questionPage(question.kind)}`,
    );
  }
  for (const notice of noticesOf(state)) lines.push(pc.yellow(`Notice: ${notice}`));
  if (state.said.length > 0) lines.push('', pc.bold('The marketplace said'), ...state.said.map(saidLine));
  const rates = state.rateDecision === null ? [] : rateLines(state.rateDecision);
  if (rates.length > 0) lines.push('', ...rates);
  lines.push(...recordLines(state), ...trackingLines(state), ...contactLines(state));
  const documents = documentLines(state);
  if (documents.length > 0) lines.push('', pc.bold('Documents'), ...documents);
  lines.push('', pc.bold('Timeline'), ...state.timeline.map(timelineLine));
  return lines.join('\n');
}

/** A failed call: what failed, and the marketplace's own words. */
const saidLine = ({ at, about, words }: Said): string =>
  `${timelineLine({ at, what: about })}: "${printable(words)}"`;

/** An event that arrived after the end, with what to do about it. */
export function lateLine({ says, needsAttention, cancellationLink }: LateEvent): string {
  const link = cancellationLink === null ? '' : ` Cancel at ${cancellationLink}`;
  const text = `After the end: ${says ?? 'an event arrived, and its listing is being read'}${link}`;
  return needsAttention ? pc.yellow(text) : text;
}

/** What a shipment waits for from now on, printed between the lines of its timeline. */
export const waitLine = (waitingFor: string): string => `  ${pc.dim('waits for'.padEnd(20))}  ${waitingFor}`;

/** One line of the timeline, as `show`, `watch` and the demo print it. */
export function timelineLine({ at, what }: { readonly at: string; readonly what: string }): string {
  return `  ${pc.dim(timeText(at))}  ${what}`;
}
