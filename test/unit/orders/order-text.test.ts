import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { decodeText } from '../../../src/orders/decode-text';
import { fixDocument } from '../../../src/orders/fix-document';
import { readDocument } from '../../../src/orders/read-document';
import { validate, type ReadOrder } from '../../../src/starter/client/order-files';
import { fuzzing } from '../../support/fuzzing';
import { accounts, changed, NOW, read, SOFA } from './documents';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

let count = 0;
async function problemsOfFile(bytes: Buffer | string): Promise<string[]> {
  const file = path.join(folder, `order-${(count += 1)}.json`);
  await writeFile(file, bytes);
  return problemsOf(await validate({ file }, accounts, NOW));
}

const problemsOf = (reading: ReadOrder): string[] =>
  reading.ok ? [] : reading.problems.map(({ path: at, problem, remedy }) => `${at}: ${problem}; ${remedy}`);

/** Everything that is wrong with a text, or its value. */
function readingOf(text: string): unknown {
  const document = readDocument(text);
  return document.ok ? document.value : document.problems.map(({ path: at, problem }) => `${at}: ${problem}`);
}

const MONTREAL = changed(SOFA, 'labels', { city: 'Montréal' });
const json = (document: unknown): string => JSON.stringify(document, null, 2);

describe('the bytes of a file', () => {
  const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(json(MONTREAL))],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${json(MONTREAL)}`)],
    ['UTF-16 with the mark of little endian', Buffer.from(`\uFEFF${json(MONTREAL)}`, 'utf16le')],
    ['UTF-16 with the mark of big endian', utf16be(json(MONTREAL))],
  ])('in %s are read', async (_, bytes) => {
    const decoded = decodeText(bytes);
    expect(decoded.ok && readDocument(decoded.text)).toEqual({ ok: true, value: MONTREAL });
    expect(await problemsOfFile(bytes)).toEqual([]);
  });

  test.each<[string, Buffer, string]>([
    [
      'Latin-1',
      Buffer.from(json(MONTREAL).replace('"labels"', '\n"labels"'), 'latin1'),
      'is not UTF-8: line 12 looks like Latin-1 or Windows-1252; save the file as UTF-8',
    ],
    ['Windows-1252', Buffer.from('a: 1\nb: \x93x\x94', 'latin1'), 'is not UTF-8: line 2 looks like'],
    [
      'Latin-1 in many lines',
      Buffer.from('é: 1\n'.repeat(7), 'latin1'),
      'is not UTF-8: lines 1, 2, 3, 4, 5 and 2 more look like Latin-1',
    ],
    ['UTF-8 that is cut off', Buffer.from('a: é').subarray(0, -1), 'is not UTF-8: line 1'],
    [
      'UTF-16 without a mark',
      Buffer.from('kind: ltl', 'utf16le'),
      'looks like UTF-16 without a byte order mark',
    ],
    ['UTF-16 that is cut off', Buffer.from('fffe4100d8', 'hex'), 'contains invalid UTF-16'],
    ['UTF-32', Buffer.from('fffe000041000000', 'hex'), 'is UTF-32'],
    ['an image', Buffer.from('89504e470d0a1a0a0000000dff', 'hex'), 'is a binary file, not text'],
    ['more than any order', Buffer.alloc(600_000, 'a'), 'is larger than 524290 bytes'],
  ])('in %s are refused, and nothing is guessed', async (_, bytes, expected) => {
    expect(await problemsOfFile(bytes)).toEqual([expect.stringContaining(`$: ${expected}`)]);
  });

  test.each([
    ['Latin-1', Buffer.from(json(MONTREAL), 'latin1'), ['$: is not UTF-8: line 11 looks like']],
    ['UTF-16', Buffer.from(`\uFEFF${json(MONTREAL)}`, 'utf16le'), []],
    ['CSV', Buffer.from('kind,account\nltl,acme'), ['$: is a CSV table']],
  ])('come from standard input as from a file: %s', async (_, bytes, expected) => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    try {
      Object.defineProperty(process, 'stdin', {
        configurable: true,
        value: Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]),
      });
      const problems = problemsOf(await validate({ file: '-' }, accounts, NOW));
      expect(problems).toEqual(expected.map((text) => expect.stringContaining(text)));
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  });
});

describe('a file that is no order in JSON or YAML is described', () => {
  test.each<[string, string, string]>([
    ['CSV', 'kind,account,orderId\nltl,acme,1\n', 'is a CSV table'],
    ['CSV with semicolons', 'kind;account\r\nltl;acme\r\n', 'is a CSV table'],
    ['CSV in quotes', '"kind","account"\n"ltl","a, b: c"\n', 'is a CSV table'],
    ['a table of tabs', 'kind\taccount\nltl\tacme', 'is a CSV table'],
    [
      'curly quotes',
      '{“kind”: “ltl”,\n“account”: “acme”}',
      'uses curly quotes (“ ”) as quotes on lines 1, 2',
    ],
    [
      'one curly quote too many',
      '{"kind": "ltl",\n"title": “Sofa, grey”}',
      'uses curly quotes (“ ”) as quotes on line 2',
    ],
    ['curly quotes with a colon', '{"title": “Sofa: grey”}', 'uses curly quotes (“ ”) as quotes on line 1'],
    ['curly quotes in YAML', 'kind: ltl\naccount: ‘acme’', 'uses curly quotes (“ ”) as quotes on line 2'],
    ['JSON with line comments', '{\n  // ours\n  "kind": "ltl"\n}', 'is JSON with comments: line 2 has one'],
    [
      'JSON with a comment behind',
      '{\n  "a": 1, // ours\n  "b": 2,\n}',
      'is JSON with comments: line 2 has one',
    ],
    ['JSON with block comments', '/* ours */\n{"kind": "ltl"}', 'is JSON with comments: line 1 has one'],
    [
      'two JSON documents',
      '{\n"a": 1\n}\n{\n"a": 2\n}',
      'contains several JSON documents: another one begins on line 4',
    ],
    [
      'JSON with a comma between',
      '{"a":1},\n{"a":2}',
      'contains several JSON documents: another one begins on line 2',
    ],
    [
      'two YAML documents',
      'a: 1\n---\na: 2\n',
      'contains several YAML documents: another one begins on line 3',
    ],
    ['only a comment', '# nothing\n', 'the document is empty'],
    ['a zero byte', 'a: 1\n\u0000', 'line 2 has the control character U+0000'],
  ])('%s', (_, text, expected) => {
    expect(readingOf(text)).toEqual([expect.stringContaining(`$: ${expected}`)]);
  });

  test.each<[string, string, unknown]>([
    ['curly quotes within a text', 'title: The “Oslo” sofa', { title: 'The “Oslo” sofa' }],
    ['curly quotes within straight ones', '{"title": "“Oslo”"}', { title: '“Oslo”' }],
    ['an apostrophe and inches', '{ title: the boys’, size: 84” }', { title: 'the boys’', size: '84”' }],
    [
      'slashes in an address',
      '{ images: [https://a.example/b.png] }',
      { images: ['https://a.example/b.png'] },
    ],
    ['slashes in a street', '{ street: 5 Maple // rear }', { street: '5 Maple // rear' }],
    ['slashes in JSON', '{"a": "// no comment"}', { a: '// no comment' }],
    ['commas in YAML', 'a: 1, 2\nb: 3, 4', { a: '1, 2', b: '3, 4' }],
  ])('%s are content', (_, text, value) => {
    expect(readingOf(text)).toEqual(value);
  });
});

describe('YAML', () => {
  const order = (postalCode: string) =>
    JSON.stringify(changed(SOFA, 'destination.address', { ...ADDRESS, postalCode: 'CODE' })).replace(
      '"CODE"',
      postalCode,
    );
  const ADDRESS = { street: '1 Beacon St', city: 'Boston', state: 'MA', country: 'US' };
  const codeOf = (text: string): unknown => {
    const fixed = fixDocument(text, (value) => read(value));
    if ('ok' in fixed) throw new Error(JSON.stringify(fixed.problems));
    const { destination } = parse(fixed.text, { schema: 'failsafe' }) as typeof ORDER;
    return { isGood: fixed.reading.ok, code: destination.address.postalCode };
  };
  const ORDER = { destination: { address: { postalCode: '' } } };

  test.each<[string, string, boolean]>([
    ['02110', '02110', true],
    ['"02110"', '02110', true],
    ['2110', '02110', true],
    ['0o2110', '0o2110', false],
    ['0x46', '0x46', false],
    ['1e3', '1e3', false],
    ['2110.0', '2110.0', false],
  ])('is 1.2 whatever a directive says, and a code is its text: %s', (given, code, isGood) => {
    expect(codeOf(order(given))).toEqual({ isGood, code });
    expect(codeOf(`%YAML 1.1\n---\n${order(given)}`)).toEqual({ isGood, code });
  });

  test.each<[string, unknown]>([
    ['kind: ltl\n---\n', { kind: 'ltl' }],
    ['kind: ltl\n...\n', { kind: 'ltl' }],
    ['---\nkind: ltl\n--- # the end\n', { kind: 'ltl' }],
    ['%YAML 1.1\n---\na: yes\nb: 0b11\nc: 1_000', { a: 'yes', b: '0b11', c: '1_000' }],
    ['%YAML 1.1\n---\n? !!timestamp 2035-01-01\n: !!binary aGk=', { '2035-01-01': 'aGk=' }],
    ['labels: {0044: a, 1e3: b}', { labels: { '0044': 'a', '1e3': 'b' } }],
  ])('%j is read', (text, value) => {
    expect(readingOf(text)).toEqual(value);
  });

  test('takes as many aliases as its size allows, and writes each of them with its own digits', () => {
    const thousand = `a: &a {zip: &z 02110}\nall: [${'*a, '.repeat(1_000)}*a]\npostalCode: *z`;
    const value = readingOf(thousand) as { all: unknown[]; postalCode: string };
    expect(value.all).toHaveLength(1_001);
    expect(value.postalCode).toBe('02110');
    const labels = fixDocument(`kind: ltl\nlabels: { a: &x 0044, b: *x, c: [*x] }\n--- # end\n`, (document) =>
      read(document),
    );
    expect('ok' in labels ? null : parse(labels.text)).toMatchObject({ labels: { a: '0044', b: '0044' } });
  });

  test.each([
    ['of aliases', Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)],
    ['of maps', Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} {x: *a${i}, y: *a${i}}`)],
    ['of one text', [`a1: [${'*a0, '.repeat(20_000)}]`]],
  ])('that would grow into a large one is refused before it does: %s', (_, lines) => {
    const text = ['a0: &a0 "a text of twenty signs"', ...lines].join('\n');
    expect(readingOf(text)).toEqual([expect.stringContaining('$: the document is larger as JSON')]);
  });

  test.each([
    ['a: 1\nb: {c: 2,\n c: 3}\na: 4', ['$.b.c: is given twice (line 3)', '$.a: is given twice (line 4)']],
    [
      'a: *b\nc: [*d]',
      [
        '$.a: the alias *b has no anchor before it (line 1)',
        '$.c[0]: the alias *d has no anchor before it (line 2)',
      ],
    ],
    ['? {a: 1}\n: b', ['$: a key is not a text (line 1)']],
    [`a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`, ['$: the document is nested too deeply']],
  ])('that cannot be read says every place: %#', (text, expected) => {
    expect(readingOf(text)).toEqual(expected);
  });
});

describe('digits that a text is made of', () => {
  const fixedLabel = (written: string): unknown => {
    const text = JSON.stringify(changed(SOFA, 'labels', { phone: 'NUMBER' })).replace('"NUMBER"', written);
    const fixed = fixDocument(text, (document) => read(document));
    return 'ok' in fixed ? fixed.problems : (parse(fixed.text) as { labels: object }).labels;
  };

  test.each(['0015125550186', '1e3', '0x46', '0o17', '12345678901234567890', '2400.00'])(
    'are taken as they stand: %s',
    (written) => {
      expect(fixedLabel(written)).toEqual({ phone: written });
    },
  );

  test.each(['0x10', '1e3', '0o17', '+5', '1_000'])('are no amount of money: %s', (amount) => {
    const priceLimit = { amount: 'AMOUNT', currency: 'USD' };
    const text = JSON.stringify(changed(SOFA, 'priceLimit', priceLimit)).replace('"AMOUNT"', amount);
    const fixed = fixDocument(text, (document) => read(document));
    expect(fixed).toMatchObject({
      corrections: [],
      reading: { problems: [{ path: '$.priceLimit.amount' }] },
    });
  });

  test.each(['007', '010', '0x10', '1e3'])('are no number that a fix may compute: "%s"', (quantity) => {
    const given = json(changed(SOFA, 'items.0.quantity', quantity));
    expect(fixDocument(given, (document) => read(document))).toMatchObject({ text: given, corrections: [] });
  });
});

describe('whatever bytes a file has', () => {
  const SIGNS = [
    'a',
    ': ',
    '- ',
    '? ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '&a ',
    '*a',
    '!',
    '|\n',
    '>',
  ];
  const MORE = [
    '#',
    '%YAML 1.1\n',
    '---\n',
    '...\n',
    '\\',
    '“',
    '//',
    '/*',
    '\t',
    '\r',
    '\0',
    '0x1',
    '<<: ',
    '\uFEFF',
  ];
  const GOOD = [{ path: '$', problem: 'none', remedy: 'none' }];
  const yamlLike = fc
    .array(fc.constantFrom(...SIGNS, ...MORE), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join('')));
  const good = Buffer.from(json(changed(SOFA, 'title', 'Sofa')));
  const damaged = fc
    .tuple(fc.nat(good.length), fc.nat(4), fc.uint8Array({ maxLength: 4 }))
    .map(([at, length, other]) => Buffer.concat([good.subarray(0, at), other, good.subarray(at + length)]));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)),
    yamlLike,
    damaged,
  );

  /** What is said of them. */
  function reasonsFor(given: Buffer): string[] {
    const decoded = decodeText(given);
    if (!decoded.ok) return [`${decoded.problem}; ${decoded.remedy}`];
    const fixed = fixDocument(decoded.text, (document) => read(document));
    const problems = 'ok' in fixed ? fixed.problems : fixed.reading.ok ? GOOD : fixed.reading.problems;
    return problems.map(({ path: at, problem, remedy }) => `${at}: ${problem}; ${remedy}`);
  }

  test('they are read, or refused with a reason, and never thrown at', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const reasons = reasonsFor(given);
        expect(reasons.length).toBeGreaterThan(0);
        expect(reasons.join('\n')).not.toMatch(/undefined|\[object/);
      }),
      fuzzing(100),
    );
  });

  test.each(['&a ', '[', '{"a":1}\n', '}\n', '//\n', '/*', '"\\"', '---\n', '? '])(
    'a file full of %j is refused',
    (sign) => {
      expect(readDocument(sign.repeat(Math.floor(20_000 / sign.length)))).toMatchObject({ ok: false });
    },
  );

  test.each<[string, string]>([
    ['aliases', `a: &a 1\nb: [${'*a,'.repeat(80_000)}]`],
    ['keys', `{${Array.from({ length: 25_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`],
  ])('%s by the ten thousand are read in seconds, not in minutes', (_, text) => {
    const start = performance.now();
    expect(readDocument(text).ok).toBe(true);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
