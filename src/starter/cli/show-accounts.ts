import pc from 'picocolors';
import type {
  AccountReport,
  AccountsReport,
  ApiTokenReport,
  EndpointReport,
  IntegrationReport,
  SecretReport,
} from '../../accounts/report';
import { NOTIFICATION_KINDS } from '../../domain/notifications';

/** Whether a secret is available. A default counts: it exists only where it does no harm. */
export function isSecretThere({ state }: SecretReport): boolean {
  return state === 'present' || state === 'default';
}

const secretText = (secret: SecretReport): string =>
  `${secret.reference}: ${isSecretThere(secret) ? pc.green(secret.state) : pc.red(secret.state)}`;

/** Settings and policies are short and flat; what is nested is written as JSON. */
const valuesText = (values: Readonly<Record<string, unknown>>): string | null => {
  const texts = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return texts.length === 0 ? null : texts.join(', ');
};

const endpointText = ({ name, events }: EndpointReport): string =>
  `${name} (${events.length === NOTIFICATION_KINDS.length ? 'all events' : events.join(', ')})`;

function lines(facts: readonly [string, string | null][]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, text]) => `  ${name.padEnd(width)}  ${text ?? pc.dim('-')}`);
}

function renderAccount(account: AccountReport, integrations: readonly IntegrationReport[]): string {
  const own = integrations.filter(({ accounts }) => accounts.includes(account.name));
  const facts: [string, string | null][] = [
    ['Environment', account.environment],
    ['API', account.baseUrl],
    ['Web', account.webUrl],
    ['Authentication', account.auth],
    ...account.secrets.map((secret): [string, string] => [
      `  ${secret.path.replace(`$.accounts.${account.name}.`, '')}`,
      secretText(secret),
    ]),
    ['Source', account.source],
    ['Integrator id', account.integratorId],
    ['User id', account.userId],
    ['Payment method', account.paymentMethodId],
    ['Support', account.supportAddress],
    ['Calls per second', account.callsPerSecond === null ? null : String(account.callsPerSecond)],
    ['Time zone', account.timeZone],
    ['Locations', account.locations.length === 0 ? null : account.locations.join(', ')],
    ['Changed settings', valuesText(account.settings)],
    ['Changed policy', valuesText(account.policy)],
    ['Notifications', account.endpoints.length === 0 ? null : account.endpoints.map(endpointText).join('; ')],
    ['Webhooks', own.length === 0 ? null : own.map(({ name, urlPath }) => `${urlPath} (${name})`).join(', ')],
  ];
  const warnings = account.warnings.map((warning) => `  ${pc.yellow('!')} ${warning}`);
  return [pc.bold(`account ${account.name}`), ...lines(facts), ...warnings].join('\n');
}

function renderIntegration({ name, accounts, urlPath, secret }: IntegrationReport): string {
  const facts: [string, string][] = [
    ['URL', urlPath],
    ['Accounts', accounts.join(', ')],
    ['Secret', secretText(secret)],
  ];
  return [pc.bold(`integration ${name}`), ...lines(facts)].join('\n');
}

function renderApiToken({ name, scopes, accounts, secret }: ApiTokenReport): string {
  const facts: [string, string][] = [
    ['Scopes', scopes.join(', ')],
    ['Accounts', accounts.join(', ')],
    ['Token', secretText(secret)],
  ];
  return [pc.bold(`API token ${name}`), ...lines(facts)].join('\n');
}

/** `consign accounts check` for people. */
export function renderAccounts(report: AccountsReport): string {
  const { file, accounts, integrations, apiTokens, problems } = report;
  const secrets = [
    ...accounts.flatMap((account) => account.secrets),
    ...[...integrations, ...apiTokens].map(({ secret }) => secret),
  ];
  const missing = secrets.filter((secret) => !isSecretThere(secret)).length;
  const wrong = [
    ...(missing === 0 ? [] : [`${missing} of ${secrets.length} secrets cannot be read`]),
    ...(problems.length === 0 ? [] : [`${problems.length} invalid`]),
  ];
  const verdict = wrong.length === 0 ? pc.green('every secret is available') : pc.red(wrong.join(', '));
  return [
    ...accounts.map((account) => renderAccount(account, integrations)),
    ...integrations.map(renderIntegration),
    ...apiTokens.map(renderApiToken),
    ...problems.map((problem) => `${pc.red('✗')} ${problem}`),
    `${file}: ${verdict}`,
  ].join('\n\n');
}
