import pc from 'picocolors';
import { table } from '../../starter/cli/table';
import type { ReplayFailure, ReplayReport } from './replay-open';

/** The cluster that was replayed. */
export interface Replayed {
  readonly address: string;
  readonly namespace: string;
  /** All open workflows, including those that were not replayed. */
  readonly open: number;
}

/** The report for people. */
export function renderReport({ types, failures }: ReplayReport, where: Replayed): string {
  const { address, namespace, open } = where;
  const counts = [...types.values()];
  const replayed = counts.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  const rows = [...types]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, { passed, failed, gone }]) => [type, ...[passed, failed, gone].map(String)]);
  const summary = rows.length === 0 ? [] : [table(['TYPE', 'PASSED', 'FAILED', 'GONE'], rows)];
  const of = `${replayed} of ${open} open workflows of namespace ${namespace} at ${address}`;
  const verdict =
    failures.length === 0
      ? pc.green(`Replayed ${of}: this build can continue them.`)
      : pc.red(`Replayed ${of}: this build cannot continue ${failures.length}.`);
  return [...failures.map(failureLines), ...summary, verdict].join('\n');
}

function failureLines({ workflowId, runId, difference }: ReplayFailure): string {
  const { eventId, event, build } = difference;
  return `${pc.red('x')} ${pc.bold(workflowId)} (run ${runId})\n  event ${eventId} is ${event}; this build ${build}`;
}
