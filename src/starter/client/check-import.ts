import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Accounts } from '../../accounts';
import {
  readOrderRows,
  type OrderRow,
  type OrderRows,
  type PlacedProblem,
  type RowOptions,
} from '../../orders/order-rows';
import type { Problem } from '../../orders/problem';
import { InvalidImportError } from './errors';
import { readOrder, readText, type GoodOrder } from './order-files';

/** Where many orders come from. */
export type ImportSource =
  /** CSV or JSON lines. Paths of images are relative to the current folder. */
  | { readonly text: string }
  /** The path of a CSV file or of a file with JSON lines; `-` is standard input. */
  | { readonly file: string };

/** How far an import is. */
export interface ImportProgress {
  readonly step: 'checked' | 'prepared' | 'started';
  readonly done: number;
  readonly total: number;
}

/** How a file with many orders is read. */
export interface CheckOptions extends RowOptions {
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** An order that has no problem. Nothing was started. */
export interface ValidRow {
  readonly kind: 'valid';
  readonly line: number;
  /** As the row names it; null when it names none. */
  readonly account: string | null;
  readonly orderId: string | null;
  readonly warnings: readonly PlacedProblem[];
}

/** An order that cannot be started, with every problem. */
export interface InvalidRow extends Omit<ValidRow, 'kind'> {
  readonly kind: 'invalid';
  readonly problems: readonly PlacedProblem[];
}

/** A row that was checked: what callers see of it, and what a start needs. */
export type CheckedRow =
  | { readonly shown: ValidRow; readonly row: OrderRow; readonly read: GoodOrder }
  | { readonly shown: InvalidRow; readonly row: OrderRow; readonly read: null };

export interface CheckedFile {
  readonly file: string;
  readonly table: OrderRows;
  readonly rows: readonly CheckedRow[];
}

/** All rows and their orders are in memory until the last order has started. */
const LIMIT = { bytes: 64 * 1024 * 1024, remedy: 'split it, and import one part after the other' };

/** Other work of the process gets a turn after this many rows. */
const ROWS_A_TURN = 50;

/**
 * Checks a file with many orders against the accounts, without Temporal and without the marketplace: each row in turn,
 * with every problem. Images are not read. It needs the time of `validate` for each row.
 * @throws InvalidImportError when it cannot be read as rows
 */
export async function* validateImport(
  source: ImportSource,
  accounts: Accounts,
  options: CheckOptions = {},
): AsyncGenerator<ValidRow | InvalidRow, void, void> {
  const { rows } = await checkFile(source, accounts, options);
  for (const { shown } of rows) yield shown;
}

/** @throws InvalidImportError */
export async function checkFile(
  source: ImportSource,
  accounts: Accounts,
  { onProgress, ...options }: CheckOptions,
): Promise<CheckedFile> {
  const file = 'file' in source ? source.file : '-';
  const content =
    'text' in source ? { ok: true as const, text: source.text } : await readText(source.file, LIMIT);
  if (!content.ok) throw new InvalidImportError(file, content.problems.map(ofFile));
  const table = readOrderRows(content.text, options);
  if ('problems' in table) throw new InvalidImportError(file, table.problems);
  const others = sameOrders(table.rows);
  const now = new Date();
  const rows: CheckedRow[] = [];
  for (const row of table.rows) {
    rows.push(checkRow(row, { file, accounts, now, others: others.get(row) ?? [] }));
    if (rows.length % ROWS_A_TURN === 0) await nextTurn();
    onProgress?.({ step: 'checked', done: rows.length, total: table.rows.length });
  }
  return { file, table, rows };
}

const ofFile = ({ problem, remedy }: Problem): PlacedProblem => ({
  ...{ line: 1, column: null, name: '', problem, remedy },
});

const nameIn = (document: unknown, key: 'account' | 'orderId'): string | null => {
  const value = typeof document === 'object' && document !== null ? Reflect.get(document, key) : null;
  return typeof value === 'string' ? value.trim() : null;
};

/** For each row the lines of the other rows with its order. */
function sameOrders(rows: readonly OrderRow[]): Map<OrderRow, readonly number[]> {
  const byOrder = new Map<string, OrderRow[]>();
  for (const row of rows) {
    const orderId = nameIn(row.document, 'orderId');
    if (orderId === null) continue;
    const key = `${nameIn(row.document, 'account')}/${orderId}`;
    const same = byOrder.get(key);
    if (same === undefined) byOrder.set(key, [row]);
    else same.push(row);
  }
  const shared = [...byOrder.values()].filter(({ length }) => length > 1);
  return new Map(
    shared.flatMap((same) =>
      same.map((row) => [row, same.filter((other) => other !== row).map(({ line }) => line)] as const),
    ),
  );
}

interface RowContext {
  readonly file: string;
  readonly accounts: Accounts;
  readonly now: Date;
  /** Lines of other rows with the same order. */
  readonly others: readonly number[];
}

function checkRow(row: OrderRow, { file, accounts, now, others }: RowContext): CheckedRow {
  const { line, document } = row;
  const read = row.document === null ? null : readOrder(document, accounts, now);
  const malformed = new Set(row.problems.map(({ path }) => path));
  const found: readonly Problem[] = [
    ...row.problems,
    ...(read === null || read.ok ? [] : read.problems.filter(({ path }) => !malformed.has(path))),
    ...(others.length === 0 ? [] : [duplicate(others)]),
  ];
  const seen = {
    ...{ line, account: nameIn(document, 'account'), orderId: nameIn(document, 'orderId') },
    warnings: (read?.warnings ?? []).map(row.placed),
  };
  if (read?.ok === true && found.length === 0)
    return { shown: { kind: 'valid', ...seen }, row, read: { ...read, file } };
  return { shown: { kind: 'invalid', ...seen, problems: found.map(row.placed) }, row, read: null };
}

function duplicate(lines: readonly number[]): Problem {
  const where = lines.length === 1 ? `line ${lines[0]} has` : `lines ${lines.join(', ')} have`;
  return {
    path: '$.orderId',
    problem: `${where} the same order id`,
    remedy: 'give each order its own order id, or remove all lines but one',
  };
}
