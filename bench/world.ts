import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadAccounts, type Accounts } from '../src/accounts';
import { createFolderStore } from '../src/platform/file-store';
import { describeExit, startProcess, type Environment } from '../src/temporal/dev-server/supervise';
import { prepareOrder } from '../src/starter/client/prepare-order';
import type { StartableOrder } from '../src/starter/client/start-order';
import { createDataConverter } from '../src/temporal/encryption/data-converter';
import { writeEncryptionFile } from '../test/support/encryption';
import { startTestTemporal, type TestTemporal } from '../test/support/temporal';
import type { OnClose } from '../src/platform/closing';

export const ROOT = path.join(__dirname, '..');
const RUN_TYPESCRIPT = path.join(ROOT, 'test', 'support', 'run-typescript.js');
/** Of the example's accounts file. */
const EXAMPLE_ACCOUNT = 'acme';
/** Each account is behind an integration of its own, with a secret of its own. */
export const webhookSecretOf = (account: string): string => `bench-secret-of-${account}`;
const secretVariableOf = (account: string): string => `BENCH_SECRET_${account.replaceAll('-', '_')}`;

export type Kind = 'furniture' | 'ltl';
export const KINDS: readonly Kind[] = ['furniture', 'ltl'];
export const FLOW: Readonly<Record<Kind, string>> = { furniture: 'furniture flow', ltl: 'LTL flow' };
const EXAMPLE_ORDER: Readonly<Record<Kind, string>> = {
  furniture: 'furniture-sofa.json',
  ltl: 'ltl-tiles.json',
};

/** A real Temporal server, and the settings under which processes of Consign work with it. */
export interface World {
  readonly temporal: TestTemporal;
  readonly folder: string;
  readonly accounts: Accounts;
  /** Environment of every process. */
  readonly env: Environment;
}

/** @param marketplaces the address of each account's marketplace */
export async function createWorld(
  marketplaces: Readonly<Record<string, string>>,
  onClose: OnClose,
  { isEncrypted = false }: { readonly isEncrypted?: boolean } = {},
): Promise<World> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-bench-'));
  onClose(async () => await rm(folder, { recursive: true, force: true }));
  const encryption = isEncrypted ? await writeEncryptionFile(folder, { writeWith: 'bench' }) : {};
  const temporal = await startTestTemporal({}, await createDataConverter(encryption, console.error));
  onClose(async () => await temporal.close());
  const accountsFile = path.join(folder, 'accounts.yaml');
  // JSON is YAML too.
  await writeFile(accountsFile, JSON.stringify(await accountsDocument(marketplaces)));
  const own = Object.entries(process.env).filter(([name]) => !/^(?:TEMPORAL|CONSIGN|SANDBOX)_/.test(name));
  const env = {
    ...Object.fromEntries(own),
    TEMPORAL_ADDRESS: temporal.open.address,
    TEMPORAL_NAMESPACE: temporal.open.namespace,
    CONSIGN_ACCOUNTS: accountsFile,
    CONSIGN_FILES: path.join(folder, 'files'),
    // The default: logging is part of the cost.
    CONSIGN_LOG_LEVEL: 'info',
    ...encryption,
    ...Object.fromEntries(
      Object.keys(marketplaces).map((name) => [secretVariableOf(name), webhookSecretOf(name)]),
    ),
  };
  return { temporal, folder, env, accounts: loadAccounts(accountsFile, env) };
}

const exampleShape = z.looseObject({ accounts: z.record(z.string(), z.looseObject({})) });

/** The example's account under each name, with an integration of the same name. */
async function accountsDocument(marketplaces: Readonly<Record<string, string>>): Promise<object> {
  const example = await readFile(path.join(ROOT, 'examples', 'accounts.yaml'), 'utf8');
  const account = exampleShape.parse(parse(example)).accounts[EXAMPLE_ACCOUNT];
  const named = Object.entries(marketplaces);
  return {
    accounts: Object.fromEntries(named.map(([name, baseUrl]) => [name, { ...account, baseUrl }])),
    integrations: Object.fromEntries(
      named.map(([name]) => [name, { secret: { env: secretVariableOf(name) }, accounts: [name] }]),
    ),
  };
}

