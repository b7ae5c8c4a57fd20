import { Command, Option } from 'commander';
import type { CheckOptions, RetryOptions } from '../commands/accounts';
import type { ConformanceOptions } from '../commands/conformance';
import type { DoctorOptions } from '../commands/doctor';
import type { McpOptions } from '../commands/mcp';
import type { SetupOptions } from '../commands/setup';
import type { SupportOptions } from '../commands/support';
import type { CliContext } from '../context';
import { orderArgument } from '../order-argument';

/** `consign accounts`. */
export function accountsCommand(context: CliContext): Command {
  const check = new Command('check')
    .description(
      'show the configuration of each account, without its secrets; exit code 2 when a secret is missing or invalid',
    )
    .option('--json', 'print the report as JSON')
    .option(
      '--online',
      'also let a worker check that the marketplace accepts each key; exit code 1 when it does not',
    )
    .action(async (options: CheckOptions) => {
      const { checkAccounts } = await import('../commands/accounts.ts');
      await checkAccounts(context, options);
    });
  const retry = new Command('retry')
    .description('resume the shipments paused because of an account, once the problem is fixed')
    .argument('<account>', 'its name in the accounts file')
    .requiredOption('--by <name>', 'who fixed it')
    .requiredOption('--reason <text>', 'what was done')
    .option('--json', 'print the outcome as JSON')
    .action(async (account: string, options: RetryOptions) => {
      const { retryAccount } = await import('../commands/accounts.ts');
      await retryAccount(context, account, options);
    });
  return new Command('accounts')
    .description('check the accounts file; resume the shipments paused because of an account')
    .addCommand(check)
    .addCommand(retry);
}

/** `consign setup`. */
export function setupCommand(context: CliContext): Command {
  return new Command('setup')
    .description(
      "create what Consign needs in your cluster's namespace: search attributes, 90 days of retention",
    )
    .option('--check', 'only report what is missing')
    .addOption(
      new Option(
        '--print',
        'only print the tcld commands that do it in Temporal Cloud, for the namespace of TEMPORAL_NAMESPACE',
      ).conflicts('check'),
    )
    .option('--json', 'print what was missing, or the commands, as JSON')
    .action(async (options: SetupOptions) => {
      const { setUp } = await import('../commands/setup.ts');
      await setUp(context, options);
    });
}

/** `consign mcp`. */
export function mcpCommand(context: CliContext): Command {
  return new Command('mcp')
    .description(
      'serve the Model Context Protocol on standard input and output, for AI assistants: lists, shipments, checks and quotes',
    )
    .option(
      '--allow-decisions',
      'also let the assistant start orders, answer questions and withdraw orders, each with a name and a reason',
    )
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import('../commands/mcp.ts');
      await serveMcp(context, options);
    });
}

/** `consign doctor`: checks everything that can be wrong with an installation, and says what to do. */
export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description(
      'check settings, accounts, secrets, Temporal, workers, webhook receiver and file store; exit code 2 when a check fails',
    )
    .option('--online', 'also let a worker check that the marketplace accepts each key')
    .option('--webhooks <url>', 'base URL of the receiver; default: built from WEBHOOK_HOST and WEBHOOK_PORT')
    .option('--json', 'print the findings as JSON')
    .action(async (options: DoctorOptions) => {
      const { diagnose } = await import('../commands/doctor.ts');
      await diagnose(context, options);
    });
}

/** `consign conformance`. */
export function conformanceCommand(context: CliContext): Command {
  return new Command('conformance')
    .description(
      'check that live API responses have the expected shape; books nothing, and the report contains no business data',
    )
    .option('--account <name>', 'the account whose key is used; required when there are several accounts')
    .option('--listing <id>', 'also read this listing, its contacts, tracking and bill of lading')
    .option('--json', 'print the report as JSON')
    .action(async (options: ConformanceOptions) => {
      const { conformance } = await import('../commands/conformance.ts');
      await conformance(context, options);
    });
}

/** `consign support`. */
export function supportCommand(context: CliContext): Command {
  return new Command('support')
    .description(
      'print a text about one shipment that you may paste in public: versions, phase, failures and timeline, without names, ids or prices',
    )
    .addArgument(orderArgument())
    .option('--account <name>', 'the account of the order, if ORDER is only its order id')
    .option('--out <file>', 'write the text into a new file')
    .option('--json', 'print the parts of the text as JSON')
    .action(async (text: string, options: SupportOptions) => {
      const { support } = await import('../commands/support.ts');
      await support(context, text, options);
    });
}
