import type { Accounts } from '../../accounts';
import type { Config } from '../../platform/config';
import { isOrderId } from '../../domain/workflow-id';
import { EXIT_CODES, ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';
import type { CliContext } from './context';
import { readOrderName } from './order-argument';
import { createProgram } from './program';
import { writeContent, writeErr, writeOut, writeProgress } from './terminal-text';

async function config(): Promise<Config> {
  const { readConfig } = await import('../../platform/config.ts');
  return readConfig();
}

async function accounts(): Promise<Accounts> {
  const { loadAccounts } = await import('../../accounts/index.ts');
  return loadAccounts((await config()).accountsFile, process.env);
}

function createContext(): CliContext {
  return {
    print: (text) => writeOut(`${text}\n`),
    printContent: (text) => writeContent(`${text}\n`),
    warn: (text) => writeErr(`${text}\n`),
    progress: writeProgress,
    accounts,
    async files() {
      const { createFileStore } = await import('../../platform/file-store/index.ts');
      return createFileStore((await config()).files);
    },
    maxImageBytes: async () => (await config()).maxImageBytes,
    async withShipments(use) {
      const { connectTemporal } = await import('../../temporal/temporal-connection.ts');
      const { ShipmentClient } = await import('../client/shipment-client.ts');
      const { explained } = await import('../client/service-error.ts');
      const { startTracing } = await import('../../tracing/index.ts');
      const tracing = await startTracing('cli', process.env, (text) => writeErr(`${text}\n`));
      const temporal = await connectTemporal(process.env, undefined, {
        interceptors: tracing.clientInterceptors,
      });
      try {
        const { client } = temporal;
        return await explained(async () => await use(new ShipmentClient(client), client));
      } finally {
        await temporal.close();
        await tracing.close();
      }
    },
    async orderOf(text) {
      const order = readOrderName(text);
      if (order !== null) return order;
      const names = (await accounts()).names();
      if (names.length === 1 && names[0] !== undefined && isOrderId(text))
        return { account: names[0], orderId: text };
      throw new UserError(`Name the order as <account>/<orderId>; accounts: ${names.join(', ')}.`);
    },
  };
}

/** Runs one command line; its exit code is the process's. @param argv as `process.argv` has it */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  try {
    await createProgram(createContext()).parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) throw error;
  // Commander has printed it already.
  if ('exitCode' in error && 'code' in error && String(error.code).startsWith('commander.'))
    return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Invalid;
  if (error instanceof UserError) {
    writeErr(`${error.explain()}\n`);
    return EXIT_CODES[error.kind];
  }
  // Any other error is a bug, and keeps its stack.
  writeErr(`${error.stack ?? error.message}\n`);
  return ExitCode.Failed;
}
