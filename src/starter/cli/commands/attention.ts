import pc from 'picocolors';
import { commandLines } from '../../../domain/command-lines';
import type { AttentionReport, StuckQueue } from '../../client/attention';
import type { FailingCall } from '../../client/failing-calls';
import type { StuckEndpoint } from '../../client/notifications';
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
  if (fail === true && !isQuiet(report)) process.exitCode = ExitCode.Failed;
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

/** One line for a call that the marketplace keeps failing. */
export function callLine({ account, call, reason, failures, shipments }: FailingCall): string {
  const who = shipments === 1 ? '1 shipment waits' : `${shipments} shipments wait`;
  return `${pc.yellow('!')} ${call} of account ${account} failed ${failures === 1 ? 'once' : `${failures} times in a row`} (${reason}); ${who}. Consign tries again.`;
}

/** One line for an endpoint, however many orders wait for it. */
export function endpointLine({ account, endpoint, since, reason, isPaused, orders }: StuckEndpoint): string {
  const who = orders === 1 ? '1 order waits' : `${orders} orders wait`;
  const command = commandLines.retryNotifications(account, endpoint);
  const remedy = isPaused
    ? `Paused: fix it, then run \`${command}\`.`
    : `Consign tries again; \`${command}\` tries at once.`;
  return `${pc.yellow('!')} endpoint ${endpoint} of account ${account}: ${reason}; ${who} since ${since}. ${remedy}`;
}

const isQuiet = ({ entries, queues, calls, endpoints }: AttentionReport): boolean =>
  entries.length + queues.length + calls.length + endpoints.length === 0;

/** The report for people. */
export function renderAttention(report: AttentionReport): string {
  const { entries, queues, calls, endpoints, looked, open } = report;
  const of = looked < open ? `; checked the tasks of the newest ${looked}` : '';
  const shipments = (count: number): string => `${count} ${count === 1 ? 'shipment' : 'shipments'}`;
  if (isQuiet(report)) return `${pc.green('Nothing needs a person')} (${shipments(open)} in progress${of}).`;
  const lines = entries.flatMap(({ shipment: { account, orderId }, reasons }) => [
    pc.bold(`${account}/${orderId}`),
    ...reasons.map((reason) => {
      const since = reason.kind === 'unreadable' ? ` since ${reason.since}` : '';
      return `  ${pc.yellow('!')} ${reason.text}${since}`;
    }),
  ]);
  const need = entries.length === 1 ? '1 needs' : `${entries.length} need`;
  const sum = `${need} a person; ${shipments(open)} in progress${of}.`;
  return [
    ...queues.map(queueLine),
    ...calls.map(callLine),
    ...endpoints.map(endpointLine),
    ...lines,
    sum,
  ].join('\n');
}
