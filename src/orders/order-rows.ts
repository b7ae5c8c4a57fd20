import { columnName, readColumn, type Column } from './columns';
import { csvLine, findDelimiter, readCsv, type CsvRecord, type Delimiter } from './csv-text';
import { isJson } from './is-json';
import { keysOf } from './json-path';
import type { Problem } from './problem';
import { readDocument } from './read-document';
import { documentOfRow } from './row-document';

/** The formats of a file with many orders. */
export type ImportFormat = 'csv' | 'jsonl';

/** One problem of a file with many orders: where it is, what is wrong, and what would be right. */
export interface PlacedProblem {
  /** Lines count from 1. */
  readonly line: number;
  /** Which cell of the line, from 1 on; null in JSON lines, and where the file has no such column. */
  readonly column: number | null;
  /** The name of the column, or in JSON lines the path; empty when it is about the whole line. */
  readonly name: string;
  readonly problem: string;
  readonly remedy: string;
}

/** One order of a file with many. */
export interface OrderRow {
  readonly line: number;
  /** Null when no document can be made of the row: then `problems` says why. */
  readonly document: unknown;
  /** What is wrong already before the document is checked. */
  readonly problems: readonly Problem[];
  /** Where a problem of the document is in the file. */
  readonly placed: (problem: Problem) => PlacedProblem;
  /** The row as a file for corrections has it, with its problems and its line break. */
  readonly rejected: (problems: readonly string[]) => string;
}

export interface OrderRows {
  readonly format: ImportFormat;
  readonly rows: readonly OrderRow[];
  /** The first line of a file for corrections; empty for JSON lines. */
  readonly rejectedHeader: string;
}

