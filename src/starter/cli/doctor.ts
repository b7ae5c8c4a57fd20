import type { Client } from '@temporalio/client';
import { request } from 'undici';
import type { Accounts } from '../../accounts';
import { AccountsError } from '../../accounts/errors';
import { ConfigError, type Config } from '../../platform/config';
import { commandLines } from '../../domain/command-lines';
import { SEARCH_ATTRIBUTES } from '../../contract/search-attributes';
import {
  marketplaceQueue,
  notificationsQueue,
  SHIPMENTS_QUEUE,
  UNROUTED_EVENTS_QUEUE,
} from '../../contract/task-queue';
import { byCodeUnits } from '../../domain/text-order';
import type { FileStore } from '../../platform/file-store';
import { FileStoreError } from '../../platform/file-store/file-store';
import { createDispatcher } from '../../platform/network/dispatcher';
import { RETENTION_DAYS } from '../../temporal/connect';
import { EncryptionKeyError, isEncrypted } from '../../temporal/encryption/payload-codec';
import { describeLacks, inspectNamespace } from '../../temporal/prepare-namespace';
import { findWorkers, HEARD_MS, type Queue, type QueueWorkers } from '../client/pollers';
import { isSecretThere } from './show-accounts';
import { messageOf } from '../../platform/message-of';

/** The result of one check, and what to do when it failed. */
export interface Finding {
  readonly check: string;
  /** `bad`: Consign cannot work like this. `warn`: it may be intended. */
  readonly state: 'good' | 'warn' | 'bad';
  readonly text: string;
  readonly remedy: string | null;
}

export const good = (check: string, text: string): Finding => ({ check, state: 'good', text, remedy: null });
export const warn = (check: string, text: string, remedy: string): Finding => ({
  ...{ check, state: 'warn', text, remedy },
});
export const bad = (check: string, text: string, remedy: string): Finding => ({
  ...{ check, state: 'bad', text, remedy },
});

/** The settings, or why there are none. */
export function checkConfig(read: () => Config): { readonly config: Config | null; readonly found: Finding } {
  try {
    const config = read();
    return { config, found: good('settings', 'the environment variables are valid') };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, found: bad('settings', error.message, 'correct these variables') };
  }
}

/** The accounts file: its form, its secrets, and settings that it omits. */
export async function checkAccountsFile(
  load: () => Accounts | Promise<Accounts>,
): Promise<{ readonly accounts: Accounts | null; readonly found: readonly Finding[] }> {
  const check = 'accounts';
  let accounts: Accounts;
  try {
    accounts = await load();
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error;
    const remedy = 'correct the file; examples/accounts.example.yaml explains every key';
    return { accounts: null, found: [bad(check, error.message, remedy)] };
  }
  const report = await accounts.report();
  const found = [good(check, `${report.file}: ${accounts.names().join(', ')}`)];
  const secrets = [
    ...report.accounts.flatMap((own) => own.secrets),
    ...report.integrations.map((own) => own.secret),
  ];
  const missing = secrets.filter((secret) => !isSecretThere(secret));
  for (const { path, reference, state } of missing)
    found.push(
      bad('secrets', `${path}: ${reference} is ${state}`, 'set it where this command and the workers run'),
    );
  if (missing.length === 0) found.push(await checkSecrets(accounts, secrets.length));
  for (const { name, environment, supportAddress, warnings } of report.accounts) {
    for (const warning of warnings) found.push(warn(check, warning, 'add it unless this is intended'));
    if (supportAddress !== null) found.push(good(check, `account ${name}: support is at ${supportAddress}`));
    else if (environment === 'production') {
      const remedy = `set accounts.${name}.supportAddress to an address or URL; questions then say where to get help`;
      found.push(warn(check, `account ${name} has no supportAddress`, remedy));
    }
  }
  return { accounts, found };
}

async function checkSecrets(accounts: Accounts, count: number): Promise<Finding> {
  try {
    await accounts.checkSecrets();
    return good('secrets', `all ${count} can be read`);
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error;
    return bad('secrets', error.message, 'correct these secrets where this command and the workers run');
  }
}

/** The namespace: its search attributes, and how long it keeps closed workflows. */
export async function checkNamespace(client: Client, namespace: string): Promise<Finding[]> {
  const needs = { searchAttributes: SEARCH_ATTRIBUTES, retentionDays: RETENTION_DAYS };
  const report = await inspectNamespace(client.connection, namespace, needs);
  const lacks = describeLacks(namespace, report, needs);
  return lacks.length === 0
    ? [
        good(
          'Temporal',
          `namespace ${namespace} has every search attribute, and keeps closed workflows for ${report.retentionDays} days`,
        ),
      ]
    : lacks.map((lack) => bad('Temporal', lack, `run \`${commandLines.setup()}\``));
}

/** @param isOn whether this process encrypts what it gives to Temporal */
export function checkEncryption(isOn: boolean, accounts: Accounts | null): Finding {
  const check = 'encryption';
  if (isOn) return good(check, 'CONSIGN_ENCRYPTION is set');
  const names = accounts?.names() ?? [];
  const real = names.filter((name) => accounts?.environmentOf(name) === 'production');
  return real.length === 0
    ? good(check, 'off; no account is a production account')
    : warn(
        check,
        `off: Temporal keeps the names, phones and addresses of ${real.join(', ')} in plain text`,
        'set CONSIGN_ENCRYPTION for every process, see docs/encryption.md',
      );
}

