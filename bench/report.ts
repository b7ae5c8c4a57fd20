import type { Machine } from './machine';
import { verdictOf, type Goal, type Measurement, type SectionReport } from './measurement';
import { median } from './statistics';
import { table } from '../src/starter/cli/table';

export interface Report {
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly sections: readonly SectionReport[];
}

/** The report as a person reads it. */
export function renderReport({ startedAt, tookSeconds, isQuick, machine, sections }: Report): string {
  return [
    `Consign benchmarks, ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${isQuick ? 'quick' : 'full'} run of ${tookSeconds} s`,
    `Machine: ${machine.description}`,
    ...sections.map(renderSection),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  'Value: median of n samples. Spread: minimum and maximum.',
  '* Ratio of two values from the same round of this run. Compare ratios across machines, not times.',
  'A missed goal does not fail the run.',
].join('\n');

function renderSection({ name, title, how, measurements }: SectionReport): string {
  const rows = measurements.map(renderMeasurement);
  return [`${name}: ${title}`, ...how.map((line) => `  ${line}`), '', table(HEAD, rows)].join('\n');
}

const HEAD = ['', 'value', 'spread', 'n', 'goal', ''];

function renderMeasurement(measurement: Measurement): string[] {
  const { what, unit, samples, isRatio = false, goal } = measurement;
  const spread =
    samples.length > 1 ? `${number(Math.min(...samples))} to ${number(Math.max(...samples))}` : '';
  return [
    `${what}${isRatio ? ' *' : ''}`,
    `${number(median(samples))}${unit === '' ? '' : ` ${unit}`}`,
    ...[spread, String(samples.length)],
    ...[goal === undefined ? '' : renderGoal(goal), verdictOf(measurement) ?? ''],
  ];
}

const renderGoal = ({ comparison, value }: Goal): string =>
  `${comparison === 'atMost' ? 'at most' : 'at least'} ${number(value)}`;

/** Three digits that count: more would be noise. */
function number(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

/** The report as a program reads it: every number, with what is derived from them. */
export function reportForPrograms(report: Report): object {
  const sections = report.sections.map(({ measurements, ...section }) => ({
    ...section,
    measurements: measurements.map((measurement) => ({
      ...{ isRatio: false, goal: null, verdict: verdictOf(measurement) },
      median: median(measurement.samples),
      ...measurement,
    })),
  }));
  return { ...report, sections };
}
