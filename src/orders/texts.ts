import type { Fix, Problems } from './problem';
import type { OrderShape } from './schema';

/** Contract, Limits: both ASCII. */
const MAX_TITLE = 50;
const MAX_DESCRIPTION = 5_000;

const isAscii = (text: string): boolean => /^[\u0020-\u007E\t\r\n]*$/.test(text);

/** Characters with an ASCII lookalike, and letters that no decomposition turns into ASCII. */
const SPELLED: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018\u2019\u201A\u2032]/g, "'"],
  [/[\u201C-\u201E\u2033]/g, '"'],
  [/[\u00D7\u2715]/g, 'x'],
  [/\u2044/g, '/'],
  [/\u00DF/g, 'ss'],
  [/\u00E6/g, 'ae'],
  [/\u00F8/g, 'o'],
  [/\u00D8/g, 'O'],
];

/** The same text in ASCII; `isWhole` unless a character was dropped: `Récamière – grey` is `Recamiere - grey`. */
function toAscii(text: string): { readonly plain: string; readonly isWhole: boolean } {
  const spelled = SPELLED.reduce<string>(
    (result, [sign, instead]) => result.replaceAll(sign, instead),
    text.normalize('NFKD').replaceAll(/[\u0300-\u036F]/g, ''),
  );
  const plain = spelled.replaceAll(/[^\u0020-\u007E\t\r\n]/g, '');
  return { plain: plain.replaceAll(/ {2,}/g, ' ').trim(), isWhole: plain === spelled };
}

/** The beginning of a text, cut at a whole word. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit + 1);
  const end = cut.lastIndexOf(' ');
  return cut.slice(0, end > limit / 2 ? end : limit).trim();
}

/** Marks a cut text: part of a long text is not a suggestion for all of it. */
const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function checkText(path: string, text: string, limit: number, problems: Problems): void {
  const { plain, isWhole } = toAscii(text);
  if (text.length > limit) {
    const fitting = limit === MAX_TITLE ? `; "${shortened(plain, limit)}" would fit` : '';
    // Only the author knows which words can be dropped.
    problems.add(path, `has ${text.length} characters`, `use at most ${limit}${fitting}`);
  }
  if (isAscii(text)) return;
  const problem = 'has characters outside ASCII, which the marketplace does not accept';
  const fix: Fix | undefined =
    isWhole && plain !== '' && plain.length <= limit ? { path, value: plain } : undefined;
  const example = shortened(plain, limit);
  const remedy = example === '' ? 'write it in ASCII letters' : `write for instance "${shown(example)}"`;
  problems.add(path, problem, remedy, fix);
}

/** The marketplace refuses script-like content (its error code 40010), without saying where. */
function warnOfScript(path: string, text: string | undefined, problems: Problems): void {
  if (text === undefined || !/<\s*[/!]?\s*[a-z]|javascript:/i.test(text)) return;
  problems.warn(path, 'looks like HTML or a script, which the marketplace may refuse', 'write plain text');
}

/** A missing title is made of the items, cut to the limit. */
function defaultTitle(wire: OrderShape): string {
  const items = wire.items ?? [];
  const [first] = items;
  const name =
    toAscii(first?.title ?? first?.commodity ?? '').plain.replaceAll(/\s+/g, ' ') || (wire.orderId ?? '');
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  return `${name.slice(0, MAX_TITLE - more.length).trim()}${more}`;
}

/** A rate request has neither text (contract: Rate request). Within Consign a title still names the order. */
function readLtlTitle({ title }: OrderShape, problems: Problems): void {
  if (title === undefined) return;
  checkText('$.title', title, MAX_TITLE, problems);
  const problem = "rate requests have no title; only Temporal's web UI shows this one";
  problems.warn('$.title', problem, 'put texts for carriers into the title or description of an item');
}

/** Title and description of the listing; an LTL title is shown only within Consign. */
export function readTexts(wire: OrderShape, problems: Problems) {
  const title = wire.title ?? defaultTitle(wire);
  if (wire.kind === 'ltl') {
    readLtlTitle(wire, problems);
    return { title, description: null };
  }
  const description = wire.description ?? null;
  if (wire.title !== undefined) checkText('$.title', wire.title, MAX_TITLE, problems);
  if (description !== null) checkText('$.description', description, MAX_DESCRIPTION, problems);
  warnOfScript('$.title', wire.title, problems);
  warnOfScript('$.description', wire.description, problems);
  warnOfScript('$.driverNotes', wire.driverNotes, problems);
  return { title, description };
}