/** Reads the example order of this kind as the CLI does. */
export async function readExampleOrder(
  { accounts, folder, env }: World,
  { kind, account }: { readonly kind: Kind; readonly account: string },
): Promise<StartableOrder> {
  const example = path.join(ROOT, 'examples', EXAMPLE_ORDER[kind]);
  const document: unknown = JSON.parse(await readFile(example, 'utf8'));
  const images = kind === 'furniture' ? { images: [path.join(ROOT, 'examples', 'images', 'sofa.png')] } : {};
  const file = path.join(folder, `${account}-${kind}.json`);
  await writeFile(file, JSON.stringify({ ...z.looseObject({}).parse(document), account, ...images }));
  return await prepareOrder({ file }, { accounts, files: createFolderStore(env.CONSIGN_FILES ?? '') });
}

/** The same order under another id. */
export function withOrderId(order: StartableOrder, orderId: string): StartableOrder {
  return { ...order, shipment: { ...order.shipment, orderId }, documentHash: orderId };
}

/** A process that is ready. */
export interface Program {
  readonly pid: number;
  /** The output that showed it. */
  readonly ready: RegExpExecArray;
  /** Time from the start of the process until then. */
  readonly readyMs: number;
}

interface ProgramOptions {
  /** Relative to the folder of the programs. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Environment;
  /** Matches the line that the program prints once it is ready. */
  readonly ready: RegExp;
}

/** Starts a built program and waits until it is ready. */
export async function startProgram(
  world: World,
  options: ProgramOptions,
  onClose: OnClose,
): Promise<Program> {
  const args = [path.join(ROOT, 'dist', options.script)];
  return await startReady(world, { ...options, args }, onClose);
}

/** Starts a program of the benchmark from its source and waits until it is ready. */
export async function startBenchProgram(
  world: World,
  { script, args = [], ...options }: ProgramOptions,
  onClose: OnClose,
): Promise<Program> {
  const whole = ['--require', RUN_TYPESCRIPT, path.join(__dirname, script), ...args];
  return await startReady(world, { ...options, script, args: whole }, onClose);
}

export async function startWorker(world: World, onClose: OnClose): Promise<Program> {
  return await startProgram(world, { script: 'src/worker.js', ready: WORKER_READY }, onClose);
}

export const WORKER_READY = /worker is running/;

/** @returns the receiver, and its URL for the events of an account */
export async function startReceiver(
  world: World,
  onClose: OnClose,
): Promise<Program & { readonly urlOf: (account: string) => string }> {
  const ready = /"address":"([^"]+)".*receives events/;
  const program = { script: 'src/webhooks/main.js', env: { WEBHOOK_PORT: '0' }, ready };
  const receiver = await startProgram(world, program, onClose);
  return { ...receiver, urlOf: (account) => `${receiver.ready[1]}/webhooks/${account}` };
}

async function startReady(
  world: World,
  { script, args = [], env = {}, ready }: ProgramOptions,
  onClose: OnClose,
): Promise<Program> {
  let hear: (said: RegExpExecArray) => void;
  const heard = new Promise<RegExpExecArray>((resolve) => (hear = resolve));
  const started = await startProcess({
    ...{ name: script, command: process.execPath, args, cwd: ROOT, env: { ...world.env, ...env } },
    onLine: (line) => {
      const said = ready.exec(line);
      if (said !== null) hear(said);
    },
  });
  const startedAt = performance.now();
  onClose(async () => {
    // There is nothing to save.
    started.kill('SIGKILL');
    await started.exited;
  });
  const crashed = started.exited.then((exit) => {
    throw new Error(`not ready: ${describeExit(script, exit)}`);
  });
  const found = await Promise.race([heard, crashed]);
  return { pid: started.pid, ready: found, readyMs: performance.now() - startedAt };
}
