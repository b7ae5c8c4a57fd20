#!/usr/bin/env node
import { NativeConnection } from '@temporalio/worker';
import { loadAccounts } from './accounts';
import { readConfig } from './platform/config';
import { createFileStore } from './platform/file-store';
import { createLog } from './platform/log';
import { limitQueues } from './temporal/queue-limits';
import { runMain } from './platform/run-process';
import { connectTemporal, reach } from './temporal/temporal-connection';
import { startTracing } from './tracing';
import { installRuntime } from './worker/install-runtime';
import { startStateMetrics } from './worker/state-metrics';
import { readWorkflowBundle, unknownPatches } from './worker/workflow-bundle';
import { startWorkers } from './worker/start-workers';

/** The worker process: shipments, unrouted events, and every configured account's marketplace calls. */
async function main(): Promise<void> {
  const config = readConfig();
  const tracing = await startTracing('worker', process.env, (text) => log.warn(text));
  const log = createLog('worker', config.logLevel, undefined, () => tracing.logFields());
  const runtime = installRuntime(config.metricsAddress, log);
  const accounts = loadAccounts(config.accountsFile, process.env);
  await accounts.checkSecrets();
  const temporal = await connectTemporal(process.env, (text) => log.warn(text), {
    interceptors: tracing.clientInterceptors,
  });
  const code = await readWorkflowBundle(temporal.dataConverter);
  const limits = accounts.marketplaceAccounts.map(({ name }) => ({
    name,
    callsPerSecond: accounts.callsPerSecondOf(name),
  }));
  await limitQueues(temporal.client, limits);
  const { address, connectionOptions } = temporal;
  const connection = await reach(address, async () => await NativeConnection.connect(connectionOptions));
  for (const patch of unknownPatches(code, config.heldPatches))
    log.warn(`this build has no patch ${patch} (CONSIGN_HELD_PATCHES); the setting has no effect`);
  const workers = await startWorkers({
    connection,
    client: temporal.client,
    namespace: temporal.namespace,
    dataConverter: temporal.dataConverter,
    accounts: accounts.marketplaceAccounts,
    endpoints: new Map(
      accounts.names().flatMap((name) => {
        const endpoints = accounts.endpointsOf(name);
        return endpoints === null ? [] : [[name, endpoints] as const];
      }),
    ),
    files: createFileStore(config.files),
    workflowBundle: { code },
    shutdownGraceMs: config.shutdownGraceSeconds * 1_000,
    cachedWorkflows: config.cachedWorkflows,
    version: config.version,
    heldPatches: config.heldPatches,
    tracing,
  });
  const names = accounts.marketplaceAccounts.map(({ name }) => name);
  const stopStateMetrics =
    config.metricsAddress === null
      ? null
      : startStateMetrics({
          ...{ client: temporal.client, accounts: names, meter: runtime.metricMeter, log },
          everyMs: config.metricsStateSeconds * 1_000,
        });
  const build =
    config.version === null ? '' : ` as ${config.version.deploymentName}:${config.version.buildId}`;
  log.info({ address }, `worker is running${build} for accounts ${names.join(', ')}; stop it with Ctrl-C`);
  const stop = (): void => {
    log.info('stopping: running activities may finish');
    workers.stop().catch((error: unknown) => log.error({ err: error }, 'could not stop cleanly'));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await workers.stopped;
  stopStateMetrics?.();
  await connection.close();
  await temporal.close();
  await tracing.close();
  log.info('stopped');
}

runMain(main);
