import os from 'node:os';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { UserError } from './processes/user-error';
import { cachedWorkflowsIn } from './domain/cached-workflows';
import { LEAST_SHUTDOWN_GRACE_MS } from './domain/write-timing';
import { proxySettings, ProxySettingsError } from './network/proxy-settings';
import { parseFilesLocation, type FilesLocation } from './file-store/location';

const LEAST_GRACE_SECONDS = LEAST_SHUTDOWN_GRACE_MS / 1_000;
const port = z.coerce.number().int().min(0).max(65_535);

const schema = z.object({
  CONSIGN_ACCOUNTS: z.string().min(1).default('examples/accounts.yaml'),
  CONSIGN_CACHED_WORKFLOWS: z.coerce
    .number()
    .int()
    .min(2)
    .default(cachedWorkflowsIn(getHeapStatistics().heap_size_limit)),
  CONSIGN_FILES: z
    .string()
    .min(1)
    .default(path.join(os.homedir(), '.consign', 'files')),
  CONSIGN_FILES_ENDPOINT: z.url({ protocol: /^https?$/, error: 'give a URL, http or https' }).optional(),
  CONSIGN_FILES_REGION: z.string().min(1).optional(),
  CONSIGN_IMAGE_MAX_MB: z.coerce.number().min(0.1).max(100).default(10),
  CONSIGN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CONSIGN_SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(LEAST_GRACE_SECONDS, {
      error: `give at least ${LEAST_GRACE_SECONDS}: a write that a stopping worker cuts off is in doubt, and may take nearly so long`,
    })
    .default(LEAST_GRACE_SECONDS),
  WEBHOOK_HOST: z.string().min(1).default('127.0.0.1'),
  WEBHOOK_PORT: port.default(4020),
});

/** Everything that the environment decides, read once. Temporal's own variables are read by its library. */
export interface Config {
  /** The accounts file. */
  readonly accountsFile: string;
  /** How many open shipments a worker keeps in its memory. */
  readonly cachedWorkflows: number;
  /** Where images and documents are kept; starters and workers share it. */
  readonly files: FilesLocation;
  /** The greatest image that an order may have. */
  readonly maxImageBytes: number;
  readonly logLevel: string;
  /** How long a stopping worker lets running activities finish; longer than any write may take. */
  readonly shutdownGraceSeconds: number;
  readonly webhookHost: string;
  readonly webhookPort: number;
}

/** A setting that cannot be used; names every variable and what it should be. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError that names each bad variable */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  try {
    proxySettings(env);
  } catch (error) {
    if (!(error instanceof ProxySettingsError)) throw error;
    throw new ConfigError(`Bad settings in the environment:\n  ${error.message}`);
  }
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`);
    throw new ConfigError(`Bad settings in the environment:\n  ${lines.join('\n  ')}`);
  }
  const values = parsed.data;
  const files = parseFilesLocation({
    files: values.CONSIGN_FILES,
    endpoint: values.CONSIGN_FILES_ENDPOINT,
    region: values.CONSIGN_FILES_REGION,
  });
  if (files === null) {
    throw new ConfigError(
      'Bad settings in the environment:\n  CONSIGN_FILES: give a folder, or s3://bucket/prefix',
    );
  }
  return {
    accountsFile: values.CONSIGN_ACCOUNTS,
    cachedWorkflows: values.CONSIGN_CACHED_WORKFLOWS,
    files,
    maxImageBytes: Math.floor(values.CONSIGN_IMAGE_MAX_MB * 1024 * 1024),
    logLevel: values.CONSIGN_LOG_LEVEL,
    shutdownGraceSeconds: values.CONSIGN_SHUTDOWN_GRACE_SECONDS,
    webhookHost: values.WEBHOOK_HOST,
    webhookPort: values.WEBHOOK_PORT,
  };
}
