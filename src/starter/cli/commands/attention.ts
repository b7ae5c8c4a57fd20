import pc from 'picocolors';
import type { AttentionReport, StuckQueue } from '../../client/attention';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';

export interface AttentionCommandOptions {
  readonly json?: boolean;
  readonly fail?: boolean;
}

/** `consign attention`. */
export async function attention(context: CliContext, { json, fail }: AttentionCommandOptions): Promise<void> {
  const report = await context.withShipments(async (shipments) => await shipments.attention());
  context.print(json === true ? JSON.stringify(report, null, 2) : renderAttention(report));
  if (fail === true && report.entries.length + report.queues.length > 0) process.exitCode = ExitCode.Failed;
}

/** One line for a queue whose tasks no worker takes. */
export function queueLine({ queue, workers, build, shipments, since }: StuckQueue): string {
  const worker = build === null ? 'worker' : `worker of the current build ${build}`;
  const why =
    workers === 0
      ? `no ${worker} polls it`
      : `its workers (${workers ?? 'number unknown'}) do not take its tasks`;
  const who = shipments === 1 ? '1 shipment has been waiting' : `${shipments} shipments have been waiting`;
  return `${pc.yellow('!')} queue ${queue}: ${why}; ${who} since ${since}`;
}

/** The report for people. */
export function renderAttention({ entries, queues, looked, open }: AttentionReport): string {
  const of = looked < open ? `; checked the tasks of the newest ${looked}` : '';
  const shipments = (count: number): string => `${count} ${count === 1 ? 'shipment' : 'shipments'}`;
  if (entries.length + queues.length === 0)
    return `${pc.green('Nothing needs a person')} (${shipments(open)} in progress${of}).`;
  const lines = entries.flatMap(({ shipment: { account, orderId }, reasons }) => [
    pc.bold(`${account}/${orderId}`),
    ...reasons.map((reason) => {
      const since = reason.kind === 'unreadable' ? ` since ${reason.since}` : '';
      return `  ${pc.yellow('!')} ${reason.text}${since}`;
    }),
  ]);
  const need = entries.length === 1 ? '1 needs' : `${entries.length} need`;
  const sum = `${need} a person; ${shipments(open)} in progress${of}.`;
  return [...queues.map(queueLine), ...lines, sum].join('\n');
}
