import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { DEFAULT_POLICY } from '../domain/default-policy';
import { DEFAULT_SETTINGS, type MarketplaceAccount, type SecretSource } from '../marketplace/account';
import { isTimeZone } from '../orders/dates';
import { decodeText } from '../orders/decode-text';
import { locationProblems } from '../orders/locations';
import type { OrderAccount } from '../orders/order-account';
import { mergePolicy } from '../orders/policy';
import type { Problem } from '../orders/problem';
import type { Environment } from '../platform/secret-reference';
import { hostProblems, misnamedSecretProblems } from './environments';
import { AccountsError } from './errors';
import type { NotificationEndpoint } from '../notifications/endpoint';
import { toMarketplaceAccount } from './marketplace-account';
import { toEndpoints } from './notifications';
import { isSandboxOnThisMachine, secretSource } from './references';
import { reportAccounts, type AccountsReport } from './report';
import { accountsSchema, type AccountsWire, type AccountWire, type ApiScope } from './schema';
import { readSecrets, secretEntries, sharedSecretProblems, valueProblems, type SecretEntry } from './secrets';
import { formProblems } from './unknown-keys';
import { messageOf } from '../platform/message-of';

export { AccountsError } from './errors';
export type { ApiScope } from './schema';

/** Webhooks of the marketplace for some accounts, with the secret that authenticates them. */
export interface AccountIntegration {
  readonly name: string;
  readonly secret: SecretSource;
  readonly accounts: readonly { readonly name: string; readonly environment: 'sandbox' | 'production' }[];
}

/** A program that may use the HTTP API. */
export interface ApiToken {
  /** Who acts: the `by` of everything that is decided with it. */
  readonly name: string;
  readonly token: SecretSource;
  readonly scopes: readonly ApiScope[];
  /** Names of accounts. */
  readonly accounts: readonly string[];
}

/** All accounts of an accounts file. Secrets are read when they are used, and are never kept. */
export interface Accounts {
  readonly marketplaceAccounts: readonly MarketplaceAccount[];
  readonly integrations: readonly AccountIntegration[];
  readonly apiTokens: readonly ApiToken[];
  /** What orders need to know about an account; null when no account has this name. */
  orderAccountOf(name: string): OrderAccount | null;
  names(): readonly string[];
  environmentOf(name: string): 'sandbox' | 'production';
  /** Where to get help with the account; named in questions. */
  supportAddressOf(name: string): string | null;
  /** How many marketplace calls may begin per second, by all workers together; null: no limit. */
  callsPerSecondOf(name: string): number | null;
  /** Endpoints that are notified of the account's orders; null: the account names none, not even an empty list. */
  endpointsOf(name: string): readonly NotificationEndpoint[] | null;
  /**
   * Reads every secret of accounts and integrations once: a missing or invalid one must stop the start instead of a
   * shipment. @throws AccountsError
   */
  checkSecrets(): Promise<void>;
  /** The same for the secrets of integrations, which are all that the receiver needs. @throws AccountsError */
  checkWebhookSecrets(): Promise<void>;
  /** The same for the tokens of the HTTP API, which only its process needs. @throws AccountsError */
  checkApiTokens(): Promise<void>;
  /** What is configured, and which secrets are available; it contains no secret. */
  report(): Promise<AccountsReport>;
}

/** @throws AccountsError */
export function loadAccounts(file: string, env: Environment): Accounts {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const why = messageOf(error);
    throw new AccountsError(
      `The accounts file cannot be read: ${why}. Give its path with CONSIGN_ACCOUNTS or --accounts.`,
    );
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw new AccountsError(`${file} ${decoded.problem}; ${decoded.remedy}.`);
  return parseAccounts(decoded.text, file, env);
}

/** @throws AccountsError */
export function parseAccounts(text: string, file: string, env: Environment): Accounts {
  const wire = readWire(text, file);
  const problems: string[] = [];
  const entries = Object.entries(wire.accounts);
  const marketplaceAccounts = entries.map(([name, account]) =>
    toMarketplaceAccount(name, account, env, problems),
  );
  const orderAccounts = new Map(
    entries.map(([name, account]) => [name, toOrderAccount(name, account, problems)]),
  );
  problems.push(...hostProblems(marketplaceAccounts));
  const integrations = toIntegrations(wire, marketplaceAccounts, env, problems);
  const endpoints = new Map(
    marketplaceAccounts.flatMap(({ name, environment, baseUrl }) => {
      const wires = wire.accounts[name]?.notifications;
      const isLocal = isSandboxOnThisMachine(environment, baseUrl);
      return wires === undefined
        ? []
        : [[name, toEndpoints(wires, { at: `$.accounts.${name}`, env, problems, isLocal })]];
    }),
  );
  const apiTokens = toApiTokens(wire, marketplaceAccounts, env, problems);
  const secrets = secretEntries(wire, marketplaceAccounts);
  problems.push(...misnamedSecretProblems(secrets), ...sharedSecretProblems(secrets));
  if (problems.length > 0) throw new AccountsError(listed(file, problems));
  const environmentOf = (name: string): 'sandbox' | 'production' => {
    const found = Object.hasOwn(wire.accounts, name) ? wire.accounts[name] : undefined;
    if (found === undefined) throw new AccountsError(`${file} has no account ${name}.`);
    return found.environment;
  };
  const check = async (...kinds: readonly SecretEntry['ownerKind'][]): Promise<void> => {
    const checked = secrets.filter(({ ownerKind }) => kinds.includes(ownerKind));
    const { values, missing } = await readSecrets(checked, env);
    const wrong = [...missing, ...valueProblems(values)];
    if (wrong.length > 0) throw new AccountsError(listed(file, wrong));
  };
  return {
    marketplaceAccounts,
    integrations,
    apiTokens,
    orderAccountOf: (name) => orderAccounts.get(name) ?? null,
    names: () => [...orderAccounts.keys()],
    environmentOf,
    endpointsOf: (name) => endpoints.get(name) ?? null,
    checkSecrets: async () => await check('account', 'integration'),
    checkWebhookSecrets: async () => await check('integration'),
    checkApiTokens: async () => await check('apiToken'),
    supportAddressOf: (name) => wire.accounts[name]?.supportAddress ?? null,
    callsPerSecondOf: (name) => wire.accounts[name]?.callsPerSecond ?? null,
    report: async () =>
      await reportAccounts({ file, wire, accounts: marketplaceAccounts, entries: secrets, env }),
  };
}

