import { isMap, isSeq, visit, type Node } from 'yaml';
import { linesText } from './decode-text';
import { isJson } from './is-json';

/** What a text contains instead of one order in JSON or YAML. */
export interface ForeignText {
  readonly problem: string;
  readonly remedy: string;
}

const CURLY = '“”„‟«»‘’‚‛';
const BEGINS_CURLY = new RegExp(`^[${CURLY}]`);
const ENDS_CURLY = new RegExp(`[${CURLY}]$`);
/** Places where a quote opens in a document that cannot be parsed. */
const OPENS_CURLY = new RegExp(`(^|[{[,:-])\\s*[${CURLY}]`);

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Finds what is almost JSON, but would mean something else as YAML; null when there is none. */
export function foreignJson(text: string): ForeignText | null {
  return /^\s*(\{|\[|\/\/|\/\*)/.test(text) ? (severalJson(text) ?? commentedJson(text)) : null;
}

/** The most likely reason why a text is not YAML; null when none is found. */
export function foreignSyntax(text: string): ForeignText | null {
  return controlCharacter(text) ?? curlyLines(text) ?? csv(text);
}

/** Finds what YAML parses without an error, but to something that nobody meant; null when there is none. */
export function foreignContent(
  text: string,
  root: Node | null,
  lineAt: (offset: number) => number,
): ForeignText | null {
  return curlyScalars(root, lineAt) ?? (isMap(root) || isSeq(root) ? null : csv(text));
}

function controlCharacter(text: string): ForeignText | null {
  // oxlint-disable-next-line no-control-regex -- it is what is looked for
  const found = /[\u0000-\u0008\u000B\u000E-\u001F]/.exec(text);
  if (found === null) return null;
  const code = found[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
  const problem = `line ${lineOf(text, found.index)} has the control character U+${code}`;
  return { problem, remedy: 'remove it; the file may be damaged or binary' };
}

/** JSON documents one after the other, or one a line as many exports write them. */
function severalJson(text: string): ForeignText | null {
  const [first, second] = topLevelJson(text);
  if (first === undefined || second === undefined) return null;
  if (!isJson(text.slice(first, second).replace(/,\s*$/, ''))) return null;
  const problem = `contains several JSON documents: another one begins on line ${lineOf(text, second)}`;
  return { problem, remedy: SEVERAL_REMEDY };
}

export const SEVERAL_REMEDY = 'split it into one file for each order';

interface JsonToken {
  readonly index: number;
  readonly token: string;
}

/** Tokens of JSON with comments: strings, comments and single characters. An unterminated one extends to the end. */
const JSON_TOKEN = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*(?:[^]*?\*\/|[^]*)|\S/g;
const isCommentToken = (token: string): boolean => /^\/[/*]/.test(token);
const isComment = ({ token }: JsonToken): boolean => isCommentToken(token);

const jsonTokens = (text: string): JsonToken[] =>
  Array.from(text.matchAll(JSON_TOKEN), ({ index, 0: token }) => ({ index, token }));

/** Where the first two top-level JSON objects or lists begin. */
function topLevelJson(text: string): number[] {
  const beginnings: number[] = [];
  let depth = 0;
  for (const { index, token } of jsonTokens(text).filter((found) => !isComment(found))) {
    if (token === '{' || token === '[') {
      if (depth === 0) beginnings.push(index);
      depth += 1;
    } else if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0 && token !== ',') break;
  }
  return beginnings.slice(0, 2);
}

function commentedJson(text: string): ForeignText | null {
  const comments = jsonTokens(text).filter(isComment);
  const bare = text.replaceAll(JSON_TOKEN, (token) => (isCommentToken(token) ? ' ' : token));
  // In a YAML flow mapping two slashes may be part of a text, as in https://, but not where JSON would have a comment.
  const isCertain = isJson(bare.replaceAll(/,(?=\s*[}\]])/g, ''));
  const [first] = isCertain ? comments : comments.filter((comment) => beginsComment(text, comment.index));
  if (first === undefined) return null;
  const problem = `is JSON with comments: line ${lineOf(text, first.index)} has one (// or /* */)`;
  return { problem, remedy: 'remove them, or write YAML, whose comments begin with #' };
}

/** Whether a line begins there, or the character before it cannot be part of an unquoted text. */
function beginsComment(text: string, index: number): boolean {
  let before = index - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || '\n{[,}]"'.includes(text.charAt(before));
}

function curlyText(lines: readonly number[]): ForeignText | null {
  if (lines.length === 0) return null;
  const problem = `uses curly quotes (“ ”) as quotes on ${linesText([...new Set(lines)])}`;
  return { problem, remedy: 'write straight quotes ("); word processors change them' };
}

function curlyLines(text: string): ForeignText | null {
  const lines = text.split('\n');
  return curlyText(lines.flatMap((line, index) => (OPENS_CURLY.test(line) ? [index + 1] : [])));
}

/** YAML treats curly quotes as letters. Within straight quotes they are meant as letters. */
function curlyScalars(root: Node | null, lineAt: (offset: number) => number): ForeignText | null {
  const lines: number[] = [];
  visit(root, {
    Scalar(_, { type, source = '', range }, path) {
      if (type !== 'PLAIN') return;
      const isQuoted = BEGINS_CURLY.test(source) && ENDS_CURLY.test(source);
      // In a flow mapping a comma splits a text. A closing quote alone may be an apostrophe, or inches.
      const isInBraces = path.some((node) => (isMap(node) || isSeq(node) ? node.flow === true : false));
      if (isQuoted || (isInBraces && /^[“„«]/.test(source))) lines.push(lineAt(range?.[0] ?? 0));
    },
  });
  return curlyText(lines);
}

const SEPARATORS = [',', ';', '\t'];
const FIRST_ROWS = 5;

/** A table: every row has as many separators as the first. */
function csv(text: string): ForeignText | null {
  if (/^\s*[{[]|"\s*:/.test(text)) return null;
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, FIRST_ROWS)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const counts = SEPARATORS.map((separator) => rows.map((row) => row.split(separator).length - 1));
  const isTable = counts.some(([first = 0, ...others]) => {
    return first >= (others.length === 0 ? 2 : 1) && others.every((count) => count === first);
  });
  return isTable ? { problem: 'is a CSV table', remedy: 'write each row as an order in JSON or YAML' } : null;
}
