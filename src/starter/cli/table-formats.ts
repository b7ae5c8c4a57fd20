import type { Delimiter } from '../../orders/csv-text';
import type { ImportFormat } from '../../orders/order-rows';

/** Of files with many orders. Written here too, because the help loads no reader of orders. */
export const TABLE_FORMATS: readonly ImportFormat[] = ['csv', 'jsonl'];

/** What is between two cells of CSV, as an option names it. */
export const DELIMITER_NAMES = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
} as const satisfies Readonly<Record<string, Delimiter>>;
