import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ShipmentKind } from '../../../domain/shipment';
import { columnsOf } from '../../../orders/columns';
import { csvLine } from '../../../orders/csv-text';
import type { ImportFormat } from '../../../orders/order-rows';
import { rowOfDocument } from '../../../orders/row-document';
import { errorCode } from '../../../platform/error-code';
import { EXIT_CODES, ExitCode } from '../../../platform/exit-code';
import { PRIVATE_FILE } from '../../../platform/private-files';
import { UserError } from '../../../platform/user-error';
import { validateImport, type CheckOptions } from '../../client/check-import';
import { InvalidImportError } from '../../client/errors';
import type { ImportOptions as ClientOptions, RowOutcome } from '../../client/import-orders';
import type { CliContext } from '../context';
import { exampleDocument } from '../sample-orders';
import { problemLines, progressLine, renderOutcome, summaryLine } from '../show-import';
import { DELIMITER_NAMES } from '../table-formats';

export interface ImportOptions {
  readonly template?: ShipmentKind;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly rejected?: string;
  readonly parallel: number;
  readonly delimiter?: keyof typeof DELIMITER_NAMES;
  readonly format?: ImportFormat;
  readonly json?: boolean;
}

type ImportRejects = NonNullable<ClientOptions['rejectTo']>;

/** `consign import --template`. */
export async function printTemplate(
  context: Pick<CliContext, 'accounts' | 'printContent'>,
  kind: ShipmentKind,
  { json, delimiter = 'comma' }: Pick<ImportOptions, 'json' | 'delimiter'>,
): Promise<void> {
  const document = exampleDocument(await context.accounts(), kind, new Date());
  if (json === true) {
    context.printContent(JSON.stringify(document));
    return;
  }
  const row = rowOfDocument(document);
  const columns = [...new Set([...columnsOf(kind), ...row.keys()])];
  const lines = [columns, columns.map((name) => row.get(name) ?? '')];
  const text = lines.map((cells) => csvLine(cells, DELIMITER_NAMES[delimiter])).join('');
  context.printContent(text.replace(/\n$/, ''));
}

/** `consign import`. */
export async function importFile(context: CliContext, file: string, options: ImportOptions): Promise<void> {
  const report = new Report(context, file, options);
  try {
    if (options.dryRun === true) await checkRows(context, file, options, report);
    else await startRows(context, file, options, report);
    report.end();
  } catch (error) {
    if (!(error instanceof InvalidImportError)) throw error;
    context.warn(problemLines(file, error.problems).join('\n'));
    context.warn('No orders were started: the file cannot be read.');
    process.exitCode = EXIT_CODES[error.kind];
  } finally {
    context.progress(null);
  }
}

/** Prints what became of the rows, counts them, and keeps the exit code of the worst. */
class Report {
  readonly #counts = new Map<RowOutcome['kind'], number>();
  #code: ExitCode = ExitCode.Ok;

  constructor(
    private readonly context: CliContext,
    private readonly file: string,
    private readonly options: ImportOptions,
  ) {}

  add(outcome: RowOutcome): void {
    const { kind } = outcome;
    const { context, file } = this;
    const { json, dryRun } = this.options;
    this.#counts.set(kind, this.#of(kind) + 1);
    if (kind === 'conflict') this.#code = ExitCode.Conflict;
    else if ((kind === 'invalid' || kind === 'refused') && this.#code === ExitCode.Ok)
      this.#code = ExitCode.Invalid;
    if (json === true) {
      context.print(JSON.stringify({ file, ...outcome }));
      return;
    }
    const text = renderOutcome(file, outcome, dryRun === true);
    if (text === '') return;
    if (dryRun === true) context.print(text);
    else context.warn(text);
  }

  /** After the last row, or after the last one before a failure. */
  end(): void {
    const { context } = this;
    const { json, dryRun, skipInvalid } = this.options;
    if (this.#counts.size === 0) return;
    const summary = summaryLine(this.#counts);
    if (json === true) context.warn(summary);
    else context.print(summary);
    if (this.#of('invalid') > 0 && dryRun !== true && skipInvalid !== true)
      context.warn('No orders were started. Correct the rows, or start the others with --skip-invalid.');
    if (this.#code !== ExitCode.Ok) process.exitCode = this.#code;
  }

  /** Whether an order was started, or tried. */
  hasBegun(): boolean {
    return [...this.#counts.keys()].some((kind) => kind !== 'valid' && kind !== 'invalid');
  }

  #of(kind: RowOutcome['kind']): number {
    return this.#counts.get(kind) ?? 0;
  }
}

const readingOf = (context: CliContext, { format, delimiter }: ImportOptions): CheckOptions => ({
  format,
  delimiter: delimiter === undefined ? undefined : DELIMITER_NAMES[delimiter],
  onProgress: (progress) => context.progress(progressLine(progress)),
});

async function checkRows(
  context: CliContext,
  file: string,
  options: ImportOptions,
  report: Report,
): Promise<void> {
  const rows = validateImport({ file }, await context.accounts(), readingOf(context, options));
  for await (const row of rows) report.add(row);
}

async function startRows(
  context: CliContext,
  file: string,
  options: ImportOptions,
  report: Report,
): Promise<void> {
  const { parallel, skipInvalid } = options;
  const accounts = await context.accounts();
  const files = await context.files();
  const maxImageBytes = await context.maxImageBytes();
  const reject: ImportRejects = async (text, format) => {
    const target = options.rejected ?? rejectedFile(file, format);
    await writeRejected(target, text);
    context.warn(`The invalid rows are in ${target}. Correct them there, then import that file.`);
  };
  const rejectTo = skipInvalid === true ? reject : undefined;
  await context.withShipments(async (shipments) => {
    const how = { accounts, files, maxImageBytes, parallel, rejectTo, ...readingOf(context, options) };
    try {
      for await (const outcome of shipments.importOrders({ file }, how)) report.add(outcome);
    } catch (error) {
      if (error instanceof InvalidImportError) throw error;
      report.end();
      if (report.hasBegun())
        context.warn('The import stopped. Run the same command again: it starts only what is missing.');
      throw error;
    }
  });
}

/** Never replaces a file that a person may be correcting. */
async function writeRejected(target: string, text: string): Promise<void> {
  try {
    await writeFile(target, text, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw notWritten(target, error);
    if ((await readFile(target, 'utf8')) !== text)
      throw new UserError(`${target} exists with other rows. No orders were started.`, {
        hint: 'Import or remove it first, or name another file with --rejected.',
      });
  }
}

function notWritten(target: string, error: unknown): unknown {
  const code = errorCode(error);
  if (typeof code !== 'string') return error;
  return new UserError(`${target} cannot be written (${code}). No orders were started.`, {
    hint: 'Name another file with --rejected.',
    cause: error,
  });
}

/** `orders.rejected.csv` for `orders.csv`. */
function rejectedFile(file: string, format: ImportFormat): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.rejected.${format}`);
}
