import pc from 'picocolors';
import type { Problem } from '../orders/parse-order';

interface Checked {
  readonly file: string;
  readonly ok: boolean;
  readonly problems?: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const block = (mark: string, { path, problem, remedy }: Problem): string =>
  `  ${mark} ${pc.bold(path)}\n      ${problem}\n      ${pc.dim('→')} ${remedy}`;

/** Every problem and warning of one order: where, what is wrong, what would be right. */
export function renderProblems({ file, ok, problems = [], warnings }: Checked): string {
  const verdict = ok
    ? pc.green('good')
    : pc.red(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  const also =
    warnings.length === 0 ? '' : `, ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`;
  return [
    `${file}: ${verdict}${also}`,
    ...problems.map((problem) => block(pc.red('✗'), problem)),
    ...warnings.map((warning) => block(pc.yellow('!'), warning)),
  ].join('\n');
}