/** Whether the newest open shipment was started with encryption, and can be decrypted here. */
export async function checkNewestShipment(client: Client): Promise<Finding[]> {
  const check = 'encryption';
  const query = `TaskQueue = '${SHIPMENTS_QUEUE}' AND ExecutionStatus = 'Running'`;
  try {
    for await (const { workflowId, raw } of client.workflow.list({ query, pageSize: 1 })) {
      const memo = Object.values(raw.memo?.fields ?? {});
      return [
        memo.every(isEncrypted)
          ? good(check, `the newest open workflow, ${workflowId}, is encrypted and can be read`)
          : warn(
              check,
              `the newest open workflow, ${workflowId}, was started without encryption`,
              'set CONSIGN_ENCRYPTION where it was started; ignore this if that was before you turned encryption on',
            ),
      ];
    }
  } catch (error) {
    if (!(error instanceof EncryptionKeyError)) throw error;
    return [bad(check, error.message, 'see "Rotate a key" in docs/encryption.md')];
  }
  return [];
}

/**
 * Whether a worker polls each queue.
 * @param notified the accounts that name endpoints
 */
export async function checkWorkers(
  client: Client,
  accounts: readonly string[],
  notified: readonly string[] = [],
): Promise<Finding[]> {
  const queues: Queue[] = [
    { name: SHIPMENTS_QUEUE, kind: 'workflow' },
    { name: UNROUTED_EVENTS_QUEUE, kind: 'workflow' },
    ...accounts.map((account) => ({ name: marketplaceQueue(account), kind: 'activity' as const })),
    ...notified.map((account) => ({ name: notificationsQueue(account), kind: 'activity' as const })),
  ];
  return await Promise.all(
    queues.map(async (queue) => {
      return workersFinding(queue, await findWorkers(client, queue), Date.now());
    }),
  );
}

/** Says no more than Temporal knows: a worker that was killed a moment ago still counts as one that polled. */
export function workersFinding({ name }: Queue, workers: QueueWorkers | null, nowMs: number): Finding {
  const check = 'workers';
  if (workers === null)
    return warn(check, `${name}: the server does not report which workers poll it`, 'check it in the web UI');
  const { pollers, current, serving } = workers;
  const within = `in the last ${HEARD_MS / 1_000} s`;
  if (serving.length === 0) {
    const worker = current === null ? 'no worker' : `no worker of the current build ${current}`;
    const others = pollers.length === 0 ? '' : `, only ${buildsOf(pollers)} did`;
    return bad(check, `${name}: ${worker} polled ${within}${others}`, workersRemedy(workers));
  }
  const count = `${serving.length} ${serving.length === 1 ? 'worker' : 'workers'}`;
  const of = current === null ? '' : ` of ${buildsOf(serving)}`;
  const last = Math.max(...serving.map(({ heardAtMs }) => heardAtMs));
  const ago = Math.max(0, Math.round((nowMs - last) / 1_000));
  const waiting = buildsOf(pollers.filter((poller) => !serving.includes(poller)));
  const beside = waiting === '' ? '' : `; ${waiting} also polled, but get no new tasks`;
  return good(check, `${name}: ${count}${of} polled ${within}, the last one ${ago} s ago${beside}`);
}

function workersRemedy({ pollers, current }: QueueWorkers): string {
  const [deployment, build] = pollers.find((poller) => poller.build !== null)?.build?.split(':') ?? [];
  if (deployment !== undefined && build !== undefined)
    return `make a build with workers the current one: \`temporal worker deployment set-current-version --deployment-name ${deployment} --build-id ${build}\` (docs/upgrading.md)`;
  if (current === null) return 'start `npx consign-worker` with this accounts file and namespace';
  return `start the workers of ${current} (CONSIGN_DEPLOYMENT and CONSIGN_BUILD_ID), or make another build current: docs/upgrading.md`;
}

/** The builds of workers, each once. */
const buildsOf = (pollers: QueueWorkers['pollers']): string =>
  [...new Set(pollers.map(({ build }) => build ?? 'unversioned workers'))].toSorted(byCodeUnits).join(', ');

/** Writes one small file and reads it back. Its name is the hash of its content, so it is always the same file. */
export async function checkFiles(files: FileStore): Promise<Finding> {
  const bytes = Buffer.from('written to see whether it can be read\n');
  try {
    await files.get(await files.put(bytes));
    return good('files', 'the file store can be written and read');
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error;
    return bad('files', error.message, 'set CONSIGN_FILES to a writable folder or bucket');
  }
}

const HEALTH_MS = 5_000;

/** @param isNamed false: the URL is a guess, and the receiver may run on another machine */
export async function checkReceiver(baseUrl: string, isNamed: boolean): Promise<Finding> {
  const check = 'webhooks';
  const url = `${baseUrl.replace(/\/+$/, '')}/health`;
  const remedy = isNamed
    ? 'start `npx consign-webhooks` there, and check its log'
    : 'start `npx consign-webhooks`, or give the URL of the receiver with --webhooks URL';
  const finding = isNamed ? bad : warn;
  const dispatcher = createDispatcher();
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(HEALTH_MS) });
    await body.dump();
    return statusCode === 200
      ? good(check, `${url} is healthy`)
      : finding(check, `${url} answers ${statusCode}`, remedy);
  } catch (error) {
    const why = messageOf(error);
    return finding(check, `${url} does not answer: ${why}`, remedy);
  } finally {
    await dispatcher.destroy();
  }
}
