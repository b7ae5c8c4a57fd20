import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnsOf, readColumn } from '../../../src/orders/columns';
import { csvLine, findDelimiter, readCsv, safeCsvLine, type Delimiter } from '../../../src/orders/csv-text';
import { readOrderRows, type OrderRow, type PlacedProblem } from '../../../src/orders/order-rows';
import { readDocument } from '../../../src/orders/read-document';
import { rowOfDocument } from '../../../src/orders/row-document';
import { fuzzing } from '../../support/fuzzing';
import { furnitureOrder, ltlOrder } from './arbitrary-orders';
import { example, EXAMPLES, read, SOFA, TILES } from './documents';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** A document as files have it: what a person may write as a number is a text. */
function documentOf(order: unknown): unknown {
  const document = readDocument(JSON.stringify(order));
  if (!document.ok) throw new Error(JSON.stringify(document.problems));
  return document.value;
}

/** CSV with these documents, whose columns are those of all of them. */
function csvOf(documents: readonly unknown[], delimiter: Delimiter = ',', lineBreak = '\n'): string {
  const rows = documents.map(rowOfDocument);
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ''))];
  return lines.map((cells) => `${csvLine(cells, delimiter).slice(0, -1)}${lineBreak}`).join('');
}

function rowsIn(text: string, options: Parameters<typeof readOrderRows>[1] = {}): readonly OrderRow[] {
  const table = readOrderRows(text, options);
  if ('problems' in table) throw new Error(JSON.stringify(table.problems));
  return table.rows;
}

function problemsOf(
  text: string,
  options: Parameters<typeof readOrderRows>[1] = {},
): readonly PlacedProblem[] {
  const table = readOrderRows(text, options);
  return 'problems' in table ? table.problems : [];
}

const placedIn = (row: OrderRow | undefined): readonly PlacedProblem[] =>
  (row?.problems ?? []).map((problem) => row?.placed(problem)).filter((placed) => placed !== undefined);

test.each([
  ['LTL', ltlOrder],
  ['furniture', furnitureOrder],
])('any %s order made into a row and back is the same document', (_kind, order) => {
  fc.assert(
    fc.property(
      fc.array(order as fc.Arbitrary<unknown>, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...DELIMITERS),
      fc.constantFrom('\n', '\r\n', '\r'),
      (orders, delimiter, lineBreak) => {
        const documents = orders.map(documentOf);
        const rows = rowsIn(csvOf(documents, delimiter, lineBreak), { delimiter });
        expect(rows.map(({ document }) => document)).toEqual(documents);
        expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
      },
    ),
    fuzzing(25),
  );
});

test.each([
  'furniture-sofa.json',
  'furniture-dining-set.json',
  'furniture-piano.yaml',
  'ltl-machine-parts.json',
  'ltl-wine.json',
])('the example %s is the same order as a row and as a line of JSON', (name) => {
  const document = example(name);
  for (const text of [csvOf([document]), `${JSON.stringify(document)}\n`]) {
    const [row] = rowsIn(text);
    expect(row?.document).toEqual(document);
    expect(read(row?.document).ok).toBe(true);
  }
});

test('the orders of examples/orders.csv are valid', () => {
  const rows = rowsIn(readFileSync(path.join(EXAMPLES, 'orders.csv'), 'utf8'));
  expect(rows.map(({ line, document }) => [line, read(document).ok])).toEqual([
    [2, true],
    [3, true],
    [4, true],
  ]);
});

test.each([
  ['items.1.title', { keys: ['items', 0, 'title'], form: 'text' }],
  ['items.12.size.length', { keys: ['items', 11, 'size', 'length'], form: 'number' }],
  ['items.2.quantity', { keys: ['items', 1, 'quantity'], form: 'number' }],
  ['destination.services.liftgate', { keys: ['destination', 'services', 'liftgate'], form: 'boolean' }],
  ['destination.address.postalCode', { keys: ['destination', 'address', 'postalCode'], form: 'text' }],
  ['priceLimit.amount', { keys: ['priceLimit', 'amount'], form: 'text' }],
  ['pickup.between.2', { keys: ['pickup', 'between', 1], form: 'text' }],
  ['references.PurchaseOrder', { keys: ['references', 'PurchaseOrder'], form: 'textOrList' }],
  ['references.Other.1.label', { keys: ['references', 'Other', 0, 'label'], form: 'text' }],
  ['labels.cost.centre', { keys: ['labels', 'cost.centre'], form: 'text' }],
  ['labels.1', { keys: ['labels', '1'], form: 'text' }],
  ['images', { keys: ['images'], form: 'nested' }],
  ['policy.rates.quiet', { keys: ['policy', 'rates', 'quiet'], form: 'text' }],
])('the column %s is a field of an order', (name, expected) => {
  expect(readColumn(name)).toEqual({ name, ...expected });
});

