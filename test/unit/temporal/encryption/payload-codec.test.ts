import { beforeEach, expect, test } from '@jest/globals';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { TEXT_BYTES } from '../../../../src/domain/bounds';
import { readKeyRing } from '../../../../src/temporal/encryption/encryption-file';
import { EncryptionKeys } from '../../../../src/temporal/encryption/encryption-keys';
import {
  createPayloadCodec,
  EncryptionKeyError,
  isEncrypted,
} from '../../../../src/temporal/encryption/payload-codec';
import { writeEncryptionFile, type EncryptionFile } from '../../../support/encryption';
import { until } from '../../../support/temporal';
import { temporaryFolder } from '../../../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function keysOf(file: EncryptionFile, rereadMs = 0): Promise<EncryptionKeys> {
  const { CONSIGN_ENCRYPTION } = await writeEncryptionFile(folder, file);
  return await EncryptionKeys.open({
    read: async () => await readKeyRing(CONSIGN_ENCRYPTION, {}),
    onWarning: (text) => warnings.push(text),
    rereadMs,
  });
}
const warnings: string[] = [];
const codecOf = async (file: EncryptionFile) => createPayloadCodec(await keysOf(file));

const VALUES = {
  name: { name: 'Zebulon Quux', phone: '512-555-0147' },
  nothing: null,
  undefined,
  bytes: new Uint8Array([0, 255, 7]),
  long: 'Marmalade Lane '.repeat(10_000),
};
const payloadOf = (value: unknown): Payload => {
  const payload = defaultPayloadConverter.toPayload(value);
  if (payload === undefined) throw new TypeError('every value has a payload');
  return payload;
};
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
const keyIdOf = ({ metadata }: Payload): string => textOf(metadata?.['encryption-key-id']);

test.each(Object.entries(VALUES))(
  'a payload (%s) comes back unchanged, and is unreadable while encrypted',
  async (_, value) => {
    const codec = await codecOf({ writeWith: '2026-11' });
    const [encrypted] = await codec.encode([payloadOf(value)]);
    expect(encrypted).toBeDefined();
    expect(Object.keys(encrypted?.metadata ?? {}).toSorted()).toEqual(['encoding', 'encryption-key-id']);
    expect(textOf(encrypted?.metadata?.encoding)).toBe('binary/encrypted');
    expect(textOf(encrypted?.data)).not.toMatch(/Zebulon|512-555|Marmalade|json/);
    const decoded = await codec.decode(encrypted === undefined ? [] : [encrypted]);
    expect(decoded.map((payload) => defaultPayloadConverter.fromPayload(payload))).toEqual([value]);
  },
);

test('the same payload is never encrypted to the same bytes', async () => {
  const codec = await codecOf({ writeWith: 'k' });
  const many = await codec.encode(Array.from({ length: 200 }, () => payloadOf('Ottoline')));
  expect(new Set(many.map(({ data }) => Buffer.from(data ?? []).toString('hex'))).size).toBe(200);
  expect(
    new Set(
      many.map(({ data }) =>
        Buffer.from(data ?? [])
          .subarray(0, 12)
          .toString('hex'),
      ),
    ).size,
  ).toBe(200);
});

test('payloads that are not encrypted pass, also between encrypted ones', async () => {
  const codec = await codecOf({ writeWith: 'k' });
  const plain = payloadOf('an order from before');
  const decoded = await codec.decode([plain, ...(await codec.encode([payloadOf('a new one')])), plain]);
  expect(decoded.map((payload) => defaultPayloadConverter.fromPayload(payload))).toEqual([
    'an order from before',
    'a new one',
    'an order from before',
  ]);
  expect(await codec.encode([])).toEqual([]);
});

test('without keys nothing is encrypted, and what is needs its key', async () => {
  const codec = createPayloadCodec(null);
  const plain = payloadOf('Ottoline');
  expect(await codec.encode([plain])).toEqual([plain]);
  expect(await codec.decode([plain])).toEqual([plain]);
  const encrypted = await (await codecOf({ writeWith: '2026-11' })).encode([plain]);
  const refused = codec.decode(encrypted);
  await expect(refused).rejects.toThrow(EncryptionKeyError);
  await expect(refused).rejects.toThrow(/key 2026-11, and this process has no keys. Set CONSIGN_ENCRYPTION/);
});

