import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadAccounts } from '../../src/accounts';
import { readConfig } from '../../src/platform/config';
import { createProgram } from '../../src/starter/cli/program';
import type { CliContext } from '../../src/starter/cli/context';
import { readCodecServerSettings, readKeyRing } from '../../src/temporal/encryption/encryption-file';
import { isSandboxSetting, isSetting, variablesOf } from '../support/read-variables';

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

const ROOT = path.join(__dirname, '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = parse(textOf('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const ACCOUNTS_FILE = 'examples/accounts.yaml';
const ENCRYPTION_FILE = 'examples/encryption/encryption.yaml';
const OURS = ['worker', 'webhooks', 'api', 'codec', 'sandbox'];
/** Each ends once it has done its work. */
const STEPS = ['schema', 'namespace', 'setup'];
const OTHERS = ['postgres', 'temporal', 'ui', 'prometheus'];

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

/** What the code reads: settings, and what the examples' files name. */
function isRead(service: string, variable: string): boolean {
  if (service === 'sandbox') return isSandboxSetting(variable);
  return (
    isSetting(variable) ||
    variablesOf(ACCOUNTS_FILE).includes(variable) ||
    variablesOf(ENCRYPTION_FILE).includes(variable)
  );
}

/** Where a path of a container is in this repository. */
function fileBehind({ volumes = [] }: Service, inContainer: string): string {
  for (const volume of volumes) {
    const [source = '', target = ''] = volume.split(':');
    if (source.startsWith('./') && inContainer.startsWith(`${target}/`))
      return path.join(source, inContainer.slice(target.length));
  }
  throw new Error(`no volume covers ${inContainer}`);
}

test('the composition has these services and no other', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual([...OURS, ...STEPS, ...OTHERS].toSorted());
});

test.each([...OURS, ...OTHERS])('%s has a health check and is started again', (name) => {
  const { healthcheck, restart } = serviceOf(name);
  expect(healthcheck?.test.length).toBeGreaterThan(1);
  expect(restart).toBe('unless-stopped');
});

test.each(STEPS)('the step %s is tried again only when it fails', (name) => {
  expect(serviceOf(name)).toMatchObject({ restart: 'on-failure' });
  expect(serviceOf(name).healthcheck).toBeUndefined();
});

test('the steps follow each other, and worker, receiver and HTTP API wait for the last', () => {
  const waits = ['schema', 'temporal', 'namespace', 'setup', 'worker', 'webhooks', 'api'].map((name) => [
    name,
    Object.entries(serviceOf(name).depends_on ?? {}).map(([other, { condition }]) => `${other} ${condition}`),
  ]);
  expect(Object.fromEntries(waits)).toEqual({
    schema: ['postgres service_healthy'],
    temporal: ['schema service_completed_successfully'],
    namespace: ['temporal service_healthy'],
    setup: ['namespace service_completed_successfully'],
    worker: ['setup service_completed_successfully', 'sandbox service_healthy'],
    webhooks: ['setup service_completed_successfully'],
    api: ['setup service_completed_successfully'],
  });
});

