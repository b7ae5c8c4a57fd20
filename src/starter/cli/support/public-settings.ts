import { documentFields } from '../../../accounts/fields';
import type { AccountReport } from '../../../accounts/report';
import { DEFAULT_POLICY } from '../../../domain/default-policy';
import { MISSED_PICKUP_RULES, RATE_PREFERENCES } from '../../../domain/policy';
import { findField } from '../../../orders/fields';
import { CONFIG_VARIABLES } from '../../../platform/config';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number, a switch or a word of a closed list; for anything else only that it is set. */
function publicValue(value: unknown, words: readonly string[]): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return words.includes(value) ? value : '(set, left out)';
  if (value == null) return 'none';
  return Array.isArray(value) ? `(${value.length} entries, left out)` : '(set, left out)';
}

const WORDS = [...RATE_PREFERENCES, ...MISSED_PICKUP_RULES];

/** The values of a policy that differ from the defaults. Only keys that a policy can have are looked at. */
export function policyLines(policy: unknown, defaults: object = DEFAULT_POLICY, path: string = ''): string[] {
  if (!isObject(policy)) return [];
  return Object.entries(defaults).flatMap(([key, usual]: [string, unknown]) => {
    const value = policy[key];
    if (isObject(usual)) return policyLines(value, usual, `${path}${key}.`);
    const isUsual = JSON.stringify(value) === JSON.stringify(usual);
    return isUsual ? [] : [`policy ${path}${key}: ${publicValue(value, WORDS)}`];
  });
}

/** What the accounts file says of an account: kinds, numbers and words of closed lists. */
export function accountLines(report: AccountReport): string[] {
  const fields = documentFields();
  const settings = Object.entries(report.settings).map(([name, value]) => {
    const words = findField(fields, `accounts.settings.${name}`)?.values ?? [];
    return `setting ${name}: ${publicValue(value, words)}`;
  });
  return [
    `environment: ${report.environment}`,
    `authentication: ${report.auth}`,
    `calls per second: ${report.callsPerSecond ?? 'no limit'}`,
    `integrator id: ${report.integratorId === null ? 'none' : 'set'}`,
    `time zone: ${report.timeZone === null ? 'none' : 'set'}`,
    `locations: ${report.locations.length}`,
    `notified endpoints: ${report.endpoints.length}`,
    `secrets: ${report.secrets.map(({ state }) => state).join(', ')}`,
    ...settings,
  ];
}

/** Variables of Consign, Temporal and the network. The names of other variables may name a company. */
const OTHER_VARIABLES = [
  ...['CONSIGN_ENCRYPTION', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy', 'grpc_proxy'],
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY', 'TEMPORAL_PROFILE'],
  ...['TEMPORAL_CONFIG_FILE', 'TEMPORAL_CLI_PATH', 'TEMPORAL_TLS', 'TEMPORAL_TLS_SERVER_NAME'],
  ...['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'],
  ...['TEMPORAL_TLS_CLIENT_CERT_DATA', 'TEMPORAL_TLS_CLIENT_KEY_DATA', 'TEMPORAL_TLS_SERVER_CA_CERT_DATA'],
  ...['SANDBOX_URL', 'SANDBOX_SPEED'],
];

/** The names of the known variables that are set, without their values. */
export function variableNames(env: NodeJS.ProcessEnv): string[] {
  return [...CONFIG_VARIABLES, ...OTHER_VARIABLES].filter((name) => (env[name] ?? '') !== '').toSorted();
}
