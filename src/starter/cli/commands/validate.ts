import path from 'node:path';
import { readConfig } from '../../../platform/config';
import { isJson } from '../../../orders/is-json';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { fixOrderFile, rewriteOrderFile, type FixedOrderFile } from '../fix-order-file';
import { validate as validateOrder } from '../../client/order-files';
import { orderFilesIn } from '../order-paths';
import { renderCount, renderProblems } from '../problems';

export interface ValidateOptions {
  readonly json?: boolean;
  readonly fix?: boolean;
  readonly write?: boolean;
}

type Validation = Pick<CliContext, 'accounts' | 'print' | 'printContent' | 'warn'>;

/** `consign validate`. */
export async function validate(
  context: Validation,
  paths: readonly string[],
  options: ValidateOptions,
): Promise<void> {
  const code = await validateOrders(context, paths, options);
  if (code !== ExitCode.Ok) process.exitCode = code;
}

/** @returns the exit code */
export async function validateOrders(
  context: Validation,
  paths: readonly string[],
  options: ValidateOptions,
): Promise<ExitCode> {
  const isFixing = options.fix === true;
  if (options.write === true && (!isFixing || paths.includes('-'))) {
    context.warn(isFixing ? '--write cannot rewrite standard input: omit it.' : '--write requires --fix.');
    return ExitCode.Invalid;
  }
  const accountsFile = path.resolve(readConfig().accountsFile);
  const { files, emptyFolders } = await orderFilesIn(paths, [accountsFile]);
  for (const folder of emptyFolders) {
    context.warn(`${folder}: this folder contains no .json, .yaml or .yml file`);
  }
  const verdicts = isFixing
    ? await fixEach(context, files, options)
    : await checkEach(context, files, options.json === true);
  const good = verdicts.filter(Boolean).length;
  const count = renderCount(good, verdicts.length - good);
  // Programs read standard output here: keep the count out of it.
  if (isFixing || options.json === true) context.warn(count);
  else context.print(count);
  return good === verdicts.length && emptyFolders.length === 0 ? ExitCode.Ok : ExitCode.Invalid;
}

/** @returns for each order whether it is valid */
async function checkEach(context: Validation, files: readonly string[], isJson: boolean): Promise<boolean[]> {
  const accounts = await context.accounts();
  const verdicts: boolean[] = [];
  for (const file of files) {
    const read = await validateOrder({ file }, accounts);
    const { ok, warnings } = read;
    const problems = read.ok ? [] : read.problems;
    context.print(isJson ? JSON.stringify({ file, ok, problems, warnings }) : renderProblems(read));
    verdicts.push(ok);
  }
  return verdicts;
}

/** @returns for each order whether it is valid after the corrections */
async function fixEach(
  context: Validation,
  files: readonly string[],
  options: ValidateOptions,
): Promise<boolean[]> {
  const accounts = await context.accounts();
  const verdicts: boolean[] = [];
  for (const file of files) {
    const read = await fixOrderFile(file, accounts);
    const fixed = options.write === true ? await rewritten(read) : read;
    if (options.json === true) {
      const { ok, document, corrections, problems, warnings } = fixed;
      context.print(JSON.stringify({ file, ok, document, corrections, problems, warnings }));
    } else {
      if (options.write !== true) printDocument(context, fixed, files.length);
      context.warn(renderProblems(fixed));
    }
    verdicts.push(fixed.ok);
  }
  return verdicts;
}

/** Rewrites a file only when its order is valid. */
async function rewritten(fixed: FixedOrderFile): Promise<FixedOrderFile> {
  if (!fixed.ok || !fixed.isChanged || fixed.text === null) return fixed;
  const why = await rewriteOrderFile(fixed.file, fixed.text);
  if (why === null) return fixed;
  const problem = { path: '$', problem: `cannot be rewritten: ${why}`, remedy: 'check its permissions' };
  return { ...fixed, ok: false, problems: [problem] };
}

function printDocument(context: Validation, { text }: FixedOrderFile, count: number): void {
  if (text === null) return;
  if (count > 1 && !isJson(text)) context.print('---');
  context.printContent(text.replace(/[\r\n]+$/, ''));
}
