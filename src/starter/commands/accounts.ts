import { Command } from 'commander';
import pc from 'picocolors';
import { checkOnline, type OnlineCheck } from '../check-online';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { isSecretThere, renderAccounts } from '../show-accounts';

interface CheckOptions {
  readonly json?: boolean;
  readonly online?: boolean;
}

/** `consign accounts check`: what the accounts file configures, and what is missing. */
export function accountsCommand(context: CliContext): Command {
  const check = new Command('check')
    .description(
      'show what is configured for each account, without any secret; exit code 2 when one is missing',
    )
    .option('--json', 'print the report as JSON')
    .option(
      '--online',
      'also let a worker ask the marketplace whether it takes each key; exit code 1 when not',
    )
    .action(async (options: CheckOptions) => await checkAccounts(context, options));
  return new Command('accounts').description('look at the accounts file').addCommand(check);
}

const onlineLine = ({ account, isTaken, text }: OnlineCheck): string =>
  `${isTaken === true ? pc.green('✓') : pc.red('✗')} ${account}: ${text}`;

async function checkAccounts(context: CliContext, { json, online }: CheckOptions): Promise<void> {
  const report = await context.accounts().report();
  if (json !== true) context.print(renderAccounts(report));
  const checks =
    online === true
      ? await context.withShipments(async (_, client) => await checkOnline(client, report))
      : null;
  if (json === true) context.print(JSON.stringify({ ...report, online: checks }, null, 2));
  else if (checks !== null) context.print(`\n${checks.map(onlineLine).join('\n')}`);
  if (checks?.some(({ isTaken }) => isTaken !== true) === true) process.exitCode = ExitCode.Failed;
  const secrets = [
    ...report.accounts.flatMap((account) => account.secrets),
    ...report.integrations.map(({ secret }) => secret),
  ];
  if (!secrets.every(isSecretThere)) process.exitCode = ExitCode.Invalid;
}
