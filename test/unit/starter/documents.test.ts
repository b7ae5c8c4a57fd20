import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { listDocuments } from '../../../src/domain/documents';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { createFolderStore, type FileStore } from '../../../src/platform/file-store';
import { documentsCommand } from '../../../src/starter/cli/syntax/follow-orders';
import type { CliContext } from '../../../src/starter/cli/context';
import { documentLines } from '../../../src/starter/cli/show-documents';
import { aFurnitureShipment } from '../../support/builders';
import { temporaryFolder } from '../../support/temporary-folder';

const AT = '2035-03-01T10:00:00.000Z';
let folder: string;
let out: string;
let files: FileStore;
let state: ShipmentState;

async function stored(fileName: string, content: string) {
  const sha256 = await files.put(Buffer.from(content));
  return { fileName, contentType: 'application/pdf', sizeInBytes: content.length, sha256, fetchedAt: AT };
}
const anAttachment = async (attachmentId: string, fileName: string, content: string) => ({
  ...(await stored(fileName, content)),
  ...{ attachmentId, attachmentType: 'ProofOfDelivery', fileType: null, notes: null },
});

beforeEach(async () => {
  folder = temporaryFolder();
  out = path.join(folder, 'new', 'out');
  files = createFolderStore(path.join(folder, 'store'));
  const { fetchedAt: _, ...image } = await stored('sofa.jpg', 'image');
  state = {
    ...initialState(aFurnitureShipment({ images: [{ ...image, contentType: 'image/jpeg' }] })),
    billOfLading: { ...(await stored('bill-of-lading-44.pdf', 'bill')), billOfLadingNumber: '44' },
    attachments: [
      await anAttachment('7', '../../POD.pdf', 'proof'),
      await anAttachment('8', '../../POD.pdf', 'proof of another page'),
    ],
  };
});
afterEach(async () => {
  process.exitCode = undefined;
});

async function run(options: readonly string[], view: ShipmentState = state) {
  const printed: string[] = [];
  const warned: string[] = [];
  const documents = async () => await Promise.resolve({ ...view, stored: listDocuments(view) });
  const context = {
    print: (text: string) => void printed.push(text),
    warn: (text: string) => void warned.push(text),
    files: () => files,
    withShipments: async (use: (shipments: object) => Promise<unknown>) => await use({ documents }),
    orderOf: () => ({ account: 'acme', orderId: 'SO-1' }),
  } as unknown as CliContext;
  await documentsCommand(context).parseAsync(['SO-1', ...options], { from: 'user' });
  const { exitCode } = process;
  process.exitCode = undefined;
  return { printed: printed.join('\n'), warned: warned.join('\n'), exitCode };
}

const NAMES = [
  'attachment-7--..-POD.pdf',
  'attachment-8--..-POD.pdf',
  'bill-of-lading-44.pdf',
  'image-1-sofa.jpg',
];

test('documents are listed with what they are, their size, time and hash', async () => {
  const { printed, exitCode } = await run([]);
  expect(exitCode).toBeUndefined();
  expect(printed).toContain('bill of lading 44');
  expect(printed).toContain('attachment 7 (ProofOfDelivery)');
  expect(printed).toContain('2035-03-01 10:00:00');
  expect(printed).toContain(state.images[0]?.sha256);
});

test('--out writes each into the folder, whatever its name is, and a second time changes nothing', async () => {
  expect(await run(['--out', out])).toMatchObject({ warned: '', exitCode: undefined });
  expect((await readdir(out)).toSorted()).toEqual(NAMES);
  expect(await readFile(path.join(out, 'bill-of-lading-44.pdf'), 'utf8')).toBe('bill');
  const again = await run(['--out', out]);
  expect(again.printed).toContain('there already');
  expect(again).toMatchObject({ warned: '', exitCode: undefined });
  expect((await readdir(out)).toSorted()).toEqual(NAMES);
});

test('--out writes for its user only: each file, also a replaced one, and the folder', async () => {
  await run(['--out', out]);
  await run(['--out', out, '--force']);
  const modes = await Promise.all(NAMES.map(async (name) => (await stat(path.join(out, name))).mode & 0o777));
  expect([(await stat(out)).mode & 0o777, ...modes]).toEqual([0o700, 0o600, 0o600, 0o600, 0o600]);
});

test('a file with another content is only replaced with --force', async () => {
  await run(['--out', out]);
  const file = path.join(out, 'bill-of-lading-44.pdf');
  await writeFile(file, 'mine');
  const refused = await run(['--out', out]);
  expect(refused.warned).toContain('--force');
  expect(refused.exitCode).toBe(1);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await run(['--out', out, '--force'])).toMatchObject({ warned: '', exitCode: undefined });
  expect(await readFile(file, 'utf8')).toBe('bill');
});

test('a link that is there is never written through, not even with --force', async () => {
  await run(['--out', out]);
  const file = path.join(out, 'bill-of-lading-44.pdf');
  const victim = path.join(folder, 'victim');
  await writeFile(victim, 'mine');
  await rm(file);
  await symlink(victim, file);
  expect((await run(['--out', out])).exitCode).toBe(1);
  await run(['--out', out, '--force']);
  expect(await readFile(victim, 'utf8')).toBe('mine');
  expect(await readFile(file, 'utf8')).toBe('bill');
});

test('an absent or damaged document is reported, and the others are written', async () => {
  const [image] = state.images;
  if (image === undefined) throw new TypeError('no image');
  await writeFile(path.join(folder, 'store', image.sha256.slice(0, 2), image.sha256), 'changed');
  const { warned, exitCode } = await run(['--out', out]);
  expect(warned).toMatch(/^image 1 was not written: stored file .* is damaged$/);
  expect(exitCode).toBe(1);
  expect((await readdir(out)).toSorted()).toEqual(NAMES.slice(0, 3));
});

test('--json prints one object for each document', async () => {
  const { printed } = await run(['--json', '--out', out]);
  const objects = printed.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(objects.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['image', 'written'],
    ['billOfLading', 'written'],
    ['attachment', 'written'],
    ['attachment', 'written'],
  ]);
  expect(objects[1]).toMatchObject({ sizeInBytes: 4, file: path.join(out, 'bill-of-lading-44.pdf') });
});

test('an order without documents says so', async () => {
  expect((await run([], initialState(aFurnitureShipment()))).printed).toBe('No documents yet.');
});

test('missing and awaited documents are reported, and no name moves the cursor', () => {
  const lines = documentLines({
    ...state,
    images: [],
    billOfLading: 'unavailable',
    attachments: state.attachments.slice(0, 1).map((one) => ({ ...one, fileName: 'a\u001b[2Jb.pdf' })),
    wantedAttachments: [{ attachmentId: '9', since: AT }],
  });
  expect(lines).toEqual([
    '  attachment 7 (ProofOfDelivery): a [2Jb.pdf, application/pdf, 5 B',
    '  bill of lading: never became ready',
    `  attachment 9: Consign has been trying to fetch it since ${AT}`,
  ]);
});
