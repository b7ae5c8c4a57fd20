import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { readConfig } from '../../src/platform/config';
import { isSetting } from '../support/read-variables';

const ROOT = path.join(__dirname, '..', '..');
const DEPLOY = path.join('deploy', 'helm');
const CHART = path.join(DEPLOY, 'consign');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
type Values = { readonly [key: string]: unknown };
const valuesOf = (file: string): Values => parse(textOf(path.join(DEPLOY, file))) as Values;

const VALUES = valuesOf('consign/values.yaml');
const TEMPLATES = readdirSync(path.join(ROOT, CHART, 'templates')).map((name) => ({
  name,
  text: textOf(path.join(CHART, 'templates', name)),
}));
const ALL = TEMPLATES.map(({ text }) => text).join('\n');
const CLOUD_FILES = ['temporal-cloud-api-key.yaml', 'temporal-cloud-mtls.yaml'];

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Paths of values, down to what is no map or an empty one. */
const pathsOf = (values: Values, before = ''): string[] =>
  Object.entries(values).flatMap(([key, value]) =>
    isMap(value) && Object.keys(value).length > 0 ? pathsOf(value, `${before}${key}.`) : [`${before}${key}`],
  );

/** As Helm merges a file with the chart's own values. */
const merged = (base: Values, over: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => {
      const [one, other] = [base[key], over[key]];
      return [key, isMap(one) && isMap(other) ? merged(one, other) : other === undefined ? one : other];
    }),
  );

const schema = JSON.parse(textOf(path.join(CHART, 'values.schema.json'))) as object;
const isValid = new Ajv({ allErrors: true }).compile(schema);
function problemsOf(values: Values): string[] {
  isValid(values);
  return (isValid.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
  expect(parse(textOf(path.join(CHART, 'Chart.yaml')))).toMatchObject({ version, appVersion: version });
});

test.each(['{}', ...CLOUD_FILES])('the values with %s conform to their schema', (file) => {
  const over = file === '{}' ? {} : valuesOf(file);
  expect(pathsOf(over).filter((name) => !pathsOf(VALUES).includes(name))).toEqual([]);
  expect(problemsOf(merged(VALUES, over))).toEqual([]);
});

const EXAMPLES = namesIn(textOf('docs/deployment-kubernetes.md'), /```yaml\n([^]*?)\n *```/g);

test('there are examples of values in the documents', () => expect(EXAMPLES).toHaveLength(3));
test.each([...EXAMPLES.keys()])('example %d of the documents conforms to the schema', (index) => {
  const example = EXAMPLES[index] ?? '';
  expect(problemsOf(merged(VALUES, parse(example) as Values))).toEqual([]);
});

test.each([
  ['a misspelled key', { temporal: { adress: 'x:1' } }, 'additional properties'],
  ['an address without a port', { temporal: { address: 'temporal.example.com' } }, '/temporal/address'],
  ['a key in place of the name of a Secret', { secrets: { files: 'sk_LIVE/+=' } }, '/secrets/files'],
  ['a group without accounts', { workers: [{ name: 'acme' }] }, 'accountsFile'],
  [
    'a name that no label can have',
    { workers: [{ name: 'Acme & Co', accountsFile: 'a.yaml' }] },
    '/workers/0/name',
  ],
  ['a number as a variable', { codec: { env: { CODEC_PORT: 4040 } } }, '/codec/env/CODEC_PORT'],
  ['a token as the name of a Secret', { api: { secretEnv: ['Tok3n+/='] } }, '/api/secretEnv/0'],
  ['a number as a limit of the API', { api: { env: { API_REQUESTS_PER_MINUTE: 9 } } }, '/api/env'],
  ['a misspelled ingress of the API', { api: { ingres: { enabled: true } } }, '/api must NOT'],
  ['a time to stop that cuts writes off', { worker: { shutdownGraceSeconds: 39 } }, 'shutdownGraceSeconds'],
])('the schema of the values refuses %s', (_name, over, says) => {
  expect(problemsOf(merged(VALUES, over)).join('\n')).toContain(says);
});

