import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { loadAccounts, type Accounts } from '../src/accounts';
import { startStack, type Stack } from '../devstack/stack';
import { assertNever } from '../src/domain/assert-never';
import type { FileStore } from '../src/platform/file-store';
import { PRIVATE_FILE } from '../src/platform/private-files';
import { validate } from '../src/starter/client/order-files';
import { storeImages } from '../src/starter/client/order-images';
import { renderProblems } from '../src/starter/cli/problems';
import type { StartableOrder } from '../src/starter/client/start-order';
import { reserveFreePort } from '../src/temporal/dev-server/free-port';
import { CHAOS_ACCOUNT, IMAGE_FILE, type OrderDocument } from './orders';
import { signInOf, type SignIn } from './outages';
import { PACKAGE_ROOT } from '../src/platform/package-root';

const ROOT = PACKAGE_ROOT;

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

const accountsShape = z.looseObject({ accounts: z.record(z.string(), z.looseObject({})) });

/** The file of the account's key, when the account signs in with a key. */
export const keyFileOf = (folder: string): string => path.join(folder, 'api-key');

const CLIENT = {
  clientId: { env: 'CHAOS_CLIENT_ID', default: 'sandbox-client' },
  clientSecret: { env: 'CHAOS_CLIENT_SECRET', default: 'sandbox-secret' },
};
const USER = {
  username: { env: 'CHAOS_USER', default: 'shipper@example.com' },
  password: { env: 'CHAOS_PASSWORD', default: 'sandbox-password' },
};

function authOf(folder: string, signIn: SignIn) {
  switch (signIn) {
    case 'key':
      return { apiKey: { file: keyFileOf(folder) } };
    case 'token':
      return { clientCredentials: CLIENT };
    case 'userToken':
      return { passwordGrant: { ...CLIENT, ...USER } };
    default:
      return assertNever(signIn);
  }
}

/** The example's accounts with a policy for seconds. */
async function writeAccounts(file: string, signIn: SignIn): Promise<void> {
  const example = await readFile(path.join(ROOT, 'examples', 'accounts.yaml'), 'utf8');
  const wire = accountsShape.parse(parse(example));
  const folder = path.dirname(file);
  await writeFile(keyFileOf(folder), 'sandbox-key', { mode: PRIVATE_FILE });
  const account = { ...wire.accounts[CHAOS_ACCOUNT], auth: authOf(folder, signIn), policy: POLICY };
  await writeFile(file, stringify({ ...wire, accounts: { [CHAOS_ACCOUNT]: account } }));
}

/** Starts a separate stack in the folder. It has a database file, because Temporal is killed during the run. */
export async function startChaosStack(
  folder: string,
  seed: string,
  log: (line: string) => void,
): Promise<Stack> {
  const accountsFile = path.join(folder, 'accounts.yaml');
  await mkdir(folder, { recursive: true });
  await writeAccounts(accountsFile, signInOf(seed));
  // The user's Temporal settings must not apply, because this server is killed.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return await startStack({
    folder,
    isPersistent: true,
    ports: { sandbox: await reserveFreePort(), webhooks: await reserveFreePort() },
    env: {
      ...Object.fromEntries(own),
      ...{ CONSIGN_ACCOUNTS: accountsFile, CONSIGN_LOG_LEVEL: 'warn' },
      ...{ SANDBOX_SEED: seed, SANDBOX_SPEED: '5' },
    },
    log,
  });
}

/** Thrown when Consign's rules refuse a generated order: a mistake of the run. */
export class BadOrderError extends Error {
  override readonly name = 'BadOrderError';
}

/** Writes the documents to files and reads them as the command line does. @throws BadOrderError */
export async function readOrders(
  documents: readonly OrderDocument[],
  { folder, accounts, files }: { folder: string; accounts: Accounts; files: FileStore },
): Promise<readonly StartableOrder[]> {
  const ordersFolder = path.join(folder, 'orders');
  await mkdir(ordersFolder, { recursive: true });
  const image = await readFile(path.join(ROOT, 'examples', 'images', 'sofa.png'));
  await writeFile(path.join(ordersFolder, IMAGE_FILE), image);
  const orders: StartableOrder[] = [];
  for (const document of documents) {
    const file = path.join(ordersFolder, `${document.orderId}.json`);
    await writeFile(file, JSON.stringify(document, null, 2));
    const read = await validate({ file }, accounts);
    if (!read.ok) throw new BadOrderError(`${document.orderId}: ${renderProblems(read)}`);
    orders.push(await storeImages(read, files));
  }
  return orders;
}

export const accountsOf = (stack: Stack): Accounts =>
  loadAccounts(stack.env.CONSIGN_ACCOUNTS ?? '', stack.env);
