import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import * as messages from '../../src/contract/messages';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes';
import { errorPage, questionPage } from '../../src/domain/docs-page';
import { FailureType } from '../../src/domain/failure-type';
import type { AnswerKind, QuestionKind } from '../../src/domain/question';
import type { Phase } from '../../src/domain/shipment-state';
import type { CliContext } from '../../src/starter/cli/context';
import { HARD_WORDS } from '../support/hard-words';
import { anchorOf, sectionsOf } from '../support/markdown';
import { createProgram } from '../../src/starter/cli/program';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```/gm, '');
const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`]*`/g, '');

const anchorIn = (page: string): string => page.split('#')[1] ?? '';

/** What each question can be answered with, beside `cancel`. */
const ANSWERS: { readonly [K in QuestionKind]: readonly AnswerKind[] } = {
  premiumUnknown: ['premium', 'retry', 'revise'],
  priceApproval: ['approve', 'retry', 'revise'],
  rateChoice: ['selectRate', 'retry', 'revise'],
  noRates: ['retry', 'revise'],
  paymentMethod: ['retry', 'revise'],
  inDoubt: ['adopt', 'resend', 'abandon'],
  listingEnded: ['rebook', 'close'],
  listingMissing: ['adopt', 'rebook', 'close', 'retry'],
  possibleDoubleBooking: ['adopt', 'retry'],
  unansweredAcceptance: ['retry'],
  priceChanged: ['approve'],
  late: ['retry'],
  pickupPassed: ['postpone', 'revise'],
  stillConsidered: ['retry'],
  unexpectedFailure: ['retry', 'revise'],
};
const QUESTIONS = sectionsOf(read('docs/questions.md'));
const ERRORS = sectionsOf(read('docs/errors.md'));
const PARTS = ['**What happened.**', '**What is unknown.**', '**What to type.**'];
const lackOf = (section: string, parts: readonly string[]): string[] =>
  parts.filter((part) => !section.includes(part));

const KINDS = Object.keys(ANSWERS) as QuestionKind[];

test.each(KINDS.map((kind) => [kind, ANSWERS[kind]] as const))(
  'docs/questions.md explains %s: what happened, what is unknown, and what to type for each answer',
  (kind, answers) => {
    const section = QUESTIONS.get(anchorIn(questionPage(kind))) ?? '';
    const commands = answers.map((answer) =>
      answer === 'revise' ? 'consign revise FILE --by NAME --reason TEXT' : `consign answer ORDER ${answer} `,
    );
    expect(lackOf(section, [`\`${kind}\``, ...PARTS, ...commands])).toEqual([]);
  },
);

test.each(Object.values(FailureType))(
  'docs/errors.md explains %s: what happened, what is unknown, and what to type',
  (type) => {
    expect(lackOf(ERRORS.get(anchorIn(errorPage(type))) ?? '', PARTS)).toEqual([]);
    expect(read('docs/errors.md')).toContain(`[\`${type}\`](#${anchorIn(errorPage(type))})`);
  },
);

test('a question and a failure name their place in the documentation', () => {
  expect(questionPage('possibleDoubleBooking')).toBe('docs/questions.md#possible-double-booking');
  expect(errorPage('NotFound')).toBe('docs/errors.md#not-found');
});

test('README fits one screen: 180 lines of 100 columns, and table cells of 40 characters', () => {
  const lines = read('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(180);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.split('|').slice(1, -1));
  expect(cells.length).toBeGreaterThan(50);
  expect(cells.map((cell) => cell.trim()).filter((cell) => cell.length > 40)).toEqual([]);
});

const anchorsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links to files of the project, and to headings of them. */
const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\((?<inline>[^)\s]+)\)|^\[[^\]]+\]: (?<named>\S+)$/gm)]
    .map(({ groups }) => groups?.inline ?? groups?.named ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

function isBroken(file: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const found = target === '' ? file : path.join(path.dirname(file), target);
  if (!existsSync(path.join(ROOT, found))) return true;
  return anchor !== undefined && !anchorsOf(read(found)).includes(anchor);
}

test('every link in the documentation leads to a file, and to a heading in it', () => {
  const links = DOCUMENTS.flatMap((file) => linksOf(read(file)).map((link) => ({ file, link })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ file, link }) => isBroken(file, link))).toEqual([]);
});

test.each(['docs/nowhere.md', 'docs/questions.md#nowhere', '#nowhere'])('%s is a broken link', (link) => {
  expect(linksOf(`see [it](${link})`)).toEqual([link]);
  expect(isBroken('README.md', link)).toBe(true);
});

/** Words that a plain one says better: in the documentation some more than in the program. */
const ODD_WORDS = [...HARD_WORDS, /\bso much\b/gi, /\bnobody (?:knows|can say)\b/gi];
const oddWordsIn = (text: string): string[] => {
  const prose = withoutCode(text).replaceAll(/\s+/g, ' ');
  return ODD_WORDS.flatMap((word) => prose.match(word) ?? []);
};

test('the documentation is in plain English: none of the words that have a plainer one', () => {
  const found = DOCUMENTS.flatMap((file) => oddWordsIn(read(file)).map((word) => `${file}: ${word}`));
  expect(found).toEqual([]);
});

test.each([
  ['Temporal tells of them from the fifth failure on.', ['tells']],
  ['It is stored, so\nthat Whoever asks has a copy of its own.', ['so that', 'of its own', 'Whoever']],
  ['no new rate for so long; `so many` in code, and\n```\ntold\n```\nin a block, do not count', ['so long']],
  ['A settlement of yours, "mended" and settled.', ['of yours', 'mended']],
])('this test sees the odd words of %j', (text, words) => {
  expect(oddWordsIn(text)).toEqual(words);
});

const PHASES: { readonly [K in Phase]: K } = {
  validating: 'validating',
  quoting: 'quoting',
  listing: 'listing',
  awaitingBooking: 'awaitingBooking',
  collectingRates: 'collectingRates',
  accepting: 'accepting',
  booked: 'booked',
  inTransit: 'inTransit',
  delivered: 'delivered',
  settled: 'settled',
  cancelled: 'cancelled',
};

test.each([
  ['phase', Object.keys(PHASES)],
  ['question', Object.keys(ANSWERS)],
  ['search attribute', Object.keys(SEARCH_ATTRIBUTES)],
  [
    'signal, query and update',
    Object.values<unknown>({ ...messages })
      .map((message) => (message as { readonly name: string }).name)
      .filter((name) => name !== messages.defineAnswer.name),
  ],
])('docs/phases.md names every %s', (_what, names) => {
  const text = read('docs/phases.md');
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('docs/commands.md has every command of the command line', () => {
  const namesOf = (command: Command, before: string): string[] => {
    const name = `${before}${command.name()}`;
    return command.commands.length === 0
      ? [name]
      : command.commands.flatMap((inner) => namesOf(inner, `${name} `));
  };
  const names = namesOf(createProgram({} as CliContext), '');
  expect(names.length).toBeGreaterThan(15);
  const text = read('docs/commands.md');
  expect(names.filter((name) => !new RegExp(`\\| \`${name}[ \`]`).test(text))).toEqual([]);
});

test('docs/deployment.md has every variable that a process or the README names', () => {
  const named = ['src/platform/config.ts', 'README.md'].flatMap((file) => [
    ...new Set(read(file).match(/\b(?:CONSIGN|WEBHOOK|TEMPORAL|HTTPS)_[A-Z_]+\b/g)),
  ]);
  expect(named.length).toBeGreaterThan(20);
  const text = read('docs/deployment.md');
  expect(named.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