test('templates use only values that exist, and every value is used', () => {
  const known = pathsOf(VALUES);
  const used = namesIn(ALL, /\.Values\.([A-Za-z.]+)/g);
  const isKnown = (name: string): boolean =>
    known.some((value) => value === name || value.startsWith(`${name}.`));
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter((name) => !isKnown(name))).toEqual([]);
  // `with` and `range` leave only the last name of a path to what is inside.
  const lastOf = (name: string): string =>
    name
      .replace(/\.resources\..*/, '.resources')
      .split('.')
      .at(-1) ?? '';
  expect(known.filter((name) => !new RegExp(`\\.${lastOf(name)}\\b`).test(ALL))).toEqual([]);
});

const COMMANDS = namesIn(ALL, /command: \[node, ([^\],]+)/g);

test.each(COMMANDS)('the command %s is a program that the build makes, or one of bin', (script) => {
  const source = script.replace(/^dist\/(.*)\.js$/, '$1.ts');
  expect({ source, exists: existsSync(path.join(ROOT, source)) }).toEqual({ source, exists: true });
});

test('worker, receiver, HTTP API, codec server and setup have a command', () => {
  expect(COMMANDS.toSorted()).toEqual([
    'bin/consign.js',
    'dist/src/codec-server/main.js',
    'dist/src/starter/api/main.js',
    'dist/src/webhooks/main.js',
    'dist/src/worker.js',
  ]);
});

test('every variable of the templates is read by the code', () => {
  const variables = namesIn(ALL, /- name: ([A-Z][A-Z_]+)$/gm);
  expect(variables.length).toBeGreaterThan(15);
  expect(variables.filter((name) => !isSetting(name))).toEqual([]);
  expect(isSetting('CONSIGN_ACOUNTS')).toBe(false);
});

test('the ports of the templates are the default ports of the programs', () => {
  const { webhookPort, codecPort, apiPort } = readConfig({});
  const variables = Object.fromEntries(
    [...ALL.matchAll(/- name: ([A-Z]+_PORT)\n\s+value: '(\d+)'/g)].map(([, name = '', port]) => [
      name,
      Number(port),
    ]),
  );
  expect(variables).toEqual({ WEBHOOK_PORT: webhookPort, CODEC_PORT: codecPort, API_PORT: apiPort });
  const ports = namesIn(ALL, /containerPort: (\d+)/g).map(Number);
  expect(new Set(ports)).toEqual(new Set([webhookPort, codecPort, apiPort, 9464]));
});

test('the metrics are served where they are scraped, and no Service for people has their port', () => {
  const [address = ''] = namesIn(ALL, /CONSIGN_METRICS_ADDRESS\n\s+value: (\S+)/g);
  expect(readConfig({ CONSIGN_METRICS_ADDRESS: address }).metricsAddress).toEqual({
    host: '0.0.0.0',
    port: 9464,
  });
  for (const { name, text } of TEMPLATES)
    expect({ name, hasPort: text.includes('targetPort: metrics') }).toEqual({
      name,
      hasPort: name === 'metrics.yaml',
    });
});

test('the jobs of the metrics have the names that the alerts use', () => {
  const jobs = new Set(namesIn(textOf('deploy/prometheus/alerts.yaml'), /job="consign-(\w+)"/g));
  const components = namesIn(ALL, /"component" "(\w+)"/g);
  expect(ALL).toContain('replacement: consign-$1');
  expect([...jobs].filter((job) => !components.includes(job))).toEqual([]);
  expect(jobs.size).toBe(3);
});

test('a stopping worker has more time than its calls may take', () => {
  expect(ALL).toContain('terminationGracePeriodSeconds: {{ add $defaults.shutdownGraceSeconds 20 }}');
  expect(problemsOf(merged(VALUES, { worker: { shutdownGraceSeconds: 40 } }))).toEqual([]);
  const { shutdownGraceSeconds } = readConfig({});
  expect(VALUES.worker).toMatchObject({ shutdownGraceSeconds });
});

test('no file of the chart contains a Secret, and variables with secrets come from one', () => {
  expect(ALL).not.toMatch(/kind: Secret\b/);
  expect(ALL).toMatch(/- name: TEMPORAL_API_KEY\n\s+valueFrom:\n\s+secretKeyRef:/);
});

test.each(TEMPLATES)('$name closes each block that it opens', ({ text }) => {
  const opened = namesIn(text, /\{\{-? *(if|range|with|define|block)\b/g);
  const closed = namesIn(text, /\{\{-? *(end)\b/g);
  expect(closed).toHaveLength(opened.length);
});
