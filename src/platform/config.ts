import os from 'node:os';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { UserError } from './user-error';
import { cachedWorkflowsIn } from '../domain/cached-workflows';
import { LEAST_SHUTDOWN_GRACE_MS } from '../domain/write-timing';
import { proxySettings, ProxySettingsError } from './network/proxy-settings';
import { parseFilesLocation, type FilesLocation } from './file-store/location';
import { parseMetricsAddress, type MetricsAddress } from './metrics-address';

const LEAST_GRACE_SECONDS = LEAST_SHUTDOWN_GRACE_MS / 1_000;
const port = z.coerce.number().int().min(0).max(65_535);
/** Temporal writes `deployment:build`: neither name may contain a colon. It also reserves dots in deployment names. */
const deployment = z.string().regex(/^(?:[A-Za-z0-9][A-Za-z0-9_-]{0,99})?$/, {
  error: 'give a name of at most 100 letters, digits, - and _',
});
const buildId = z.string().regex(/^(?:[A-Za-z0-9][A-Za-z0-9._+-]{0,99})?$/, {
  error: 'give an id such as a Git commit or a version: at most 100 letters, digits, . _ + and -',
});
const metricsAddress = z.string().refine((text) => text === '' || parseMetricsAddress(text) !== null, {
  error: 'give an IP address and a port, such as 127.0.0.1:9464',
});
const patches = z.string().regex(/^(?:[a-z0-9-]+(?:,[a-z0-9-]+)*)?$/, {
  error: 'give ids of patches separated by commas, such as payment-method-first,slower-poll',
});

const schema = z.object({
  CONSIGN_ACCOUNTS: z.string().min(1).default('examples/accounts.yaml'),
  CONSIGN_CACHED_WORKFLOWS: z.coerce
    .number()
    .int()
    .min(2)
    .default(cachedWorkflowsIn(getHeapStatistics().heap_size_limit)),
  // Empty means not set: compose files pass unset variables as empty.
  CONSIGN_BUILD_ID: buildId.default(''),
  CONSIGN_DEPLOYMENT: deployment.default(''),
  CONSIGN_FILES: z
    .string()
    .min(1)
    .default(path.join(os.homedir(), '.consign', 'files')),
  CONSIGN_FILES_ENDPOINT: z.url({ protocol: /^https?$/, error: 'give a URL, http or https' }).optional(),
  CONSIGN_FILES_REGION: z.string().min(1).optional(),
  CONSIGN_HELD_PATCHES: patches.default(''),
  CONSIGN_IMAGE_MAX_MB: z.coerce.number().min(0.1).max(100).default(10),
  CONSIGN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CONSIGN_METRICS_ADDRESS: metricsAddress.default(''),
  CONSIGN_METRICS_STATE_SECONDS: z.coerce.number().int().min(1).max(3_600).default(30),
  CONSIGN_SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(LEAST_GRACE_SECONDS, {
      error: `give at least ${LEAST_GRACE_SECONDS}: a write may take nearly that long, and is in doubt when a stopping worker cuts it off`,
    })
    .default(LEAST_GRACE_SECONDS),
  API_HOST: z.string().min(1).default('127.0.0.1'),
  API_PORT: port.default(4030),
  API_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),
  CODEC_HOST: z.string().min(1).default('127.0.0.1'),
  CODEC_PORT: port.default(4040),
  WEBHOOK_HOST: z.string().min(1).default('127.0.0.1'),
  WEBHOOK_PORT: port.default(4020),
});

/** The names of the variables that `readConfig` reads. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(schema.shape);

/** Everything that the environment decides, read once. Temporal's library reads its own variables. */
export interface Config {
  /** The accounts file. */
  readonly accountsFile: string;
  /** How many open shipments a worker keeps in its memory. */
  readonly cachedWorkflows: number;
  /** Where images and documents are stored; starters and workers share it. */
  readonly files: FilesLocation;
  /** The largest image that an order may have. */
  readonly maxImageBytes: number;
  readonly logLevel: string;
  /** Where this process serves its metrics; null: nowhere. */
  readonly metricsAddress: MetricsAddress | null;
  /** How often a worker reads the state of the open shipments for its metrics. */
  readonly metricsStateSeconds: number;
  /** How long a stopping worker waits for running activities; longer than any write may take. */
  readonly shutdownGraceSeconds: number;
  /** The build that the workers report; null: unversioned, Temporal does not distinguish builds. */
  readonly version: WorkerVersion | null;
  /** Patches of workflow code that are not applied yet: a build without them can still take over. */
  readonly heldPatches: readonly string[];
  readonly apiHost: string;
  readonly apiPort: number;
  /** Of one token of the HTTP API. */
  readonly apiRequestsPerMinute: number;
  readonly codecHost: string;
  readonly codecPort: number;
  readonly webhookHost: string;
  readonly webhookPort: number;
}

/** A build of the workers, as Temporal's worker deployments name it. */
export interface WorkerVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** Thrown when a setting is invalid; names every variable and what it should be. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError';
  override readonly kind = 'invalidSettings';
}

/** @throws ConfigError that names each bad variable */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  try {
    proxySettings(env);
  } catch (error) {
    if (!(error instanceof ProxySettingsError)) throw error;
    throw badSettings([error.message]);
  }
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    throw badSettings(parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`));
  }
  const values = parsed.data;
  const files = parseFilesLocation({
    files: values.CONSIGN_FILES,
    endpoint: values.CONSIGN_FILES_ENDPOINT,
    region: values.CONSIGN_FILES_REGION,
  });
  if (files === null) throw badSettings(['CONSIGN_FILES: give a folder, or s3://bucket/prefix']);
  return {
    accountsFile: values.CONSIGN_ACCOUNTS,
    cachedWorkflows: values.CONSIGN_CACHED_WORKFLOWS,
    files,
    maxImageBytes: Math.floor(values.CONSIGN_IMAGE_MAX_MB * 1024 * 1024),
    logLevel: values.CONSIGN_LOG_LEVEL,
    metricsAddress: parseMetricsAddress(values.CONSIGN_METRICS_ADDRESS),
    metricsStateSeconds: values.CONSIGN_METRICS_STATE_SECONDS,
    shutdownGraceSeconds: values.CONSIGN_SHUTDOWN_GRACE_SECONDS,
    version: versionOf(values.CONSIGN_DEPLOYMENT, values.CONSIGN_BUILD_ID),
    heldPatches: values.CONSIGN_HELD_PATCHES === '' ? [] : values.CONSIGN_HELD_PATCHES.split(','),
    apiHost: values.API_HOST,
    apiPort: values.API_PORT,
    apiRequestsPerMinute: values.API_REQUESTS_PER_MINUTE,
    codecHost: values.CODEC_HOST,
    codecPort: values.CODEC_PORT,
    webhookHost: values.WEBHOOK_HOST,
    webhookPort: values.WEBHOOK_PORT,
  };
}

/** A build without a deployment, or a deployment without a build, would silently run unversioned. */
function versionOf(deploymentName: string, buildId: string): WorkerVersion | null {
  if (deploymentName === '' && buildId === '') return null;
  if (buildId === '') throw badSettings(['CONSIGN_BUILD_ID: set it too, because CONSIGN_DEPLOYMENT is set']);
  if (deploymentName === '')
    throw badSettings(['CONSIGN_DEPLOYMENT: set it too, because CONSIGN_BUILD_ID is set']);
  return { deploymentName, buildId };
}

function badSettings(lines: readonly string[]): ConfigError {
  return new ConfigError(`Invalid settings in the environment:\n   ${lines.join('\n  ')}`);
}
