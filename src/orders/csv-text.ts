import { CsvError, parse, type Options } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** What may stand between two cells. */
export const DELIMITERS = [',', ';', '\t'] as const;
/** What separates the cells of a row. */
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvRecord {
  /** Of its first character; lines count from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a text; when it breaks off, those before, and what is wrong there. */
export interface CsvReading {
  readonly records: readonly CsvRecord[];
  readonly broken: { readonly line: number; readonly problem: string; readonly remedy: string } | null;
}

/** Twice what an order may have: quotes, and the names that JSON repeats. */
const MAX_RECORD_BYTES = 512 * 1024;

/** Reads CSV in RFC 4180's form, with any of the three line breaks. A blank line is left out. */
export function readCsv(text: string, delimiter: Delimiter): CsvReading {
  const bytes = Buffer.from(text);
  const records: CsvRecord[] = [];
  const position = new Position(bytes);
  const options: Options = {
    ...{
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    },
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells, { bytes: end }) {
      records.push({ line: position.nextLine(), cells });
      position.moveTo(end);
      return null;
    },
  };
  try {
    parse(bytes, options);
    return { records, broken: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const [problem, remedy] = REASONS[error.code] ?? UNCLOSED;
    return { records, broken: { line: position.nextLine(), problem, remedy } };
  }
}

const UNCLOSED = [
  'a cell that begins with a quotation mark is never closed',
  'close it, and write a quotation mark inside of a cell twice',
] as const;
const DOUBLED = 'put the cell in quotation marks, and write each one inside of it twice, as in "84"" sofa"';
const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  INVALID_OPENING_QUOTE: ['a cell without quotation marks around it contains one', DOUBLED],
  CSV_INVALID_CLOSING_QUOTE: ['a cell goes on after its closing quotation mark', DOUBLED],
};

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Where the reading is. The parser's own count takes a line break of two characters in a cell for two. */
class Position {
  #at = 0;
  #line = 1;

  constructor(private readonly bytes: Buffer) {}

  moveTo(end: number): void {
    for (; this.#at < end; this.#at += 1) {
      const byte = this.bytes[this.#at];
      const isBreak =
        byte === LINE_FEED || (byte === CARRIAGE_RETURN && this.bytes[this.#at + 1] !== LINE_FEED);
      if (isBreak) this.#line += 1;
    }
  }

  /** The line of the next record, after blank lines. */
  nextLine(): number {
    let end = this.#at;
    while (this.bytes[end] === LINE_FEED || this.bytes[end] === CARRIAGE_RETURN) end += 1;
    this.moveTo(end);
    return this.#line;
  }
}

/** The delimiter of a text: the most frequent one of its first line, outside of quotation marks. */
export function findDelimiter(text: string): Delimiter {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, '');
  const countOf = (delimiter: Delimiter): number => bare.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** One line of CSV, with its line break. */
export const csvLine = (cells: readonly string[], delimiter: Delimiter = ','): string =>
  stringify([cells], { delimiter, quoted_match: /\r/ });

/** One line of CSV for a spreadsheet: an apostrophe before a text that it would take for a formula. */
export const safeCsvLine = (cells: readonly string[]): string =>
  stringify([cells], { quoted_match: /\r/, escape_formulas: true });
