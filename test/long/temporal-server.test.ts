import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { openTemporal, type OpenTemporal, type OpenTemporalOptions } from '../../src/temporal/connect';
import { startDevServer } from '../../src/temporal/dev-server/dev-server';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';
import { isListening, reserveFreePort } from '../../src/temporal/dev-server/free-port';
import type { SearchAttributeKinds } from '../../src/temporal/prepare-namespace';
import { isRunning, parentOf, until } from '../support/until';
import { temporaryFolder } from '../support/temporary-folder';
import { writeExecutable } from '../unit/temporal/executables';

const ATTRIBUTES: SearchAttributeKinds = {
  OrderId: 'KEYWORD',
  Note: 'TEXT',
  Pieces: 'INT',
  Price: 'DOUBLE',
  Late: 'BOOL',
  PickupOn: 'DATETIME',
  Labels: 'KEYWORD_LIST',
};

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** These tests are about the embedded server, also where the environment names a cluster. */
function embeddedEnv(): Record<string, string | undefined> {
  const {
    TEMPORAL_ADDRESS: _,
    TEMPORAL_PROFILE: _profile,
    TEMPORAL_CONFIG_FILE: _file,
    ...env
  } = process.env;
  return env;
}

async function open(options: Partial<OpenTemporalOptions> = {}): Promise<OpenTemporal> {
  const temporal = await openTemporal({
    env: embeddedEnv(),
    log: () => {},
    searchAttributes: ATTRIBUTES,
    ...options,
  });
  closers.push(async () => await temporal.close());
  return temporal;
}

async function connect({ clientConnection, namespace }: OpenTemporal): Promise<Client> {
  const connection = await Connection.connect(clientConnection);
  closers.push(async () => await connection.close());
  return new Client({ connection, namespace });
}

function databaseFile(): string {
  return path.join(temporaryFolder(), 'a', 'temporal.db');
}

test('the embedded server answers clients and workers, and shows its web UI', async () => {
  const temporal = await open();
  const client = await connect(temporal);
  expect(await client.workflow.count()).toMatchObject({ count: 0 });
  const native = await NativeConnection.connect(temporal.nativeConnection);
  await native.close();
  expect((await fetch(temporal.uiUrl ?? '')).status).toBe(200);
  expect(temporal.description).toContain(`embedded Temporal server at ${temporal.address}, in memory`);
});

test('the web UI can be left out', async () => {
  const temporal = await open({ embedded: { uiPort: null } });
  expect(temporal.uiUrl).toBeNull();
});

test('search attributes of every type can be used as soon as Temporal is open', async () => {
  const client = await connect(await open());
  await client.workflow.start('shipment', {
    workflowId: 'w',
    taskQueue: 'q',
    searchAttributes: {
      OrderId: ['SO-1'],
      Note: ['two words'],
      Pieces: [3],
      Price: [1.5],
      Late: [true],
      PickupOn: [new Date()],
      Labels: ['a', 'b'],
    },
  });
  const query = 'OrderId = "SO-1" AND Pieces = 3 AND Labels = "b"';
  await until(async () => (await client.workflow.count(query)).count > 0);
  expect(await client.workflow.count(query)).toMatchObject({ count: 1 });
});

