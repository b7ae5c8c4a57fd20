import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { parseAccounts } from '../../../src/accounts';
import { readConfig } from '../../../src/platform/config';
import { createFolderStore } from '../../../src/platform/file-store';
import { renderFindings } from '../../../src/starter/cli/commands/doctor';
import {
  bad,
  checkAccountsFile,
  checkConfig,
  checkEncryption,
  checkFiles,
  checkReceiver,
  good,
  warn,
  workersFinding,
} from '../../../src/starter/cli/doctor';
import { findWorkers, isPolled, type QueueWorkers } from '../../../src/starter/client/pollers';
import { closeAll, reply, startServer } from '../marketplace/server';
import { closeProxies, setEnvironment, startProxy } from '../platform/network/proxy-server';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const FILE = `
accounts:
  acme:
    environment: production
    baseUrl: https://api.acme.example
    webUrl: https://www.acme.example
    auth: { apiKey: { env: ACME_KEY } }
    source: acme
`;
const load =
  (env: Record<string, string>, text = FILE) =>
  () =>
    parseAccounts(text, 'accounts.yaml', env);

test('a variable that cannot be used is named, and nothing else is looked at', () => {
  const { config, found } = checkConfig(() => readConfig({ WEBHOOK_PORT: 'many' }));
  expect(config).toBeNull();
  expect(found).toMatchObject({ state: 'bad', text: expect.stringContaining('WEBHOOK_PORT') });
});

test('an accounts file with every secret is good, and doctor lists what it omits', async () => {
  const { found } = await checkAccountsFile(load({ ACME_KEY: 'k-1' }));
  expect(found.filter(({ state }) => state === 'good').map(({ text }) => text)).toEqual([
    'accounts.yaml: acme',
    'all 1 can be read',
  ]);
  expect(found.filter(({ state }) => state === 'bad')).toEqual([]);
  expect(found).toContainEqual(
    expect.objectContaining({ state: 'warn', text: 'account acme has no supportAddress' }),
  );
});

test('doctor says where an account gets support', async () => {
  const text = FILE.replace(
    '    source: acme\n',
    '    source: acme\n    supportAddress: help@acme.example\n',
  );
  const { found } = await checkAccountsFile(load({ ACME_KEY: 'k-1' }, text));
  expect(found).toContainEqual({
    ...{ check: 'accounts', state: 'good', remedy: null },
    text: 'account acme: support is at help@acme.example',
  });
  expect(found.filter(({ text: told }) => told.includes('has no supportAddress'))).toEqual([]);
});

test('doctor warns accounts with real orders when Temporal keeps personal data in plain text, and not sandboxes', () => {
  const real = load({})();
  const sandbox = load({}, FILE.replace('production', 'sandbox'))();
  expect(checkEncryption(false, real)).toMatchObject({
    ...{ check: 'encryption', state: 'warn', text: expect.stringContaining('of acme in plain text') },
    remedy: expect.stringContaining('CONSIGN_ENCRYPTION'),
  });
  expect(checkEncryption(false, sandbox).state).toBe('good');
  expect(checkEncryption(false, null).state).toBe('good');
  expect(checkEncryption(true, real).state).toBe('good');
});

test('a missing secret is bad, and is reported with its path and variable', async () => {
  const { accounts, found } = await checkAccountsFile(load({}));
  expect(accounts?.names()).toEqual(['acme']);
  const bad = found.filter(({ state }) => state === 'bad');
  expect(bad).toHaveLength(1);
  expect(bad[0]?.text).toContain('variable ACME_KEY is missing');
});

test('an accounts file that cannot be read is bad', async () => {
  const { accounts, found } = await checkAccountsFile(load({}, 'accounts: 7'));
  expect(accounts).toBeNull();
  expect(found).toMatchObject([{ check: 'accounts', state: 'bad' }]);
});

test('a store that returns what it stored is good; one that does not is bad', async () => {
  expect(await checkFiles(createFolderStore(path.join(folder, 'files')))).toMatchObject({ state: 'good' });
  const blocked = path.join(folder, 'blocked');
  await writeFile(blocked, 'a file where the folder should be');
  await chmod(blocked, 0o400);
  expect(await checkFiles(createFolderStore(blocked))).toMatchObject({ state: 'bad' });
});

