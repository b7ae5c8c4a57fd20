import { Worker, type WorkerOptions } from '@temporalio/worker';
import { DEFAULT_POLICY } from '../src/domain/default-policy';
import { marketplaceQueue, UNROUTED_EVENTS_QUEUE } from '../src/domain/task-queue';
import { orderReference } from '../src/domain/workflow-id';
import { ShipmentClient } from '../src/starter/shipment-client';
import { createLog } from '../src/log';
import { createReceiver } from '../src/webhooks/receiver';
import { createEventRouter, type EventRouter } from '../src/webhooks/router';
import { aFurnitureShipment, aListing } from '../test/support/builders';
import { measureFlood, type FloodReport } from '../test/support/flood';
import { bundleScriptedShipments, connectWorkers, startTestTemporal } from '../test/support/temporal';

const COUNT = Number(process.argv[2] ?? 10_000);
const LIMIT_MS = 1_000;

const ACME = { name: 'acme', environment: 'sandbox' } as const;
const SECRET = 'bench-secret';

const getListing = async ({ listingId }: { readonly listingId: string }) =>
  await Promise.resolve(aListing({ listingId, referenceNumbers: [] }));

type ReceiverCounts = Readonly<Record<string, number>>;

/** As the marketplace sends them: each event is a request to the receiver, which knows only what its body says. */
function overHttp(url: string): EventRouter {
  return {
    async route(_accounts, { id, type, time, listingIds }, { orders }) {
      const referenceNumbers = orders.map(({ account, orderId }) => ({
        ...{ number: orderReference(account, orderId), type: 'ThirdPartyOrderNumber' },
      }));
      const data = { referenceNumbers, ...(listingIds[0] === undefined ? {} : { listingId: listingIds[0] }) };
      const answer = await fetch(`${url}/webhooks/acme`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-webhook-secret': SECRET },
        body: JSON.stringify({ specversion: '1.0', source: 'urn:bench', id, type, time, data }),
      });
      await answer.arrayBuffer();
      if (answer.status === 503) return 'unavailable';
      if (answer.status !== 200) throw new Error(`the receiver answered ${answer.status}`);
      return 'signalled';
    },
  };
}

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
    account: ACME,
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  const receiver = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: [ACME] }],
    router: createEventRouter(client),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('bench', 'silent'),
  });
  const url = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const report = await measureFlood({
    ...{ client, orderId, count: COUNT, atOnce: 50 },
    router: overHttp(url),
    onProgress: (answered, lookedUp) =>
      process.stderr.write(`${answered} of ${COUNT} answered, ${lookedUp} looked up\n`),
  });
  const { events } = (await receiver.inject('/health')).json<{ events: ReceiverCounts }>();
  await receiver.close();
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
  await native.close();
  await temporal.close();
  show(report, events);
}

function show(report: FloodReport, counts: ReceiverCounts): void {
  const { quietMs, floodedMs, medianMs, answeredMs, settledMs, completed, open } = report;
  const delayMs = floodedMs - quietMs;
  // The status 200 does not tell whether the shipment's own events found it.
  const isFound = (counts.signalled ?? 0) > 0 && counts.foreign === 0 && counts.withoutClue === 0;
  const isGood = delayMs < LIMIT_MS && open === 0 && completed === COUNT && isFound;
  process.stdout.write(
    `${[
      `${COUNT} foreign events answered in ${(answeredMs / 1_000).toFixed(1)} s, all looked up after ${(settledMs / 1_000).toFixed(1)} s`,
      `slowest event of a shipment, from its request to its answer: ${quietMs.toFixed(0)} ms before, ${floodedMs.toFixed(0)} ms meanwhile (${(floodedMs / quietMs).toFixed(1)} times), delay ${delayMs.toFixed(0)} ms of ${LIMIT_MS} ms`,
      `half of them took no longer than ${medianMs.toFixed(0)} ms`,
      `the receiver counted ${counts.signalled} events of the shipment, ${counts.unrouted} to look up, ${counts.unavailable} to send again`,
      `look-ups completed: ${completed}, left open: ${open}`,
      isGood ? 'passed' : 'FAILED',
    ].join('\n')}\n`,
  );
  process.exitCode = isGood ? 0 : 1;
}

void main();
