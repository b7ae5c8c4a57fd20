import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { createFileStore } from '../../../../src/platform/file-store';
import { temporaryFolder } from '../../../support/temporary-folder';

const folder = temporaryFolder();
const store = createFileStore({ kind: 'folder', folder });

test('a file is read back by its hash, and storing it again leaves one', async () => {
  const bytes = Buffer.from('content');
  const sha256 = await store.put(bytes);
  expect(await store.put(bytes)).toBe(sha256);
  expect(Buffer.from(await store.get(sha256)).equals(bytes)).toBe(true);
  expect(await readdir(path.join(folder, sha256.slice(0, 2)))).toEqual([sha256]);
});

test('stored files and their folders are for their user only', async () => {
  const sha256 = await store.put(Buffer.from('private'));
  const inside = path.join(folder, sha256.slice(0, 2));
  expect([(await stat(inside)).mode & 0o777, (await stat(path.join(inside, sha256))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test('simultaneous writes of the same file do not harm each other', async () => {
  const bytes = Buffer.alloc(200_000, 7);
  const hashes = await Promise.all(Array.from({ length: 20 }, async () => await store.put(bytes)));
  expect(new Set(hashes).size).toBe(1);
  expect((await store.get(hashes[0] ?? '')).length).toBe(200_000);
});

test('an absent file and a damaged one are distinguished', async () => {
  await expect(store.get('b'.repeat(64))).rejects.toMatchObject({ reason: 'absent' });
  const sha256 = await store.put(Buffer.from('whole'));
  await writeFile(path.join(folder, sha256.slice(0, 2), sha256), 'changed');
  await expect(store.get(sha256)).rejects.toMatchObject({ reason: 'damaged' });
});

test.each(['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}\n`])(
  'only a hash becomes a path: %j',
  async (text) => {
    await expect(store.get(text)).rejects.toMatchObject({ reason: 'badAddress' });
  },
);

test('a folder that cannot be written is reported as such', async () => {
  const file = path.join(folder, 'a-file');
  await writeFile(file, '');
  const broken = createFileStore({ kind: 'folder', folder: file });
  await expect(broken.put(Buffer.from('x'))).rejects.toMatchObject({ reason: 'unreachable' });
});
