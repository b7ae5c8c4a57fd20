import type { Client } from '@temporalio/client';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import type { ImportFormat, PlacedProblem } from '../../orders/order-rows';
import {
  checkFile,
  type CheckedFile,
  type CheckedRow,
  type CheckOptions,
  type ImportProgress,
  type ImportSource,
  type InvalidRow,
  type ValidRow,
} from './check-import';
import { InvalidOrderError, TemporalRefusedError } from './errors';
import { inParallel } from './in-parallel';
import { OrderConflictError } from './order-conflict';
import { storeImages } from './order-images';
import type { OrderSetting } from './prepare-order';
import { explained } from './service-error';
import { startOrder, type StartableOrder, type StartedShipment } from './start-order';

/** How many orders are imported. */
export interface ImportOptions extends OrderSetting, CheckOptions {
  /**
   * Receives the invalid rows with their problems, as the text of a file that can be corrected and imported; then the
   * other rows start. Without it, nothing starts while a row is invalid.
   */
  readonly rejectTo?: ((text: string, format: ImportFormat) => Promise<void>) | undefined;
  /** How many orders are started at once; 8 by default. */
  readonly parallel?: number | undefined;
}

/** An order that runs now: it was started, started again, or the same document was started before. */
export interface StartedRow extends Omit<StartedShipment, 'outcome'> {
  readonly kind: StartedShipment['outcome'];
  readonly line: number;
  readonly account: string;
  readonly orderId: string;
}

/** An order that Temporal refuses. */
export interface RefusedRow extends Omit<StartedRow, 'kind' | 'runId'> {
  readonly kind: 'refused';
  readonly message: string;
}

/** An order id that belongs to another document, or that needs a statement of what was checked. */
export interface ConflictingRow extends Omit<RefusedRow, 'kind'> {
  readonly kind: 'conflict';
  readonly reason: OrderConflictError['reason'];
}

/** What became of one row. `valid`: nothing was started, because another row is invalid. */
export type RowOutcome = ValidRow | InvalidRow | StartedRow | ConflictingRow | RefusedRow;

const PARALLEL = 8;

/** Every row is checked, and its images are stored, before the first order starts. */
export async function* importOrders(
  client: Client,
  source: ImportSource,
  options: ImportOptions,
): AsyncGenerator<RowOutcome, void, void> {
  const { accounts, parallel = PARALLEL, rejectTo, onProgress } = options;
  const file = await checkFile(source, accounts, options);
  const rows = await prepareRows(file.rows, options);
  const invalid = rows.filter(({ order }) => order === null);
  const valid = rows.flatMap(({ order, ...row }) => (order === null ? [] : [{ ...row, order }]));
  for (const { shown } of invalid) yield shown;
  if (invalid.length > 0) {
    if (rejectTo === undefined) {
      for (const { shown } of valid) yield shown;
      return;
    }
    await rejectTo(rejectedText(file, invalid), file.table.format);
  }
  let done = 0;
  for await (const outcome of inParallel(valid, parallel, async (row) => await startRow(client, row))) {
    done += 1;
    onProgress?.({ step: 'started', done, total: valid.length });
    yield outcome;
  }
}

/** A row whose images are stored; `order` is null when it cannot be started. */
interface PreparedRow {
  readonly shown: ValidRow | InvalidRow;
  readonly row: CheckedRow['row'];
  readonly order: StartableOrder | null;
}

async function prepareRows(
  rows: readonly CheckedRow[],
  { files, maxImageBytes, imagesFrom, parallel = PARALLEL, onProgress }: ImportOptions,
): Promise<PreparedRow[]> {
  const withImages = rows.filter(({ read }) => read !== null && read.imageSources.length > 0).length;
  const report = (done: number): ImportProgress => ({ step: 'prepared', done, total: withImages });
  const prepared: PreparedRow[] = [];
  let done = 0;
  const prepare = async (checked: CheckedRow): Promise<PreparedRow> => {
    const { shown, row, read } = checked;
    if (read === null) return { shown, row, order: null };
    if (read.imageSources.length === 0) return { shown, row, order: read.order };
    try {
      return {
        shown,
        row,
        order: await storeImages(read, files, { maxBytes: maxImageBytes, from: imagesFrom }),
      };
    } catch (error) {
      if (!(error instanceof InvalidOrderError)) throw error;
      const problems = error.problems.map(row.placed);
      return { shown: { ...shown, kind: 'invalid', problems }, row, order: null };
    } finally {
      done += 1;
      onProgress?.(report(done));
    }
  };
  for await (const one of inParallel(rows, parallel, prepare)) prepared.push(one);
  return prepared;
}

function rejectedText({ table }: CheckedFile, rows: readonly PreparedRow[]): string {
  const lines = rows.map(({ shown, row }) =>
    row.rejected(shown.kind === 'invalid' ? shown.problems.map(rejectedBecause) : []),
  );
  return `${table.rejectedHeader}${lines.join('')}`;
}

const rejectedBecause = ({ name, problem, remedy }: PlacedProblem): string =>
  `${name === '' ? '' : `${name}: `}${problem}; ${remedy}`;

async function startRow(
  client: Client,
  { shown: { line }, order }: PreparedRow & { readonly order: StartableOrder },
): Promise<RowOutcome> {
  const { account, orderId } = order.shipment;
  const row = { line, account, orderId, workflowId: shipmentWorkflowId(account, orderId) };
  try {
    const { outcome, runId } = await explained(
      async () => await startOrder(client, order, { isImported: true }),
    );
    return { kind: outcome, ...row, runId };
  } catch (error) {
    if (error instanceof OrderConflictError)
      return { kind: 'conflict', ...row, reason: error.reason, message: error.message };
    if (error instanceof TemporalRefusedError) return { kind: 'refused', ...row, message: error.message };
    throw error;
  }
}
