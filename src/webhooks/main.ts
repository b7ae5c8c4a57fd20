#!/usr/bin/env node
import { loadAccounts } from '../accounts';
import { readConfig } from '../platform/config';
import { createLog } from '../platform/log';
import { serveMetrics } from '../platform/metrics-server';
import { runMain } from '../platform/run-process';
import { isTemporalUp } from '../temporal/is-up';
import { connectTemporal } from '../temporal/temporal-connection';
import { startTracing } from '../tracing';
import { ReceiverCounts } from './counts';
import { createReceiver } from './receiver';
import { createEventRouter } from './router';

/** The receiver process. */
async function main(): Promise<void> {
  const config = readConfig();
  const tracing = await startTracing('webhooks', process.env, (text) => log.warn(text));
  const log = createLog('webhooks', config.logLevel, undefined, () => tracing.logFields());
  const accounts = loadAccounts(config.accountsFile, process.env);
  await accounts.checkWebhookSecrets();
  const counts = new ReceiverCounts();
  const metrics =
    config.metricsAddress === null ? null : await serveMetrics(config.metricsAddress, counts.registry);
  const temporal = await connectTemporal(process.env, (text) => log.warn(text), {
    interceptors: tracing.clientInterceptors,
  });
  const receiver = createReceiver({
    integrations: accounts.integrations,
    router: createEventRouter(temporal.client),
    isTemporalUp: async () =>
      await isTemporalUp(temporal.client, (reason) => log.warn({ reason }, 'Temporal does not answer')),
    ...{ log, counts, tracing },
  });
  const address = await receiver.listen({ host: config.webhookHost, port: config.webhookPort });
  log.info({ address }, `receives events at ${address}/webhooks/{integration}; stop it with Ctrl-C`);
  const stop = (): void => {
    receiver
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