test.each([
  ['orderID', 'did you mean orderId?'],
  ['destination.address.zip', 'did you mean destination.address.postalCode?'],
  ['items.title', 'number the positions of a list from 1 on, as in items.1.title'],
  ['items.0.title', 'number the positions of a list from 1 on, as in items.1.title'],
  ['items.1.lenght', 'remove the column, or begin its name with # to keep notes in it; known fields here: '],
  ['references.PO', 'remove the column'],
  ['colour', 'remove the column, or begin its name with #'],
  ['orderId.2', 'remove the column, or begin its name with # to keep notes in it'],
  ['__proto__', 'remove the column'],
])('the column %s is no field, and the remedy says: %s', (name, remedy) => {
  const found = readColumn(name);
  expect(found).toMatchObject({ problem: 'no order has such a field' });
  expect('remedy' in found && found.remedy).toContain(remedy);
});

test('a template has each field of its kind once, and none of the other kind', () => {
  const [furniture, ltl] = [columnsOf('furniture'), columnsOf('ltl')];
  for (const columns of [furniture, ltl]) {
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.filter((name) => !('keys' in readColumn(name)))).toEqual([]);
    expect(columns).toEqual(expect.arrayContaining(['kind', 'orderId', 'pickup.on', 'items.1.size.length']));
  }
  expect(furniture).toEqual(expect.arrayContaining(['pickup.between.2', 'images.1', 'driverNotes']));
  expect(furniture.filter((name) => /handlingUnit|rateRule|^services/.test(name))).toEqual([]);
  expect(ltl).toEqual(expect.arrayContaining(['items.1.handlingUnit', 'services.1', 'rateRule.prefer']));
  expect(ltl.filter((name) => /between|images|driverNotes|^delivery/.test(name))).toEqual([]);
});

test.each([
  ['kind,account,orderId\n', ','],
  ['kind;account;orderId;labels.a,b\n1,1,1,1,1,1\n', ';'],
  ['\n kind\taccount\torderId\n', '\t'],
  ['"labels.a;b;c;d",kind\n', ','],
  ['kind\n', ','],
] as const)('the delimiter of %j is found', (text, delimiter) => {
  expect(findDelimiter(text)).toBe(delimiter);
});

test.each([
  ['a,b\n\n\n"x\ny",2\n3,4\n"p\r\nq\nr","s\nt"\n5,6', [1, 4, 6, 7, 11]],
  ['a,b\r\n1,2\r\n\r\n3,4', [1, 2, 4]],
  ['a,b\r"é\r\né",2\r3,4', [1, 2, 4]],
])('the records of %j begin on the lines %j', (text, lines) => {
  expect(readCsv(text, ',').records.map(({ line }) => line)).toEqual(lines);
});

test.each([
  ['a,b\n1,2\n\n"x,4\n5,6\n', 4, 'never closed'],
  ['a,b\n1,84" sofa\n', 2, 'without quotation marks around it contains one'],
  ['a,b\n"x\ny",1\n"x"y,2\n', 4, 'goes on after its closing quotation mark'],
  [`a,b\n"${'x'.repeat(600_000)}",2\n`, 2, 'never closed'],
])('broken quotation marks are found on their line', (text, line, problem) => {
  const { broken } = readCsv(text, ',');
  expect(broken).toMatchObject({ line, problem: expect.stringContaining(problem) });
});

const HEADER = 'kind,account,orderId,items.1.quantity,items.2.title,origin.services.liftgate,priceLimit';

test('a cell of the wrong form names line, column, field and what would be right', () => {
  const [first, second] = rowsIn(
    `#note,${HEADER}\n"a\nb",ltl,acme,A-1,"1,5",,maybe,\n,ltl,acme,A-2,2,,TRUE,\n`,
  );
  expect(placedIn(first)).toEqual([
    {
      ...{ line: 2, column: 5, name: 'items.1.quantity', problem: '"1,5" is not a number' },
      remedy: 'write it with a decimal point and no other signs, as in 84.5',
    },
    {
      ...{
        line: 2,
        column: 7,
        name: 'origin.services.liftgate',
        problem: '"maybe" is neither true nor false',
      },
      remedy: 'write true or false, or leave the cell empty',
    },
  ]);
  expect(second).toMatchObject({ line: 4, problems: [] });
  expect(second?.document).toMatchObject({
    items: [{ quantity: 2 }],
    origin: { services: { liftgate: true } },
  });
});

test.each([
  [
    'ltl,acme,A-1,,Chair,,',
    { column: 5, name: 'items.2.title', problem: 'has a value, but items.1 is empty' },
  ],
  ['ltl,acme,A-1,1,,', { column: null, name: '', problem: 'has 6 cells, and the header has 7' }],
  ['ltl,acme,A-1,1,,,,,', { column: null, problem: 'has 9 cells, and the header has 7' }],
  [
    'ltl,acme,A-1,,,,"{amount: 5"',
    { column: 7, name: 'priceLimit', problem: expect.stringContaining('neither JSON nor YAML') },
  ],
])('the row %j says what is wrong with it', (row, found) => {
  expect(placedIn(rowsIn(`${HEADER}\n${row}\n`)[0])).toEqual([
    expect.objectContaining({ line: 2, ...found }),
  ]);
});

