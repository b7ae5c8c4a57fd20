import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import { DEFAULT_POLICY } from '../domain/default-policy';
import {
  DEFAULT_SETTINGS,
  type MarketplaceAccount,
  type MarketplaceAuth,
  type SecretSource,
} from '../marketplace/account';
import type { OrderAccount } from '../orders/order-account';
import { mergePolicy } from '../orders/policy';
import {
  accountsSchema,
  type AccountWire,
  type AuthWire,
  type SecretReference,
  type UrlReference,
} from './schema';

/** Thrown when the accounts file cannot be used; names the file and every problem by its path. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
}

export interface AccountIntegration {
  readonly name: string;
  readonly secret: SecretSource;
  readonly accounts: readonly { readonly name: string; readonly environment: 'sandbox' | 'production' }[];
}

/** All accounts of an accounts file. Secrets are read when they are used, and are held nowhere. */
export interface Accounts {
  readonly marketplaceAccounts: readonly MarketplaceAccount[];
  readonly integrations: readonly AccountIntegration[];
  /** What orders need to know of an account; null when there is none of this name. */
  orderAccountOf(name: string): OrderAccount | null;
  names(): readonly string[];
  environmentOf(name: string): 'sandbox' | 'production';
  /** Reads every secret once, so that a missing one stops the start and not a shipment. @throws AccountsError */
  checkSecrets(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\]|sandbox)(:|\/|$)/;

/** @throws AccountsError */
export function loadAccounts(file: string, env: Environment): Accounts {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AccountsError(
      `The accounts file cannot be read: ${why}. Name it with CONSIGN_ACCOUNTS or --accounts.`,
    );
  }
  return parseAccounts(text, file, env);
}

/** @throws AccountsError */
export function parseAccounts(text: string, file: string, env: Environment): Accounts {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new AccountsError(`${file} is not YAML: ${error.message}`);
  }
  const parsed = accountsSchema.safeParse(document);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `  ${['$', ...path].join('.')}: ${message}`);
    throw new AccountsError(`${file} has ${lines.length} problems:\n${lines.join('\n')}`);
  }
  const problems: string[] = [];
  const entries = Object.entries(parsed.data.accounts);
  const marketplaceAccounts = entries.map(([name, wire]) => toMarketplaceAccount(name, wire, env, problems));
  const orderAccounts = new Map(entries.map(([name, wire]) => [name, toOrderAccount(name, wire, problems)]));
  const environmentOf = (name: string): 'sandbox' | 'production' => {
    const found = parsed.data.accounts[name];
    if (found === undefined) throw new AccountsError(`There is no account ${name} in ${file}.`);
    return found.environment;
  };
  const integrations = Object.entries(parsed.data.integrations).map(([name, { secret, accounts }]) => {
    for (const account of accounts) {
      if (parsed.data.accounts[account] === undefined) {
        problems.push(`$.integrations.${name}.accounts: there is no account ${account}`);
      }
    }
    const isLocal = marketplaceAccounts.every(({ baseUrl }) => LOOPBACK.test(baseUrl));
    return {
      name,
      secret: secretSource(secret, env, isLocal, `$.integrations.${name}.secret`, problems),
      accounts: accounts
        .filter((account) => parsed.data.accounts[account] !== undefined)
        .map((account) => ({ name: account, environment: environmentOf(account) })),
    };
  });
  if (problems.length > 0)
    throw new AccountsError(`${file} has ${problems.length} problems:\n  ${problems.join('\n  ')}`);
  return {
    marketplaceAccounts,
    integrations,
    orderAccountOf: (name) => orderAccounts.get(name) ?? null,
    names: () => [...orderAccounts.keys()],
    environmentOf,
    async checkSecrets() {
      for (const { auth } of marketplaceAccounts) for (const source of sourcesOf(auth)) await source();
      for (const { secret } of integrations) await secret();
    },
  };
}

