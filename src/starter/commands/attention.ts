import { Command } from 'commander';
import pc from 'picocolors';
import { findAttention, type AttentionReport } from '../attention';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';

interface AttentionCommandOptions {
  readonly json?: boolean;
  readonly fail?: boolean;
}

/** `consign attention`: everything that needs a person, for people and for monitoring. */
export function attentionCommand(context: CliContext): Command {
  return new Command('attention')
    .description(
      'show everything that needs a person: open questions, workflows whose tasks fail, tasks that no worker takes for 5 minutes',
    )
    .option('--json', 'print the report as JSON')
    .option('--fail', 'exit code 1 when there is something, for monitoring')
    .action(async ({ json, fail }: AttentionCommandOptions) => {
      const report = await context.withShipments(
        async (shipments, client) => await findAttention(client, shipments),
      );
      context.print(json === true ? JSON.stringify(report, null, 2) : renderAttention(report));
      if (fail === true && report.entries.length > 0) process.exitCode = ExitCode.Failed;
    });
}

/** The report for people. */
export function renderAttention({ entries, looked, open }: AttentionReport): string {
  const of = looked < open ? `; the tasks of the newest ${looked} were looked at` : '';
  const shipments = (count: number): string => `${count} ${count === 1 ? 'shipment' : 'shipments'}`;
  if (entries.length === 0)
    return `${pc.green('Nothing needs a person')} (${shipments(open)} under way${of}).`;
  const lines = entries.flatMap(({ shipment: { account, orderId }, reasons }) => [
    pc.bold(`${account}/${orderId}`),
    ...reasons.map((reason) => {
      const since = reason.kind === 'noWorker' ? ` since ${reason.since}` : '';
      return `  ${pc.yellow('!')} ${reason.text}${since}`;
    }),
  ]);
  return [...lines, `${entries.length} of ${shipments(open)} under way need a person${of}.`].join('\n');
}
