import pc from 'picocolors';

/** What a terminal obeys, and what turns the order of letters around or hides them; line breaks and tabs stay. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** The colours that we set ourselves: bold, dim, red, green, yellow, cyan, and their ends. */
// oxlint-disable-next-line no-control-regex -- this is what begins a colour
const OUR_COLOURS = /^\u001b\[(?:1|2|22|31|32|33|36|39)m/;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text as it may be written to a terminal. Names, words and file names of others are part of it: what a terminal would
 * obey is written as JSON escapes it, so that it is seen, and JSON stays what it was.
 */
export function terminalText(text: string, hasColours = pc.isColorSupported): string {
  return text.replace(OBEYED, (found, at: number) => {
    if (found === '\n' || found === '\t') return found;
    if (hasColours && found === '\u001b' && OUR_COLOURS.test(text.slice(at, at + 5))) return found;
    return found.split('').map(escaped).join('');
  });
}

// A pipe takes a file's content as it is; a terminal obeys nothing of it.
export function writeContent(text: string): void {
  if (process.stdout.isTTY) writeOut(text.replaceAll('\r\n', '\n'));
  else process.stdout.write(text);
}

// Nothing else of the command line reaches the terminal by another way.
export const writeOut = (text: string): void => void process.stdout.write(terminalText(text));
export const writeErr = (text: string): void => void process.stderr.write(terminalText(text));