/** How a file is read; what is left out is found. */
export interface RowOptions {
  readonly format?: ImportFormat | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/** A file that is not read as rows, with every problem. */
interface UnreadableRows {
  readonly problems: readonly PlacedProblem[];
}

/**
 * What a file for corrections says about a row, before its cells: a row with a wrong number of cells stays wrong. A
 * column whose name begins with # is for people, and is not read.
 */
const PROBLEMS = '#problems';
const isNote = (name: string): boolean => name.startsWith('#');

/** A problem of a whole line. */
const lineProblem = (line: number, problem: string, remedy: string): PlacedProblem => ({
  ...{ line, column: null, name: '', problem, remedy },
});

/** Reads a text with many orders: CSV with a header, or JSON lines. Never throws. */
export function readOrderRows(given: string, options: RowOptions = {}): OrderRows | UnreadableRows {
  const text = given.replace(/^\uFEFF/, '');
  const begin = text.trimStart();
  if (begin === '') {
    const remedy = 'write a header and one order in each row, or one order as JSON in each line';
    return { problems: [lineProblem(1, 'the file is empty', remedy)] };
  }
  if (begin.startsWith('[') && options.format !== 'csv') {
    const remedy = 'write one order in each line, for example with jq -c .[]';
    return { problems: [lineProblem(1, 'is a JSON list', remedy)] };
  }
  const format = options.format ?? (begin.startsWith('{') ? 'jsonl' : 'csv');
  return format === 'csv' ? csvRows(text, options.delimiter ?? findDelimiter(text)) : jsonRows(text);
}

function jsonRows(text: string): OrderRows {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = lines.flatMap((content, index) =>
    content.trim() === '' ? [] : [jsonRow(content, index + 1)],
  );
  return { format: 'jsonl', rows, rejectedHeader: '' };
}

function jsonRow(text: string, line: number): OrderRow {
  const { document, problems } = readJsonLine(text);
  return {
    ...{ line, document, problems },
    placed: ({ path, problem, remedy }) => ({
      ...{ line, column: null, problem, remedy },
      name: path === '$' ? '' : path,
    }),
    rejected: (found) =>
      `${isObject(document) ? JSON.stringify({ [PROBLEMS]: found, ...document }) : text.trim()}\n`,
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJsonLine(text: string): Pick<OrderRow, 'document' | 'problems'> {
  if (!isJson(text)) {
    const remedy = 'write one order in each line, as JSON without line breaks';
    return { document: null, problems: [{ path: '$', problem: 'is not JSON', remedy }] };
  }
  const read = readDocument(text);
  if (!read.ok) return { document: null, problems: read.problems };
  if (!isObject(read.value)) return { document: read.value, problems: [] };
  const { [PROBLEMS]: _, ...document }: Record<string, unknown> = { ...read.value };
  return { document, problems: [] };
}

/** A column of the file; null when its cells are notes, or must be empty because it has no name. */
type FileColumn = { readonly name: string; readonly column: Column | null };

function csvRows(text: string, delimiter: Delimiter): OrderRows | UnreadableRows {
  const { records, broken } = readCsv(text, delimiter);
  const [header, ...rest] = records;
  const unreadable = broken === null ? [] : [lineProblem(broken.line, broken.problem, broken.remedy)];
  const { columns, problems } = readHeader(header ?? { line: 1, cells: [] });
  if (problems.length + unreadable.length > 0) return { problems: [...problems, ...unreadable] };
  // Spreadsheets keep empty rows, with their delimiters.
  const filled = rest.filter(({ cells }) => cells.some(isFilled));
  if (filled.length === 0) {
    const remedy = 'add one row for each order';
    return { problems: [lineProblem(1, 'the file has a header, and no order', remedy)] };
  }
  return {
    format: 'csv',
    rows: filled.map((record) => csvRow(record, columns, delimiter)),
    rejectedHeader: csvLine([PROBLEMS, ...withoutProblems(columns, header?.cells ?? [])], delimiter),
  };
}

/** The cells without the problems that an earlier import has written. */
const withoutProblems = (columns: readonly FileColumn[], cells: readonly string[]): string[] =>
  cells.filter((_, index) => columns[index]?.name !== PROBLEMS);

function readHeader({ line, cells }: CsvRecord): {
  readonly columns: readonly FileColumn[];
  readonly problems: readonly PlacedProblem[];
} {
  const columns: FileColumn[] = [];
  const problems: PlacedProblem[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim();
    const report = (problem: string, remedy: string): void =>
      void problems.push({ line, column: index + 1, name, problem, remedy });
    const before = columns.findIndex((other) => other.name === name);
    const read = name === '' || isNote(name) ? null : readColumn(name);
    columns.push({ name, column: read !== null && 'keys' in read ? read : null });
    if (read !== null && before >= 0)
      report(`column ${before + 1} has the same name`, 'remove one of the two');
    else if (read !== null && 'problem' in read) report(read.problem, read.remedy);
  }
  return { columns, problems };
}

function csvRow({ line, cells }: CsvRecord, columns: readonly FileColumn[], delimiter: Delimiter): OrderRow {
  const { document, problems } = readCells(cells, columns);
  return {
    ...{ line, document, problems },
    placed: (problem) => placedInRow(problem, line, { cells, columns }),
    rejected: (found) => csvLine([found.join('\n'), ...withoutProblems(columns, cells)], delimiter),
  };
}

const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell.trim() !== '';

function readCells(
  cells: readonly string[],
  columns: readonly FileColumn[],
): Pick<OrderRow, 'document' | 'problems'> {
  // A row that is cut off could lack its price limit.
  if (cells.length !== columns.length) {
    const problem = `has ${cells.length} cells, and the header has ${columns.length}`;
    const remedy =
      'give every row all cells, empty where a field is left out, and put a text with a delimiter in quotes';
    return { document: null, problems: [{ path: '$', problem, remedy }] };
  }
  const nameless = columns.findIndex(({ name }, index) => name === '' && isFilled(cells[index]));
  if (nameless >= 0) {
    const problem = `has a value in column ${nameless + 1}, which has no name`;
    return {
      document: null,
      problems: [{ path: '$', problem, remedy: 'name the column in the header, or empty it' }],
    };
  }
  return documentOfRow(
    columns.flatMap(({ column }, index) => {
      const text = cells[index] ?? '';
      return column === null || !isFilled(text) ? [] : [{ column, text }];
    }),
  );
}

interface Row {
  readonly cells: readonly string[];
  readonly columns: readonly FileColumn[];
}

/** The cell of the field; else a filled cell inside of it, or one that contains it. */
function placedInRow(
  { path, problem, remedy }: Problem,
  line: number,
  { cells, columns }: Row,
): PlacedProblem {
  const keys = keysOf(path);
  if (keys.length === 0) return lineProblem(line, problem, remedy);
  const begins = (whole: readonly unknown[], part: readonly unknown[]): boolean =>
    part.every((key, index) => whole[index] === key);
  const find = (matches: (column: Column) => boolean): number =>
    columns.findIndex(({ column }) => column !== null && matches(column));
  const findFilled = (matches: (column: Column) => boolean): number =>
    columns.findIndex(({ column }, index) => column !== null && isFilled(cells[index]) && matches(column));
  const [index = -1] = [
    find((column) => column.keys.length === keys.length && begins(column.keys, keys)),
    findFilled((column) => begins(column.keys, keys)),
    findFilled((column) => begins(keys, column.keys)),
  ].filter((found) => found >= 0);
  const column = columns[index];
  return {
    line,
    column: column === undefined ? null : index + 1,
    name: column?.name ?? columnName(keys),
    problem,
    remedy,
  };
}
