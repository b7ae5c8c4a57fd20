import { existsSync } from 'node:fs';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import { UserError } from '../platform/user-error';
import type { Environment } from './dev-server/supervise';
import { messageOf } from '../platform/message-of';

/** A Temporal server that Consign did not start. */
export interface ExistingCluster {
  readonly kind: 'cluster';
  readonly address: string;
  readonly namespace: string;
  /** For worker connections; client connections take the same. */
  readonly connectionOptions: ClientConnectConfig['connectionOptions'];
  /** Known only for Temporal Cloud or from `TEMPORAL_UI_URL`, because a server does not report it. */
  readonly uiUrl: string | null;
  readonly description: string;
}

/** Thrown when a `TEMPORAL_*` setting is invalid. An invalid setting is never ignored. */
export class TemporalSettingsError extends UserError {
  override readonly name = 'TemporalSettingsError';
  override readonly kind = 'invalidSettings';
}

const CLOUD_UI_URL = 'https://cloud.temporal.io';

/**
 * The cluster that the environment names, by `TEMPORAL_ADDRESS` or by a profile of a Temporal config file.
 * The file in the user's home counts only when `TEMPORAL_PROFILE` asks for it: its address may be that of a production
 * cluster, and a demo or a test must never use it by default.
 */
export function findCluster(env: Environment): ExistingCluster | null {
  const given = withoutEmptySettings(env);
  const fileIsWanted = given.TEMPORAL_PROFILE !== undefined || given.TEMPORAL_CONFIG_FILE !== undefined;
  const { connectionOptions, namespace = 'default' } = load(given, fileIsWanted);
  const { address } = connectionOptions;
  if (address === undefined) {
    if (fileIsWanted) throw new TemporalSettingsError(noAddressIn(given));
    const homeless = ['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CLIENT_CERT_PATH'].find((name) => name in given);
    if (homeless === undefined) return null;
    throw new TemporalSettingsError(
      `${homeless} is set, but no address: set TEMPORAL_ADDRESS or TEMPORAL_PROFILE as well, or unset it.`,
    );
  }
  const cloud = /\.(tmprl\.cloud|temporal\.io)(:\d+)?$/.test(address);
  return {
    kind: 'cluster',
    address,
    namespace,
    connectionOptions: { ...connectionOptions, address },
    uiUrl: given.TEMPORAL_UI_URL ?? (cloud ? CLOUD_UI_URL : null),
    description: `Temporal at ${address}, namespace ${namespace} (from ${origin(given)})`,
  };
}

function load(given: Record<string, string>, fileIsWanted: boolean): ClientConnectConfig {
  const file = given.TEMPORAL_CONFIG_FILE;
  // The library silently ignores a missing file.
  if (file !== undefined && !existsSync(file)) {
    throw new TemporalSettingsError(`TEMPORAL_CONFIG_FILE is ${file}, which does not exist.`);
  }
  try {
    return loadClientConnectConfig({ overrideEnvVars: given, disableFile: !fileIsWanted });
  } catch (error) {
    const reason = messageOf(error);
    throw new TemporalSettingsError(`The Temporal settings (TEMPORAL_*) cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

/** `NAME=` in an env file means "not set"; the library would use the empty text as the value. */
function withoutEmptySettings(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name, value]) => value !== '' || !name.startsWith('TEMPORAL_')));
}

function noAddressIn(given: Record<string, string>): string {
  const profile = given.TEMPORAL_PROFILE ?? 'default';
  const file = given.TEMPORAL_CONFIG_FILE ?? "the user's Temporal config file";
  return `Profile ${profile} of ${file} names no address, so it is not a cluster. Add one, or unset TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE to use the embedded server.`;
}

function origin(given: Record<string, string>): string {
  if (given.TEMPORAL_ADDRESS !== undefined) return 'TEMPORAL_ADDRESS';
  return `profile ${given.TEMPORAL_PROFILE ?? 'default'}`;
}