function sourcesOf(auth: MarketplaceAuth): SecretSource[] {
  switch (auth.kind) {
    case 'apiKey':
    case 'xApiKey':
      return [auth.key];
    case 'clientCredentials':
      return [auth.clientId, auth.clientSecret];
    default:
      return [auth.clientId, auth.clientSecret, auth.username, auth.password];
  }
}

function toMarketplaceAccount(
  name: string,
  wire: AccountWire,
  env: Environment,
  problems: string[],
): MarketplaceAccount {
  const at = `$.accounts.${name}`;
  const baseUrl = resolveUrl(wire.baseUrl, env, `${at}.baseUrl`, problems);
  const isLocal = wire.environment === 'sandbox' && LOOPBACK.test(baseUrl);
  const webUrl = wire.webUrl === undefined ? baseUrl : resolveUrl(wire.webUrl, env, `${at}.webUrl`, problems);
  return {
    name,
    environment: wire.environment,
    baseUrl,
    webUrl,
    auth: toAuth(wire.auth, (reference, field) =>
      secretSource(reference, env, isLocal, `${at}.auth.${field}`, problems),
    ),
    source: wire.source,
    integratorId: wire.integratorId ?? null,
    userId: wire.userId ?? null,
    settings: { ...DEFAULT_SETTINGS, ...wire.settings },
  };
}

function toAuth(
  wire: AuthWire,
  secret: (reference: SecretReference, field: string) => SecretSource,
): MarketplaceAuth {
  if ('apiKey' in wire) return { kind: 'apiKey', key: secret(wire.apiKey, 'apiKey') };
  if ('xApiKey' in wire) return { kind: 'xApiKey', key: secret(wire.xApiKey, 'xApiKey') };
  if ('clientCredentials' in wire) {
    const { clientId, clientSecret } = wire.clientCredentials;
    return {
      kind: 'clientCredentials',
      clientId: secret(clientId, 'clientId'),
      clientSecret: secret(clientSecret, 'clientSecret'),
    };
  }
  const { clientId, clientSecret, username, password } = wire.passwordGrant;
  return {
    kind: 'passwordGrant',
    clientId: secret(clientId, 'clientId'),
    clientSecret: secret(clientSecret, 'clientSecret'),
    username: secret(username, 'username'),
    password: secret(password, 'password'),
  };
}

function resolveUrl(reference: UrlReference, env: Environment, at: string, problems: string[]): string {
  const url = typeof reference === 'string' ? reference : (env[reference.env] ?? reference.default);
  if (url === undefined) {
    problems.push(`${at}: set ${typeof reference === 'string' ? 'it' : reference.env}, it has no default`);
    return '';
  }
  return url.replace(/\/+$/, '');
}

/** A default is only for a marketplace on this machine, which books nothing. */
function secretSource(
  reference: SecretReference,
  env: Environment,
  isLocal: boolean,
  at: string,
  problems: string[],
): SecretSource {
  if ('file' in reference) return async () => (await readFile(reference.file, 'utf8')).trim();
  if (reference.default !== undefined && !isLocal) {
    problems.push(
      `${at}: a default secret is only allowed for a sandbox on this machine; set ${reference.env} and leave it out`,
    );
  }
  const value = (): string | undefined => env[reference.env] ?? (isLocal ? reference.default : undefined);
  return async () => {
    const secret = value();
    if (secret === undefined || secret === '')
      throw new AccountsError(`${at}: the variable ${reference.env} is not set.`);
    return await Promise.resolve(secret);
  };
}

function toOrderAccount(name: string, wire: AccountWire, problems: string[]): OrderAccount {
  const merged = mergePolicy(DEFAULT_POLICY, { ...wire.policy, paymentMethodId: wire.paymentMethodId });
  if (!merged.ok)
    problems.push(
      ...merged.problems.map(({ path, problem }) => `$.accounts.${name}.policy${path.slice(1)}: ${problem}`),
    );
  return {
    name,
    timeZone: wire.timeZone ?? null,
    allowHazardous: wire.allowHazardous ?? false,
    hasIntegrator: wire.integratorId !== undefined,
    locations: wire.locations ?? {},
    policy: merged.ok ? merged.policy : DEFAULT_POLICY,
  };
}
