import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { CommanderError } from 'commander';
import { loadAccounts } from '../accounts';
import { readConfig } from '../config';
import { isOrderId } from '../domain/workflow-id';
import { createFileStore } from '../file-store';
import { ExitCode } from '../processes/exit-code';
import { UserError } from '../processes/user-error';
import { connectTemporal } from '../temporal-connection';
import type { CliContext } from './context';
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
  // It is printed already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Invalid;
  const known = error instanceof ServiceError ? serviceError(error) : error;
  if (known instanceof UserError) {
    writeErr(`${known.explain()}\n`);
    return known.exitCode;
  }
  if (!(known instanceof Error)) throw known;
  writeErr(`${known.stack ?? known.message}\n`);
  return ExitCode.Failed;
}

/** gRPC's status of a request that cannot be answered as it is, such as a filter that cannot be read. */
const INVALID_ARGUMENT = 3;

/** Temporal refused the request, or went away in the middle of a command. */
function serviceError(error: ServiceError): UserError {
  const { cause } = error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT)
    return new UserError(`Temporal cannot take this: ${cause.details}`, { cause: error });
  const why = cause instanceof Error ? cause.message : error.message;
  return new UserError(`Temporal did not answer: ${why}`, { exitCode: ExitCode.Unreachable, cause: error });
}
