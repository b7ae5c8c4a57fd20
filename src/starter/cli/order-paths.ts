import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const IS_DOCUMENT = /\.(json|ya?ml)$/i;
/** Accounts files lie beside orders, also as `accounts.example.yaml`. */
const IS_ACCOUNTS_FILE = /^accounts\b[\w.-]*\.ya?ml$/i;

/**
 * The order documents that paths name: a file is itself, `-` is standard input, and a folder stands for its .json, .yaml
 * and .yml files, sorted, without its subfolders. A path that does not exist stays in the list: reading it reports it.
 * @param notOrders absolute paths that a folder leaves out, such as the accounts file
 */
export async function orderFilesIn(
  paths: readonly string[],
  notOrders: readonly string[] = [],
): Promise<{ readonly files: readonly string[]; readonly emptyFolders: readonly string[] }> {
  const files: string[] = [];
  const emptyFolders: string[] = [];
  for (const given of paths) {
    const found = given === '-' ? null : await documentsOf(given);
    const documents = found?.filter((file) => !notOrders.includes(path.resolve(file))) ?? [given];
    if (documents.length === 0) emptyFolders.push(given);
    files.push(...documents);
  }
  // Standard input can be read only once, and a file that is named twice is still one order.
  return { files: [...new Set(files)], emptyFolders };
}

/** @returns null when the path is not a folder */
async function documentsOf(given: string): Promise<string[] | null> {
  const stats = await stat(given).catch(() => null);
  if (stats === null || !stats.isDirectory()) return null;
  const entries = await readdir(given, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && IS_DOCUMENT.test(entry.name))
    .filter((entry) => !IS_ACCOUNTS_FILE.test(entry.name))
    .map((entry) => path.join(given, entry.name))
    .toSorted();
}
