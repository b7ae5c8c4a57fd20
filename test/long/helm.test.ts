import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import { LEAST_SHUTDOWN_GRACE_MS } from '../../src/domain/write-timing';
import { readConfig } from '../../src/platform/config';
import { findCluster } from '../../src/temporal/existing-cluster';
import { installTool, run, whyNot, type ToolEnd } from '../../devstack/cluster/go-tool';
import { kubernetesSchemas } from '../support/kubernetes-schemas';
import { temporaryFolder } from '../support/temporary-folder';
import { testUnless } from '../support/test-unless';

const HELM = { package: 'helm.sh/helm/v4/cmd/helm', version: 'v4.3.1', variable: 'HELM' };
const KUBECONFORM = {
  package: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.8.0',
  variable: 'KUBECONFORM',
};
/** The oldest that the chart names, and the newest. */
const KUBERNETES = ['1.25.0', '1.37.0'] as const;
const DEPLOY = path.join(__dirname, '..', '..', 'deploy', 'helm');
const CHART = path.join(DEPLOY, 'consign');
const CERTIFICATE = path.join(__dirname, '..', 'fixtures', 'tls', 'this-host.pem');
/** The first build compiles for minutes. */
const BUILD_MS = 20 * 60_000;

// The rule does not see that `testWithHelm` is a test.
/* oxlint-disable jest/no-standalone-expect */
const WHY_NOT = whyNot(HELM) ?? whyNot(KUBECONFORM);
const { test: testWithHelm, unless } = testUnless(WHY_NOT);

let helmProgram: string;
let kubeconformProgram: string;
const schemas: Record<string, string> = {};

beforeAll(async () => {
  if (WHY_NOT !== null) return;
  helmProgram = await installTool(HELM);
  kubeconformProgram = await installTool(KUBECONFORM);
  for (const version of KUBERNETES) schemas[version] = await kubernetesSchemas(version);
}, BUILD_MS);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } & Readonly<
      Record<string, unknown>
    >;
    readonly template?: { readonly metadata: Manifest['metadata']; readonly spec: PodSpec };
  };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly name: string }[];
}
interface Container {
  readonly name: string;
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
  readonly command: readonly string[];
  readonly securityContext: object;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

const NEEDED = {
  temporal: { address: 'temporal.example.com:7233' },
  secrets: { accounts: 'consign-accounts' },
  files: { location: 's3://freight-files/consign' },
};
const GROUPS = {
  ...NEEDED,
  secrets: { accounts: 'consign-accounts', files: 'consign-secrets', encryption: 'consign-encryption' },
  files: { existingClaim: 'consign-files' },
  image: {
    repository: 'images.example.com/consign',
    digest: `sha256:${'a'.repeat(64)}`,
    pullSecrets: ['pull'],
  },
  workers: [
    { name: 'acme', accountsFile: 'acme.yaml', secretEnv: ['acme-keys'], replicas: 3 },
    { name: 'rest', accountsFile: 'rest.yaml', env: { CONSIGN_CACHED_WORKFLOWS: '4000' }, replicas: 0 },
  ],
  worker: { shutdownGraceSeconds: 90 },
  deployment: { name: 'consign', buildId: '2f1c9ab' },
  receiver: {
    accountsFile: 'all.yaml',
    secretEnv: ['webhook-secrets'],
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'hooks.example.com',
      tlsSecretName: 'hooks-tls',
      annotations: { 'example.com/limit': '10' },
    },
  },
  api: {
    enabled: true,
    accountsFile: 'all.yaml',
    secretEnv: ['api-tokens'],
    env: { API_REQUESTS_PER_MINUTE: '1200' },
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'freight.example.com',
      tlsSecretName: 'freight-tls',
      annotations: { 'example.com/limit': '20' },
    },
  },
  codec: { enabled: true, secretEnv: ['codec-token'] },
  metrics: { serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/consign' } },
};
const { temporal: _, ...CLOUD_NEEDED } = NEEDED;
const CASES: readonly (readonly [name: string, values: object, files: readonly string[]])[] = [
  ['the fewest values', NEEDED, []],
  ['groups of accounts and every option', GROUPS, []],
  ['Temporal Cloud with an API key', CLOUD_NEEDED, ['temporal-cloud-api-key.yaml']],
  ['Temporal Cloud with client certificates', CLOUD_NEEDED, ['temporal-cloud-mtls.yaml']],
];

