import type { MarketplaceAccount } from '../marketplace/account';
import { keyFlaw, secretFlaw } from '../marketplace/secret';
import { signingSecretFlaw } from '../notifications/signing';
import {
  SecretError,
  secretSchema,
  type Environment,
  type SecretReference,
} from '../platform/secret-reference';
import { isSandboxOnThisMachine, secretSource } from './references';
import type { AccountsWire } from './schema';

/** One secret that the file refers to, and its owner. */
export interface SecretEntry {
  /** JSON path in the accounts file. */
  readonly at: string;
  readonly field: string;
  readonly owner: string;
  readonly ownerKind: 'account' | 'integration' | 'apiToken';
  /** Null for the secret of an integration, and for a token of the API. */
  readonly environment: MarketplaceAccount['environment'] | null;
  /** Whether a production account uses it. */
  readonly isProduction: boolean;
  readonly reference: SecretReference;
  /** Whether its default may be used. */
  readonly isLocal: boolean;
}

/** These must differ between the environments; user names and client ids may be the same. */
const KEYS: ReadonlySet<string> = new Set(['apiKey', 'xApiKey', 'clientSecret']);

/** Every reference to a secret inside a part of an account, with its path from there. */
function referencesIn(part: unknown, path: readonly string[]): [string[], SecretReference][] {
  const parsed = secretSchema.safeParse(part);
  if (parsed.success) return [[[...path], parsed.data]];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) => referencesIn(inner, [...path, key]));
}

/** The parts of an account that hold secrets. */
const SECRET_PARTS: ReadonlySet<string> = new Set(['auth', 'xApiKey', 'web', 'notifications']);

/** The list of an endpoint's signing secrets, whose positions are no names. */
const SIGNING = 'secrets';
const fieldOf = (path: readonly string[]): string => (path.includes(SIGNING) ? SIGNING : path.at(-1)) ?? '';

export function secretEntries(wire: AccountsWire, accounts: readonly MarketplaceAccount[]): SecretEntry[] {
  const isLocal = (name: string): boolean =>
    accounts.some(
      (account) => account.name === name && isSandboxOnThisMachine(account.environment, account.baseUrl),
    );
  const ofAccounts = Object.entries(wire.accounts).flatMap(([name, account]) =>
    Object.entries(account)
      .filter(([part]) => SECRET_PARTS.has(part))
      .flatMap(([part, value]) => referencesIn(value, [part]))
      // The URL of an endpoint may refer to a variable too.
      .filter(([path]) => path[0] !== 'notifications' || path.includes(SIGNING))
      .map(([path, reference]) => ({
        ...{ at: `$.accounts.${name}.${path.join('.')}`, field: fieldOf(path), owner: name },
        ownerKind: 'account' as const,
        ...{ environment: account.environment, isProduction: account.environment === 'production' },
        ...{ reference, isLocal: isLocal(name) },
      })),
  );
  const sharedBy = (names: readonly string[]) => {
    const own = names.filter((account) => Object.hasOwn(wire.accounts, account));
    return {
      environment: null,
      isProduction: own.some((account) => wire.accounts[account]?.environment === 'production'),
      isLocal: own.every(isLocal),
    };
  };
  const ofIntegrations = Object.entries(wire.integrations).map(([name, { secret, accounts: names }]) => ({
    ...{ at: `$.integrations.${name}.secret`, field: 'secret', owner: name, reference: secret },
    ...{ ownerKind: 'integration' as const, ...sharedBy(names) },
  }));
  const ofApiTokens = Object.entries(wire.apiTokens).map(([name, { token, accounts: names }]) => ({
    ...{ at: `$.apiTokens.${name}.token`, field: 'token', owner: name, reference: token },
    ...{ ownerKind: 'apiToken' as const, ...sharedBy(names) },
  }));
  return [...ofAccounts, ...ofIntegrations, ...ofApiTokens];
}

type Sameness = (left: SecretEntry, right: SecretEntry) => boolean;

const sameReference: Sameness = ({ reference: left }, { reference: right }) =>
  'env' in left ? 'env' in right && left.env === right.env : 'file' in right && left.file === right.file;

/**
 * Secrets that must differ but are the same: keys of both environments, because one of them cannot work, and secrets of
 * two integrations or API tokens, because the owner of one could then act as the other.
 */
