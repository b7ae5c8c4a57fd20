import { Command } from 'commander';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { isSecretThere, renderAccounts } from '../show-accounts';

/** `consign accounts check`: what the accounts file configures, and what is missing. */
export function accountsCommand(context: CliContext): Command {
  const check = new Command('check')
    .description(
      'show what is configured for each account, without any secret; exit code 2 when one is missing',
    )
    .option('--json', 'print the report as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await context.accounts().report();
      context.print(json === true ? JSON.stringify(report, null, 2) : renderAccounts(report));
      const secrets = [
        ...report.accounts.flatMap((account) => account.secrets),
        ...report.integrations.map(({ secret }) => secret),
      ];
      if (!secrets.every(isSecretThere)) process.exitCode = ExitCode.Invalid;
    });
  return new Command('accounts').description('look at the accounts file').addCommand(check);
}
