import { stripVTControlCharacters } from 'node:util';
import { noticesOf } from '../../../domain/bounded-state';
import { formatMoney, type Money } from '../../../domain/money';
import type { KeptOrder } from '../../client/order-input';
import type { PersonDecision, SeenPrices, SentRequest } from '../../client/decision-record';
import type { OrderRecord } from '../../client/order-record';
import type { IsoInstant } from '../../../domain/shipment';
import type { ShipmentState } from '../../../domain/shipment-state';
import { priceLines } from '../../../domain/shipment-result';
import { printable } from '../printable';
import { timelineLine } from '../show';
import { rateLines } from '../show-rates';
import { recordFacts } from '../show-record';
import { trackingLines } from '../show-tracking';
import { timeText } from '../time-text';

/** What a pack is made of, besides its documents. */
export interface PackFacts {
  readonly madeAt: IsoInstant;
  readonly record: OrderRecord;
  /** Null when Temporal's record of it cannot be decoded here. */
  readonly order: KeptOrder | null;
  readonly requests: readonly SentRequest[];
  readonly decisions: readonly PersonDecision[];
  readonly prices: readonly SeenPrices[];
}

const atText = (at: IsoInstant | null): string => (at === null ? '-' : timeText(at));
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** Lines that are coloured where they are printed on a terminal. */
const plain = (lines: readonly string[]): string => `${stripVTControlCharacters(lines.join('\n'))}\n`;
const moneyText = (money: Money | null): string => (money === null ? 'none' : formatMoney(money));

/** The price or the rates that the order was booked with, and why each rate lost; null when nothing is known. */
export function quoteText({ state }: OrderRecord): string | null {
  if (state === null) return null;
  const { fixedPrice, rateDecision } = state;
  if (fixedPrice !== null)
    return plain([
      `Price                      ${formatMoney(fixedPrice.price)}`,
      `Premium of the coverage    ${moneyText(fixedPrice.premium)}`,
      `Total for the customer     ${formatMoney(fixedPrice.total)}`,
      `List price                 ${formatMoney(fixedPrice.listPrice)}`,
      `Price correlation id       ${fixedPrice.priceCorrelationId ?? 'none'}`,
    ]);
  if (rateDecision === null) return null;
  const { chosen, decidedAt } = rateDecision;
  const expiry =
    chosen === null ? [] : [`  rate ${chosen.rateId}, valid until ${timeText(chosen.expiresAt)}`];
  return plain([`Decided at ${timeText(decidedAt)}`, ...expiry, ...rateLines(rateDecision)]);
}

/** Which question was open when a person answered: the last one that the timeline shows before. */
function questionBefore(state: ShipmentState | null, at: IsoInstant | null): string | null {
  if (state === null || at === null) return null;
  const asked = state.timeline.findLast((line) => line.at <= at && line.what.startsWith('asks: '));
  return asked?.what ?? null;
}

/** Who decided what, when and why; automatic decisions included. */
export function decisionsText({ record, decisions }: PackFacts): string {
  const { state, memo } = record;
  const byPeople = decisions.flatMap(({ at, what, said }) => {
    const known: Readonly<Record<string, unknown>> = said ?? {};
    const { shipment, policy: _, documentHash, ...stated } = known;
    const document =
      shipment === undefined ? [] : [`  with a new document (SHA-256 ${String(documentHash)})`];
    const words = Object.entries(stated).map(
      ([name, value]) => `  ${name}: ${typeof value === 'string' ? printable(value) : JSON.stringify(value)}`,
    );
    const question = what === 'cancelShipment' ? null : questionBefore(state, at);
    return [
      `${atText(at)}  ${what}`,
      ...(said === null ? ['  (cannot be decoded here)'] : []),
      ...(question === null ? [] : [`  the shipment ${printable(question)}`]),
      ...words,
      ...document,
    ];
  });
  const byPolicy = state?.rateDecision?.rule === 'person' ? null : state?.rateDecision;
  const chosen = byPolicy?.chosen ?? null;
  const agreed = state?.agreedPrice ?? null;
  return plain([
    'Decisions of people, as the shipment accepted them:',
    ...(byPeople.length === 0 ? ['none'] : byPeople),
    '',
    'Decisions by the policy:',
    ...(chosen === null
      ? ['none']
      : [
          `${atText(byPolicy?.decidedAt ?? null)}  rate ${chosen.rateId} of ${printable(chosen.carrier.displayName)} at ${formatMoney(chosen.totalPrice)}`,
        ]),
    ...(agreed === null ? [] : [`agreed price: ${formatMoney(agreed.price)}`]),
    ...(memo.restartStatement == null
      ? []
      : ['', 'The order was started again with this statement:', JSON.stringify(memo.restartStatement)]),
    ...(memo.withdrawn == null ? [] : ['', 'The order was withdrawn:', JSON.stringify(memo.withdrawn)]),
  ]);
}

/** Prices over time: of the timeline, and of the marketplace's record. */
export function pricesText({ record: { state }, prices }: PackFacts): string {
  const noted = (state?.timeline ?? []).filter(({ what }) => /\b[A-Z]{3} -?\d[\d,]*\.\d\d\b/.test(what));
  const readings = prices.map(
    ({ at, listingId, namedPrice, acceptedPrice, totalCost }) =>
      `  ${atText(at)}  listing ${listingId}: named ${moneyText(namedPrice)}, accepted ${moneyText(acceptedPrice)}, total ${moneyText(totalCost)}`,
  );
  const now = state === null ? [] : [...priceLines(state), ...recordFacts(state.listing)];
  return plain([
    'Prices in the timeline:',
    ...(noted.length === 0 ? ['  none'] : noted.map(timelineLine)),
    '',
    "Prices of the marketplace's record, each time that a reading showed other ones:",
    ...(readings.length === 0 ? ['  none'] : readings),
    '',
    'Last known:',
    ...now.flatMap(([name, value]) => (value == null ? [] : [`  ${name}: ${printable(value)}`])),
  ]);
}

/** What happened, when. */
export function timelineText(state: ShipmentState): string {
  return plain([
    'Timeline (UTC):',
    ...state.timeline.map(timelineLine),
    ...trackingLines(state),
    '',
    'Notices:',
    ...noticesOf(state).map((notice) => `  ${notice}`),
  ]);
}

/** The marketplace's own words: about failed calls, of carriers about their rates, and notes of attachments. */
export function wordsText({ said, rates, attachments }: ShipmentState): string {
  const ofCalls = said.map(({ at, about, words }) => `${timeText(at)}  ${about}: "${printable(words)}"`);
  const ofRates = rates.flatMap(({ carrier, additionalInformation }) =>
    additionalInformation === null
      ? []
      : [`${printable(carrier.displayName)} about its rate: "${printable(additionalInformation)}"`],
  );
  const ofPapers = attachments.flatMap(({ attachmentId, notes }) =>
    notes === null ? [] : [`attachment ${attachmentId}: "${printable(notes)}"`],
  );
  const all = [...ofCalls, ...ofRates, ...ofPapers];
  return plain(all.length === 0 ? ['none'] : all);
}

/** The marketplace's record of the listing as it was last read, with tracking and contacts. */
export const marketplaceRecordText = ({ listing, tracking, contacts, lastSeen }: ShipmentState): string =>
  json({ listing, tracking, lastSeen, contacts });

export const orderText = ({ shipment, policy }: KeptOrder): string => json({ shipment, policy });
export const requestsText = ({ requests }: PackFacts): string => json(requests);