const listed = (file: string, problems: readonly string[]): string =>
  `${file} has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}:\n  ${problems.join('\n  ')}`;

function readWire(text: string, file: string): AccountsWire {
  // Always YAML 1.2, whatever a directive says, as for orders.
  const document = parseDocument(text, { schema: 'core' });
  const [error] = document.errors;
  if (error !== undefined) {
    // Only the first line: the rest quotes the file, and may contain a secret.
    throw new AccountsError(`${file} is not YAML: ${error.message.split('\n')[0] ?? ''}`);
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch {
    // The reason would quote the alias, and a secret that begins with an asterisk looks like an alias.
    throw new AccountsError(`${file} is not YAML: an alias (*name) has no anchor, or there are too many.`);
  }
  const parsed = accountsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AccountsError(listed(file, formProblems(accountsSchema, parsed.error)));
}

function toIntegrations(
  { accounts, integrations }: AccountsWire,
  marketplaceAccounts: readonly MarketplaceAccount[],
  env: Environment,
  problems: string[],
): AccountIntegration[] {
  return Object.entries(integrations).map(([name, integration]) => {
    const at = `$.integrations.${name}`;
    reportUnknownAccounts(integration.accounts, accounts, { at, problems });
    const own = marketplaceAccounts.filter((account) => integration.accounts.includes(account.name));
    const isLocal = areLocal(own);
    return {
      name,
      secret: secretSource(integration.secret, env, { at: `${at}.secret`, problems, isLocal }),
      accounts: own.map((account) => ({ name: account.name, environment: account.environment })),
    };
  });
}

function toApiTokens(
  { accounts, apiTokens }: AccountsWire,
  marketplaceAccounts: readonly MarketplaceAccount[],
  env: Environment,
  problems: string[],
): ApiToken[] {
  return Object.entries(apiTokens).map(([name, { token, scopes, accounts: named }]) => {
    const at = `$.apiTokens.${name}`;
    reportUnknownAccounts(named, accounts, { at, problems });
    const isLocal = areLocal(marketplaceAccounts.filter((account) => named.includes(account.name)));
    const source = secretSource(token, env, { at: `${at}.token`, problems, isLocal });
    return { name, token: source, scopes, accounts: named };
  });
}

function reportUnknownAccounts(
  named: readonly string[],
  accounts: AccountsWire['accounts'],
  { at, problems }: { readonly at: string; readonly problems: string[] },
): void {
  const unknown = named.filter((account) => !Object.hasOwn(accounts, account));
  problems.push(...unknown.map((account) => `${at}.accounts: the file has no account ${account}`));
}

const areLocal = (accounts: readonly MarketplaceAccount[]): boolean =>
  accounts.every(({ environment, baseUrl }) => isSandboxOnThisMachine(environment, baseUrl));

const ltlCountriesOf = ({ settings }: AccountWire): OrderAccount['ltlCountries'] =>
  settings?.ltlCountries ?? DEFAULT_SETTINGS.ltlCountries;

function toOrderAccount(name: string, wire: AccountWire, problems: string[]): OrderAccount {
  const at = `$.accounts.${name}`;
  const report = (place: string, found: readonly Problem[]): void => {
    problems.push(
      ...found.map(({ path, problem, remedy }) => `${place}${path.slice(1)}: ${problem}; ${remedy}`),
    );
  };
  const { paymentMethodId } = wire;
  const own = { ...wire.policy, ...(paymentMethodId !== undefined && { paymentMethodId }) };
  const merged = mergePolicy(DEFAULT_POLICY, own);
  if (!merged.ok) report(`${at}.policy`, merged.problems);
  for (const [place, location] of Object.entries(wire.locations ?? {})) {
    report(`${at}.locations.${place}`, locationProblems(location, ltlCountriesOf(wire)));
  }
  if (wire.timeZone !== undefined && !isTimeZone(wire.timeZone)) {
    problems.push(`${at}.timeZone: ${wire.timeZone} is not a time zone; use a name such as America/Chicago`);
  }
  return {
    name,
    timeZone: wire.timeZone ?? null,
    currency: wire.settings?.currency ?? DEFAULT_SETTINGS.currency,
    allowHazardous: wire.allowHazardous ?? false,
    liftgateRule: wire.settings?.liftgateRule ?? DEFAULT_SETTINGS.liftgateRule,
    ltlCountries: ltlCountriesOf(wire),
    ltlWeekends: wire.settings?.ltlWeekends ?? DEFAULT_SETTINGS.ltlWeekends,
    hasIntegrator: wire.integratorId !== undefined,
    locations: wire.locations ?? {},
    policy: merged.ok ? merged.policy : DEFAULT_POLICY,
  };
}
