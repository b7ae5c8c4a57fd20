import type { SecretSource } from './account';
import { CredentialsError, type RequestName } from './errors';

/**
 * Secrets come from files and environments, with a line break at their end more often than not.
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
  // oxlint-disable-next-line no-control-regex -- exactly what a header must not hold
  if (/[\u0000-\u001f\u007f]/.test(secret)) {
    throw new CredentialsError(request, `the ${name} of the account holds control characters`);
  }
  return secret;
}
