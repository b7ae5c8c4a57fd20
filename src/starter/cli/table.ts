import pc from 'picocolors';
import { getBorderCharacters, table as drawTable } from 'table';

/** Used when the output is not a terminal, such as in a mail or a log. */
const USUAL_WIDTH = 80;
const GAP = 2;
/** A narrower column would break nearly every line of words. */
const LEAST_WIDTH = 20;

export const terminalWidth = (): number => process.stdout.columns ?? USUAL_WIDTH;

interface TableOptions {
  /** Wraps the first and the last column when the table would be wider. Without it, they are not wrapped. */
  readonly width?: number;
}

/** Columns as wide as their widest cell. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width }: TableOptions = {},
): string {
  const cells = [head.map((title) => pc.bold(title)), ...rows.map((row) => row.map(oneLine))];
  const drawn = drawTable(cells, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: GAP },
    columns: width === undefined ? [] : columnsWithin(width, [head, ...rows]),
    drawHorizontalLine: () => false,
  });
  return drawn
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Wraps the first column, which holds names, only when the last column would have too little room. */
function columnsWithin(width: number, rows: readonly (readonly string[])[]): object[] {
  const columns = rows[0]?.length ?? 0;
  const widest = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const between = Array.from({ length: columns - 2 }, (_, index) => widest(index + 1));
  const room = width - between.reduce((sum, cell) => sum + cell + GAP, 0) - GAP;
  const first = Math.max(1, Math.min(widest(0), room - Math.min(widest(columns - 1), LEAST_WIDTH)));
  const last = Math.max(1, Math.min(widest(columns - 1), room - first));
  return [{ width: first }, ...between.map((cell) => ({ width: cell })), { width: last, wrapWord: true }];
}

const ESCAPE = '\u001B';

/** The library refuses control characters, and a line break would start a new table row. Colours stay. */
const oneLine = (cell: string): string =>
  cell.replaceAll(/\p{Cc}/gu, (control) => (control === ESCAPE ? control : ' ')).trim();
