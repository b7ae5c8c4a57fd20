import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(__dirname, '..', '..');
/** Where a file stands, and what it may not import; a type is an import as well. */
const WRONG = [
  ['domain', '../orders/codes'],
  ['domain', 'zod'],
  ['orders', '../marketplace/errors'],
  ['orders', '../conformance/kinds'],
  ['marketplace', '../activities'],
  ['marketplace/resources', '../../accounts'],
  ['activities', '../workflows/account-pause'],
  ['activities', '../workflows/messages'],
  ['activities', '../orders/codes'],
  ['activities', '../starter/show'],
  ['workflows', '../orders/codes'],
  ['workflows', '../marketplace/errors'],
  ['workflows', 'undici'],
  ['webhooks', '../workflows/unrouted-event'],
  ['webhooks', '../marketplace/errors'],
  ['starter', '../workflows/input'],
  ['starter', '../activities'],
  ['starter/commands', '../../workflows/quote'],
  ['starter/commands', '../../sandbox'],
  ['accounts', '../starter/show'],
  ['accounts', '../workflows/messages'],
  ['conformance', '../orders/codes'],
  ['conformance', '../activities'],
  ['documents', '../marketplace/errors'],
  ['file-store', '../domain/money'],
  ['network', '../domain/money'],
  ['network', '../marketplace/errors'],
  ['orders', '../network/download'],
  ['workflows', '../network/download'],
  ['sandbox', '../network/dispatcher'],
  ['temporal', '../starter'],
  ['processes', '../temporal/connect'],
  ['demo', '../sandbox'],
  ['chaos', '../activities'],
  ['chaos', '../workflows/input'],
  ['replay', '../workflows/messages'],
  ['replay', '../activities'],
  ['domain', '../replay/difference'],
  ['marketplace', '../replay/difference'],
  ['sandbox', '../accounts'],
  ['sandbox', '../domain/money'],
  ['sandbox/routes', '../../marketplace/errors'],
  ['.', './workflows/input'],
  ['.', './starter'],
] as const;

/** The arrows that there are. */
const RIGHT = [
  ['domain', './money'],
  ['orders', '../domain/money'],
  ['marketplace/resources', '../../domain/money'],
  ['activities', '../marketplace/errors'],
  ['activities', '../conformance/endpoints'],
  ['workflows', '../domain/money'],
  ['webhooks', '../workflows/messages'],
  ['starter', '../workflows/messages'],
  ['starter/commands', '../../workflows/messages'],
  ['starter', '../orders/codes'],
  ['accounts', '../marketplace/account'],
  ['conformance', '../marketplace/errors'],
  ['file-store', '../processes/error-code'],
  ['file-store', '../processes/user-error'],
  ['accounts', '../processes/user-error'],
  ['network', '../processes/error-code'],
  ['marketplace', '../network/dispatcher'],
  ['activities', '../network/download'],
  ['temporal', '../network/download'],
  ['temporal', '../processes/supervise'],
  ['demo', '../starter/show'],
  ['chaos', '../workflows/messages'],
  ['replay', '../starter/table'],
  ['replay', '../domain/task-queue'],
  ['sandbox/routes', '../accounts'],
  ['.', './workflows/messages'],
] as const;

type Arrow = readonly [folder: string, imported: string];
const fileOf = (index: number, [folder]: Arrow): string => path.join('src', folder, `arrow-${index}.ts`);

/** @returns for each arrow whether lint refuses it, told from the file of each */
async function refused(arrows: readonly Arrow[]): Promise<readonly boolean[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-arrows-'));
  await cp(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  for (const [index, arrow] of arrows.entries()) {
    const file = path.join(folder, fileOf(index, arrow));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `import type { X } from '${arrow[1]}';\nexport type Y = X;\n`);
  }
  const oxlint = path.join(ROOT, 'node_modules', '.bin', 'oxlint');
  const out = await new Promise<string>((resolve) => {
    execFile(oxlint, ['--format', 'unix', 'src'], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  await rm(folder, { recursive: true, force: true });
  const lines = out.split('\n').filter((line) => line.includes('no-restricted-imports'));
  return arrows.map((arrow, index) => lines.some((line) => line.includes(fileOf(index, arrow))));
}

test('lint refuses each import against the direction, and none along it', async () => {
  const verdicts = await refused([...WRONG, ...RIGHT]);
  const missed = WRONG.filter((_, index) => verdicts[index] !== true);
  const wronged = RIGHT.filter((_, index) => verdicts[WRONG.length + index] === true);
  expect({ missed, wronged }).toEqual({ missed: [], wronged: [] });
});
