import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import type { Command } from 'commander';
import type { CliContext } from '../../src/starter/cli/context';
import { HARD_WORDS } from '../support/hard-words';
import { createProgram } from '../../src/starter/cli/program';

const ROOT = path.join(__dirname, '..', '..');

function hardWordsIn(text: string): string[] {
  const line = text.toLowerCase().replaceAll(/\s+/g, ' ');
  return HARD_WORDS.flatMap((words) => line.match(words)?.[0] ?? []);
}

test.each([
  ['People are told by a question.', ['told']],
  ['Write it in such a way, so\n  that it fits.', ['so that']],
  ['No order of ours has a zone of its own.', ['of ours']],
  ['Meanwhile, whoever waits so long mends it; nothing is there as yet.', 5],
])('this test finds the hard words of %j', (text, found) => {
  const words = hardWordsIn(text);
  expect(typeof found === 'number' ? words.length : words).toEqual(found);
});

test.each([
  'The teller of the account retold it.',
  'It takes so much that it fails.',
  'Recommended: amend it.',
])('this test finds no hard word in %j', (text) => {
  expect(hardWordsIn(text)).toEqual([]);
});

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];

/** With the texts that are added before and after it. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help;
}

test('the help of every command is in plain words', () => {
  const helps = commandsOf(createProgram({} as CliContext)).map((command) => [
    command.name(),
    helpOf(command),
  ]);
  expect(helps.length).toBeGreaterThan(20);
  expect(helps.filter(([, help = '']) => hardWordsIn(help).length > 0)).toEqual([]);
});

/** Their texts are for people: outputs, errors, and the problems of orders and accounts files. */
const PRINTING = ['src', 'sandbox', 'devstack', 'chaos'];

function filesOf(part: string): string[] {
  return readdirSync(path.join(ROOT, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(part, name));
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A literal, a template without its values, or a sum of them; null for any other syntax. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'TemplateLiteral' && Array.isArray(node.quasis))
    return node.quasis.map((part: unknown) => (isNode(part) ? String(part.raw) : '')).join('…');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null || right === null ? null : left + right;
}

function* textsIn(node: unknown): Generator<string> {
  if (!isNode(node)) return;
  const text = textOf(node);
  if (text !== null) yield text;
  // A sum is read as one text; the values of a template may hold further ones.
  const parts = text === null ? Object.values(node) : [node.expressions];
  for (const part of parts)
    yield* Array.isArray(part) ? part.flatMap((one) => [...textsIn(one)]) : textsIn(part);
}

test.each(PRINTING)('what %s prints is in plain words', (part) => {
  const found = filesOf(part).flatMap((file) => {
    const code = readFileSync(path.join(ROOT, file), 'utf8');
    return [...textsIn(parseSync(code, { syntax: 'typescript' }).body)].map((text) => ({ file, text }));
  });
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ text }) => hardWordsIn(text).length > 0)).toEqual([]);
});

/** Text of every comment: strings, templates and patterns that look like one are none. */
const commentsOf = (code: string): string[] =>
  (parse(code, { sourceType: 'module', plugins: ['typescript'] }).comments ?? []).map(({ value }) =>
    value.replaceAll(/^\s*\*/gm, ''),
  );

test.each([
  ["// Whoever reads this\nconst url = 'https://example.com/told';", ['whoever']],
  ['/**\n * Sorted so\n * that it is found.\n */\nconst pattern = /told/;', ['so that']],
  ['const text = `// told ${/* mended */ 1}`;', ['mended']],
])('this test finds the hard words in the comments of %j', (code, found) => {
  expect(commentsOf(code).flatMap(hardWordsIn)).toEqual(found);
});

test.each(['src', 'devstack', 'chaos'])('the comments of %s are in plain words', (part) => {
  const found = filesOf(part).flatMap((file) =>
    commentsOf(readFileSync(path.join(ROOT, file), 'utf8')).map((text) => ({ file, text })),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ text }) => hardWordsIn(text).length > 0)).toEqual([]);
});

const isTestFunction = (callee: unknown): boolean => {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return callee.value === 'test' || callee.value === 'describe';
  return isTestFunction(callee.type === 'MemberExpression' ? callee.object : callee.callee);
};

/** The first arguments of `test`, `describe`, `test.each(…)` and the like. */
function* titlesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const part of node) yield* titlesIn(part);
  if (!isNode(node) || Array.isArray(node)) return;
  if (node.type === 'CallExpression' && Array.isArray(node.arguments) && isTestFunction(node.callee)) {
    const [first] = node.arguments;
    const title = isNode(first) ? textOf(first.expression) : null;
    if (title !== null) yield title;
  }
  for (const [key, part] of Object.entries(node)) if (key !== 'span') yield* titlesIn(part);
}

/** Not yet those of the sandbox and of chaos. */
const isHeld = (file: string): boolean => !/unit.(?:sandbox|chaos)./.test(file);

test('the titles of tests are in plain words', () => {
  const found = filesOf('test')
    .filter(isHeld)
    .flatMap((file) => {
      const code = readFileSync(path.join(ROOT, file), 'utf8');
      return [...titlesIn(parseSync(code, { syntax: 'typescript' }).body)].map((title) => ({ file, title }));
    });
  expect(found.length).toBeGreaterThan(1_000);
  expect(found.filter(({ title }) => hardWordsIn(title).length > 0)).toEqual([]);
});
