import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { loadAccounts } from '../accounts';
import { readConfig } from '../config';
import { isOrderId } from '../domain/workflow-id';
import { createFileStore } from '../file-store';
import { connectTemporal } from '../temporal-connection';
import type { CliContext } from './context';
import { ExitCode } from './exit-code';
import { readOrderName } from './order-argument';
import { createProgram } from './program';
import { ShipmentClient } from './shipment-client';
import { writeContent, writeErr, writeOut } from './terminal-text';

function createContext(): CliContext {
  const accounts = () => loadAccounts(readConfig().accountsFile, process.env);
  return {
    print: (text) => writeOut(`${text}\n`),
    printContent: (text) => writeContent(`${text}\n`),
    warn: (text) => writeErr(`${text}\n`),
    accounts,
    files: () => createFileStore(readConfig().files),
    maxImageBytes: () => readConfig().maxImageBytes,
    async withShipments(use) {
      const temporal = await connectTemporal();
      try {
        return await use(new ShipmentClient(temporal.client), temporal.client);
      } finally {
        await temporal.close();
      }
    },
    orderOf(text) {
      const order = readOrderName(text);
      if (order !== null) return order;
      const names = accounts().names();
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
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) throw error;
  if ('exitCode' in error && 'code' in error && String(error.code).startsWith('commander.')) {
    return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Invalid;
  }
  if (error instanceof ServiceError) return serviceExitCodeOf(error);
  const code = CODE_OF_ERROR[error.name];
  // What is none of ours is a bug, and keeps its stack.
  writeErr(`${code === undefined ? (error.stack ?? error.message) : error.message}\n`);
  return code ?? ExitCode.Failed;
}

/** gRPC's status of a request that cannot be answered as it is, such as a filter that cannot be read. */
const INVALID_ARGUMENT = 3;

/** Temporal refused the request, or went away in the middle of a command. */
function serviceExitCodeOf(error: ServiceError): ExitCode {
  const { cause } = error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT) {
    writeErr(`Temporal cannot take this: ${cause.details}\n`);
    return ExitCode.Invalid;
  }
  const why = cause instanceof Error ? cause.message : error.message;
  writeErr(`Temporal did not answer: ${why}\n`);
  return ExitCode.Unreachable;
}
