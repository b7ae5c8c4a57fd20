import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createFolderStore } from '../../../src/platform/file-store';
import { progressLine } from '../../../src/starter/cli/show-import';
import { inParallel } from '../../../src/starter/client/in-parallel';
import { importOrders } from '../../../src/starter/client/import-orders';
import { EXAMPLES, exampleAccounts, MIXED, runImport, type Imported } from '../../support/import-command';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('consign-import-');
});

/** No test here may reach Temporal; those that start orders have a real server, in test/workflow. */
const NO_TEMPORAL = new Proxy({} as Client, {
  get: (_, name) => {
    throw new TypeError(`asks Temporal: ${String(name)}`);
  },
});

/** Runs an import that starts nothing. */
async function run(...args: readonly string[]): Promise<Imported> {
  const ran = await runImport(NO_TEMPORAL, folder, args);
  if (ran.error instanceof TypeError) throw ran.error;
  return ran;
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

test.each(['furniture', 'ltl'])(
  'the template of %s is valid as it is, in each format and delimiter',
  async (kind) => {
    for (const how of [[], ['--delimiter', 'semicolon'], ['--delimiter', 'tab'], ['--json']]) {
      const template = await run('--template', kind, ...how);
      expect({ code: template.code, err: template.err }).toEqual({ code: undefined, err: '' });
      const file = await fileOf('template.txt', `${template.out}\n`);
      const checked = await run(file, '--dry-run');
      expect({ out: checked.out, code: checked.code }).toEqual({ out: '1 row: 1 valid', code: undefined });
    }
    // A person who starts it as it is gets a question, and no truck.
    expect((await run('--template', kind)).out).toContain('1.00,USD');
  },
);

test('nothing starts while a row is wrong, and each problem names file, line, column and field', async () => {
  const file = await fileOf('orders.csv', MIXED.text);
  for (const args of [[file], [file, '--dry-run']]) {
    const { out, err, code } = await run(...args);
    expect(code).toBe(2);
    const said = (args.length === 1 ? err : out).split('\n');
    for (const begin of [
      `${file}:3:10 (items.1.quantity): "1,5" is not a number → write it`,
      `${file}:3:4 (pickup.on): `,
      `${file}:4:3 (orderId): is missing → give the id of the order in your own system`,
      `${file}:4:7 (items.1.commodity): `,
      `${file}:5:3 (orderId): line 6 has the same order id → give each order`,
      `${file}:6:3 (orderId): line 5 has the same order id → give each order`,
    ])
      expect(said.filter((text) => text.startsWith(begin))).toHaveLength(1);
    expect(out).toContain('5 rows: 1 valid, 4 invalid');
  }
  expect((await run(file)).err).toContain(
    'No orders were started. Correct the rows, or start the others with --skip-invalid.',
  );
});

test('an image that cannot be used is a problem of its row, before anything starts', async () => {
  const sofa = JSON.parse(await readFile(path.join(EXAMPLES, 'furniture-sofa.json'), 'utf8')) as object;
  const image = path.join(EXAMPLES, 'images', 'sofa.png');
  const orders = [{ images: [image] }, { orderId: 'S-2', images: [image, 'nowhere.png'] }];
  const file = await fileOf(
    'sofas.jsonl',
    orders.map((over) => `${JSON.stringify({ ...sofa, ...over })}\n`).join(''),
  );
  const { err, code } = await run(file);
  expect(code).toBe(2);
  expect(err).toContain(`${file}:2 ($.images[1]): nowhere.png cannot be read (ENOENT)`);
});

test.each(['sofa.png', '/etc/passwd', 'http://127.0.0.1:1/sofa.jpg'])(
  'an import that takes images from https only refuses %s, and reads nothing',
  async (image) => {
    const sofa = JSON.parse(await readFile(path.join(EXAMPLES, 'furniture-sofa.json'), 'utf8')) as object;
    const outcomes: unknown[] = [];
    const files = createFolderStore(path.join(folder, 'store'));
    const text = JSON.stringify({ ...sofa, images: [image] });
    const how = { accounts: exampleAccounts, files, imagesFrom: 'https' as const };
    for await (const outcome of importOrders(NO_TEMPORAL, { text }, how)) outcomes.push(outcome);
    expect(outcomes).toMatchObject([
      { kind: 'invalid', problems: [{ name: '$.images[0]', problem: 'is not an https URL' }] },
    ]);
  },
);

test('--json prints one object for each row, with its problems', async () => {
  const file = await fileOf('orders.csv', MIXED.text);
  const { out, err } = await run(file, '--json', '--dry-run');
  const rows = out.split('\n').map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(rows.map(({ line: at, kind, orderId }) => [at, kind, orderId])).toEqual([
    [2, 'valid', 'C-1'],
    [3, 'invalid', 'C-2'],
    [4, 'invalid', null],
    [5, 'invalid', 'C-4'],
    [6, 'invalid', 'C-4'],
  ]);
  expect(rows[1]).toMatchObject({ file, problems: [{ line: 3, column: 10, name: 'items.1.quantity' }, {}] });
  expect(err).toBe('5 rows: 1 valid, 4 invalid');
});

test.each([
  ['orderId,colour\nA,red\n', ':1:2 (colour): no order has such a field'],
  ['kind,orderId\nltl,84" sofa\n', ':2: a cell without quotation marks around it contains one'],
  [Buffer.from('kind\nMontr\xe9al\n', 'latin1'), ':1: is not UTF-8: line 2 looks like Latin-1'],
  ['', ':1: the file is empty'],
])('a file that cannot be read as rows is refused as a whole', async (content, begin) => {
  const file = path.join(folder, 'orders.csv');
  await writeFile(file, content);
  for (const args of [[file], [file, '--dry-run'], [file, '--skip-invalid']]) {
    const { err, code } = await run(...args);
    expect(err).toContain(`${file}${begin}`);
    expect(err).toContain('No orders were started: the file cannot be read.');
    expect(code).toBe(2);
  }
});

test('a file in UTF-16 with its mark, as Excel writes it, is read', async () => {
  const text = (await run('--template', 'ltl', '--delimiter', 'tab')).out;
  const file = path.join(folder, 'orders.txt');
  await writeFile(file, Buffer.from(`\uFEFF${text}\r\n`, 'utf16le'));
  expect(await run(file, '--dry-run')).toMatchObject({ out: '1 row: 1 valid', code: undefined });
});

test.each([
  [[], 'Give a file, or --template'],
  [['orders.csv', '--template', 'ltl'], 'Give a file, or --template'],
  [['orders.csv', '--dry-run', '--skip-invalid'], '--dry-run starts nothing'],
  [['orders.csv', '--rejected', 'x.csv'], '--rejected requires --skip-invalid'],
  [['-', '--skip-invalid'], 'name the file for corrections with --rejected'],
  [['orders.csv', '--parallel', '0'], 'give a whole number from 1 to 64'],
  [['orders.csv', '--delimiter', 'pipe'], 'Allowed choices are comma, semicolon, tab'],
  [['--template', 'sofa'], 'Allowed choices are furniture, ltl'],
])('wrong usage is refused: %j', async (args, says) => {
  expect((await run(...args)).err).toContain(says);
});

test.each([
  [0, 0, `${'█'.repeat(24)} 0 of 0 started`],
  [1, 3, `${'█'.repeat(8)}${'░'.repeat(16)} 1 of 3 started`],
  [3, 3, `${'█'.repeat(24)} 3 of 3 started`],
])('progress of %i of %i rows', (done, total, text) => {
  expect(progressLine({ step: 'started', done, total })).toBe(text);
});

test('work in parallel keeps its order; a failure begins no more, and gives what was under way', async () => {
  const begun: number[] = [];
  const work = async (number: number): Promise<number> => {
    begun.push(number);
    await new Promise((resolve) => setImmediate(resolve));
    if (number === 4) throw new Error('four');
    return number;
  };
  const got: number[] = [];
  const reading = (async () => {
    for await (const number of inParallel([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, work)) got.push(number);
  })();
  await expect(reading).rejects.toThrow('four');
  expect(got).toEqual([1, 2, 3, 5, 6]);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  const few: number[] = [];
  for await (const number of inParallel([1, 2, 3], 2, work)) {
    few.push(number);
    break;
  }
  expect(few).toEqual([1]);
});
