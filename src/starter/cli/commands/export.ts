import { safeCsvLine } from '../../../orders/csv-text';
import type { ImportFormat } from '../../../orders/order-rows';
import { ExitCode } from '../../../platform/exit-code';
import type { ExportedShipment } from '../../client/export-shipments';
import type { CliContext } from '../context';

export interface ExportOptions {
  readonly from: string;
  readonly to: string;
  readonly account?: string;
  readonly format: ImportFormat;
  readonly json?: boolean;
}

/** The columns, in this order. */
const COLUMNS = [
  ...(['order', 'account', 'kind', 'phase', 'status', 'transitStatus', 'carrier', 'listing'] as const),
  ...(['billOfLading', 'proNumber', 'quotedAmount', 'quotedCurrency', 'acceptedAmount'] as const),
  ...(['acceptedCurrency', 'currentAmount', 'currentCurrency', 'created', 'booked', 'pickedUp'] as const),
  ...(['delivered', 'isComplete'] as const),
] satisfies readonly (keyof ExportedShipment)[];

const csvRow = (shipment: ExportedShipment): string =>
  safeCsvLine(COLUMNS.map((column) => String(shipment[column] ?? '')));

const withoutLineBreak = (line: string): string => line.slice(0, -1);

/** `consign export`. */
export async function exportOrders(
  context: Pick<CliContext, 'printContent' | 'warn' | 'withShipments'>,
  { from, to, account, format, json }: ExportOptions,
): Promise<void> {
  const isCsv = format === 'csv' && json !== true;
  let incomplete = 0;
  await context.withShipments(async (shipments) => {
    const exported = shipments.exportOrders({ from, to, account });
    let isFirst = true;
    for await (const shipment of exported) {
      if (isCsv && isFirst) context.printContent(COLUMNS.join(','));
      isFirst = false;
      context.printContent(isCsv ? withoutLineBreak(csvRow(shipment)) : JSON.stringify(shipment));
      if (!shipment.isComplete) incomplete += 1;
    }
    if (isCsv && isFirst) context.printContent(COLUMNS.join(','));
  });
  if (incomplete === 0) return;
  const orders = incomplete === 1 ? '1 order has' : `${incomplete} orders have`;
  context.warn(
    `No worker answered for all: ${orders} empty columns, such as carrier and prices. Start a worker, then run the command again.`,
  );
  process.exitCode = ExitCode.Unreachable;
}