test('two columns for one field are refused where both are filled, in any order', () => {
  const header = 'orderId,priceLimit,priceLimit.amount';
  for (const columns of [header, 'orderId,priceLimit.amount,priceLimit']) {
    const [row] = rowsIn(`${columns}\nA-1,5,6\n`);
    expect(row?.document).toBeNull();
    expect(placedIn(row)).toMatchObject([{ column: 3, remedy: 'empty one of the two cells' }]);
  }
  const [good] = rowsIn(`${header}\nA-1,"{amount: 650.00, currency: USD}",\n`);
  expect(good?.document).toEqual({ orderId: 'A-1', priceLimit: { amount: '650.00', currency: 'USD' } });
});

test.each([
  [
    'orderId,colour,orderId\nA,b,c\n',
    [
      ['colour', 2],
      ['orderId', 3],
    ],
  ],
  [
    'orderID;items.title\nA;b\n',
    [
      ['orderID', 1],
      ['items.title', 2],
    ],
  ],
  [
    '\uFEFFa\tb\n',
    [
      ['a', 1],
      ['b', 2],
    ],
  ],
] as const)('every wrong name of the header %j is named at once', (text, names) => {
  expect(problemsOf(text).map(({ name, column, line }) => [name, column, line])).toEqual(
    names.map(([name, column]) => [name, column, 1]),
  );
});

test('empty rows, as spreadsheets leave them, and empty columns without a name are left out', () => {
  const rows = rowsIn('orderId,account,\nA,acme,\n,,\n \n"",""," "\nB,acme,\n');
  expect(rows.map(({ line, document }) => [line, document])).toEqual([
    [2, { orderId: 'A', account: 'acme' }],
    [6, { orderId: 'B', account: 'acme' }],
  ]);
  expect(placedIn(rowsIn('orderId,\nA,x\n')[0])).toMatchObject([
    { line: 2, column: null, problem: 'has a value in column 2, which has no name' },
  ]);
});

test.each([
  ['', 'the file is empty'],
  [' \n\n', 'the file is empty'],
  [`${HEADER}\n`, 'the file has a header, and no order'],
  ['[{"kind":"ltl"}]', 'is a JSON list'],
])('the file %j is refused: %s', (text, problem) => {
  expect(problemsOf(text)).toMatchObject([{ line: 1, problem }]);
});

test('JSON lines are read one by one; a broken one, and a blank one, stop no other', () => {
  const rows = rowsIn(
    '\n{"orderId":"A","priceLimit":{"amount":650.00}}\r\n\n{"orderId":\n"B"\n{"orderId":"C","orderId":"D"}\n',
  );
  expect(rows.map(({ line, document }) => [line, document])).toEqual([
    [2, { orderId: 'A', priceLimit: { amount: '650.00' } }],
    [4, null],
    [5, 'B'],
    [6, null],
  ]);
  expect(placedIn(rows[1])).toEqual([
    {
      ...{ line: 4, column: null, name: '', problem: 'is not JSON' },
      remedy: 'write one order in each line, as JSON without line breaks',
    },
  ]);
  expect(placedIn(rows[3])).toMatchObject([{ line: 6, name: '$.orderId' }]);
});

test.each(['csv', 'jsonl'] as const)(
  'rejected rows say why, and are the same rows when they are read again (%s)',
  (format) => {
    const documents = [example(SOFA), example(TILES)];
    const text =
      format === 'csv'
        ? csvOf(documents, ';', '\r\n')
        : documents.map((one) => JSON.stringify(one)).join('\n');
    let table = readOrderRows(text);
    for (let round = 0; round < 2; round += 1) {
      if ('problems' in table) throw new Error(JSON.stringify(table.problems));
      expect(table.rows.map(({ document }) => document)).toEqual(documents);
      const rejected = table.rows.map((row) =>
        row.rejected(['pickup.on: is past; give a day', 'a "second" one']),
      );
      const again = `${table.rejectedHeader}${rejected.join('')}`;
      expect(again.match(/#problems/g)).toHaveLength(format === 'csv' ? 1 : 2);
      expect(again).toContain('is past; give a day');
      table = readOrderRows(again);
    }
  },
);

test('a rejected row that is cut off stays wrong', () => {
  const [row] = rowsIn('kind,orderId,priceLimit.amount\nltl,A-1\n');
  expect(
    rowsIn(`#problems,kind,orderId,priceLimit.amount\n${row?.rejected(['cut'])}`)[0]?.document,
  ).toBeNull();
});

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"\n`],
  ['+1', "'+1\n"],
  ['-5.00', "'-5.00\n"],
  ['@SUM(A1)', "'@SUM(A1)\n"],
  ['\t=1', "'\t=1\n"],
  ['Two Rivers, Inc.', '"Two Rivers, Inc."\n'],
  ['5=5', '5=5\n'],
])('the value %j is safe in a spreadsheet', (value, line) => {
  expect(safeCsvLine([value])).toBe(line);
});
