import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { Command, Option } from 'commander';
import { loadAccounts } from '../accounts';
import { readConfig } from '../config';
import { isOrderId, parseOrderReference } from '../domain/workflow-id';
import { createFileStore } from '../file-store';
import { connectTemporal } from '../temporal-connection';
import { accountsCommand } from './commands/accounts';
import { answerCommand, cancelCommand } from './commands/answer';
import { attentionCommand } from './commands/attention';
import { conformanceCommand } from './commands/conformance';
import { doctorCommand } from './commands/doctor';
import { documentsCommand } from './commands/documents';
import { eventsCommand } from './commands/events';
import { inspectCommands } from './commands/inspect';
import { reviseCommand } from './commands/revise';
import { quoteCommand } from './commands/quote';
import { setupCommand } from './commands/setup';
import { startCommand } from './commands/start';
import { validateCommand } from './commands/validate';
import type { CliContext } from './context';
import { EXIT_CODE_HELP, ExitCode } from './exit-code';
import { ShipmentClient } from './shipment-client';
import { terminalText } from './terminal-text';

// Nothing of the command line reaches the terminal by another way.
const writeOut = (text: string): void => void process.stdout.write(terminalText(text));
const writeErr = (text: string): void => void process.stderr.write(terminalText(text));

function createContext(): CliContext {
  const accounts = () => loadAccounts(readConfig().accountsFile, process.env);
  return {
    print: (text) => writeOut(`${text}\n`),
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
      const order = parseOrderReference(text);
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
  const context = createContext();
  const program = new Command('consign')
    .description(
      'Durable furniture and LTL freight shipments: start orders, see what they wait for, answer questions.',
    )
    .addOption(new Option('--accounts <file>', 'the accounts file').env('CONSIGN_ACCOUNTS'))
    .hook('preAction', (command) => {
      const { accounts } = command.opts<{ accounts?: string }>();
      if (accounts !== undefined) process.env.CONSIGN_ACCOUNTS = accounts;
    })
    .addHelpText('after', EXIT_CODE_HELP)
    .showHelpAfterError('(`consign --help` lists the commands)');
  program.addCommand(startCommand(context));
  program.addCommand(validateCommand(context));
  for (const command of inspectCommands(context)) program.addCommand(command);
  program.addCommand(attentionCommand(context));
  program.addCommand(documentsCommand(context));
  program.addCommand(answerCommand(context));
  program.addCommand(reviseCommand(context));
  program.addCommand(cancelCommand(context));
  program.addCommand(eventsCommand(context));
  program.addCommand(setupCommand(context));
  program.addCommand(accountsCommand(context));
  program.addCommand(doctorCommand(context));
  program.addCommand(quoteCommand(context));
  program.addCommand(conformanceCommand(context));
  overrideExits(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** A wrong option ends with our exit code wherever it stands, not with that of commander, and is written as all else. */
function overrideExits(command: Command): void {
  command.exitOverride().configureOutput({ writeOut, writeErr });
  for (const inner of command.commands) overrideExits(inner);
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
