#!/usr/bin/env node
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { Command } from 'commander';
import { parseLimit } from '../../starter/cli/parse-limit';
import { writeErr, writeOut } from '../../starter/cli/terminal-text';
import { UserError } from '../../platform/user-error';
import { connectTemporal } from '../../temporal/temporal-connection';
import { readWorkflowBundle } from '../workflow-bundle';
import { openQuery } from './open-histories';
import { replayOpen } from './replay-open';
import { renderReport } from './report';

const EXIT_CODES = `
It connects like every other command: by TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY,
TEMPORAL_TLS_… or a Temporal profile. It is read-only.

Exit codes:
  0  this build can continue every replayed workflow
  1  this build cannot continue at least one workflow; the report lists each of them
  2  nothing was replayed: invalid usage, or Temporal cannot be reached`;

interface Flags {
  readonly address?: string;
  readonly namespace?: string;
  readonly query?: string;
  readonly limit?: number;
}

/** How often progress is printed at most. */
const PROGRESS_MS = 5_000;

/** @returns whether this build can continue everything */
async function replay({ address, namespace, query, limit }: Flags): Promise<boolean> {
  const temporal = await connectTemporal({
    ...process.env,
    ...(address === undefined ? {} : { TEMPORAL_ADDRESS: address }),
    ...(namespace === undefined ? {} : { TEMPORAL_NAMESPACE: namespace }),
  });
  try {
    const { dataConverter } = temporal;
    const code = await readWorkflowBundle(dataConverter);
    const { count: open } = await temporal.client.workflow.count(openQuery({ query }));
    const planned = Math.min(open, limit ?? open);
    let toldAt = Date.now();
    const onProgress = (replayed: number): void => {
      if (Date.now() - toldAt < PROGRESS_MS) return;
      toldAt = Date.now();
      writeErr(`replayed ${replayed} of ${planned}\n`);
    };
    // Stop the timer with the replay: it would keep the process alive.
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      // No log, because its messages contain whole events with people's data. The report shows the differences.
      telemetryOptions: { logging: { filter: 'off', forward: {} } },
    });
    const report = await replayOpen(temporal.client, { code, dataConverter, query, limit, onProgress });
    writeOut(`${renderReport(report, { ...temporal, open })}\n`);
    return report.failures.length === 0;
  } finally {
    await temporal.close();
  }
}

const command = new Command('replay')
  .description('Replays the open workflows of a Temporal cluster with this build, before it is deployed.')
  .option('--address <host:port>', 'address of the Temporal server; default: TEMPORAL_ADDRESS')
  .option('--namespace <name>', 'its namespace; default: TEMPORAL_NAMESPACE')
  .option('--query <filter>', "replay only these workflows: a filter in Temporal's visibility language")
  .option('--limit <count>', 'replay only this many, newest first', parseLimit)
  .addHelpText('after', EXIT_CODES)
  .configureOutput({ writeOut, writeErr })
  .exitOverride((error) => {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    throw error;
  })
  .action(async (flags: Flags) => {
    process.exitCode = (await replay(flags)) ? 0 : 1;
  });

command.parseAsync().catch((error: unknown) => {
  if (error instanceof Error && error.name === 'CommanderError') return;
  process.exitCode = 2;
  writeErr(`${whyNot(error)}\n`);
});

function whyNot(error: unknown): string {
  if (error instanceof ServiceError && isGrpcServiceError(error.cause))
    return `Temporal refused the request: ${error.cause.details}`;
  if (!(error instanceof Error)) return String(error);
  return error instanceof UserError ? error.message : (error.stack ?? error.message);
}