const CHANGES: Readonly<Record<string, (payload: Payload) => Payload>> = {
  'its content': (payload) => ({ ...payload, data: flipped(payload.data, 20) }),
  'its nonce': (payload) => ({ ...payload, data: flipped(payload.data, 0) }),
  'its end': (payload) => ({ ...payload, data: flipped(payload.data, (payload.data?.length ?? 0) - 1) }),
  'its length': (payload) => ({ ...payload, data: payload.data?.subarray(0, 10) ?? null }),
  'all of its data': (payload) => ({ metadata: payload.metadata ?? null }),
  'the key that it names': ({ metadata, ...payload }) => ({
    ...payload,
    metadata: { ...metadata, 'encryption-key-id': Buffer.from('other') },
  }),
};
function flipped(data: Uint8Array | null | undefined, at: number): Uint8Array {
  const bytes = Buffer.from(data ?? []);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

test.each(Object.entries(CHANGES))(
  'a payload of which somebody changed %s is refused, without its content',
  async (_, change) => {
    const codec = await codecOf({ writeWith: 'k', keys: ['k', 'other'] });
    const [encrypted = {}] = await codec.encode([payloadOf('Zebulon Quux')]);
    const refused = codec.decode([change(encrypted)]);
    await expect(refused).rejects.toThrow(EncryptionKeyError);
    await expect(refused).rejects.toThrow(/cannot be decrypted with key (k|other): it was changed/);
    await expect(refused).rejects.not.toThrow(/Zebulon/);
  },
);

test.each(['', 'Zebulon Quux', 'x'.repeat(41), 'a\nb'])(
  'a key id that is none (%j) is not repeated',
  async (id) => {
    const codec = await codecOf({ writeWith: 'k' });
    const [encrypted = {}] = await codec.encode([payloadOf('content')]);
    const metadata = { ...encrypted.metadata, 'encryption-key-id': Buffer.from(id) };
    await expect(codec.decode([{ ...encrypted, metadata }])).rejects.toThrow(
      'An encrypted payload does not name its key.',
    );
  },
);

test('an unknown key is named, and a rotated one is found without a restart', async () => {
  const old = await keysOf({ writeWith: 'old' }, 3_600_000);
  const codec = createPayloadCodec(old);
  const [first = {}] = await codec.encode([payloadOf('first')]);
  expect(keyIdOf(first)).toBe('old');
  // Another process has read the new file already, and this one meets its payload.
  const other = await codecOf({ writeWith: 'new', keys: ['old', 'new'] });
  const [second = {}] = await other.encode([payloadOf('second')]);
  expect(keyIdOf(second)).toBe('new');
  // A flood of unknown keys reads the file twice a second at most.
  await until(async () => await isReadable(codec, second));
  const decoded = await codec.decode([first, second]);
  expect(decoded.map((payload) => defaultPayloadConverter.fromPayload(payload))).toEqual(['first', 'second']);
  await writeEncryptionFile(folder, { writeWith: 'new' });
  const without = await codecOf({ writeWith: 'new' });
  await expect(without.decode([first])).rejects.toThrow(/key old, which this process does not have. Add old/);
  // Known ones stay readable until the file is read again.
  expect(await codec.decode([first])).toHaveLength(1);
});

async function isReadable(codec: PayloadCodec, payload: Payload): Promise<boolean> {
  try {
    await codec.decode([payload]);
    return true;
  } catch (error) {
    if (error instanceof EncryptionKeyError) return false;
    throw error;
  }
}

test('the key to write with changes with the file, and a broken file only warns', async () => {
  const codec = await codecOf({ writeWith: 'a', keys: ['a'] });
  const written = async (): Promise<string> => keyIdOf((await codec.encode([payloadOf(1)]))[0] ?? {});
  expect(await written()).toBe('a');
  await writeEncryptionFile(folder, { writeWith: 'b', keys: ['a', 'b'] });
  expect(await written()).toBe('b');
  warnings.length = 0;
  await writeEncryptionFile(folder, { writeWith: 'c', keys: ['a', 'b'] });
  expect(await written()).toBe('b');
  expect(warnings).toEqual([expect.stringContaining('$.writeWith: c is not among the keys')]);
  await writeEncryptionFile(folder, { writeWith: 'c', keys: ['a', 'b', 'c'] });
  expect(await written()).toBe('c');
});

test('an encrypted payload is distinguished from a plain one', async () => {
  const codec = await codecOf({ writeWith: 'k' });
  const plain = payloadOf('x');
  const [encrypted = {}] = await codec.encode([plain]);
  expect([plain, {}, { metadata: {} }, encrypted].map(isEncrypted)).toEqual([false, false, false, true]);
});

test('a summary of the longest text and key id is within the 400 bytes of the server', async () => {
  const codec = await codecOf({ writeWith: `k${'0'.repeat(39)}` });
  const [encrypted = {}] = await codec.encode([payloadOf('x'.repeat(TEXT_BYTES.summary - 2))]);
  const bytes = temporal.api.common.v1.Payload.encode(encrypted).finish().length;
  expect(bytes).toBeGreaterThan(TEXT_BYTES.summary);
  expect(bytes).toBeLessThanOrEqual(400);
});
