import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadAccounts } from '../../src/accounts';
import { readConfig } from '../../src/platform/config';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes';

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

const ROOT = path.join(__dirname, '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = parse(textOf('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const ACCOUNTS_FILE = 'examples/accounts.yaml';
const OURS = ['worker', 'webhooks', 'api', 'sandbox'];

function serviceOf(name: string): Service {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

function settingOf(name: string, variable: string): string {
  const value = serviceOf(name).environment?.[variable];
  if (value === undefined) throw new Error(`service ${name} does not set ${variable}`);
  return String(value);
}

/** With every `${NAME:?…}` given and every `${NAME:-default}` left at its default. */
function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(serviceOf(name).environment ?? {}).map(([variable, value]) => [
    variable,
    String(value)
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/\$\{\w+:\?[^}]*\}/g, 'given'),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function sourcesUnder(folder: string): string {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => textOf(path.join(folder, file)))
    .join('\n');
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '');

/** What the code reads, by the way in which it reads it. */
const CONFIG_NAMES = namesIn(textOf('src/platform/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm);
const ACCOUNT_NAMES = namesIn(textOf(ACCOUNTS_FILE), /\benv: ([A-Z][A-Z_]+)/g);
const SANDBOX_NAMES = namesIn(sourcesUnder('sandbox'), /\b(SANDBOX_[A-Z_]+)\b/g);
const DIRECT_NAMES = namesIn(sourcesUnder('src'), /\benv\.([A-Z][A-Z_]+)/g);

function isRead(service: string, variable: string): boolean {
  if (variable === 'NODE_ENV') return DIRECT_NAMES.includes(variable);
  if (service === 'sandbox') return SANDBOX_NAMES.includes(variable);
  // Temporal's own settings are read by its library.
  return (
    variable.startsWith('TEMPORAL_') || CONFIG_NAMES.includes(variable) || ACCOUNT_NAMES.includes(variable)
  );
}

test.each(['postgres', 'temporal', 'setup', 'ui', ...OURS])('the composition has the service %s', (name) => {
  expect(Object.keys(compose.services)).toContain(name);
});

test.each(OURS)('the command of %s runs a program that the build makes', (name) => {
  const [program, script = ''] = serviceOf(name).command ?? [];
  expect(program).toBe('node');
  expect(script).toMatch(/^dist\/.+\.js$/);
  const source = script.replace(/^dist\//, '').replace(/\.js$/, '.ts');
  expect({ source, exists: existsSync(path.join(ROOT, source)) }).toEqual({ source, exists: true });
});

test.each(OURS)('every variable of %s is read by the code', (name) => {
  const variables = Object.keys(serviceOf(name).environment ?? {});
  expect(variables.length).toBeGreaterThan(0);
  expect(variables.filter((variable) => !isRead(name, variable))).toEqual([]);
});

test('this test distinguishes a variable that nothing reads from one that is read', () => {
  expect(isRead('worker', 'CONSIGN_FILES')).toBe(true);
  expect(isRead('worker', 'CONSIGN_FOLDER')).toBe(false);
  expect(isRead('webhooks', 'CONSIGN_WEBHOOK_SECRET')).toBe(true);
  expect(isRead('webhooks', 'WEBHOOK_ADDRESS')).toBe(false);
  expect(isRead('sandbox', 'SANDBOX_HAVEN')).toBe(false);
});

test.each(OURS)('%s runs as production', (name) => {
  expect(settingOf(name, 'NODE_ENV')).toBe('production');
});

test('the receiver listens on its default port, for other containers too', () => {
  const port = readConfig({}).webhookPort;
  expect(settingOf('webhooks', 'WEBHOOK_PORT')).toBe(String(port));
  expect(settingOf('webhooks', 'WEBHOOK_HOST')).toBe('0.0.0.0');
  expect(serviceOf('webhooks').ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(serviceOf('webhooks').healthcheck?.test.join(' ')).toContain(`:${port}/health`);
});

test('the HTTP API listens on its default port, for other containers too', () => {
  const port = readConfig({}).apiPort;
  expect(settingOf('api', 'API_PORT')).toBe(String(port));
  expect(settingOf('api', 'API_HOST')).toBe('0.0.0.0');
  expect(serviceOf('api').ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(serviceOf('api').healthcheck?.test.join(' ')).toContain(`:${port}/health`);
});

test('Prometheus finds the metrics of every worker and receiver, and nobody outside does', () => {
  const { scrape_configs: jobs } = parse(textOf('deploy/prometheus/prometheus.yaml')) as {
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
    }[];
  };
  const targets = jobs.flatMap(({ dns_sd_configs }) => dns_sd_configs);
  expect(targets.flatMap(({ names }) => names)).toEqual(['worker', 'webhooks']);
  for (const { names, port } of targets) {
    for (const name of names) {
      const { metricsAddress } = readConfig(environmentOf(name));
      expect(metricsAddress).toEqual({ host: '0.0.0.0', port });
      expect(serviceOf(name).ports ?? []).not.toContainEqual(expect.stringContaining(String(port)));
    }
  }
  expect(serviceOf('prometheus').volumes).toEqual(['./deploy/prometheus:/etc/prometheus:ro']);
});

test('the sandbox listens on its default port, for other containers too', () => {
  const port = settingOf('sandbox', 'SANDBOX_PORT');
  expect(textOf('sandbox/main.ts')).toMatch(new RegExp(`'SANDBOX_PORT'\\)\\s*\\.default\\(${port}\\)`));
  expect(settingOf('sandbox', 'SANDBOX_HOST')).toBe('0.0.0.0');
  expect(serviceOf('sandbox').ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(serviceOf('sandbox').healthcheck?.test.join(' ')).toContain(`:${port}/_sandbox/health`);
});

test('the parts find each other by the names of their services', () => {
  const sandbox = `http://sandbox:${settingOf('sandbox', 'SANDBOX_PORT')}`;
  for (const name of ['worker', 'webhooks', 'api']) {
    expect(settingOf(name, 'SANDBOX_URL')).toBe(sandbox);
    expect(settingOf(name, 'TEMPORAL_ADDRESS')).toBe('temporal:7233');
  }
  const events = `http://webhooks:${settingOf('webhooks', 'WEBHOOK_PORT')}/webhooks/acme/`;
  expect(settingOf('sandbox', 'SANDBOX_WEBHOOK_URL').startsWith(events)).toBe(true);
});

test.each([
  ['worker', 'checkSecrets'],
  ['webhooks', 'checkWebhookSecrets'],
  ['api', 'checkApiTokens'],
] as const)('the settings and accounts of %s can be loaded', async (name, check) => {
  const environment = environmentOf(name);
  const { accountsFile } = readConfig(environment);
  expect(accountsFile).toBe(ACCOUNTS_FILE);
  const accounts = loadAccounts(path.join(ROOT, accountsFile), environment);
  await expect(accounts[check]()).resolves.toBeUndefined();
});

test('a stopping worker has more time than its running activities may take', () => {
  const grace = Number.parseInt(serviceOf('worker').stop_grace_period ?? '', 10);
  expect(grace).toBeGreaterThan(readConfig(environmentOf('worker')).shutdownGraceSeconds);
});

test.each(['worker', 'api'])('the %s keeps files on the volume', (name) => {
  expect(serviceOf(name).volumes).toEqual([`files:${settingOf('worker', 'CONSIGN_FILES')}`]);
});

test('the search attributes are created, with their types, before a worker, a receiver or the API runs', () => {
  const script = (serviceOf('setup').command ?? []).join('\n');
  const created = [...script.matchAll(/--name (\w+) --type (\w+)/g)].map(([, name, kind]) => [
    name,
    kind?.toUpperCase(),
  ]);
  expect(Object.fromEntries(created)).toEqual(SEARCH_ATTRIBUTES);
  for (const name of ['worker', 'webhooks', 'api']) {
    expect(serviceOf(name).depends_on?.setup?.condition).toBe('service_completed_successfully');
  }
});

test("the file contains no secret, and other projects' images are pinned", () => {
  for (const [name, { image, environment = {} }] of Object.entries(compose.services)) {
    expect(image).toMatch(/:v?\d+(\.\d+)*$/);
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|PWD|SECRET|KEY|TOKEN/.test(variable)) continue;
      const given = variable === 'SANDBOX_API_KEY' ? /^\$\{\w+:-.+\}$/ : /^\$\{\w+:\?.+\}$/;
      expect({ name, variable, ok: given.test(String(value)) }).toEqual({ name, variable, ok: true });
    }
  }
});