test.each([
  [200, true, 'good'],
  [503, true, 'bad'],
  [503, false, 'warn'],
] as const)('a receiver that answers %i, named %s, is %s', async (status, isNamed, state) => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await checkReceiver(`http://127.0.0.1:${port}/`, isNamed)).toMatchObject({ state });
  expect(asked).toEqual(['/health']);
  await new Promise((resolve) => server.close(resolve));
  expect(await checkReceiver(`http://127.0.0.1:${port}`, isNamed)).toMatchObject({
    state: isNamed ? 'bad' : 'warn',
    text: expect.stringContaining('ECONNREFUSED'),
  });
});

const QUEUE = { name: 'shipments', kind: 'workflow' } as const;

/** Workers by their build, with how long ago each asked. */
const heard = (current: string | null, ...workers: readonly (readonly [string | null, number])[]) => {
  const pollers = workers.map(([build, ago], index) => {
    return { identity: `${index}@host`, heardAtMs: 100_000 - ago, build };
  });
  return { current, pollers, serving: pollers.filter(({ build }) => build === current) };
};

const COMMAND = 'temporal worker deployment set-current-version --deployment-name consign --build-id v2';

test.each<[QueueWorkers | null, string, string, unknown]>([
  [
    heard(null, [null, 12_000]),
    'good',
    'shipments: 1 worker polled in the last 75 s, the last one 12 s ago',
    null,
  ],
  [
    heard(null, [null, 74_000], [null, 2_400]),
    'good',
    'shipments: 2 workers polled in the last 75 s, the last one 2 s ago',
    null,
  ],
  [
    heard(null),
    'bad',
    'shipments: no worker polled in the last 75 s',
    expect.stringContaining('npx consign-worker'),
  ],
  [
    null,
    'warn',
    'shipments: the server does not report which workers poll it',
    expect.stringContaining('web UI'),
  ],
  [
    heard('consign:v1', ['consign:v1', 5_000], ['consign:v2', 1_000], [null, 1_000]),
    'good',
    'shipments: 1 worker of consign:v1 polled in the last 75 s, the last one 5 s ago; ' +
      'consign:v2, unversioned workers also polled, but get no new tasks',
    null,
  ],
  [
    heard(null, ['consign:v2', 1_000]),
    'bad',
    'shipments: no worker polled in the last 75 s, only consign:v2 did',
    expect.stringContaining(COMMAND),
  ],
  [
    heard('consign:v1', ['consign:v2', 1_000]),
    'bad',
    'shipments: no worker of the current build consign:v1 polled in the last 75 s, only consign:v2 did',
    expect.stringContaining(COMMAND),
  ],
  [
    heard('consign:v1', [null, 1_000]),
    'bad',
    'shipments: no worker of the current build consign:v1 polled in the last 75 s, only unversioned workers did',
    expect.stringContaining('start the workers of consign:v1'),
  ],
])("doctor says no more about a queue's workers than Temporal knows: %j", (workers, state, text, remedy) => {
  expect(workersFinding(QUEUE, workers, 100_000)).toMatchObject({ state, text, remedy });
});

type Asked = readonly [build: string | null, agoMs: number];

/** A server with workers at each partition of a queue, which it still shows once they are gone. */
function serverWith(partitions: Readonly<Record<string, readonly Asked[]>>, current: string | null = null) {
  const versionOf = (build: string) => ({ deploymentName: 'consign', buildId: build });
  const versioningInfo = current === null ? {} : { currentDeploymentVersion: versionOf(current) };
  const asked: string[] = [];
  const describeTaskQueue = async ({ taskQueue: { name } }: { taskQueue: { name: string } }) => {
    asked.push(name);
    const pollers = (partitions[name] ?? []).map(([build, agoMs], index) => {
      const deploymentOptions = build === null ? null : { ...versionOf(build), workerVersioningMode: 2 };
      return { identity: `${index}@host`, lastAccessTime: msToTs(Date.now() - agoMs), deploymentOptions };
    });
    return await Promise.resolve({ pollers, versioningInfo });
  };
  const keys = Object.keys(partitions).map((key) => ({ key }));
  const listTaskQueuePartitions = async () =>
    await Promise.resolve({ workflowTaskQueuePartitions: keys, activityTaskQueuePartitions: [] });
  const workflowService = { describeTaskQueue, listTaskQueuePartitions };
  return { asked, client: { options: { namespace: 'default' }, workflowService } as unknown as Client };
}

