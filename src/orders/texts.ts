import type { Problems } from './problem';
import type { OrderDraft } from './schema';

/** Contract, Limits: both ASCII. */
const MAX_TITLE = 50;
const MAX_DESCRIPTION = 5_000;

const isAscii = (text: string): boolean => /^[\u0020-\u007E\t\r\n]*$/.test(text);

/** The same text as near as ASCII comes: `Récamière – grey` is `Recamiere - grey`. */
function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201C\u201D\u2033]/g, '"')
    .replaceAll(/[^\u0020-\u007E]/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

function checkText(path: string, text: string, limit: number, problems: Problems): void {
  const plain = toAscii(text).slice(0, MAX_TITLE);
  if (text.length > limit) {
    problems.add(path, `has ${text.length} characters`, `at most ${limit}; "${plain.trim()}" would fit`);
  }
  if (!isAscii(text)) {
    const problem = 'has characters outside ASCII, which the marketplace refuses';
    problems.add(path, problem, `write for instance "${plain.trim()}"`);
  }
}

/** A title that was not given is made of the items, so that it always fits. */
function defaultTitle(wire: OrderDraft): string {
  const items = wire.items ?? [];
  const [first] = items;
  const name = toAscii(first?.title ?? first?.commodity ?? '') || (wire.orderId ?? '');
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  return `${name.slice(0, MAX_TITLE - more.length).trim()}${more}`;
}

/** Title and description of the listing. */
export function readTexts(wire: OrderDraft, problems: Problems) {
  if (wire.title !== undefined) checkText('$.title', wire.title, MAX_TITLE, problems);
  const description = wire.description ?? null;
  if (description !== null) checkText('$.description', description, MAX_DESCRIPTION, problems);
  return { title: wire.title ?? defaultTitle(wire), description };
}
