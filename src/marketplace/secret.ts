import type { SecretSource } from './account';
import { CredentialsError, type RequestName } from './errors';

/**
 * Reads a secret without the line break that files and environments often add.
 * @param name of the secret, for people
 * @throws CredentialsError
 */
export async function readSecret(source: SecretSource, name: string, request: RequestName): Promise<string> {
  let secret: string;
  try {
    secret = (await source()).trim();
  } catch (error) {
    throw new CredentialsError(request, `the ${name} of the account could not be read`, error);
  }
  if (secret === '') throw new CredentialsError(request, `the ${name} of the account is empty`);
  const flaw = secretFlaw(secret);
  if (flaw !== null) throw new CredentialsError(request, `the ${name} of the account ${flaw}`);
  return secret;
}

/**
 * The same for a key in a header.
 * @throws CredentialsError
 */
export async function readKey(source: SecretSource, name: string, request: RequestName): Promise<string> {
  const key = await readSecret(source, name, request);
  const flaw = keyFlaw(key);
  if (flaw !== null) throw new CredentialsError(request, `the ${name} of the account ${flaw}`);
  return key;
}

/** Why a text cannot be a completely copied secret; null when it can. */
export function secretFlaw(secret: string): string | null {
  if (/[\r\n]/.test(secret)) return 'holds a line break; copy it again, as one line';
  // oxlint-disable-next-line no-control-regex -- no password is typed with them
  return /[\u0000-\u001f\u007f]/.test(secret) ? 'holds a control character; copy it again' : null;
}

/** Why a key cannot be sent in a header; null when it can. */
export function keyFlaw(key: string): string | null {
  const isAscii = /^[ -~]*$/.test(key);
  return (
    secretFlaw(key) ?? (isAscii ? null : 'holds a character that is not ASCII, which no header can carry')
  );
}
