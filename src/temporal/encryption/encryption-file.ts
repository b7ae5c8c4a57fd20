import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { readSecret, SecretError, secretSchema, type Environment } from '../../platform/secret-reference';
import { UserError } from '../../platform/user-error';
import { isKeyId } from './key-id';
import { messageOf } from '../../platform/message-of';

/** Thrown when the encryption file, or a secret that it refers to, is invalid; names every problem, and no secret. */
export class EncryptionFileError extends UserError {
  override readonly name = 'EncryptionFileError';
}

const keyId = z
  .string({ error: 'give a text; put a number in quotes' })
  .refine(isKeyId, { error: 'give at most 40 letters, digits, . _ and -' });

const ownSecret = secretSchema.refine(
  (reference) => !('default' in reference && reference.default !== undefined),
  { error: 'has a default, which everybody could read here; remove it' },
);

const schema = z.strictObject({
  writeWith: keyId,
  keys: z.record(keyId, ownSecret),
  codecServer: z
    .strictObject({
      tokens: z.array(ownSecret).min(1),
      origins: z
        .array(
          z.url({
            protocol: /^https?$/,
            error: 'give the origin of a web UI, such as https://temporal.example.com',
          }),
        )
        .default([]),
    })
    .optional(),
});

type EncryptionWire = z.infer<typeof schema>;

/** The keys of one moment. */
export interface KeyRing {
  /** Id of the key that encrypts; the others only decrypt. */
  readonly writeWith: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

/** Who may ask a codec server. */
export interface CodecServerSettings {
  /** Reads every bearer token; a changed one counts at once. @throws SecretError */
  readonly tokens: () => Promise<readonly string[]>;
  /** Origins of web pages that may call it, as browsers send them. */
  readonly origins: readonly string[];
}

/** Reads the keys, each once. @throws EncryptionFileError */
export async function readKeyRing(file: string, env: Environment): Promise<KeyRing> {
  const wire = await readWire(file);
  const problems: string[] = [];
  const keys = new Map<string, KeyObject>();
  for (const [id, reference] of Object.entries(wire.keys)) {
    const at = `$.keys.${id}`;
    const secret = await secretOr(problems, async () => await readSecret(reference, env, at));
    const key = secret === null ? null : toKey(secret);
    if (secret !== null && key === null)
      problems.push(`${at}: is not 32 bytes in base64; create a key with \`openssl rand -base64 32\``);
    const twin = [...keys].find(([, other]) => key?.equals(other) === true);
    if (twin !== undefined) problems.push(`${at}: is the same key as ${twin[0]}; create a new one`);
    if (key !== null) keys.set(id, key);
  }
  if (!Object.hasOwn(wire.keys, wire.writeWith))
    problems.push(`$.writeWith: ${wire.writeWith} is not among the keys; add it`);
  if (problems.length > 0) throw invalid(file, problems);
  return { writeWith: wire.writeWith, keys };
}

/** A token is all that keeps strangers from reading people's data. */
const SHORTEST_TOKEN = 16;

/** What the file says of the codec server, its tokens checked once. @throws EncryptionFileError */
export async function readCodecServerSettings(file: string, env: Environment): Promise<CodecServerSettings> {
  const { codecServer } = await readWire(file);
  if (codecServer === undefined)
    throw invalid(file, ['$.codecServer: is missing; give its tokens, and the origins of the web UI']);
  const at = (index: number): string => `$.codecServer.tokens[${index}]`;
  const tokens = async (): Promise<readonly string[]> =>
    await Promise.all(
      codecServer.tokens.map(async (reference, index) => await readSecret(reference, env, at(index))),
    );
  const problems: string[] = [];
  for (const [index, token] of ((await secretOr(problems, tokens)) ?? []).entries())
    if (token.length < SHORTEST_TOKEN)
      problems.push(`${at(index)}: is shorter than ${SHORTEST_TOKEN} characters; make it longer`);
  if (problems.length > 0) throw invalid(file, problems);
  return { tokens, origins: codecServer.origins.map((url) => new URL(url).origin) };
}

async function secretOr<T>(problems: string[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    problems.push(error.message);
    return null;
  }
}

function toKey(text: string): KeyObject | null {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? createSecretKey(text, 'base64') : null;
}

async function readWire(file: string): Promise<EncryptionWire> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new EncryptionFileError(
      `The encryption file cannot be read: ${why}. Give its path with CONSIGN_ENCRYPTION.`,
    );
  }
  const document = parseDocument(text, { schema: 'core' });
  const [error] = document.errors;
  // Only the first line: the rest quotes the file, and may contain a secret.
  if (error !== undefined) throw invalid(file, [`is not YAML: ${error.message.split('\n')[0] ?? ''}`]);
  const parsed = schema.safeParse(valueOf(document, file));
  if (parsed.success) return parsed.data;
  throw invalid(file, parsed.error.issues.map(problemOf));
}

function valueOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS();
  } catch {
    // The reason would quote the alias, and a secret that begins with an asterisk looks like an alias.
    throw invalid(file, ['is not YAML: an alias (*name) has no anchor, or there are too many']);
  }
}

function problemOf(issue: z.core.$ZodIssue): string {
  const at = ['$', ...issue.path.map(String)].join('.');
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return `${at}: ${(inner ?? issue).message}`;
}

const invalid = (file: string, problems: readonly string[]): EncryptionFileError =>
  new EncryptionFileError(`The encryption file ${file} is invalid:\n  ${problems.join('\n  ')}`);