test.each(['schema', 'namespace'])('the script of the step %s exists, and a shell can parse it', (name) => {
  const { entrypoint: [shell, script = ''] = [] } = serviceOf(name);
  expect(shell).toBe('/bin/sh');
  const file = fileBehind(serviceOf(name), script);
  const { status, stderr } = spawnSync('sh', ['-n', file], { cwd: ROOT, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('the last step creates the search attributes by the command for it', () => {
  const [program, file = '', command = '', ...rest] = serviceOf('setup').command ?? [];
  expect({ program, exists: existsSync(path.join(ROOT, file)), rest }).toEqual({
    program: 'node',
    exists: true,
    rest: [],
  });
  expect(createProgram({} as CliContext).commands.map((known) => known.name())).toContain(command);
});

test('server and its tools have one version: the tools contain the schemas', () => {
  const versionOf = (name: string): string => /:([\d.]+)@/.exec(serviceOf(name).image ?? '')?.[1] ?? name;
  expect([versionOf('schema'), versionOf('namespace')]).toEqual([
    versionOf('temporal'),
    versionOf('temporal'),
  ]);
});

test('the file that the Temporal server needs is mounted', () => {
  const file = fileBehind(serviceOf('temporal'), settingOf('temporal', 'DYNAMIC_CONFIG_FILE_PATH'));
  expect(parse(textOf(file))).toEqual({ 'history.workflowTaskRetryMaxInterval': [{ value: '1m' }] });
});

test('services wait only for services that exist, and use only volumes that are declared', () => {
  const services = Object.values(compose.services);
  const awaited = services.flatMap(({ depends_on = {} }) => Object.keys(depends_on));
  expect(awaited.filter((name) => compose.services[name] === undefined)).toEqual([]);
  const volumes = services
    .flatMap(({ volumes: own = [] }) => own)
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => !source.startsWith('.'));
  expect(new Set(volumes)).toEqual(new Set(Object.keys(compose.volumes)));
});

test('every folder that a container reads exists', () => {
  const sources = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.startsWith('.'));
  expect(sources.length).toBeGreaterThan(3);
  expect(sources.filter((source) => !existsSync(path.join(ROOT, source)))).toEqual([]);
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
  expect(isRead('worker', 'TEMPORAL_ADRESS')).toBe(false);
  expect(isRead('codec', 'CONSIGN_CODEC_TOKEN')).toBe(true);
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

test('Prometheus finds the metrics of every worker, receiver and HTTP API, and nobody outside does', () => {
  const { scrape_configs: jobs } = parse(textOf('deploy/prometheus/prometheus.yaml')) as {
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
    }[];
  };
  const targets = jobs.flatMap(({ dns_sd_configs }) => dns_sd_configs);
  expect(targets.flatMap(({ names }) => names)).toEqual(['worker', 'webhooks', 'api']);
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

test.each([...OTHERS, 'schema', 'namespace'])('the image of %s is pinned by version and digest', (name) => {
  expect(serviceOf(name).image).toMatch(
    /^[a-z]+(?:\/[a-z-]+)?:v?\d+\.\d+(?:\.\d+)?(?:-[a-z]+)?@sha256:[0-9a-f]{64}$/,
  );
});

test('our own image has the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
  for (const name of [...OURS, 'setup']) expect(serviceOf(name).image).toBe(`consign:${version}`);
});

/** Optional: empty means not set. The key of the sandbox on this machine is no secret. */
const WITH_DEFAULT = ['SANDBOX_API_KEY', 'CONSIGN_ENCRYPTION_KEY', 'CONSIGN_CODEC_TOKEN'];

test('the file contains no secret', () => {
  for (const [name, { environment = {} }] of Object.entries(compose.services)) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|PWD|SECRET|KEY|TOKEN/.test(variable)) continue;
      const given = WITH_DEFAULT.includes(variable) ? /^\$\{\w+:-(?:sandbox-key)?\}$/ : /^\$\{\w+:\?.+\}$/;
      expect({ name, variable, ok: given.test(String(value)) }).toEqual({ name, variable, ok: true });
    }
  }
});

test('the codec server listens on its default port, for other containers too', () => {
  const port = readConfig({}).codecPort;
  expect(settingOf('codec', 'CODEC_PORT')).toBe(String(port));
  expect(settingOf('codec', 'CODEC_HOST')).toBe('0.0.0.0');
  expect(serviceOf('codec').ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(serviceOf('codec').healthcheck?.test.join(' ')).toContain(`:${port}/health`);
  expect(serviceOf('codec').profiles).toEqual(['encryption']);
});

test('every process that reads payloads can be given the file of encryption keys of the examples', async () => {
  const given = {
    CONSIGN_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    CONSIGN_CODEC_TOKEN: 'x'.repeat(16),
  };
  const file = path.join(ROOT, ENCRYPTION_FILE);
  const { keys, writeWith } = await readKeyRing(file, given);
  expect(keys.has(writeWith)).toBe(true);
  const { tokens, origins } = await readCodecServerSettings(file, given);
  expect(await tokens()).toEqual([given.CONSIGN_CODEC_TOKEN]);
  expect(serviceOf('ui').ports).toEqual([`${new URL(origins[0] ?? '').host}:8080`]);
  const optional = (name: string, variable: string): void =>
    expect(settingOf(name, variable)).toBe(`\${${variable}:-}`);
  for (const name of ['worker', 'webhooks', 'api', 'codec'])
    for (const variable of ['CONSIGN_ENCRYPTION', 'CONSIGN_ENCRYPTION_KEY']) optional(name, variable);
  // Only the codec server reads the tokens.
  optional('codec', 'CONSIGN_CODEC_TOKEN');
  expect(variablesOf(ENCRYPTION_FILE)).toEqual(['CONSIGN_ENCRYPTION_KEY', 'CONSIGN_CODEC_TOKEN']);
});

test('the health check of a worker asks where it serves its metrics', () => {
  const { port } = readConfig(environmentOf('worker')).metricsAddress ?? {};
  expect(serviceOf('worker').healthcheck?.test.join(' ')).toContain(`:${port}/metrics`);
});
