import pc from 'picocolors';
import { operations } from '../sandbox/model/operations';
import { countBy, sum, type Counts } from './counts';
import { FATES, fateOf, isSpotless, judge, type Verdict } from './judge';
import { killsLine } from './kills';
import type { OrderCase } from './order-case';
import type { ChaosOutcome } from './outcome';

const SHOWN_FINDINGS = 20;

/** The report at the end: the orders, how they ended, and the verdict. */
export function renderReport(outcome: ChaosOutcome, seconds: number): string {
  const { cases, questions, answered, repairs, kills, troubleHits, mishaps, outages } = outcome;
  const { given, opened } = outcome.trackingLinks;
  const { events, ...became } = outcome.deliveries;
  const verdict = judge(outcome);
  const rows: (readonly [string, string | number])[] = [
    ...Object.entries(countOrders(cases)).map(([name, count]) => [NAMES[name] ?? name, count] as const),
    ['questions asked', `${total(questions)}, ${answered} answered`],
    ['repairs by reads', repairs],
    ['troubles by endpoint', total(troubleHits)],
    ['troubles', total(outcome.troubles)],
    ['tracking links opened', `${opened} of ${given}`],
    ['webhooks', `${events} events (${listed(became)})`],
    ['endpoints', endpointsLine(outcome)],
    ['booked after failure', afterFailureLine(cases)],
    ['kills', `${killsLine(kills)}; ended by themselves ${kills.crashes}`],
    ['outages', listed(outages)],
    ['time', `${Math.round(seconds)} s`],
  ];
  return [
    '',
    ...rows.map(([name, value]) => `${name.padEnd(22)} ${value}`),
    '',
    pc.bold('Mishaps: orders that met each one, of the orders planned for it'),
    ...mishaps.map(({ name, met, planned }) => `${name.padEnd(44)} ${met} of ${planned}`),
    '',
    pc.bold("The ledger's verdict"),
    ...verdictLines('double bookings', verdict.doubleBookings),
    ...verdictLines('lost orders', verdict.lostOrders),
    ...verdictLines('unexplained stops', verdict.unexplainedStops),
    '',
    isSpotless(verdict) ? pc.green('Never twice, never lost.') : pc.red('The promise was broken.'),
  ].join('\n');
}

function afterFailureLine(cases: readonly OrderCase[]): string {
  const late = sum(cases.map(({ ledger }) => ledger.bookedAfterFailing));
  const unknowable = sum(cases.map(({ ledger }) => ledger.unknowable));
  return unknowable === 0
    ? String(late)
    : `${late}, ${unknowable} of them without any event, which no client can know`;
}

/** The sum, and its parts. */
function total(counts: Counts): string {
  const sorted = Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.length === 0 ? '' : ` (${listed(Object.fromEntries(sorted))})`;
  return `${sum(Object.values(counts))}${parts}`;
}

const listed = (counts: Counts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** How many of the marketplace's endpoints were called at all; the run proves nothing about the others. */
function endpointsLine({ requests }: Pick<ChaosOutcome, 'requests'>): string {
  const unasked = operations.filter((operation) => requests[operation] === undefined);
  const others = unasked.length === 0 ? '' : `; never called: ${unasked.join(', ')}`;
  return `${operations.length - unasked.length} of ${operations.length}${others}`;
}

const NAMES: Readonly<Record<string, string>> = FATES;

/** By the fields of the JSON report. */
function countOrders(cases: readonly OrderCase[]): Counts {
  const none = Object.fromEntries(Object.keys(FATES).map((fate) => [fate, 0]));
  const booked = cases.filter(({ ledger }) => ledger.mostLiveBookings > 0);
  return { orders: cases.length, booked: booked.length, ...none, ...countBy(cases, fateOf) };
}

function verdictLines(name: string, findings: Verdict[keyof Verdict]): string[] {
  const number = findings.length === 0 ? pc.green('0') : pc.red(String(findings.length));
  const more = findings.length > SHOWN_FINDINGS ? [`    and ${findings.length - SHOWN_FINDINGS} more`] : [];
  return [
    `${name.padEnd(22)} ${number}`,
    ...findings.slice(0, SHOWN_FINDINGS).map(({ orderId, why }) => `    ${orderId}: ${why}`),
    ...more,
  ];
}

/** The same as JSON, for programs. */
export function reportOf(outcome: ChaosOutcome, seconds: number): string {
  const { cases, stories: _stories, ...counts } = outcome;
  const report = { ...countOrders(cases), ...counts, seconds: Math.round(seconds), verdict: judge(outcome) };
  return JSON.stringify(report, null, 1);
}

/** The history of every order that the verdict names, as JSON; null when it names none. */
export function renderFindings(outcome: ChaosOutcome): string | null {
  const found = Object.values(judge(outcome)).flat();
  const told = found.map((finding) => ({ ...finding, ...outcome.stories.get(finding.orderId) }));
  return found.length === 0 ? null : JSON.stringify(told, null, 1);
}

export const isGood = (outcome: ChaosOutcome): boolean => isSpotless(judge(outcome));
