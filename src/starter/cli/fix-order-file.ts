import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Accounts } from '../../accounts';
import { fixDocument } from '../../orders/fix-document';
import type { Problem } from '../../orders/parse-order';
import { checkOrder, readText } from '../client/order-files';
import { messageOf } from '../../platform/message-of';

export interface FixedOrderFile {
  readonly file: string;
  /** Whether the corrected order is valid. */
  readonly ok: boolean;
  /** The corrected document; null when the document cannot be read. */
  readonly text: string | null;
  readonly document: unknown;
  readonly isChanged: boolean;
  readonly corrections: readonly Problem[];
  /** The problems that a person has to correct. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const unfixable = (file: string, problems: readonly Problem[]): FixedOrderFile => ({
  ...{
    file,
    ok: false,
    text: null,
    document: null,
    isChanged: false,
    corrections: [],
    problems,
    warnings: [],
  },
});

/** Reads one order file and corrects what has a single possible meaning. Writes nothing. */
export async function fixOrderFile(
  file: string,
  accounts: Accounts,
  now: Date = new Date(),
): Promise<FixedOrderFile> {
  const given = await readText(file);
  if (!given.ok) return unfixable(file, given.problems);
  const fixed = fixDocument(given.text, (document) => checkOrder(document, accounts, now));
  if ('ok' in fixed) return unfixable(file, fixed.problems);
  const { text, document, reading, corrections } = fixed;
  return {
    ...{ file, ok: reading.ok, text, document: document.value, corrections },
    isChanged: text !== given.text,
    problems: reading.ok ? [] : reading.problems,
    warnings: reading.warnings,
  };
}

/**
 * Replaces a file with its corrected document in one step: a reader sees the old document or the new one. Links stay
 * links, and permissions stay as they are.
 * @returns why it could not be written, or null
 */
export async function rewriteOrderFile(file: string, text: string): Promise<string | null> {
  let temporary: string | null = null;
  try {
    const target = await realpath(file);
    const { mode } = await stat(target);
    temporary = `${target}.${randomUUID()}.tmp`;
    await writeFile(temporary, text, { mode, flag: 'wx' });
    await rename(temporary, target);
    return null;
  } catch (error) {
    if (temporary !== null) await rm(temporary, { force: true });
    return messageOf(error);
  }
}
