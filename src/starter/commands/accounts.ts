import { Command } from 'commander';
import pc from 'picocolors';
import { accountPauseWorkflowId } from '../../domain/workflow-id';
import type { Statement } from '../../workflows/messages';
import { checkOnline, type OnlineCheck } from '../check-online';
import { confirm, type Over } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../processes/exit-code';
import { sendResume } from '../send-answer';
import { isSecretThere, renderAccounts } from '../show-accounts';

interface CheckOptions {
  readonly json?: boolean;
  readonly online?: boolean;
}

type RetryOptions = Statement & { readonly json?: boolean };

/** `consign accounts check`: what the accounts file configures, and what is missing. */
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
    .action(async (options: CheckOptions) => await checkAccounts(context, options));
  const retry = new Command('retry')
    .description('resume the shipments paused because of an account, once the problem is fixed')
    .argument('<account>', 'its name in the accounts file')
    .requiredOption('--by <name>', 'who fixed it')
    .requiredOption('--reason <text>', 'what was done')
    .option('--json', 'print the outcome as JSON')
    .action(async (account: string, options: RetryOptions) => await retryAccount(context, account, options));
  return new Command('accounts')
    .description('look at the accounts file; resume what waits for an account')
    .addCommand(check)
    .addCommand(retry);
}

async function retryAccount(
  context: CliContext,
  account: string,
  { by, reason, json }: RetryOptions,
): Promise<void> {
  await context.withShipments(async (_, client) => {
    const handle = client.workflow.getHandle(accountPauseWorkflowId(account));
    const whenOver = async (): Promise<Over> => await Promise.resolve(nothingWaits(context, account));
    await confirm(
      { context, client, json, again: 'repeating it is safe', whenOver },
      async () => await sendResume(handle, { by, reason }),
    );
  });
}

/** That is what was wanted, unless the name was mistyped. */
function nothingWaits(context: CliContext, account: string): Over {
  const names = context.accounts().names();
  const isWanted = names.includes(account);
  const text = `nothing waits for account ${account}`;
  return { isWanted, text: isWanted ? text : `${text}; the accounts file has: ${names.join(', ')}` };
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
  if (!secrets.every(isSecretThere) || report.problems.length > 0) process.exitCode = ExitCode.Invalid;
}