async function helm(
  command: readonly string[],
  values: object,
  files: readonly string[] = [],
): Promise<ToolEnd> {
  const file = path.join(temporaryFolder('values-'), 'values.yaml');
  await writeFile(file, stringify(values));
  const all = [...files.map((name) => path.join(DEPLOY, name)), file];
  return await run(helmProgram, [...command, CHART, ...all.flatMap((name) => ['--values', name])]);
}

async function rendered(values: object, files: readonly string[] = []): Promise<string> {
  const { code, out, output } = await helm(['template', 'prod', '--namespace', 'freight'], values, files);
  if (code !== 0) throw new Error(output);
  return out;
}

const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

const containersOf = (manifests: readonly Manifest[]): Container[] =>
  manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);

async function kubeconform(version: string, input: string): Promise<ToolEnd> {
  const location = path.join(schemas[version] ?? '', '{{.ResourceKind}}{{.KindSuffix}}.json');
  const options = ['-strict', '-summary', '-kubernetes-version', version, '-schema-location', location];
  return await run(kubeconformProgram, [...options, '-'], { input });
}

testWithHelm.each(CASES)(`helm lint finds no fault with %s${unless}`, async (_name, values, files) => {
  const { code, output } = await helm(['lint', '--strict'], values, files);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('0 chart(s) failed') });
});

testWithHelm.each(
  CASES.flatMap(([name, ...rest]) => KUBERNETES.map((version) => [name, version, ...rest] as const)),
)(
  `what the chart makes of %s conforms to the API of Kubernetes %s${unless}`,
  async (_name, version, values, files) => {
    const text = await rendered(values, files);
    const { code, output } = await kubeconform(version, text);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(
        `Valid: ${manifestsOf(text).length}, Invalid: 0, Errors: 0, Skipped: 0`,
      ),
    });
  },
);

testWithHelm.each([
  ['a field that a Deployment does not have', /replicas: 2\n/, 'replicas: 2\n  replica: 2\n'],
  ['a field that a ServiceMonitor does not have', /interval: 15s\n/, 'interval: 15s\n      intervall: 15s\n'],
  ['a port that is no number', /containerPort: 4020/, 'containerPort: http'],
])(`kubeconform finds %s${unless}`, async (_name, right, wrong) => {
  const text = (await rendered({ ...NEEDED, metrics: GROUPS.metrics })).replace(right, wrong);
  const { code, output } = await kubeconform('1.37.0', text);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Invalid: 1') });
});

/** Every variable of a container, secrets as `given`. */
const environmentOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'given']));

/** The same, for the library that reads the certificates: they are those of the tests. */
const withCertificates = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.startsWith('/etc/consign/temporal/') ? CERTIFICATE : value,
    ]),
  );

testWithHelm.each(CASES)(
  `every process can read its settings, with %s${unless}`,
  async (_name, values, files) => {
    const containers = containersOf(manifestsOf(await rendered(values, files)));
    expect(containers.length).toBeGreaterThan(1);
    for (const container of containers) {
      const environment = environmentOf(container);
      const { accountsFile, metricsAddress, shutdownGraceSeconds } = readConfig(environment);
      if (container.name !== 'codec') expect(findCluster(withCertificates(environment))).not.toBeNull();
      if (['worker', 'receiver', 'api'].includes(container.name)) {
        const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
        expect(mounts).toContain(path.dirname(accountsFile));
        expect(metricsAddress).toEqual({ host: '0.0.0.0', port: 9464 });
      }
      expect(shutdownGraceSeconds * 1_000).toBeGreaterThanOrEqual(LEAST_SHUTDOWN_GRACE_MS);
    }
  },
);

testWithHelm.each(CASES)(
  `every path of a variable is in a folder that is mounted, with %s${unless}`,
  async (_name, values, files) => {
    for (const container of containersOf(manifestsOf(await rendered(values, files)))) {
      const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => `${mountPath}/`);
      const paths = Object.values(environmentOf(container)).filter((value) => value.startsWith('/'));
      expect(paths.filter((file) => !mounts.some((mount) => `${file}/`.startsWith(mount)))).toEqual([]);
    }
  },
);

