import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { startCluster } from '../devstack/cluster/cluster';
import { startStack, type Stack } from '../devstack/stack';
import { startSandbox, type Sandbox } from '../sandbox';
import { loadAccounts } from '../src/accounts';
import { mapAtOnce } from '../src/platform/at-once';
import type { OnClose } from '../src/platform/closing';
import { createFolderStore } from '../src/platform/file-store';
import { PACKAGE_ROOT } from '../src/platform/package-root';
import { PRIVATE_FILE } from '../src/platform/private-files';
import { prepareOrder } from '../src/starter/client/prepare-order';
import type { StartableOrder } from '../src/starter/client/start-order';
import { reserveFreePort } from '../src/temporal/dev-server/free-port';
import { connectTemporal, type TemporalConnection } from '../src/temporal/temporal-connection';
import type { Services } from './kills';
import { CHAOS_ACCOUNT, type OrderDocument } from './orders';
import { signInOf, type SignIn } from './outages';
import type { Plan } from './plan';

/** Shipments of the sandbox live for seconds, so all waits are short. */
const POLICY = {
  rates: {
    minimumWait: '300ms',
    quiet: '700ms',
    enough: 6,
    maximumWait: '5s',
    pace: { initial: '300ms', maximum: '1s' },
  },
  acceptance: { pace: { initial: '300ms', maximum: '2s' }, failureWait: '2s', window: '12s' },
  doubtWait: '2s',
  writeTimeout: '6s',
  notSentPace: { initial: '500ms', maximum: '3s' },
  sweepPace: { initial: '1s', maximum: '4s' },
  sweepWidening: 2,
  trackingPace: { initial: '1s', maximum: '4s' },
  documentPace: { initial: '500ms', maximum: '2s' },
  documentWindow: '10s',
  settlementWindow: '1s',
};

const exampleSchema = z.looseObject({
  accounts: z.object({ [CHAOS_ACCOUNT]: z.looseObject({ web: z.looseObject({}) }) }),
});

/** The file of the account's key, when the account signs in with a key. */
export const keyFileOf = (folder: string): string => path.join(folder, 'api-key');

const CLIENT = {
  clientId: { env: 'CHAOS_CLIENT_ID', default: 'sandbox-client' },
  clientSecret: { env: 'CHAOS_CLIENT_SECRET', default: 'sandbox-secret' },
};

/** The example's accounts with a policy for seconds. @returns the file */
async function writeAccounts(folder: string, signIn: SignIn): Promise<string> {
  const example = await readFile(path.join(PACKAGE_ROOT, 'examples', 'accounts.yaml'), 'utf8');
  const wire = exampleSchema.parse(parse(example));
  const account = wire.accounts[CHAOS_ACCOUNT];
  const auth = {
    key: { apiKey: { file: keyFileOf(folder) } },
    token: { clientCredentials: CLIENT },
    userToken: { passwordGrant: { ...CLIENT, ...account.web } },
  };
  await writeFile(keyFileOf(folder), 'sandbox-key', { mode: PRIVATE_FILE });
  Object.assign(account, { auth: auth[signIn], policy: POLICY });
  const file = path.join(folder, 'accounts.yaml');
  // JSON is YAML too.
  await writeFile(file, JSON.stringify(wire));
  return file;
}

/** Where a run takes place. */
export interface World {
  readonly folder: string;
  readonly stack: Stack;
  readonly services: Services;
  /** In this process: the script acts on it, and the judge reads its ledger. */
  readonly sandbox: Sandbox;
  readonly temporal: TemporalConnection;
}

interface WorldOptions {
  readonly folder: string;
  readonly seed: string;
  readonly plan: Pick<Plan, 'clock' | 'troubles' | 'switches'>;
  /** Temporal on PostgreSQL in place of the embedded server. */
  readonly isCluster: boolean;
  readonly log: (line: string) => void;
}

/** Starts a separate stack, with all that goes wrong by itself. Temporal has a database that outlives it. */
export async function startWorld(options: WorldOptions, onClose: OnClose): Promise<World> {
  const { folder, seed, isCluster, log } = options;
  const { clock, troubles, switches } = options.plan;
  const accountsFile = await writeAccounts(folder, signInOf(seed));
  const sandbox = await startSandbox({ ...{ seed, troubles, switches }, clock: { speed: 5, ...clock } });
  onClose(async () => await sandbox.close());
  // The user's Temporal settings must not apply, because this server is killed.
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')),
  );
  const cluster = isCluster ? await startCluster({ folder, env: process.env, log }, onClose) : null;
  const stack = await startStack({
    ...{ folder, log, isPersistent: true, hasOwnSandbox: true },
    ports: { sandbox: sandbox.port, webhooks: await reserveFreePort() },
    env: { ...own, ...cluster?.env, CONSIGN_ACCOUNTS: accountsFile, CONSIGN_LOG_LEVEL: 'warn' },
  });
  onClose(async () => await stack.stop());
  sandbox.addWebhook({ url: stack.env.SANDBOX_WEBHOOK_URL ?? '' });
  const temporal = await connectTemporal(stack.env);
  onClose(async () => await temporal.close());
  const embedded = {
    kill: async () => await stack.killTemporal(),
    start: async () => await stack.startTemporal(),
  };
  const services: Services = { temporal: cluster?.server ?? embedded, database: cluster?.database };
  return { folder, stack, services, sandbox, temporal };
}

/** Checks the orders and stores their images. @throws InvalidOrderError for a mistake of the run */
export async function prepareOrders(
  documents: readonly OrderDocument[],
  { stack }: Pick<World, 'stack'>,
): Promise<readonly StartableOrder[]> {
  const accounts = loadAccounts(stack.env.CONSIGN_ACCOUNTS ?? '', stack.env);
  const known = { accounts, files: createFolderStore(stack.env.CONSIGN_FILES ?? '') };
  return await mapAtOnce(documents, 8, async (document) => await prepareOrder({ document }, known));
}
