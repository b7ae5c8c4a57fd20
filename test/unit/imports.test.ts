import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const ROOT = path.join(__dirname, '..', '..');
const TOP = ['src', 'sandbox', 'devstack', 'chaos', 'board'] as const;

interface Import {
  readonly from: string;
  /** A file of ours, or a package; any module of Node is `Node`. */
  readonly to: string;
  readonly isType: boolean;
}

const filesUnder = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name));

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Text of a string literal. */
const textOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'StringLiteral' && typeof node.value === 'string' ? node.value : null;

const CALLS: ReadonlySet<string> = new Set(['import', 'require', 'require.resolve']);

/** How a function that loads another file is called; null for any other one. */
function loaderOf(callee: unknown): string | null {
  if (!isNode(callee)) return null;
  if (callee.type === 'Import') return 'import';
  if (callee.type === 'Identifier') return String(callee.value);
  if (callee.type !== 'MemberExpression') return null;
  return [callee.object, callee.property].map((part) => (isNode(part) ? String(part.value) : '')).join('.');
}

/** What a piece of syntax imports, with all that stands in it: also types, and what is loaded while the program runs. */
function* importsIn(node: unknown): Generator<{ readonly name: string; readonly isType: boolean }> {
  if (Array.isArray(node)) for (const part of node) yield* importsIn(part);
  if (!isNode(node) || Array.isArray(node)) return;
  const { type, source, typeOnly, callee } = node;
  const name = textOf(source);
  if (name !== null) yield { name, isType: typeOnly === true };
  if (type === 'TsImportType') yield { name: textOf(node.argument) ?? '', isType: true };
  if (type === 'CallExpression' && CALLS.has(loaderOf(callee) ?? '')) {
    const [first] = Array.isArray(node.arguments) ? node.arguments : [];
    const loaded = isNode(first) ? textOf(first.expression) : null;
    if (loaded !== null) yield { name: loaded, isType: false };
  }
  for (const [key, part] of Object.entries(node)) if (key !== 'span') yield* importsIn(part);
}

function resolve(from: string, name: string): string {
  if (name.startsWith('node:')) return 'Node';
  if (!name.startsWith('.'))
    return name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
  const target = path.join(path.dirname(from), name).replace(/\.tsx?$/, '');
  const isFolder = statSync(path.join(ROOT, target), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? path.join(target, 'index') : target;
}

const IMPORTS: readonly Import[] = TOP.flatMap(filesUnder).flatMap((from) => {
  const code = readFileSync(path.join(ROOT, from), 'utf8');
  const module = parseSync(code, { syntax: 'typescript', target: 'es2022', tsx: from.endsWith('x') });
  return [...importsIn(module.body)].map(({ name, isType }) => ({
    ...{ from: from.replace(/\.m?tsx?$/, ''), to: resolve(from, name), isType },
  }));
});

/** One row of the table in CONTRIBUTING: what a folder, or one file, may import. */
interface Row {
  readonly path: string;
  readonly mayImport: readonly string[];
  /** Of these the types alone. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
}

const TABLE = /\| folder +\| holds[^\n]*\n\|[-| ]+\|\n((?:\|[^\n]*\n)+)/;
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
/** `src` is left out in the table where the folder is of the product. */
const pathOf = (name: string): string =>
  TOP.some((top) => name === top || name.startsWith(`${top}/`)) ? name : path.join('src', name);

const ROWS: readonly Row[] = (TABLE.exec(readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '')
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => {
    const [, folders = '', , imports = '', packages = ''] = line.split('|');
    const [whole = '', types = ''] = imports.split('types of');
    return namesIn(folders).map((name) => ({
      path: pathOf(name),
      mayImport: namesIn(whole).map(pathOf),
      types: namesIn(types).map(pathOf),
      packages: namesIn(packages),
    }));
  });

/** The row with the longest path is the one that counts. */
function rowOf(file: string): Row | undefined {
  const of = ROWS.filter((row) => file === row.path || file.startsWith(`${row.path}/`));
  return of.toSorted((a, b) => b.path.length - a.path.length)[0];
}

const isOurs = (to: string): boolean => TOP.some((top) => to === top || to.startsWith(`${top}/`));

test('each folder has a row in the table of CONTRIBUTING, and each row has an existing folder', () => {
  const files = TOP.flatMap(filesUnder).map((file) => file.replace(/\.m?tsx?$/, ''));
  expect(files.filter((file) => rowOf(file) === undefined)).toEqual([]);
  const used = new Set(files.map((file) => rowOf(file)?.path));
  expect(ROWS.map((row) => row.path).filter((name) => !used.has(name))).toEqual([]);
});

test('no file imports what its row does not allow', () => {
  const wrong = IMPORTS.filter(({ from, to, isType }) => {
    const [row, target] = [rowOf(from), rowOf(to)];
    if (!isOurs(to)) return row?.packages.includes(to) !== true;
    const named = [...(row?.mayImport ?? []), ...(isType ? (row?.types ?? []) : [])];
    return target?.path !== row?.path && !named.includes(target?.path ?? '');
  });
  expect(wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`)).toEqual(
    [],
  );
});

test('no row allows an import that nothing in its folder uses', () => {
  const idle = ROWS.flatMap((row) => {
    const imports = IMPORTS.filter(({ from }) => rowOf(from)?.path === row.path);
    const used = new Set(imports.map(({ to }) => (isOurs(to) ? rowOf(to)?.path : to)));
    const named = [...row.mayImport, ...row.types, ...row.packages];
    return named.filter((name) => !used.has(name)).map((name) => `${row.path} names ${name}`);
  });
  expect(idle).toEqual([]);
});

test('each row imports only rows above it, so there is no circle', () => {
  const order = ROWS.map((row) => row.path);
  const up = ROWS.flatMap((row, index) =>
    [...row.mayImport, ...row.types]
      .filter((name) => order.indexOf(name) >= index)
      .map((name) => `${row.path} imports ${name}`),
  );
  expect(up).toEqual([]);
});

test.each([
  ["import type { A } from './a';", [{ name: './a', isType: true }]],
  ["import { type A } from './a';", [{ name: './a', isType: false }]],
  ["export * from './a';", [{ name: './a', isType: false }]],
  ["export type { A } from './a';", [{ name: './a', isType: true }]],
  ["const a = await import('./a');", [{ name: './a', isType: false }]],
  ["const a = require.resolve('./a');", [{ name: './a', isType: false }]],
  ["const a: import('./a').A = 1;", [{ name: './a', isType: true }]],
  ["const a = () => require('./a');", [{ name: './a', isType: false }]],
  ["const a = 'import b';", []],
])('`%s` is seen as an import', (code, found) => {
  expect([...importsIn(parseSync(code, { syntax: 'typescript', target: 'es2022' }).body)]).toEqual(found);
});
