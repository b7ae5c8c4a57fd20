import { Worker, type WorkerOptions } from '@temporalio/worker';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { marketplaceQueue, UNROUTED_EVENTS_QUEUE } from '../../src/contract/task-queue';
import { orderReference } from '../../src/domain/workflow-id';
import { createLog } from '../../src/platform/log';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter, type EventRouter } from '../../src/webhooks/router';
import { aFurnitureShipment, aListing } from './builders';
import { measureFlood, type FloodInput, type FloodReport } from './flood';
import { bundleScriptedShipments, connectWorkers, startTestTemporal, type TestTemporal } from './temporal';

/** What a flood may cost the slowest event of a shipment, in milliseconds. */
export const FLOOD_DELAY_LIMIT_MS = 1_000;

const ACME = { name: 'acme', environment: 'sandbox' } as const;
const SECRET = 'flood-secret';
const AT_ONCE = 50;

/** How often the receiver did what with an event. */
export type ReceiverCounts = Readonly<Record<string, number>>;

export interface ReceiverFlood {
  readonly report: FloodReport;
  readonly counts: ReceiverCounts;
  /** What the flood cost the slowest event of the shipment, in milliseconds. */
  readonly delayMs: number;
  /** The status 200 does not tell whether the shipment's own events found it. */
  readonly isShipmentFound: boolean;
}

const getListing = async ({ listingId }: { readonly listingId: string }) =>
  await Promise.resolve(aListing({ listingId, referenceNumbers: [] }));

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
        body: JSON.stringify({ specversion: '1.0', source: 'urn:flood', id, type, time, data }),
      });
      await answer.arrayBuffer();
      if (answer.status === 503) return 'unavailable';
      if (answer.status !== 200) throw new Error(`the receiver answered ${answer.status}`);
      return 'signalled';
    },
  };
}

/**
 * Sends events of foreign listings in great number to a real receiver before a real Temporal server, and meanwhile
 * events of one shipment.
 */
export async function floodReceiver({
  count,
  onProgress,
}: Pick<FloodInput, 'count' | 'onProgress'>): Promise<ReceiverFlood> {
  const temporal = await startTestTemporal();
  const stopWorkers = await startFewWorkers(temporal);
  const orderId = 'SO-1';
  await new ShipmentClient(temporal.client).start({
    shipment: aFurnitureShipment({ orderId }),
    account: ACME,
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  const receiver = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: [ACME] }],
    // What is measured is a flood that nothing holds back.
    router: createEventRouter(temporal.client, { lookUpBudget: { burst: count, perSecond: count } }),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('flood', 'silent'),
  });
  try {
    const router = overHttp(await receiver.listen({ host: '127.0.0.1', port: 0 }));
    const told = onProgress === undefined ? {} : { onProgress };
    const report = await measureFlood({
      ...{ client: temporal.client, router, orderId, count, atOnce: AT_ONCE },
      ...told,
    });
    const { events: counts } = (await receiver.inject('/health')).json<{ events: ReceiverCounts }>();
    const isShipmentFound = (counts.signalled ?? 0) > 0 && counts.foreign === 0 && counts.withoutClue === 0;
    return { report, counts, delayMs: report.floodedMs - report.quietMs, isShipmentFound };
  } finally {
    await receiver.close();
    await stopWorkers();
    await temporal.close();
  }
}

/** @returns stops them */
async function startFewWorkers({ open }: TestTemporal): Promise<() => Promise<void>> {
  const native = await connectWorkers(open);
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
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await native.close();
  };
}
