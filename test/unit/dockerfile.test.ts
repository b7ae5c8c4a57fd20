import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { BOARD_FOLDER } from '../../src/starter/api/board';

const ROOT = path.join(__dirname, '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Instructions of the Dockerfile: a line that ends with a backslash goes on. */
const INSTRUCTIONS = textOf('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.split(' ').slice(1) }));
const of = (word: string): string[][] =>
  INSTRUCTIONS.filter((instruction) => instruction.word === word).map(({ rest }) => rest);

const STAGES = of('FROM').map(([image = '', , name = '']) => ({ image, name }));

test('one image is the base of every stage, and it is pinned by version and digest', () => {
  const names = STAGES.map(({ name }) => name);
  const foreign = STAGES.map(({ image }) => image).filter((image) => !names.includes(image));
  expect(foreign).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/)]);
});

test("the package names Node.js 22 and 24, the image's version among them", () => {
  const { engines } = JSON.parse(textOf('package.json')) as { readonly engines: { readonly node: string } };
  expect(engines.node).toBe('^22.13 || ^24');
  const { packages } = JSON.parse(textOf('package-lock.json')) as { readonly packages: { '': object } };
  expect(packages['']).toMatchObject({ engines });
});

test('the image runs as a user that is not root, named by its number', () => {
  const last = INSTRUCTIONS.findLastIndex(({ word }) => word === 'FROM');
  const users = INSTRUCTIONS.slice(last).filter(({ word }) => word === 'USER');
  expect(users.map(({ rest }) => rest)).toEqual([['1000']]);
  const after = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ word }) => word === 'USER') + 1);
  expect(after.map(({ word }) => word)).toEqual(['CMD']);
});

test('the last stage has what is needed to run, and no sources or tools of the build', () => {
  const last = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ word }) => word === 'FROM'));
  const copied = last.filter(({ word }) => word === 'COPY').map(({ rest }) => rest.join(' '));
  expect(copied).toEqual([
    '--from=dependencies /app/node_modules ./node_modules',
    '--from=build /app/dist ./dist',
    'package.json LICENSE ./',
    'bin ./bin',
    'examples ./examples',
    'docs ./docs',
  ]);
});

/** Files of the repository that a stage copies. */
const SOURCES = of('COPY')
  .filter(([first = '']) => !first.startsWith('--from='))
  .flatMap((rest) => rest.slice(0, -1));

test.each([...new Set(SOURCES)])('the context of the build contains %s', (source) => {
  expect(existsSync(path.join(ROOT, source))).toBe(true);
  expect(textOf('.dockerignore').split('\n')).toContain(`!${source}`);
});

test('the build has every file that the build script compiles', () => {
  const { include = [] } = JSON.parse(textOf('tsconfig.build.json')) as { readonly include?: string[] };
  const folders = new Set(include.map((pattern) => pattern.split('/')[0] ?? ''));
  expect(folders.size).toBeGreaterThan(0);
  expect([...folders].filter((folder) => !SOURCES.includes(folder))).toEqual([]);
});

test('the build makes the board where the HTTP API of the image looks for it', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Record<string, string> };
  expect(scripts.build).toContain('npm run build:board');
  const [, config = ''] = /--config (\S+)/.exec(scripts['build:board'] ?? '') ?? [];
  const [, folder = ''] = /outDir: '(.+)'/.exec(textOf(config)) ?? [];
  expect(path.resolve(ROOT, path.dirname(config), folder)).toBe(BOARD_FOLDER);
  expect(SOURCES).toContain(config.split('/')[0]);
});

test('the image starts a worker by default', () => {
  const [command = []] = of('CMD');
  const [program, script = ''] = JSON.parse(command.join(' ')) as string[];
  expect(program).toBe('node');
  expect(existsSync(path.join(ROOT, script.replace(/^dist\//, '').replace(/\.js$/, '.ts')))).toBe(true);
});
