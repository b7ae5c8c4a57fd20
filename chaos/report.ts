import pc from 'picocolors';
import { operations } from '../sandbox/model/operations';
import { countBy, type Counts } from './counts';
import { FATES, fateOf, isSpotless, judge, type Finding } from './judge';
import { killsLine } from './kills';
import type { OrderCase } from './order-case';
import type { DeliveryCounts } from '../sandbox';
import type { ChaosOutcome } from './outcome';

const SHOWN_FINDINGS = 20;

/** The report at the end: the orders, how they ended, and the verdict. */
export function renderReport(outcome: ChaosOutcome, seconds: number): string {
  const { cases, questions, answered, repairs, kills, troubleHits, deliveries, mishaps, outages } = outcome;
  const { given, opened } = outcome.trackingLinks;
  const verdict = judge(outcome);
  const fates = countBy(cases, fateOf);
  const rows: [string, string | number][] = [
    ['orders', cases.length],
    ['booked', countBooked(cases)],
    ...Object.entries(FATES).map(([fate, name]): [string, number] => [name, fates[fate] ?? 0]),
    ['questions asked', `${total(questions)}, ${answered} answered`],
    ['repairs by reads', repairs],
    ['troubles by endpoint', total(troubleHits)],
    ['troubles', total(outcome.troubles)],
    ['tracking links opened', `${opened} of ${given}`],
    ['webhooks', webhooksLine(deliveries)],
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
  const sumOf = (count: (ledger: OrderCase['ledger']) => number): number =>
    cases.reduce((sum, { ledger }) => sum + count(ledger), 0);
  const unknowable = sumOf((ledger) => ledger.unknowable);
  const line = String(sumOf((ledger) => ledger.bookedAfterFailing));
  return unknowable === 0
    ? line
    : `${line}, ${unknowable} of them without any event, which no client can know`;
}

/** The sum, and its parts. */
function total(counts: Counts): string {
  const sum = Object.values(counts).reduce((so, count) => so + count, 0);
  const sorted = Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? `${sum}` : `${sum} (${listed(Object.fromEntries(sorted))})`;
}

const listed = (counts: Counts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const webhooksLine = ({ events, ...became }: DeliveryCounts): string =>
  `${events} events (${listed(became)})`;

/** How many of the marketplace's endpoints were called at all; the run proves nothing about the others. */
function endpointsLine({ requests }: Pick<ChaosOutcome, 'requests'>): string {
  const unasked = operations.filter((operation) => requests[operation] === undefined);
  const others = unasked.length === 0 ? '' : `; never called: ${unasked.join(', ')}`;
  return `${operations.length - unasked.length} of ${operations.length}${others}`;
}

const countBooked = (cases: readonly OrderCase[]): number =>
  cases.filter(({ ledger }) => ledger.mostLiveBookings > 0).length;

function verdictLines(name: string, findings: readonly Finding[]): string[] {
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
  const fates = countBy(cases, fateOf);
  const report = {
    ...{ orders: cases.length, booked: countBooked(cases) },
    ...Object.fromEntries(Object.keys(FATES).map((fate) => [fate, fates[fate] ?? 0])),
    ...{ ...counts, seconds: Math.round(seconds), verdict: judge(outcome) },
  };
  return JSON.stringify(report, null, 1);
}

/** The history of every order that the verdict names, as JSON; null when it names none. */
export function renderFindings(outcome: ChaosOutcome): string | null {
  const { stories } = outcome;
  const found = Object.values(judge(outcome)).flat();
  if (found.length === 0) return null;
  return JSON.stringify(
    found.map((finding) => ({ ...finding, ...stories.get(finding.orderId) })),
    null,
    1,
  );
}

/** The history of every order by its id, as JSON. */
export const renderStories = ({ stories }: ChaosOutcome): string =>
  JSON.stringify(Object.fromEntries(stories), null, 1);

export const isGood = (outcome: ChaosOutcome): boolean => isSpotless(judge(outcome));
