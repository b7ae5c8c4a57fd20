import { Worker, type WorkerOptions } from '@temporalio/worker';
import { DEFAULT_POLICY } from '../src/domain/default-policy';
import { marketplaceQueue, UNROUTED_EVENTS_QUEUE } from '../src/domain/task-queue';
import { ShipmentClient } from '../src/starter/shipment-client';
import { createEventRouter } from '../src/webhooks/router';
import { aFurnitureShipment, aListing } from '../test/support/builders';
import { measureFlood, type FloodReport } from '../test/support/flood';
import { bundleScriptedShipments, connectWorkers, startTestTemporal } from '../test/support/temporal';

const COUNT = Number(process.argv[2] ?? 10_000);
const LIMIT_MS = 1_000;

const getListing = async ({ listingId }: { readonly listingId: string }) =>
  await Promise.resolve(aListing({ listingId, referenceNumbers: [] }));

/** Foreign events in great number, and what they cost the event of a shipment. Fails when that is too much. */
async function main(): Promise<void> {
  const temporal = await startTestTemporal();
  const native = await connectWorkers(temporal.open);
  const { client, open } = temporal;
  const common = { connection: native, namespace: open.namespace };
  // As few at once as the worker process allows itself.
  const few = { maxConcurrentWorkflowTaskExecutions: 4, maxCachedWorkflows: 50 };
  const workflowBundle = await bundleScriptedShipments();
  const options: WorkerOptions[] = [
    { ...common, ...few, workflowBundle, taskQueue: UNROUTED_EVENTS_QUEUE },
    { ...common, activities: { getListing }, taskQueue: marketplaceQueue('acme') },
  ];
  const workers = await Promise.all(options.map(async (one) => await Worker.create(one)));
  const running = workers.map(async (worker) => await worker.run());
  const orderId = 'SO-1';
  await new ShipmentClient(client).start({
    shipment: aFurnitureShipment({ orderId }),
    account: { name: 'acme', environment: 'sandbox' },
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  const report = await measureFlood({
    ...{ client, orderId, count: COUNT, atOnce: 50 },
    router: createEventRouter(client),
  });
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
  await native.close();
  await temporal.close();
  show(report);
}

function show({ quietMs, floodedMs, answeredMs, settledMs, completed, open }: FloodReport): void {
  const delayMs = floodedMs - quietMs;
  const isGood = delayMs < LIMIT_MS && open === 0 && completed === COUNT;
  process.stdout.write(
    `${[
      `${COUNT} foreign events answered in ${(answeredMs / 1_000).toFixed(1)} s, all looked up after ${(settledMs / 1_000).toFixed(1)} s`,
      `slowest event of a shipment: ${quietMs.toFixed(0)} ms before, ${floodedMs.toFixed(0)} ms meanwhile (${(floodedMs / quietMs).toFixed(1)} times), delay ${delayMs.toFixed(0)} ms of ${LIMIT_MS} ms`,
      `look-ups completed: ${completed}, left open: ${open}`,
      isGood ? 'passed' : 'FAILED',
    ].join('\n')}\n`,
  );
  process.exitCode = isGood ? 0 : 1;
}

void main();