const ago = (...agoMs: readonly number[]): readonly Asked[] => agoMs.map((one) => [null, one]);

test.each([
  [[1_000], 1],
  [[74_000], 1],
  [[76_000], 0],
  [[120_000, 3_000, 76_000], 1],
])('of workers that asked %j ms ago, %i are counted', async (agoMs, counted) => {
  const { client } = serverWith({ shipments: ago(...agoMs) });
  expect((await findWorkers(client, QUEUE))?.serving).toHaveLength(counted);
  expect(await isPolled(client, QUEUE)).toBe(counted > 0);
});

test('a worker that polls another partition of the queue is found, and one at two counts once', async () => {
  const { client } = serverWith({
    shipments: [],
    '/_sys/shipments/1': ago(9_000),
    '/_sys/shipments/2': ago(4_000),
  });
  expect(await isPolled(client, QUEUE)).toBe(true);
  const found = await findWorkers(client, QUEUE);
  expect(found?.pollers).toHaveLength(1);
  expect(Date.now() - (found?.pollers[0]?.heardAtMs ?? 0)).toBeLessThan(9_000);
});

test('where the first partition has a worker no other is asked', async () => {
  const { client, asked } = serverWith({ shipments: ago(1_000), '/_sys/shipments/1': [] });
  expect(await isPolled(client, QUEUE)).toBe(true);
  expect(asked).toEqual(['shipments']);
});

test.each([
  ['v1', ['v1', 'v1'], 2, 'consign:v1'],
  ['v1', ['v2', null], 0, 'consign:v1'],
  [null, ['v1', null, 'v2'], 1, null],
])(
  'while %s is current, of workers of %j %i are given tasks',
  async (current, builds: readonly (string | null)[], serving, build) => {
    const { client } = serverWith({ shipments: builds.map((one) => [one, 1_000]) }, current);
    const found = await findWorkers(client, QUEUE);
    expect({ ...found, serving: found?.serving.length, pollers: found?.pollers.length }).toEqual({
      ...{ current: build, serving, pollers: builds.length },
    });
    expect(await isPolled(client, QUEUE)).toBe(true);
  },
);

test.each([
  [[good('files', 'fine')], /All checks passed\.$/],
  [[good('files', 'fine'), warn('webhooks', 'no answer', 'run it')], /No check failed\. 1 warning\.$/],
  [[warn('a', 'b', 'c'), warn('a', 'b', 'c')], /No check failed\. 2 warnings\.$/],
  [[bad('a', 'b', 'c'), warn('a', 'b', 'c')], /1 of 2 checks failed\. 1 warning\.$/],
])('doctor says that nothing is wrong only when nothing warns: %#', (findings, verdict) => {
  const rendered = renderFindings(findings);
  expect(rendered).toMatch(verdict);
  expect(rendered.includes('All checks passed')).toBe(findings.every(({ state }) => state === 'good'));
});

test('a sandbox account needs no support address', async () => {
  const text = FILE.replace('environment: production', 'environment: sandbox');
  const { found } = await checkAccountsFile(load({ ACME_KEY: 'k-1' }, text));
  expect(found.filter(({ text: told }) => told.includes('supportAddress'))).toEqual([]);
});

test('a receiver on another machine is asked through the proxy', async () => {
  const receiver = await startServer(reply(200, {}));
  const proxy = await startProxy({ hosts: { 'hooks.example.invalid': Number(new URL(receiver.url).port) } });
  setEnvironment({ HTTP_PROXY: proxy.url });
  expect(await checkReceiver('http://hooks.example.invalid', true)).toMatchObject({ state: 'good' });
  expect(proxy.seen).toEqual(['GET http://hooks.example.invalid/health']);
  await Promise.all([closeProxies(), closeAll()]);
});
