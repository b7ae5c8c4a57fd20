import pc from 'picocolors';
import { accountPauseWorkflowId } from '../../../domain/workflow-id';
import type { Statement } from '../../../contract/messages';
import { checkOnline, type OnlineCheck } from '../check-online';
import { confirm, type Over } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { sendResume } from '../../client/send-answer';
import { isSecretThere, renderAccounts } from '../show-accounts';

export interface CheckOptions {
  readonly json?: boolean;
  readonly online?: boolean;
}

export type RetryOptions = Statement & { readonly json?: boolean };

/** `consign accounts retry`. */
export async function retryAccount(
  context: CliContext,
  account: string,
  { by, reason, json }: RetryOptions,
): Promise<void> {
  await context.withShipments(async (_, client) => {
    const handle = client.workflow.getHandle(accountPauseWorkflowId(account));
    const whenOver = async (): Promise<Over> => await nothingWaits(context, account);
    await confirm(
      { context, client, json, what: 'retry', whenOver },
      async () => await sendResume(handle, { by, reason }),
    );
  });
}

/** The request has been fulfilled, unless the name was mistyped. */
async function nothingWaits(context: CliContext, account: string): Promise<Over> {
  const names = (await context.accounts()).names();
  const isWanted = names.includes(account);
  const text = `No shipment waits for account ${account}.`;
  return { isWanted, text: isWanted ? text : `${text} The accounts file has: ${names.join(', ')}.` };
}

const onlineLine = ({ account, isTaken, text }: OnlineCheck): string =>
  `${isTaken === true ? pc.green('✓') : pc.red('✗')} ${account}: ${text}`;

/** `consign accounts check`: what the accounts file configures, and what is missing. */
export async function checkAccounts(context: CliContext, { json, online }: CheckOptions): Promise<void> {
  const report = await (await context.accounts()).report();
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
