import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createDataConverter } from '../../../../src/temporal/encryption/data-converter';
import {
  EncryptionFileError,
  readCodecServerSettings,
  readKeyRing,
} from '../../../../src/temporal/encryption/encryption-file';
import { temporaryFolder } from '../../../support/temporary-folder';

const KEY = 'QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=';
const OTHER = 'QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI=';
const ENV = { KEY, OTHER, SHORT: 'c2hvcnQ=', TOKEN: 'a-token-that-is-long', SHORT_TOKEN: 'abc' };

let file: string;
beforeEach(() => {
  file = path.join(temporaryFolder(), 'encryption.yaml');
});

const read = async (text: string) => {
  await writeFile(file, text);
  return await readKeyRing(file, ENV);
};

test('keys are read by reference, from variables and files', async () => {
  const keyFile = path.join(path.dirname(file), 'key');
  await writeFile(keyFile, `${OTHER}\n`);
  const { writeWith, keys } = await read(
    `writeWith: '2026-11'\nkeys:\n  '2026-11': { file: ${keyFile} }\n  2026-05: { env: KEY }\n`,
  );
  expect(writeWith).toBe('2026-11');
  expect([...keys].map(([id, key]) => [id, key.export().toString('base64')])).toEqual([
    ['2026-11', OTHER],
    ['2026-05', KEY],
  ]);
});

test.each([
  ['no key to write with', 'keys: { a: { env: KEY } }', '$.writeWith: give a text'],
  [
    'a number for a key',
    'writeWith: 2026\nkeys: { 2026: { env: KEY } }',
    '$.writeWith: give a text; put a number in quotes',
  ],
  [
    'another key to write with',
    'writeWith: b\nkeys: { a: { env: KEY } }',
    '$.writeWith: b is not among the keys',
  ],
  ['the key itself', `writeWith: a\nkeys: { a: ${KEY} }`, '$.keys.a: refer to the secret'],
  ['a default', `writeWith: a\nkeys: { a: { env: KEY, default: ${KEY} } }`, '$.keys.a: has a default'],
  ['a short key', 'writeWith: a\nkeys: { a: { env: SHORT } }', '$.keys.a: is not 32 bytes in base64'],
  ['no such variable', 'writeWith: a\nkeys: { a: { env: NONE } }', '$.keys.a: the variable NONE is not set'],
  [
    'no such file',
    'writeWith: a\nkeys: { a: { file: /none/here } }',
    '$.keys.a: the file /none/here cannot be read',
  ],
  [
    'the same key twice',
    'writeWith: a\nkeys: { a: { env: KEY }, b: { env: KEY } }',
    '$.keys.b: is the same key as a',
  ],
  [
    'a blank in an id',
    "writeWith: a\nkeys: { a: { env: KEY }, 'b c': { env: OTHER } }",
    'at most 40 letters, digits',
  ],
  [
    'a long id',
    `writeWith: ${'a'.repeat(41)}\nkeys: { a: { env: KEY } }`,
    '$.writeWith: give at most 40 letters',
  ],
  ['an unknown word', 'writeWith: a\nkeys: { a: { env: KEY } }\nkyes: 1', 'kyes'],
  ['no YAML', 'writeWith: [', 'is not YAML'],
  ['a secret like an alias', 'writeWith: a\nkeys: { a: *zebra }', 'is not YAML'],
])('a file with %s is refused, without a secret', async (_, text, problem) => {
  const refused = read(text);
  await expect(refused).rejects.toThrow(EncryptionFileError);
  await expect(refused).rejects.toThrow(problem);
  await expect(refused).rejects.not.toThrow(new RegExp(`${KEY.slice(0, 20)}|zebra`));
});

test('every problem is reported at once', async () => {
  await expect(read('writeWith: c\nkeys: { a: { env: NONE }, b: { env: SHORT } }')).rejects.toThrow(
    /\$\.keys\.a: .*\n.*\$\.keys\.b: .*\n.*\$\.writeWith: /,
  );
});

test('a missing file is reported with the variable that names it', async () => {
  await expect(readKeyRing('/none/encryption.yaml', ENV)).rejects.toThrow(/ENOENT.*CONSIGN_ENCRYPTION/);
});

const WITH_KEYS = 'writeWith: a\nkeys: { a: { env: KEY } }\n';

test('the codec server has tokens by reference, and origins as browsers send them', async () => {
  await writeFile(
    file,
    `${WITH_KEYS}codecServer:\n  tokens: [{ env: TOKEN }]\n  origins: ['https://temporal.example.com/namespaces']\n`,
  );
  const { tokens, origins } = await readCodecServerSettings(file, ENV);
  expect(await tokens()).toEqual([ENV.TOKEN]);
  expect(origins).toEqual(['https://temporal.example.com']);
});

test.each([
  ['nothing about it', '', '$.codecServer: is missing'],
  ['no tokens', 'codecServer: { tokens: [] }', '$.codecServer.tokens'],
  [
    'a short token',
    'codecServer: { tokens: [{ env: SHORT_TOKEN }] }',
    'tokens[0]: is shorter than 16 characters',
  ],
  ['no such token', 'codecServer: { tokens: [{ env: NONE }] }', 'tokens[0]: the variable NONE is not set'],
  [
    'an origin that is none',
    "codecServer: { tokens: [{ env: TOKEN }], origins: ['*'] }",
    'origins.0: give the origin',
  ],
])('with %s in the file it does not start', async (_, text, problem) => {
  await writeFile(file, WITH_KEYS + text);
  await expect(readCodecServerSettings(file, ENV)).rejects.toThrow(problem);
});

test.each([undefined, '', ' '])(
  'without CONSIGN_ENCRYPTION (%j) failures stay as they are',
  async (value) => {
    const converter = await createDataConverter({ CONSIGN_ENCRYPTION: value }, () => undefined);
    expect(converter.failureConverterPath).toBeUndefined();
    expect(converter.payloadCodecs).toHaveLength(1);
  },
);