testWithHelm(
  `no process runs as root, can write to its image or gets a token of Kubernetes${unless}`,
  async () => {
    const pods = manifestsOf(await rendered(GROUPS)).flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(6);
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  },
);

testWithHelm(
  `Kubernetes asks each process whether it is ready and alive, at the paths that it serves${unless}`,
  async () => {
    const at = (path: string, port = 'http') => expect.objectContaining({ httpGet: { path, port } });
    const metrics = at('/metrics', 'metrics');
    const probes: Readonly<Record<string, object>> = {
      worker: { readinessProbe: metrics, livenessProbe: metrics },
      receiver: {
        readinessProbe: at('/health'),
        livenessProbe: expect.objectContaining({ tcpSocket: { port: 'http' } }),
      },
      api: { readinessProbe: at('/ready'), livenessProbe: at('/health') },
      codec: { readinessProbe: at('/health'), livenessProbe: at('/health') },
    };
    const containers = containersOf(manifestsOf(await rendered(GROUPS))).filter(
      ({ name }) => name !== 'setup',
    );
    expect(containers).toHaveLength(5);
    for (const container of containers) expect(container).toMatchObject({ ...probes[container.name] });
    expect(new Set(containers.map(({ name }) => name))).toEqual(new Set(Object.keys(probes)));
  },
);

testWithHelm(`each group of accounts is a Deployment with its file, keys and replicas${unless}`, async () => {
  const workers = manifestsOf(await rendered(GROUPS)).filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('-worker-'),
  );
  const shown = workers.map(({ metadata, spec }) => {
    const [container] = spec.template?.spec.containers ?? [];
    if (container === undefined) throw new Error(`${metadata.name} has no container`);
    const {
      CONSIGN_ACCOUNTS: accounts,
      CONSIGN_DEPLOYMENT: deployment,
      CONSIGN_BUILD_ID: build,
    } = environmentOf(container);
    const grace = spec.template?.spec.terminationGracePeriodSeconds;
    const secrets = (container.envFrom ?? []).map(({ secretRef }) => secretRef.name);
    return { name: metadata.name, replicas: spec.replicas, accounts, deployment, build, grace, secrets };
  });
  const both = { deployment: 'consign', build: '2f1c9ab', grace: 110 };
  expect(shown).toEqual([
    {
      ...{ name: 'prod-consign-worker-acme', replicas: 3, accounts: '/etc/consign/accounts/acme.yaml' },
      ...{ ...both, secrets: ['acme-keys'] },
    },
    {
      ...{ name: 'prod-consign-worker-rest', replicas: 0, accounts: '/etc/consign/accounts/rest.yaml' },
      ...{ ...both, secrets: [] },
    },
  ]);
});

testWithHelm(
  `every Deployment has a disruption budget, and each selects its own pods only${unless}`,
  async () => {
    const manifests = manifestsOf(await rendered(GROUPS));
    const labels = manifests.flatMap(({ kind, spec }) =>
      kind === 'Deployment' ? [spec.template?.metadata.labels ?? {}] : [],
    );
    const selectors = manifests.flatMap(({ kind, spec }) =>
      ['Deployment', 'PodDisruptionBudget'].includes(kind) ? [spec.selector?.matchLabels ?? {}] : [],
    );
    expect(labels).toHaveLength(5);
    expect(selectors).toHaveLength(10);
    for (const selector of selectors) {
      const selected = labels.filter((pod) =>
        Object.entries(selector).every(([key, value]) => pod[key] === value),
      );
      expect(selected).toHaveLength(1);
    }
  },
);

