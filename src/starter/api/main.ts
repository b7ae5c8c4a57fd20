#!/usr/bin/env node
import { loadAccounts } from '../../accounts';
import { readConfig } from '../../platform/config';
import { createFileStore } from '../../platform/file-store';
import { createLog } from '../../platform/log';
import { serveMetrics } from '../../platform/metrics-server';
import { runMain } from '../../platform/run-process';
import { UserError } from '../../platform/user-error';
import { isTemporalUp } from '../../temporal/is-up';
import { connectTemporal } from '../../temporal/temporal-connection';
import { startTracing } from '../../tracing';
import { ShipmentClient } from '../client/shipment-client';
import { ApiCounts } from './counts';
import { createApi } from './server';

/** The process of the HTTP API. */
async function main(): Promise<void> {
  const config = readConfig();
  const tracing = await startTracing('api', process.env, (text) => log.warn(text));
  const log = createLog('api', config.logLevel, undefined, () => tracing.logFields());
  const accounts = loadAccounts(config.accountsFile, process.env);
  await accounts.checkApiTokens();
  if (accounts.apiTokens.length === 0)
    throw new UserError(`${config.accountsFile} has no apiTokens: nobody could use the HTTP API.`, {
      hint: 'Add one, as docs/api.md describes.',
    });
  const counts = new ApiCounts();
  const metrics =
    config.metricsAddress === null ? null : await serveMetrics(config.metricsAddress, counts.registry);
  const temporal = await connectTemporal(process.env, (text) => log.warn(text), {
    isImpatient: true,
    interceptors: tracing.clientInterceptors,
  });
  const server = await createApi({
    accounts,
    shipments: new ShipmentClient(temporal.client),
    files: createFileStore(config.files),
    maxImageBytes: config.maxImageBytes,
    isTemporalUp: async () =>
      await isTemporalUp(temporal.client, (reason) => log.warn({ reason }, 'Temporal does not answer')),
    requestsPerMinute: config.apiRequestsPerMinute,
    ...{ log, counts, tracing },
  });
  const address = await server.listen({ host: config.apiHost, port: config.apiPort });
  log.info({ address }, `the HTTP API listens at ${address}; stop it with Ctrl-C`);
  const stop = (): void => {
    server
      .close()
      .then(async () => await metrics?.close())
      .then(async () => await temporal.close())
      .then(async () => await tracing.close())
      .catch((error: unknown) => log.error({ err: error }, 'could not stop cleanly'));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

runMain(main);
