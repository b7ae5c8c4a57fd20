import { Command } from 'commander';
import type { CheckOptions, RetryOptions } from '../commands/accounts';
import type { ConformanceOptions } from '../commands/conformance';
import type { DoctorOptions } from '../commands/doctor';
import type { SetupOptions } from '../commands/setup';
import type { CliContext } from '../context';

/** `consign accounts`. */
export function accountsCommand(context: CliContext): Command {
  const check = new Command('check')
    .description(
      'show what is configured for each account, without any secret; exit code 2 when one is missing or unusable',
    )
    .option('--json', 'print the report as JSON')
    .option(
      '--online',
      'also let a worker ask the marketplace whether it takes each key; exit code 1 when not',
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
    .description('look at the accounts file; resume what waits for an account')
    .addCommand(check)
    .addCommand(retry);
}

/** `consign setup`. */
export function setupCommand(context: CliContext): Command {
  return new Command('setup')
    .description(
      "create what Consign needs in your cluster's namespace: search attributes, 90 days of retention",
    )
    .option('--check', 'only say what is missing')
    .option('--json', 'print what was missing as JSON')
    .action(async (options: SetupOptions) => {
      const { setUp } = await import('../commands/setup.ts');
      await setUp(context, options);
    });
}

/** `consign doctor`: everything that may be wrong with an installation, and what to do. */
export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description(
      'check settings, accounts, secrets, Temporal, workers, webhook receiver and file store; exit code 2 when something is bad',
    )
    .option('--online', 'also let a worker ask the marketplace whether it takes each key')
    .option(
      '--webhooks <url>',
      'base address of the receiver; else the one of WEBHOOK_HOST and WEBHOOK_PORT is tried',
    )
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
    .option('--account <name>', 'whose key is used; needed where there are several accounts')
    .option('--listing <id>', 'also read this listing, its contacts, tracking and bill of lading')
    .option('--json', 'print the report as JSON')
    .action(async (options: ConformanceOptions) => {
      const { conformance } = await import('../commands/conformance.ts');
      await conformance(context, options);
    });
}