test('closed workflows are kept for 90 days', async () => {
  const temporal = await open();
  const { connection } = await connect(temporal);
  const { config } = await connection.workflowService.describeNamespace({ namespace: temporal.namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 86_400);
});

test('a database file survives a restart, and gets attributes that are new since', async () => {
  const embedded = { databaseFile: databaseFile(), namespace: 'freight' };
  const first = await open({ embedded, searchAttributes: { OrderId: 'KEYWORD' } });
  const before = await connect(first);
  await before.workflow.start('shipment', {
    workflowId: 'w',
    taskQueue: 'q',
    searchAttributes: { OrderId: ['1'] },
  });
  await first.close();

  const second = await open({ embedded });
  expect(second.namespaceReport.retentionTooShort).toBe(false);
  expect(Object.keys(second.namespaceReport.missing)).not.toContain('OrderId');
  expect(Object.keys(second.namespaceReport.missing)).toContain('Pieces');
  const after = await connect(second);
  expect(await after.workflow.getHandle('w').describe()).toMatchObject({
    searchAttributes: { OrderId: ['1'] },
  });
  expect(await after.workflow.count('Pieces IS NULL')).toMatchObject({ count: 1 });
});

test('a search attribute that already has another type is a clear error', async () => {
  const own = await open();
  const again = open({
    env: { TEMPORAL_ADDRESS: own.address },
    existing: 'prepare',
    searchAttributes: { OrderId: 'INT' },
  });
  await expect(again).rejects.toThrow(
    'Search attributes of namespace default have the wrong type: OrderId is KEYWORD and must be INT.',
  );
});

test('a second server on the same database file is refused', async () => {
  const embedded = { databaseFile: databaseFile() };
  await open({ embedded });
  await expect(open({ embedded })).rejects.toThrow(
    `Another Temporal server uses the database file ${embedded.databaseFile}.`,
  );
});

test('several servers that start at once do not take each other’s ports', async () => {
  const servers = await Promise.all(Array.from({ length: 3 }, async () => await open()));
  const ports = servers.flatMap(({ address, uiUrl }) => [address, uiUrl]);
  expect(new Set(ports).size).toBe(6);
});

test.each([
  ['of a server that chooses its port', false],
  ['of one whose other ports are free to choose', true],
])('a port that another process takes at the last moment is replaced: %s', async (_, isFixed) => {
  const port = isFixed ? await reserveFreePort() : undefined;
  const found = await findCli(cliSources(embeddedEnv()), () => {});
  const folder = temporaryFolder();
  const cliPath = writeExecutable(
    path.join(folder, 'temporal'),
    [
      `if mkdir ${folder}/second; then`,
      'echo "Error: listen tcp 127.0.0.1:1: bind: address already in use" >&2; exit 1; fi',
      `exec ${found.path} "$@"`,
    ].join('\n'),
  );
  const server = await startDevServer({
    ...{ cliPath, env: embeddedEnv(), namespace: 'default', uiPort: null },
    ...(port === undefined ? {} : { port }),
  });
  closers.push(async () => await server.stop());
  const used = Number(server.address.split(':')[1]);
  expect(await isListening(used)).toBe(true);
  expect(used).toBe(port ?? used);
});

test('a server that dies reports its exit as unexpected', async () => {
  const { server } = await open();
  server?.kill('SIGKILL');
  expect(await server?.exited).toMatchObject({ signal: 'SIGKILL', asked: false });
});

test('closing leaves no process behind', async () => {
  const temporal = await open({ embedded: { databaseFile: databaseFile() } });
  const pid = temporal.server?.pid ?? 0;
  const supervisorPid = parentOf(pid);
  await temporal.close();
  expect([isRunning(pid), isRunning(supervisorPid)]).toEqual([false, false]);
});

test.each(['SIGKILL', 'SIGINT'] as const)(
  'a parent that is ended by %s leaves no server behind, and the database file can be opened again',
  async (signal) => {
    const file = databaseFile();
    const preload = path.join(__dirname, '..', 'support', 'run-typescript.js');
    const parent = spawn(
      process.execPath,
      ['--require', preload, path.join(__dirname, 'temporal-parent.ts'), file],
      { env: embeddedEnv(), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const { pid } = JSON.parse(line) as { pid: number };
    const supervisorPid = parentOf(pid);
    parent.kill(signal);
    // It holds orders with names and streets.
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const reopened = await open({ embedded: { databaseFile: file } });
    expect([isRunning(pid), isRunning(supervisorPid)]).toEqual([false, false]);
    expect(reopened.namespaceReport.retentionTooShort).toBe(false);
  },
);

test('an existing cluster is inspected, not changed, and left running', async () => {
  const own = await open({ searchAttributes: { OrderId: 'KEYWORD' }, retentionDays: 30 });
  const cluster = { env: { TEMPORAL_ADDRESS: own.address } };
  const lines: string[] = [];
  const looked = await open({ ...cluster, log: (line) => lines.push(line) });
  expect(lines).toEqual([`Temporal at ${own.address}, namespace default (from TEMPORAL_ADDRESS)`]);
  expect(looked.namespaceReport).toMatchObject({ retentionDays: 30, retentionTooShort: true });
  expect(Object.keys(looked.namespaceReport.missing)).toEqual(
    Object.keys(ATTRIBUTES).filter((name) => name !== 'OrderId'),
  );
  await looked.close();
  const again = await open(cluster);
  expect(again.namespaceReport).toEqual(looked.namespaceReport);
});

test('an existing cluster gets what it lacks on request', async () => {
  const own = await open({ searchAttributes: {}, retentionDays: 30 });
  const cluster = { env: { TEMPORAL_ADDRESS: own.address } };
  await open({ ...cluster, existing: 'prepare' });
  expect((await open(cluster)).namespaceReport).toEqual({
    missing: {},
    mistyped: [],
    retentionDays: 90,
    retentionTooShort: false,
  });
});

test('a longer retention is not shortened', async () => {
  const own = await open({ retentionDays: 365 });
  const prepared = await open({ env: { TEMPORAL_ADDRESS: own.address }, existing: 'prepare' });
  expect(prepared.namespaceReport.retentionDays).toBe(365);
});

test('a cluster that does not answer is named with the setting that chose it', async () => {
  const own = await open();
  await own.close();
  await expect(open({ env: { TEMPORAL_ADDRESS: own.address } })).rejects.toThrow(
    `Temporal at ${own.address}, namespace default (from TEMPORAL_ADDRESS) does not answer`,
  );
});
