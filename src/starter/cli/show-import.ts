import pc from 'picocolors';
import type { PlacedProblem } from '../../orders/order-rows';
import type { ImportProgress } from '../client/check-import';
import type { RowOutcome } from '../client/import-orders';
import { printable } from './printable';

/** `orders.csv:12:7 (items.1.size.length)`, as editors open it. */
function placeOf(file: string, { line, column, name }: PlacedProblem): string {
  const place = column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
  return name === '' ? place : `${place} (${printable(name)})`;
}

const problemLine = (file: string, found: PlacedProblem, mark: string): string =>
  `${pc.bold(placeOf(file, found))}: ${mark}${printable(found.problem)} ${pc.dim('→')} ${printable(found.remedy)}`;

/** A line for each problem: where, what, and what would be right. */
export const problemLines = (file: string, problems: readonly PlacedProblem[]): string[] =>
  problems.map((found) => problemLine(file, found, ''));

/** What a person should see of a row; empty for an order that started, or that is valid. */
export function renderOutcome(file: string, outcome: RowOutcome, hasWarnings: boolean): string {
  switch (outcome.kind) {
    case 'invalid':
    case 'valid': {
      const problems = outcome.kind === 'invalid' ? problemLines(file, outcome.problems) : [];
      const warnings = hasWarnings ? outcome.warnings : [];
      return [...problems, ...warnings.map((found) => problemLine(file, found, pc.yellow('warning: ')))].join(
        '\n',
      );
    }
    case 'conflict':
    case 'refused':
      return `${pc.bold(`${file}:${outcome.line}`)}: ${outcome.message}`;
    default:
      return '';
  }
}

/** The outcomes in the order of the summary, with their words. */
const WORDS: readonly (readonly [RowOutcome['kind'], string])[] = [
  ['started', 'started'],
  ['restarted', 'started again'],
  ['already', 'already there'],
  ['valid', 'valid'],
  ['conflict', 'conflicting'],
  ['refused', 'refused'],
  ['invalid', 'invalid'],
];

/** `30 rows: 27 started, 1 already there, 2 invalid`. */
export function summaryLine(counts: ReadonlyMap<RowOutcome['kind'], number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = WORDS.flatMap(([kind, word]) => (counts.has(kind) ? [`${counts.get(kind)} ${word}`] : []));
  return `${total} ${total === 1 ? 'row' : 'rows'}: ${parts.join(', ')}`;
}

const BAR = 24;

/** One line for a terminal: a bar, and how many rows are done. */
export function progressLine({ step, done, total }: ImportProgress): string {
  const filled = total === 0 ? BAR : Math.round((BAR * done) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${total} ${step}`;
}
