import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { terminalText, writeErr, writeOut, writeProgress } from '../../../src/starter/cli/terminal-text';

test.each([
  ['clears the screen', 'Blue \u001b[2J Line', 'Blue \\u001b[2J Line'],
  ['sets the title of the window', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['hides what follows', '\u001b[8mhidden', '\\u001b[8mhidden'],
  ['begins a sequence by one character', '\u009b2Kgone', '\\u009b2Kgone'],
  ['overwrites its line', 'paid\rfree', 'paid\\u000dfree'],
  ['deletes what was before', 'bad\b\b\bgood', 'bad\\u0008\\u0008\\u0008good'],
  ['turns letters around', 'user\u202excod.exe', 'user\\u202excod.exe'],
  ['isolates', 'a\u2066b\u2069c', 'a\\u2066b\\u2069c'],
  ['hides letters', 'a\u200bb\ufeffc', 'a\\u200bb\\ufeffc'],
  ['tags letters', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['breaks lines', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['is half a character', 'a\ud800b', 'a\\ud800b'],
])('text that %s is shown and not obeyed', (_, text, shown) => {
  expect(terminalText(text, true)).toBe(shown);
  expect(terminalText(text, false)).toBe(shown);
});

test("Consign's colours, line breaks, tabs and all letters stay", () => {
  const text = '\u001b[1mNAME\u001b[22m\tZoë 東京 🚚\n\u001b[33mwaits\u001b[39m';
  expect(terminalText(text, true)).toBe(text);
  // Where no colours are, they are not ours.
  expect(terminalText(text, false)).not.toContain('\u001b');
});

test('JSON stays equal, and contains nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const written = terminalText(JSON.stringify({ name }, null, 2), false);
      expect(JSON.parse(written)).toEqual({ name });
      expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});

const { isTTY } = process.stderr;
afterEach(() => {
  process.stderr.isTTY = isTTY;
  jest.restoreAllMocks();
});

/** What both streams were given, in turn. */
function written(isTerminal: boolean): string[] {
  const texts: string[] = [];
  process.stderr.isTTY = isTerminal;
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((chunk) => texts.push(String(chunk)) > 0);
  return texts;
}

test('progress rewrites one line of a terminal, and makes way for any other text', () => {
  const texts = written(true);
  for (const text of ['1 of 3', '2 of 3']) writeProgress(text);
  writeOut('a row\n');
  writeProgress('3 of \u001b[2J3');
  writeErr('a problem\n');
  writeProgress(null);
  const away = ['\u001b[1G', '\u001b[2K'];
  expect(texts).toEqual([
    ...['1 of 3', ...away, '2 of 3', ...away, 'a row\n'],
    ...['3 of \\u001b[2J3', ...away, 'a problem\n'],
  ]);
});

test('without a terminal there is no progress', () => {
  const texts = written(false);
  writeProgress('1 of 3');
  writeErr('a problem\n');
  writeProgress(null);
  expect(texts).toEqual(['a problem\n']);
});
