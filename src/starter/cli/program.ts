import { Command, Option } from 'commander';
import { commandLines } from '../../domain/command-lines';
import type { CliContext } from './context';
import { EXIT_CODE_HELP } from '../../platform/exit-code';
import { packageVersion } from '../../platform/package-version';
import {
  answerCommand,
  attentionCommand,
  cancelCommand,
  eventsCommand,
  reviseCommand,
} from './syntax/decide';
import { explainCommand } from './syntax/explain';
import {
  disputePackCommand,
  documentsCommand,
  exportCommand,
  listCommand,
  showCommand,
  watchCommand,
} from './syntax/follow-orders';
import { notificationsCommand } from './syntax/notify';
import { importCommand, quoteCommand, startCommand, validateCommand } from './syntax/place-orders';
import {
  accountsCommand,
  conformanceCommand,
  doctorCommand,
  mcpCommand,
  setupCommand,
  supportCommand,
} from './syntax/set-up';
import { writeErr, writeOut } from './terminal-text';

/** The help lists the commands under these headings, in this order. */
const GROUPS = {
  'Place orders:': [validateCommand, quoteCommand, startCommand, importCommand],
  'Follow orders:': [
    ...[listCommand, showCommand, watchCommand, documentsCommand, disputePackCommand, exportCommand],
    notificationsCommand,
  ],
  'Decide:': [attentionCommand, answerCommand, reviseCommand, cancelCommand, eventsCommand],
  'Set up and check:': [
    ...[accountsCommand, explainCommand, setupCommand, doctorCommand, conformanceCommand, supportCommand],
    mcpCommand,
  ],
} as const;

/**
 * The whole command line. A usage error, the help and the version are thrown as `CommanderError`. The code of a command is
 * loaded when it runs, because the help needs none of it.
 */
export function createProgram(context: CliContext): Command {
  const program = new Command('consign')
    .description(
      'Durable furniture and LTL freight shipments: start orders, see what they wait for, answer questions.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .addOption(new Option('--accounts <file>', 'the accounts file').env('CONSIGN_ACCOUNTS'))
    .hook('preAction', (command) => {
      const { accounts } = command.opts<{ accounts?: string }>();
      if (accounts !== undefined) process.env.CONSIGN_ACCOUNTS = accounts;
    })
    .addHelpText('after', EXIT_CODE_HELP)
    .showHelpAfterError(`(\`${commandLines.help()}\` lists the commands)`);
  for (const [heading, commands] of Object.entries(GROUPS)) {
    for (const create of commands) program.addCommand(create(context).helpGroup(heading));
  }
  overrideExits(program);
  return program;
}

/** A usage error of any command exits with Consign's code instead of commander's, and prints through the same writers. */
function overrideExits(command: Command): void {
  command.exitOverride().configureOutput({ writeOut, writeErr });
  for (const inner of command.commands) overrideExits(inner);
}