export function sharedSecretProblems(
  entries: readonly SecretEntry[],
  isSame: Sameness = sameReference,
): string[] {
  return entries.flatMap((entry, index) => {
    const { at, environment, field } = entry;
    const twin = entries.slice(0, index).find((other) => {
      if (!isSame(entry, other)) return false;
      if (environment === null || other.environment === null) return environment === other.environment;
      return environment !== other.environment && KEYS.has(field) && KEYS.has(other.field);
    });
    if (twin === undefined) return [];
    return [
      environment === null
        ? `${at}: is also the secret of ${OWNERS[twin.ownerKind]} ${twin.owner}; give each a different secret`
        : `${at}: is also the key of ${twin.environment} account ${twin.owner}; give the ${environment} account a different key`,
    ];
  });
}

const OWNERS: Readonly<Record<SecretEntry['ownerKind'], string>> = {
  account: 'account',
  integration: 'integration',
  apiToken: 'API token',
};

const sourceOf = ({ at, reference, isLocal }: SecretEntry, env: Environment) =>
  secretSource(reference, env, { at, problems: [], isLocal });

/** The current values of secrets; do not keep them. */
export interface SecretValues {
  readonly values: ReadonlyMap<SecretEntry, string>;
  /** Why the others cannot be read. */
  readonly missing: readonly string[];
}

export async function readSecrets(entries: readonly SecretEntry[], env: Environment): Promise<SecretValues> {
  const values = new Map<SecretEntry, string>();
  const missing: string[] = [];
  for (const entry of entries) {
    try {
      values.set(entry, (await sourceOf(entry, env)()).trim());
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      missing.push(error.message);
    }
  }
  return { values, missing };
}

/** The secret is all that keeps strangers from sending false events to an integration, or from booking by the API. */
const SHORTEST: Readonly<Record<SecretEntry['ownerKind'], number>> = {
  account: 0,
  integration: 16,
  apiToken: 32,
};

/** Secrets that a header must be able to carry. */
const IN_HEADERS: ReadonlySet<string> = new Set(['apiKey', 'xApiKey', 'token']);

function flawOf({ field, ownerKind, isProduction }: SecretEntry, value: string): string | null {
  if (isProduction && value.length < SHORTEST[ownerKind])
    return `is shorter than ${SHORTEST[ownerKind]} characters, and a production account uses it; make it longer`;
  if (field === SIGNING) return signingSecretFlaw(value);
  return IN_HEADERS.has(field) ? keyFlaw(value) : secretFlaw(value);
}

/** The problems of secrets' values, each with its path, without the values. */
export function valueProblems(values: SecretValues['values']): string[] {
  const flaws = [...values].flatMap(([entry, value]) => {
    const flaw = flawOf(entry, value);
    return flaw === null ? [] : [`${entry.at}: ${flaw}`];
  });
  const isSame: Sameness = (left, right) => values.get(left) === values.get(right);
  return [...flaws, ...sharedSecretProblems([...values.keys()], isSame)];
}

/** Keys of an account that another account of its environment has under another name: often one was pasted twice. */
export function sameKeyWarnings(values: SecretValues['values'], account: string): string[] {
  const keys = [...values].filter(([{ field, environment }]) => environment !== null && KEYS.has(field));
  return keys.flatMap(([entry, value]) => {
    const twin = keys.find(
      ([other, same]) =>
        same === value &&
        other.owner !== entry.owner &&
        other.environment === entry.environment &&
        !sameReference(other, entry),
    );
    return entry.owner !== account || twin === undefined
      ? []
      : [`${entry.at}: is the same key as ${twin[0].at}; check that each account has the right key`];
  });
}

/** Whether a secret is available, without its value or length. */
export type SecretState = 'present' | 'default' | 'missing' | 'empty' | 'unreadable';

export async function secretState(entry: SecretEntry, env: Environment): Promise<SecretState> {
  const { reference, isLocal } = entry;
  if ('env' in reference) {
    const value = env[reference.env];
    if (value !== undefined && value.trim() !== '') return 'present';
    if (isLocal && reference.default !== undefined) return 'default';
    return value === undefined ? 'missing' : 'empty';
  }
  try {
    await sourceOf(entry, env)();
    return 'present';
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return error.reason ?? 'unreadable';
  }
}
