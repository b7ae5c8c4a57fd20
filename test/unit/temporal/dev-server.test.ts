import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openTemporal } from '../../../src/temporal/connect';
import { startDevServer, type DevServerOptions } from '../../../src/temporal/dev-server/dev-server';
import { isListening, reserveFreePort } from '../../../src/temporal/dev-server/free-port';
import { temporaryFolder } from '../../support/temporary-folder';
import { writeExecutable } from './executables';

async function startScript(script: string, options: Partial<DevServerOptions> = {}) {
  const cliPath = writeExecutable(path.join(temporaryFolder(), 'temporal'), script);
  return await startDevServer({ cliPath, env: { PATH: process.env.PATH }, namespace: 'default', ...options });
}

test('a server that ends while it starts is reported with its last lines', async () => {
  await expect(
    startScript('echo "Error: failed checking dir for database file" >&2; exit 1'),
  ).rejects.toThrow(
    /The Temporal server did not start \(.*temporal\): it ended with code 1\. Its last lines:\n {4}Error: failed checking dir/,
  );
});

test('a server that never answers is given up', async () => {
  await expect(startScript('exec sleep 300', { startTimeoutMs: 200 })).rejects.toThrow(
    'it did not answer within 0.2 s',
  );
});

test('a port in use is refused before the start, because the other server would answer instead', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(startScript('exit 1', { port })).rejects.toThrow(
    `The Temporal server cannot use port ${port}: another program listens there.`,
  );
  other.close();
});

test('a port that was reserved is free, and is not given out again', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, async () => await reserveFreePort()));
  expect(new Set(ports).size).toBe(50);
  expect(await isListening(ports[0] ?? 0)).toBe(false);
});

test("the person's own Temporal settings do not reach the embedded server", async () => {
  const env = { PATH: process.env.PATH, TEMPORAL_ADDRESS: 'production.example:7233' };
  await expect(startScript('env >&2; exit 1', { env })).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('production.example') }),
  );
});

test('the embedded server has the settings of the server in the Compose file', async () => {
  const file = path.join(__dirname, '..', '..', '..', 'deploy/temporal/dynamic-config.yaml');
  const settings = Object.entries(parse(readFileSync(file, 'utf8')) as Record<string, [{ value: string }]>);
  expect(settings).not.toEqual([]);
  const message = await startScript('echo "$@" >&2; exit 1').catch(String);
  for (const [key, [{ value }]] of settings)
    expect(message).toContain(`--dynamic-config-value ${key}=${JSON.stringify(value)}`);
});

test('in production the embedded server is refused, before any search', async () => {
  const lines: string[] = [];
  const opening = openTemporal({ env: { NODE_ENV: 'production' }, log: (line) => lines.push(line) });
  await expect(opening).rejects.toThrow('NODE_ENV is production and no Temporal cluster is named.');
  expect(lines).toEqual([]);
});
