import pc from 'picocolors';
import type { Statement } from '../../../contract/messages';
import { checkOnline, type OnlineCheck } from '../check-online';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { UserError } from '../../../platform/user-error';
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
  const doneBefore = `No shipment waits for account ${account}.`;
  const known = (await context.accounts()).names();
  await context.withShipments(
    async (shipments) =>
      await confirm({ context, json, what: 'retry', doneBefore }, async () => {
        const receipt = await shipments.retryAccount(account, { by, reason });
        // Nothing waits for an account whose name is mistyped.
        if (receipt.outcome === 'doneBefore' && !known.includes(account))
          throw new UserError(`${doneBefore} The accounts file has: ${known.join(', ')}.`);
        return receipt;
      }),
  );
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
    ...[...report.integrations, ...report.apiTokens].map(({ secret }) => secret),
  ];
  if (!secrets.every(isSecretThere) || report.problems.length > 0) process.exitCode = ExitCode.Invalid;
}
