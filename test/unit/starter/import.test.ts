import { readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { loadAccounts } from '../../../src/accounts';
import { createFolderStore } from '../../../src/platform/file-store';
import { TemporalUnreachableError } from '../../../src/temporal/client-connection';
import type { CliContext } from '../../../src/starter/cli/context';
import { progressLine } from '../../../src/starter/cli/show-import';
import { importCommand } from '../../../src/starter/cli/syntax/place-orders';
import { inParallel } from '../../../src/starter/client/in-parallel';
import { ShipmentClient } from '../../../src/starter/client/shipment-client';
import { temporaryFolder } from '../../support/temporary-folder';

const EXAMPLES = path.join(__dirname, '..', '..', '..', 'examples');
const accounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
const TILES = JSON.parse(readFileSync(path.join(EXAMPLES, 'ltl-tiles.json'), 'utf8')) as object;

let folder: string;
let temporal: FakeTemporal;

beforeEach(async () => {
  folder = temporaryFolder('consign-import-');
  temporal = new FakeTemporal();
});
afterEach(async () => {
  process.exitCode = undefined;
});

/** A Temporal server that keeps what was started: enough for a start and for the same start again. */
class FakeTemporal {
  readonly started = new Map<string, { readonly documentHash: unknown; readonly priority: unknown }>();
  /** After so many starts it does not answer. */
  answers = Number.POSITIVE_INFINITY;
  most = 0;
  #underWay = 0;

  readonly client = {
    workflow: {
      start: async (
        type: string,
        options: { workflowId: string; memo: { documentHash: unknown }; priority: unknown },
      ) => {
        this.#underWay += 1;
        this.most = Math.max(this.most, this.#underWay);
        await new Promise((resolve) => setImmediate(resolve));
        this.#underWay -= 1;
        const { workflowId, memo, priority } = options;
        if (this.started.size >= this.answers)
          throw new TemporalUnreachableError('Temporal did not answer', {});
        if (this.started.has(workflowId))
          throw new WorkflowExecutionAlreadyStartedError('already', workflowId, type);
        this.started.set(workflowId, { documentHash: memo.documentHash, priority });
        return { firstExecutionRunId: `run-of-${workflowId}` };
      },
      getHandle: (workflowId: string) => ({
        describe: async () =>
          await Promise.resolve({
            ...{ runId: 'r', status: { name: 'RUNNING' }, searchAttributes: {}, raw: {} },
            memo: { documentHash: this.started.get(workflowId)?.documentHash },
          }),
      }),
    },
  } as unknown as Client;
}

interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: unknown;
  readonly progress: readonly (string | null)[];
  readonly error: unknown;
}

async function run(...args: readonly string[]): Promise<Ran> {
  const [out, err, progress]: [string[], string[], (string | null)[]] = [[], [], []];
  const context = {
    print: (text: string) => void out.push(text),
    printContent: (text: string) => void out.push(text),
    warn: (text: string) => void err.push(text),
    progress: (text: string | null) => void progress.push(text),
    accounts: () => accounts,
    files: () => createFolderStore(path.join(folder, 'store')),
    maxImageBytes: () => 1_000_000,
    withShipments: async (use: (shipments: ShipmentClient) => Promise<unknown>) =>
      await use(new ShipmentClient(temporal.client)),
  } as unknown as CliContext;
  const command = importCommand(context)
    .exitOverride()
    .configureOutput({ writeErr: (text) => void err.push(text) });
  const error = await command.parseAsync(args, { from: 'user' }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { exitCode } = process;
  process.exitCode = undefined;
  return { out: out.join('\n'), err: err.join('\n'), code: exitCode, progress, error };
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

const line = (over: object): string => `${JSON.stringify({ ...TILES, ...over })}\n`;
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => line({ orderId: `I-${index + 1}` })).join('');
const idsOf = (): string[] => [...temporal.started.keys()].toSorted();

test.each(['furniture', 'ltl'])(
  'the template of %s is imported as it is, in each format and delimiter',
  async (kind) => {
    const hashes = new Set<unknown>();
    for (const how of [[], ['--delimiter', 'semicolon'], ['--delimiter', 'tab'], ['--json']]) {
      temporal = new FakeTemporal();
      const template = await run('--template', kind, ...how);
      expect({ code: template.code, err: template.err }).toEqual({ code: undefined, err: '' });
      const file = await fileOf('template.txt', `${template.out}\n`);
      const checked = await run(file, '--dry-run');
      expect({ out: checked.out, code: checked.code }).toEqual({ out: '1 row: 1 valid', code: undefined });
      expect(temporal.started.size).toBe(0);
      expect(await run(file)).toMatchObject({ out: '1 row: 1 started', err: '', code: undefined });
      hashes.add([...temporal.started.values()][0]?.documentHash);
    }
    // The same order, however it is written.
    expect(hashes.size).toBe(1);
    // A person who starts it as it is gets a question, and no truck.
    expect((await run('--template', kind)).out).toContain('1.00,USD');
  },
);

test('orders start behind those of consign start, some at a time, and once however often they are imported', async () => {
  const file = await fileOf('orders.jsonl', lines(40));
  const first = await run(file, '--parallel', '5');
  expect(first).toMatchObject({ out: '40 rows: 40 started', err: '', code: undefined });
  expect(temporal.most).toBe(5);
  expect(new Set([...temporal.started.values()].map(({ priority }) => JSON.stringify(priority)))).toEqual(
    new Set(['{"priorityKey":4}']),
  );
  expect(first.progress).toContain(`${'█'.repeat(12)}${'░'.repeat(12)} 20 of 40 started`);
  expect(first.progress.at(-1)).toBeNull();
  expect(await run(file)).toMatchObject({ out: '40 rows: 40 already there', code: undefined });
  expect(temporal.started.size).toBe(40);
});

test('an import that Temporal stops says what to do, and starts only what is missing when it is repeated', async () => {
  const file = await fileOf('orders.jsonl', lines(30));
  temporal.answers = 11;
  const stopped = await run(file, '--parallel', '3');
  expect(stopped.error).toBeInstanceOf(TemporalUnreachableError);
  expect(stopped.out).toBe('11 rows: 11 started');
  expect(stopped.err).toContain('Run the same command again: it starts only what is missing.');
  temporal.answers = Number.POSITIVE_INFINITY;
  expect(await run(file)).toMatchObject({ out: '30 rows: 19 started, 11 already there', code: undefined });
  expect(temporal.started.size).toBe(30);
});

const HEADER =
  'kind,account,orderId,pickup.on,origin.location,destination.location,items.1.commodity,items.1.handlingUnit,items.1.freightClass,items.1.quantity';
const good = (orderId: string, quantity = '1'): string =>
  `ltl,acme,${orderId},2035-06-13,reno-warehouse,dallas-dc,NewCommercialGoods,Crates,92.5,${quantity}`;
/** Rows that no other stops; the second and the third are wrong in two ways each. */
const MIXED = [
  HEADER,
  good('C-1'),
  'ltl,acme,C-2,2020-06-12,reno-warehouse,dallas-dc,NewCommercialGoods,Crates,92.5,"1,5"',
  '"ltl",acme,,2035-06-13,reno-warehouse,dallas-dc,Nonsense,Crates,92.5,1',
  good('C-4'),
  good('C-4', '2'),
  '',
].join('\n');

test('nothing starts while a row is wrong, and each problem names file, line, column and field', async () => {
  const file = await fileOf('orders.csv', MIXED);
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
    expect(temporal.started.size).toBe(0);
  }
  expect((await run(file)).err).toContain(
    'No orders were started. Correct the rows, or start the others with --skip-invalid.',
  );
});

test('with --skip-invalid the others start, and the wrong rows can be corrected and imported', async () => {
  const file = await fileOf('orders.csv', MIXED);
  const rejected = path.join(folder, 'orders.rejected.csv');
  const first = await run(file, '--skip-invalid');
  expect(first).toMatchObject({ out: '5 rows: 1 started, 4 invalid', code: 2 });
  expect(first.err).toContain(`The invalid rows are in ${rejected}.`);
  expect((await stat(rejected)).mode & 0o777).toBe(0o600);
  const text = await readFile(rejected, 'utf8');
  expect(text.split('\n')[0]).toBe(`#problems,${HEADER}`);
  expect(text).toContain('items.1.quantity: ""1,5"" is not a number; write it');
  // The same import again, as after a kill, writes the same file.
  expect(await run(file, '--skip-invalid')).toMatchObject({
    out: '5 rows: 1 already there, 4 invalid',
    code: 2,
  });
  const corrected = text
    .replaceAll('2020-06-12', '2035-06-12')
    .replace(',"1,5"\n', ',15\n')
    .replace('acme,,', 'acme,C-3,')
    .replaceAll('Nonsense', 'NewCommercialGoods')
    .replace(',acme,C-4,', ',acme,C-5,');
  await writeFile(rejected, corrected);
  const again = await run(file, '--skip-invalid');
  expect(again.error).toMatchObject({ message: expect.stringContaining('exists with other rows') });
  expect(await readFile(rejected, 'utf8')).toBe(corrected);
  expect(await run(rejected)).toMatchObject({ out: '4 rows: 4 started', err: '', code: undefined });
  expect(idsOf()).toEqual(['C-1', 'C-2', 'C-3', 'C-4', 'C-5'].map((id) => `shipment/acme/${id}`));
});

test('a conflict stops no other row, names its line, and decides the exit code', async () => {
  await run(await fileOf('first.jsonl', lines(1)));
  const file = await fileOf(
    'orders.jsonl',
    `${line({ orderId: 'I-1', labels: { a: 'b' } })}${line({ orderId: 'I-2' })}{"kind"\n`,
  );
  const { out, err, code } = await run(
    file,
    '--skip-invalid',
    '--rejected',
    path.join(folder, 'wrong.jsonl'),
  );
  expect({ out, code }).toEqual({ out: '3 rows: 1 started, 1 conflicting, 1 invalid', code: 3 });
  expect(err).toContain(`${file}:1: shipment/acme/I-1 is running with another document`);
  expect(err).toContain(`${file}:3: is not JSON → write one order in each line`);
  expect(await readFile(path.join(folder, 'wrong.jsonl'), 'utf8')).toBe('{"kind"\n');
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
  expect(temporal.started.size).toBe(0);
});

test('--json prints one object for each row, with its problems', async () => {
  const file = await fileOf('orders.csv', MIXED);
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
  const started = await run(await fileOf('one.jsonl', lines(1)), '--json');
  expect(JSON.parse(started.out)).toMatchObject({
    kind: 'started',
    workflowId: 'shipment/acme/I-1',
    line: 1,
  });
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
  expect(await run(file)).toMatchObject({ out: '1 row: 1 started', code: undefined });
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
