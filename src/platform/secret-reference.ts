import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { described } from './described';
import { errorCode } from './error-code';
import { UserError } from './user-error';
import { messageOf } from './message-of';

/** A reference to a secret: an environment variable or a file. A settings file never contains the secret itself. */
export const secretSchema = z
  .union(
    [
      z.strictObject({
        env: described(z.string().min(1), 'Name of the environment variable that holds the secret.'),
        default: described(
          z.string().min(1),
          'The secret if the variable is not set; only for a sandbox on this machine.',
        ).optional(),
      }),
      z.strictObject({
        file: described(
          z.string().min(1),
          'Path of the file that holds the secret; read again for each use.',
        ),
      }),
    ],
    { error: 'refer to the secret as {env: NAME} or {file: path}; this file must not contain it' },
  )
  .meta({ title: '{env: NAME} or {file: path}' });

export type SecretReference = z.infer<typeof secretSchema>;

/** The variables that references name. An empty one counts as not set: compose files pass unset variables as empty. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown when the secret that a reference names cannot be read; contains the name of the variable or file only. */
export class SecretError extends UserError {
  override readonly name = 'SecretError';

  /** @param reason of a file: it does not exist, or is empty */
  constructor(
    message: string,
    readonly reason: 'missing' | 'empty' | null = null,
  ) {
    super(message);
  }
}

/** The value of a variable; undefined for one that is not set. */
export const variable = (env: Environment, name: string): string | undefined =>
  env[name] === undefined || env[name].trim() === '' ? undefined : env[name];

/**
 * Reads a secret without the space around it, and ignores the default of its reference.
 * @param at where the reference is, for the error
 * @throws SecretError
 */
export async function readSecret(reference: SecretReference, env: Environment, at: string): Promise<string> {
  if ('file' in reference) return await readSecretFile(reference.file, at);
  const secret = variable(env, reference.env);
  if (secret === undefined) throw new SecretError(`${at}: the variable ${reference.env} is not set.`);
  return secret.trim();
}

async function readSecretFile(file: string, at: string): Promise<string> {
  let secret: string;
  try {
    secret = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const why = messageOf(error);
    const isMissing = errorCode(error) === 'ENOENT';
    throw new SecretError(`${at}: the file ${file} cannot be read: ${why}.`, isMissing ? 'missing' : null);
  }
  if (secret === '') throw new SecretError(`${at}: the file ${file} is empty.`, 'empty');
  return secret;
}
