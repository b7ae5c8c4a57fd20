import { clearLine, cursorTo } from 'node:readline';
import pc from 'picocolors';

/** Characters that control a terminal, or that hide or reorder letters. Line breaks and tabs stay. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** The colours that Consign sets: bold, dim, red, green, yellow, cyan, and their ends. */
// oxlint-disable-next-line no-control-regex -- this is what begins a colour
const OUR_COLOURS = /^\u001b\[(?:1|2|22|31|32|33|36|39)m/;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text that is safe to write to a terminal. It may contain foreign names, words and file names: control characters
 * are written as JSON escapes them. They are visible then, and JSON keeps its meaning.
 */
export function terminalText(text: string, hasColours = pc.isColorSupported): string {
  return text.replace(OBEYED, (found, at: number) => {
    if (found === '\n' || found === '\t') return found;
    if (hasColours && found === '\u001b' && OUR_COLOURS.test(text.slice(at, at + 5))) return found;
    return found.split('').map(escaped).join('');
  });
}

// A pipe receives the content unchanged; a terminal receives no control characters.
export function writeContent(text: string): void {
  if (process.stdout.isTTY) writeOut(text.replaceAll('\r\n', '\n'));
  else process.stdout.write(text);
}

let isProgressShown = false;

/** Rewrites one line of a terminal. */
export function writeProgress(text: string | null): void {
  if (!process.stderr.isTTY) return;
  if (isProgressShown) {
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }
  isProgressShown = text !== null;
  if (text !== null) process.stderr.write(terminalText(text));
}

// All other output of the command line goes through these two functions.
export function writeOut(text: string): void {
  writeProgress(null);
  process.stdout.write(terminalText(text));
}
export function writeErr(text: string): void {
  writeProgress(null);
  process.stderr.write(terminalText(text));
}
