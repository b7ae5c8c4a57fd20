#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { Command } from 'commander';
import { parseLimit } from '../../starter/cli/parse-limit';
import { writeErr, writeOut } from '../../starter/cli/terminal-text';
import { connectTemporal } from '../../temporal/temporal-connection';
import { WORKFLOW_BUNDLE } from '../workflow-bundle';
import { openQuery } from './open-histories';
import { replayOpen } from './replay-open';
import { renderReport } from './report';

const EXIT_CODES = `
The connection is that of every other command: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY,
TEMPORAL_TLS_… or a Temporal profile. It reads only.

Exit codes:
  0  this build can continue every open workflow that was replayed
  1  it cannot continue at least one of them, each of which is listed
  2  nothing was replayed: wrong usage, or Temporal cannot be reached`;

interface Flags {
  readonly address?: string;
  readonly namespace?: string;
  readonly query?: string;
  readonly limit?: number;
}

/** A line of progress at most this often. */
const PROGRESS_MS = 5_000;

/** @returns whether this build can continue everything */
async function replay({ address, namespace, query, limit }: Flags): Promise<boolean> {
  const temporal = await connectTemporal({
    ...process.env,
    ...(address === undefined ? {} : { TEMPORAL_ADDRESS: address }),
    ...(namespace === undefined ? {} : { TEMPORAL_NAMESPACE: namespace }),
  });
  try {
    const code = await readFile(WORKFLOW_BUNDLE, 'utf8');
    const { count: open } = await temporal.client.workflow.count(openQuery({ query }));
    const planned = Math.min(open, limit ?? open);
    let toldAt = Date.now();
    const onProgress = (replayed: number): void => {
      if (Date.now() - toldAt < PROGRESS_MS) return;
      toldAt = Date.now();
      writeErr(`replayed ${replayed} of ${planned}\n`);
    };
    // Ends with the replay; without one it would keep the process alive.
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      // Its messages hold whole events, with people's data; what differs is in the report.
      telemetryOptions: { logging: { filter: 'off', forward: {} } },
    });
    const report = await replayOpen(temporal.client, { code, query, limit, onProgress });
    writeOut(`${renderReport(report, { ...temporal, open })}\n`);
    return report.failures.length === 0;
  } finally {
    await temporal.close();
  }
}

const command = new Command('replay')
  .description('Replays the open workflows of a Temporal cluster with this build, before it is deployed.')
  .option('--address <host:port>', 'the Temporal server, in place of TEMPORAL_ADDRESS')
  .option('--namespace <name>', 'its namespace, in place of TEMPORAL_NAMESPACE')
  .option('--query <filter>', "only these, in Temporal's visibility language")
  .option('--limit <count>', 'only the newest', parseLimit)
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
    return `Temporal cannot take this: ${error.cause.details}`;
  if (!(error instanceof Error)) return String(error);
  const isExpected = ['TemporalUnreachableError', 'TemporalSettingsError'].includes(error.name);
  return isExpected ? error.message : (error.stack ?? error.message);
}
