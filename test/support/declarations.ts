import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

type Syntax = Readonly<Record<string, unknown>>;

const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null;
const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldOf = (node: unknown, key: string): unknown => (isSyntax(node) ? node[key] : undefined);
const nameOf = (node: unknown): string => String(fieldOf(node, 'value'));

/** One declaration: where it is written, and by which name. */
interface Declared {
  readonly file: string;
  readonly name: string;
}

/** A file of declarations, by the names in it. */
interface Declarations {
  /** A value and a type may share a name. */
  readonly own: ReadonlyMap<string, readonly Syntax[]>;
  /** Imported and re-exported names, by the name that they have here. */
  readonly imported: ReadonlyMap<string, Declared>;
  readonly exported: ReadonlyMap<string, Declared>;
  readonly stars: readonly string[];
}

/** The file of declarations that a relative path names; null for a package. */
function fileOf(from: string, name: string): string | null {
  if (!name.startsWith('.')) return null;
  const target = path.join(path.dirname(from), name);
  return [`${target}.d.ts`, path.join(target, 'index.d.ts')].find((file) => existsSync(file)) ?? null;
}

const read = new Map<string, Declarations>();

function readDeclarations(file: string): Declarations {
  const known = read.get(file);
  if (known !== undefined) return known;
  const own = new Map<string, readonly Syntax[]>();
  const imported = new Map<string, Declared>();
  const exported = new Map<string, Declared>();
  const stars: string[] = [];
  const declare = (node: unknown, isExported: boolean): void => {
    if (!isSyntax(node)) return;
    const names = [
      node.identifier ?? node.id,
      ...partsOf(node.declarations).map((one) => fieldOf(one, 'id')),
    ];
    for (const name of names.filter(isSyntax).map(nameOf)) {
      own.set(name, [...(own.get(name) ?? []), node]);
      if (isExported) exported.set(name, { file, name });
    }
  };
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' });
  for (const item of body as unknown as readonly Syntax[]) {
    const source =
      typeof fieldOf(item.source, 'value') === 'string' ? fileOf(file, nameOf(item.source)) : null;
    if (item.type === 'ExportDeclaration') declare(item.declaration, true);
    else if (item.type === 'ExportAllDeclaration' && source !== null) stars.push(source);
    else if (item.type === 'ImportDeclaration' && source !== null)
      for (const one of partsOf(item.specifiers))
        imported.set(nameOf(fieldOf(one, 'local')), {
          ...{ file: source, name: nameOf(fieldOf(one, 'imported') ?? fieldOf(one, 'local')) },
        });
    else if (item.type === 'ExportNamedDeclaration')
      for (const one of partsOf(item.specifiers)) {
        const name = nameOf(fieldOf(one, 'orig'));
        exported.set(nameOf(fieldOf(one, 'exported') ?? fieldOf(one, 'orig')), {
          file: source ?? file,
          name,
        });
      }
    else declare(item, false);
  }
  const declarations = { own, imported, exported, stars };
  read.set(file, declarations);
  return declarations;
}

/** Where the name that a file uses is declared; null for a name of a package or of the language. */
function declarationOf(file: string, name: string): Declared | null {
  const { own, imported } = readDeclarations(file);
  if (own.has(name)) return { file, name };
  const from = imported.get(name);
  return from === undefined ? null : exportOf(from);
}

function exportOf({ file, name }: Declared): Declared | null {
  const { exported, stars } = readDeclarations(file);
  const found = exported.get(name);
  if (found !== undefined) return found.file === file ? declarationOf(file, found.name) : exportOf(found);
  for (const star of stars) {
    const behind = exportOf({ file: star, name });
    if (behind !== null) return behind;
  }
  return null;
}

function namesExportedBy(file: string): readonly string[] {
  const { exported, stars } = readDeclarations(file);
  return [...exported.keys(), ...stars.flatMap(namesExportedBy)];
}

/** The leftmost name of `a.b.c`. */
function firstName(node: unknown): string | null {
  const left = fieldOf(node, 'left');
  if (left !== undefined) return firstName(left);
  return fieldOf(node, 'type') === 'Identifier' ? nameOf(node) : null;
}

/** Where a declaration names a type, and what holds the name. */
const NAMED: Readonly<Record<string, string>> = {
  TsTypeReference: 'typeName',
  TsExpressionWithTypeArguments: 'expression',
  ClassDeclaration: 'superClass',
  TsTypeQuery: 'exprName',
};

/** The names that a declaration names. An alias may say `typeof`: it is how a schema's type gets a name. */
function* namesIn(
  node: unknown,
  isAlias = fieldOf(node, 'type') === 'TsTypeAliasDeclaration',
): Generator<string> {
  if (Array.isArray(node)) for (const part of node) yield* namesIn(part, isAlias);
  if (!isSyntax(node) || Array.isArray(node)) return;
  const { type, accessibility } = node;
  if (accessibility === 'private' || (type === 'TsTypeQuery' && isAlias)) return;
  const name = firstName(node[NAMED[String(type)] ?? '']);
  if (name !== null) yield name;
  for (const [key, part] of Object.entries(node)) if (key !== 'span') yield* namesIn(part, isAlias);
}

/** The public types of an entry of the package. */
export interface PublicTypes {
  readonly names: readonly string[];
  /** `A names B`, where A can be imported from the entry and B, a type of ours, cannot. */
  readonly forgotten: readonly string[];
  /** Exported types, classes and functions of ours without a docstring. */
  readonly undocumented: readonly string[];
}

const keyOf = ({ file, name }: Declared): string => `${file} ${name}`;

/** @param entry a file of declarations, as the build writes it */
export function publicTypesOf(entry: string): PublicTypes {
  const names = namesExportedBy(entry);
  const open = new Map<string, Declared>();
  for (const name of names) {
    const declared = exportOf({ file: entry, name });
    if (declared !== null) open.set(keyOf(declared), declared);
  }
  const forgotten = new Set<string>();
  for (const { file, name } of open.values())
    for (const used of (readDeclarations(file).own.get(name) ?? []).flatMap((node) => [...namesIn(node)])) {
      const declared = declarationOf(file, used);
      if (declared !== null && !open.has(keyOf(declared))) forgotten.add(`${name} names ${used}`);
    }
  const undocumented = [...open.values()].filter((declared) => !isDocumented(declared));
  return { names, forgotten: [...forgotten], undocumented: undocumented.map(({ name }) => name) };
}

function isDocumented({ file, name }: Declared): boolean {
  const declaration = `export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) ${name}\\b`;
  return new RegExp(`\\*/\\n${declaration}`).test(readFileSync(file, 'utf8'));
}
