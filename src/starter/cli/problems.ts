import pc from 'picocolors';
import { commandLines } from '../../domain/command-lines';
import type { Problem } from '../../orders/parse-order';

interface Checked {
  readonly file: string;
  readonly ok: boolean;
  readonly problems?: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly corrections?: readonly Problem[];
}

const block = (mark: string, { path, problem, remedy }: Problem): string =>
  `  ${mark} ${pc.bold(path)}\n      ${problem}\n      ${pc.dim('→')} ${remedy}`;

/** Names the command where it can make the correction. */
const withFixMark = (file: string, problem: Problem): Problem =>
  problem.fix === undefined
    ? problem
    : { ...problem, remedy: `${problem.remedy} (or run \`${commandLines.fix(file)}\`)` };

/** What a correction did, in the words of the document. */
function doneBy({ fix }: Problem): string {
  if (fix === undefined) return 'nothing';
  if ('value' in fix) return `set to ${JSON.stringify(fix.value)}`;
  if ('asText' in fix) return 'written as text, in quotes';
  return 'renameTo' in fix ? `renamed to ${fix.renameTo}` : 'removed';
}

const counted = (list: readonly unknown[], word: string): string =>
  `${list.length} ${word}${list.length === 1 ? '' : 's'}`;

/** Every problem and warning of one order: where, what is wrong, what would be right, and what was corrected. */
export function renderProblems({ file, ok, problems = [], warnings, corrections = [] }: Checked): string {
  const verdict = [
    ok ? pc.green('valid') : pc.red(counted(problems, 'problem')),
    ...(warnings.length === 0 ? [] : [counted(warnings, 'warning')]),
    ...(corrections.length === 0 ? [] : [counted(corrections, 'correction')]),
  ];
  return [
    `${file}: ${verdict.join(', ')}`,
    ...corrections.map((done) => block(pc.green('✓'), { ...done, remedy: doneBy(done) })),
    ...problems.map((problem) => block(pc.red('✗'), withFixMark(file, problem))),
    ...warnings.map((warning) => block(pc.yellow('!'), withFixMark(file, warning))),
  ].join('\n');
}

/** The last line of a report on many orders. */
export function renderCount(valid: number, invalid: number): string {
  return `${valid} valid, ${invalid} invalid`;
}
