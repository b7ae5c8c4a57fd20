import type { Accounts } from '../accounts';
import type { Config } from '../config';
import { isOrderId } from '../domain/workflow-id';
import type { CliContext } from './context';
import { ExitCode } from './exit-code';
import { readOrderName } from './order-argument';
import { createProgram } from './program';
import { writeContent, writeErr, writeOut } from './terminal-text';

async function config(): Promise<Config> {
  const { readConfig } = await import('../config.ts');
  return readConfig();
}

async function accounts(): Promise<Accounts> {
  const { loadAccounts } = await import('../accounts/index.ts');
  return loadAccounts((await config()).accountsFile, process.env);
}

function createContext(): CliContext {
  return {
    print: (text) => writeOut(`${text}\n`),
    printContent: (text) => writeContent(`${text}\n`),
    warn: (text) => writeErr(`${text}\n`),
    accounts,
    async files() {
      const { createFileStore } = await import('../file-store/index.ts');
      return createFileStore((await config()).files);
    },
    maxImageBytes: async () => (await config()).maxImageBytes,
    async withShipments(use) {
      const { connectTemporal } = await import('../temporal-connection.ts');
      const { ShipmentClient } = await import('./shipment-client.ts');
      const temporal = await connectTemporal();
      try {
        return await use(new ShipmentClient(temporal.client), temporal.client);
      } finally {
        await temporal.close();
      }
    },
    async orderOf(text) {
      const order = readOrderName(text);
      if (order !== null) return order;
      const names = (await accounts()).names();
      if (names.length === 1 && names[0] !== undefined && isOrderId(text))
        return { account: names[0], orderId: text };
      throw new UsageError(`Name the order as <account>/<orderId>; accounts: ${names.join(', ')}.`);
    },
  };
}

/** Thrown for arguments that cannot be understood. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

const CODE_OF_ERROR: Readonly<Record<string, ExitCode>> = {
  UsageError: ExitCode.Invalid,
  ConfigError: ExitCode.Invalid,
  AccountsError: ExitCode.Invalid,
  ImageError: ExitCode.Invalid,
  FileStoreError: ExitCode.Failed,
  OrderConflictError: ExitCode.Conflict,
  ShipmentNotFoundError: ExitCode.NotFound,
  TemporalUnreachableError: ExitCode.Unreachable,
  TemporalSettingsError: ExitCode.Invalid,
  NoWorkerError: ExitCode.Unreachable,
  NoAnswerError: ExitCode.Failed,
  SampleOrderError: ExitCode.Invalid,
};

/** Runs one command line; its exit code is the process's. @param argv as `process.argv` has it */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  try {
    await createProgram(createContext()).parseAsync(argv);
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
}

async function exitCodeOf(error: unknown): Promise<number> {
  if (!(error instanceof Error)) throw error;
  if ('exitCode' in error && 'code' in error && String(error.code).startsWith('commander.')) {
    return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Invalid;
  }
  const code = CODE_OF_ERROR[error.name];
  if (code !== undefined) {
    writeErr(`${error.message}\n`);
    return code;
  }
  const { serviceExitCode } = await import('./service-exit-code.ts');
  const ofService = serviceExitCode(error);
  if (ofService !== null) return ofService;
  // What is none of ours is a bug, and keeps its stack.
  writeErr(`${error.stack ?? error.message}\n`);
  return ExitCode.Failed;
}
