import { NOTIFICATION_KINDS, type NotificationKind } from '../domain/notifications';
import { DEFAULT_SETTINGS, type MarketplaceAccount } from '../marketplace/account';
import { oddPaymentMethodId } from '../orders/policy';
import type { Environment, SecretReference } from '../platform/secret-reference';
import { misnamedSecretWarnings, unencryptedWarnings } from './environments';
import type { AccountsWire, AccountWire } from './schema';
import {
  readSecrets,
  sameKeyWarnings,
  secretState,
  valueProblems,
  type SecretEntry,
  type SecretState,
  type SecretValues,
} from './secrets';

/** Where a secret comes from, and whether it is available. */
export interface SecretReport {
  readonly path: string;
  /** The name of the variable or file; never its content. */
  readonly reference: string;
  readonly state: SecretState;
}

/** An endpoint that is notified, and of what. */
export interface EndpointReport {
  readonly name: string;
  readonly events: readonly NotificationKind[];
}

/** The configuration of one account, without its secrets. */
export interface AccountReport {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly auth: MarketplaceAccount['auth']['kind'];
  readonly secrets: readonly SecretReport[];
  readonly source: string;
  readonly integratorId: string | null;
  readonly userId: string | null;
  readonly paymentMethodId: string | null;
  readonly supportAddress: string | null;
  readonly callsPerSecond: number | null;
  readonly timeZone: string | null;
  /** Without their URLs, which may contain secrets. */
  readonly endpoints: readonly EndpointReport[];
  readonly locations: readonly string[];
  /** Only settings that differ from the defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** As the file writes it. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** The configuration of one integration, without its secret. */
export interface IntegrationReport {
  readonly name: string;
  readonly accounts: readonly string[];
  /** The path at the receiver; the secret at its end is masked. */
  readonly urlPath: string;
  readonly secret: SecretReport;
}

/** The configuration of one token of the HTTP API, without the token. */
export interface ApiTokenReport {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly accounts: readonly string[];
  readonly secret: SecretReport;
}

/** What an accounts file configures, without its secrets. */
export interface AccountsReport {
  readonly file: string;
  readonly accounts: readonly AccountReport[];
  readonly integrations: readonly IntegrationReport[];
  readonly apiTokens: readonly ApiTokenReport[];
  /** Problems of the secrets that can be read; each stops the start of the process that uses it. */
  readonly problems: readonly string[];
}

interface ReportParts {
  readonly file: string;
  readonly wire: AccountsWire;
  readonly accounts: readonly MarketplaceAccount[];
  readonly entries: readonly SecretEntry[];
  readonly env: Environment;
}

const referenceText = (reference: SecretReference): string =>
  'env' in reference ? `variable ${reference.env}` : `file ${reference.file}`;

async function secretReport(entry: SecretEntry, env: Environment): Promise<SecretReport> {
  return {
    path: entry.at,
    reference: referenceText(entry.reference),
    state: await secretState(entry, env),
  };
}

function changedSettings({ settings }: MarketplaceAccount): Record<string, unknown> {
  const defaults = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS));
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(defaults.get(name));
  return Object.fromEntries(Object.entries(settings).filter(isChanged));
}

function paymentWarnings(at: string, wire: AccountWire | undefined): string[] {
  const ids = {
    paymentMethodId: wire?.paymentMethodId,
    'policy.paymentMethodId': wire?.policy?.paymentMethodId,
  };
  return Object.entries(ids).flatMap(([field, id]) => {
    const odd = oddPaymentMethodId(id);
    return odd === null ? [] : [`${at}.${field}: ${odd}; check that you copied all of it`];
  });
}

function warningsOf(
  account: MarketplaceAccount,
  { wire, entries }: ReportParts,
  values: SecretValues['values'],
): string[] {
  const { name } = account;
  const at = `$.accounts.${name}`;
  const isInIntegration = Object.values(wire.integrations).some(({ accounts }) => accounts.includes(name));
  return [
    ...unencryptedWarnings(account),
    ...misnamedSecretWarnings(entries, name),
    ...sameKeyWarnings(values, name),
    ...paymentWarnings(at, wire.accounts[name]),
    ...(account.integratorId === null
      ? [`${at}.integratorId: is missing: without it LTL has neither webhooks nor custom rates`]
      : []),
    ...(isInIntegration
      ? []
      : [`${at}: no integration names it: without webhooks, Consign finds changes only by reading`]),
    ...(wire.accounts[name]?.timeZone === undefined
      ? [`${at}.timeZone: is missing: without it every stop must name its time zone`]
      : []),
  ];
}

/** What an accounts file configures, and whether each of its secrets is available. */
export async function reportAccounts(parts: ReportParts): Promise<AccountsReport> {
  const { file, wire, entries, env } = parts;
  const { values } = await readSecrets(entries, env);
  const accounts = parts.accounts.map(async (account): Promise<AccountReport> => {
    const { name, environment, baseUrl, webUrl, auth, source, integratorId, userId } = account;
    const own = wire.accounts[name];
    const secrets = entries.filter((entry) => entry.ownerKind === 'account' && entry.owner === name);
    return {
      ...{ name, environment, baseUrl, webUrl, auth: auth.kind, source, integratorId, userId },
      secrets: await Promise.all(secrets.map(async (entry) => await secretReport(entry, env))),
      paymentMethodId: own?.paymentMethodId ?? null,
      supportAddress: own?.supportAddress ?? null,
      callsPerSecond: own?.callsPerSecond ?? null,
      timeZone: own?.timeZone ?? null,
      endpoints: (own?.notifications ?? []).map(({ name: endpoint, events = NOTIFICATION_KINDS }) => ({
        ...{ name: endpoint, events },
      })),
      locations: Object.keys(own?.locations ?? {}),
      settings: changedSettings(account),
      policy: own?.policy ?? {},
      warnings: warningsOf(account, parts, values),
    };
  });
  const integrations = entries
    .filter(({ ownerKind }) => ownerKind === 'integration')
    .map(async (entry): Promise<IntegrationReport> => {
      const { owner: name } = entry;
      return {
        name,
        accounts: wire.integrations[name]?.accounts ?? [],
        urlPath: `/webhooks/${name}/***`,
        secret: await secretReport(entry, env),
      };
    });
  const apiTokens = entries
    .filter(({ ownerKind }) => ownerKind === 'apiToken')
    .map(async (entry): Promise<ApiTokenReport> => {
      const { owner: name } = entry;
      const { scopes = [], accounts: named = [] } = wire.apiTokens[name] ?? {};
      return { name, scopes, accounts: named, secret: await secretReport(entry, env) };
    });
  return {
    file,
    accounts: await Promise.all(accounts),
    integrations: await Promise.all(integrations),
    apiTokens: await Promise.all(apiTokens),
    problems: valueProblems(values),
  };
}
