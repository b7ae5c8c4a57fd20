import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { TemporalUnreachableError } from '../../src/temporal/client-connection';
import { layGrpcLine, type GrpcLine } from '../support/grpc-line';
import { MIXED, runImport, tiles, type Imported } from '../support/import-command';
import { startTestTemporal, until, type TestTemporal } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

const START = 'StartWorkflowExecution';

let temporal: TestTemporal;
let line: GrpcLine;
let connection: Connection;
/** Reaches Temporal by the line, and repeats no call by itself. */
let client: Client;
let folder: string;

beforeAll(async () => {
  temporal = await startTestTemporal();
  const { clientConnection, namespace } = temporal.open;
  line = await layGrpcLine(clientConnection.address ?? '');
  connection = Connection.lazy({ ...clientConnection, address: line.address, interceptors: [] });
  client = new Client({ connection, namespace });
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await line?.close();
  await temporal?.close();
});
beforeEach(() => {
  folder = temporaryFolder('consign-import-');
});

const run = async (...args: readonly string[]): Promise<Imported> => await runImport(client, folder, args);

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** All tests share the server, so each has its own order ids. */
const rows = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => tiles({ orderId: `${name}-${index + 1}` })).join('');

const describe = async (orderId: string) =>
  await temporal.client.workflow.getHandle(`shipment/acme/${orderId}`).describe();

test.each(['furniture', 'ltl'])(
  'the template of %s is one order, in whatever format and delimiter it is imported',
  async (kind) => {
    const outcomes: string[] = [];
    for (const how of [[], ['--delimiter', 'semicolon'], ['--delimiter', 'tab'], ['--json']]) {
      const template = await run('--template', kind, ...how);
      const file = await fileOf(
        'template.txt',
        `${template.out.replaceAll('EXAMPLE-1', `EXAMPLE-${kind}`)}\n`,
      );
      const { out, err, code } = await run(file);
      expect({ err, code }).toEqual({ err: '', code: undefined });
      outcomes.push(out);
    }
    const again = '1 row: 1 already there';
    expect(outcomes).toEqual(['1 row: 1 started', again, again, again]);
  },
);

test('orders start behind those of consign start, some at a time, and once however often they are imported', async () => {
  const file = await fileOf('orders.jsonl', rows('MANY', 40));
  const held = line.hold({ method: START, texts: ['shipment/acme/MANY-'], what: 'call' });
  const importing = run(file, '--parallel', '5');
  await until(async () => await Promise.resolve(held.count() === 5));
  // A sixth start would have arrived before this question, which is sent later on the same connection.
  await expect(client.workflow.getHandle('shipment/acme/MANY-6').describe()).rejects.toThrow('not found');
  expect(held.count()).toBe(5);
  held.release();
  const first = await importing;
  expect(first).toMatchObject({ out: '40 rows: 40 started', err: '', code: undefined });
  expect(first.progress).toContain(`${'█'.repeat(12)}${'░'.repeat(12)} 20 of 40 started`);
  expect(first.progress.at(-1)).toBeNull();
  for (const orderId of ['MANY-1', 'MANY-6', 'MANY-40'])
    expect((await describe(orderId)).priority).toMatchObject({ priorityKey: 4 });
  expect(await run(file)).toMatchObject({ out: '40 rows: 40 already there', code: undefined });
});

test('an import that Temporal stops says what to do, and starts only what is missing when it is repeated', async () => {
  const file = await fileOf('orders.jsonl', rows('CUT', 30));
  const held = ['CUT-12', 'CUT-13', 'CUT-14'].map((orderId) =>
    line.hold({ method: START, texts: [`shipment/acme/${orderId}`], what: 'call' }),
  );
  const importing = run(file, '--parallel', '3');
  await until(async () => await Promise.resolve(held.every((hold) => hold.count() === 1)));
  line.cut();
  const stopped = await importing;
  expect(stopped.error).toBeInstanceOf(TemporalUnreachableError);
  expect(stopped.out).toBe('11 rows: 11 started');
  expect(stopped.err).toContain('Run the same command again: it starts only what is missing.');
  for (const hold of held) hold.release();
  line.mend();
  await connection.ensureConnected();
  expect(await run(file)).toMatchObject({ out: '30 rows: 19 started, 11 already there', code: undefined });
});

test('with --skip-invalid the others start, and the wrong rows can be corrected and imported', async () => {
  const file = await fileOf('orders.csv', MIXED.text);
  const rejected = path.join(folder, 'orders.rejected.csv');
  const first = await run(file, '--skip-invalid');
  expect(first).toMatchObject({ out: '5 rows: 1 started, 4 invalid', code: 2 });
  expect(first.err).toContain(`The invalid rows are in ${rejected}.`);
  expect((await stat(rejected)).mode & 0o777).toBe(0o600);
  const text = await readFile(rejected, 'utf8');
  expect(text.split('\n')[0]).toBe(`#problems,${MIXED.header}`);
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
  for (const orderId of ['C-1', 'C-2', 'C-3', 'C-4', 'C-5'])
    expect((await describe(orderId)).type).toBe('ltlShipment');
});

test('a conflict stops no other row, names its line, and decides the exit code', async () => {
  const started = await run(await fileOf('first.jsonl', rows('CON', 1)), '--json');
  expect(JSON.parse(started.out)).toMatchObject({
    ...{ kind: 'started', workflowId: 'shipment/acme/CON-1', line: 1 },
  });
  const file = await fileOf(
    'orders.jsonl',
    `${tiles({ orderId: 'CON-1', labels: { a: 'b' } })}${tiles({ orderId: 'CON-2' })}{"kind"\n`,
  );
  const wrong = path.join(folder, 'wrong.jsonl');
  const { out, err, code } = await run(file, '--skip-invalid', '--rejected', wrong);
  expect({ out, code }).toEqual({ out: '3 rows: 1 started, 1 conflicting, 1 invalid', code: 3 });
  expect(err).toContain(`${file}:1: shipment/acme/CON-1 is running with another document`);
  expect(err).toContain(`${file}:3: is not JSON → write one order in each line`);
  expect(await readFile(wrong, 'utf8')).toBe('{"kind"\n');
});
