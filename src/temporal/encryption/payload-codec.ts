import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { UserError } from '../../platform/user-error';
import type { EncryptionKeys, WritingKey } from './encryption-keys';
import { isKeyId } from './key-id';

/** The names of Temporal's samples: its tools recognise an encrypted payload by them. */
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Thrown when a payload cannot be decrypted; names the key, never the content. A write whose worker lacks the key counts as
 * in doubt, because an earlier attempt of it may have been sent.
 */
export class EncryptionKeyError extends UserError {
  override readonly name = 'EncryptionKeyError';

  constructor(
    message: string,
    /** What is wrong, for one line of a list: `key … is missing`. */
    readonly problem: string,
  ) {
    super(message);
  }
}

/**
 * Encrypts every payload that goes to Temporal, and decrypts those that come from it. A payload that is not encrypted
 * passes: encryption can be turned on while shipments are under way.
 * @param keys null: encrypts nothing, and says which key an encrypted payload needs
 */
export function createPayloadCodec(keys: EncryptionKeys | null): PayloadCodec {
  return {
    async encode(payloads) {
      if (keys === null) return payloads;
      const key = await keys.writing();
      return payloads.map((payload) => encrypt(payload, key));
    },
    decode: async (payloads) =>
      await Promise.all(
        payloads.map(async (payload) => (isEncrypted(payload) ? await decrypt(payload, keys) : payload)),
      ),
  };
}

const textOf = (payload: Payload, name: string): string => {
  const bytes = payload.metadata?.[name];
  return bytes == null ? '' : Buffer.from(bytes).toString('utf8');
};

/** Whether a payload is encrypted by this codec. */
export const isEncrypted = (payload: Payload): boolean => textOf(payload, 'encoding') === ENCODING;

/** What the authentication covers besides the content: another key or encoding cannot be written over it. */
const boundTo = (keyId: string): Buffer => Buffer.from(`${ENCODING}\n${keyId}`);

function encrypt(payload: Payload, { id, key }: WritingKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(id));
  const content = temporal.api.common.v1.Payload.encode(payload).finish();
  return {
    metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) },
    data: Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]),
  };
}

async function decrypt(payload: Payload, keys: EncryptionKeys | null): Promise<Payload> {
  const named = textOf(payload, KEY_ID);
  if (!isKeyId(named))
    throw new EncryptionKeyError('An encrypted payload does not name its key.', 'it does not name its key');
  if (keys === null)
    throw new EncryptionKeyError(
      `A payload is encrypted with key ${named}, and this process has no keys. Set CONSIGN_ENCRYPTION to the encryption file.`,
      `key ${named} is missing, because CONSIGN_ENCRYPTION is not set`,
    );
  const key = await keys.find(named);
  if (key === null)
    throw new EncryptionKeyError(
      `A payload is encrypted with key ${named}, which this process does not have. Add ${named} to the keys of the encryption file.`,
      `key ${named} is missing`,
    );
  return open(Buffer.from(payload.data ?? []), { id: named, key });
}

function open(data: Buffer, { id, key }: { readonly id: string; readonly key: KeyObject }): Payload {
  const damaged = new EncryptionKeyError(
    `A payload cannot be decrypted with key ${id}: it was changed, or ${id} was another key when it was written.`,
    `it was changed, or key ${id} was another one`,
  );
  if (data.length < NONCE_BYTES + TAG_BYTES) throw damaged;
  const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(id));
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  try {
    const content = Buffer.concat([
      decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
    return temporal.api.common.v1.Payload.decode(content);
  } catch {
    // The reason of the library says no more, and must not say what the content was.
    throw damaged;
  }
}
