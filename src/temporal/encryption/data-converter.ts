import type { DataConverter } from '@temporalio/common';
import type { Environment } from '../../platform/secret-reference';
import { EncryptionKeys } from './encryption-keys';
import { createPayloadCodec } from './payload-codec';

/** For the workflow bundle. */
export const FAILURE_CONVERTER = require.resolve('./failure-converter');

/** The encryption file that the environment names; null when encryption is off. */
export function encryptionFileOf({ CONSIGN_ENCRYPTION: file }: Environment): string | null {
  return file === undefined || file.trim() === '' ? null : file;
}

/**
 * What every client and worker of Temporal converts its data with. Without `CONSIGN_ENCRYPTION` it encrypts nothing.
 * @param onWarning receives why changed keys cannot be used
 * @throws EncryptionFileError
 */
export async function createDataConverter(
  env: Environment,
  onWarning: (text: string) => void,
): Promise<DataConverter> {
  const file = encryptionFileOf(env);
  if (file === null) return { payloadCodecs: [createPayloadCodec(null)] };
  // Loaded only when it is needed: it reads YAML, and most commands start without.
  const { readKeyRing } = await import('./encryption-file.ts');
  const keys = await EncryptionKeys.open({ read: async () => await readKeyRing(file, env), onWarning });
  return { payloadCodecs: [createPayloadCodec(keys)], failureConverterPath: FAILURE_CONVERTER };
}