testWithHelm(
  `the HTTP API has its tokens, files and ingress, and no key of the marketplace${unless}`,
  async () => {
    const manifests = manifestsOf(await rendered(GROUPS));
    const kinds = manifests
      .filter(({ metadata }) => metadata.name === 'prod-consign-api')
      .map(({ kind }) => kind)
      .toSorted();
    expect(kinds).toEqual(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service']);
    const [api] = containersOf(manifests).filter(({ name }) => name === 'api');
    if (api === undefined) throw new Error('there is no API');
    const { apiHost, apiPort, apiRequestsPerMinute, accountsFile } = readConfig(environmentOf(api));
    expect({ apiHost, apiPort, apiRequestsPerMinute, accountsFile }).toEqual({
      ...{ apiHost: '0.0.0.0', apiPort: 4030, apiRequestsPerMinute: 1_200 },
      accountsFile: '/etc/consign/accounts/all.yaml',
    });
    expect(api.envFrom).toEqual([{ secretRef: { name: 'api-tokens' } }]);
    expect(api.volumeMounts).toContainEqual({ name: 'files', mountPath: environmentOf(api).CONSIGN_FILES });
    const ingress = manifests.find(
      ({ kind, metadata }) => kind === 'Ingress' && metadata.name === 'prod-consign-api',
    );
    expect(ingress?.spec).toMatchObject({
      tls: [{ hosts: ['freight.example.com'], secretName: 'freight-tls' }],
      rules: [{ host: 'freight.example.com' }],
    });
  },
);

testWithHelm(`the HTTP API is not installed unless it is wanted${unless}`, async () => {
  expect(containersOf(manifestsOf(await rendered(NEEDED))).map(({ name }) => name)).not.toContain('api');
});

testWithHelm(
  `the cloud's files give what the cloud asks for: namespace, and key or certificate${unless}`,
  async () => {
    const connections = await Promise.all(
      ['temporal-cloud-api-key.yaml', 'temporal-cloud-mtls.yaml'].map(async (file) => {
        const manifests = manifestsOf(await rendered(CLOUD_NEEDED, [file]));
        expect(manifests.filter(({ kind }) => kind === 'Job')).toEqual([]);
        const [worker] = containersOf(manifests).filter(({ name }) => name === 'worker');
        if (worker === undefined) throw new Error('there is no worker');
        const { address, namespace, connectionOptions } =
          findCluster(withCertificates(environmentOf(worker))) ?? {};
        return {
          address,
          namespace,
          apiKey: connectionOptions?.apiKey,
          hasTls: connectionOptions?.tls !== undefined,
        };
      }),
    );
    const cloud = { address: 'freight.a1b2c.tmprl.cloud:7233', namespace: 'freight.a1b2c', hasTls: true };
    expect(connections).toEqual([
      { ...cloud, apiKey: 'given' },
      { ...cloud, apiKey: undefined },
    ]);
  },
);

testWithHelm.each<[string, object, string]>([
  ['no address of Temporal', { ...NEEDED, temporal: {} }, 'set temporal.address'],
  ['no accounts', { ...NEEDED, secrets: {} }, 'set secrets.accounts'],
  ['no place for files', { ...NEEDED, files: {} }, 'set files.location'],
  ['two places for files', { ...NEEDED, files: { location: 's3://b/p', existingClaim: 'c' } }, 'not both'],
  [
    'a build without a deployment',
    { ...NEEDED, deployment: { buildId: '2f1c9ab' } },
    'set deployment.name too',
  ],
  ['a codec server without keys', { ...NEEDED, codec: { enabled: true } }, 'set secrets.encryption'],
  [
    'an ingress without a certificate',
    { ...NEEDED, receiver: { ingress: { enabled: true, host: 'hooks.example.com' } } },
    'set receiver.ingress.tlsSecretName',
  ],
  [
    'an ingress of the API without a certificate',
    { ...NEEDED, api: { enabled: true, ingress: { enabled: true, host: 'freight.example.com' } } },
    'set api.ingress.tlsSecretName',
  ],
  [
    'an ingress of the API without a host',
    { ...NEEDED, api: { enabled: true, ingress: { enabled: true, tlsSecretName: 'freight-tls' } } },
    'set api.ingress.host',
  ],
  ['a misspelled value', { ...NEEDED, workerz: [] }, 'workerz'],
  ['a number as a variable', { ...NEEDED, codec: { env: { CODEC_PORT: 1 } } }, 'CODEC_PORT'],
  ['too little time to stop', { ...NEEDED, worker: { shutdownGraceSeconds: 5 } }, 'shutdownGraceSeconds'],
])(`the chart refuses %s, and says what to set${unless}`, async (_name, values, says) => {
  const { code, output } = await helm(['template', 'prod'], values);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(says) });
});
