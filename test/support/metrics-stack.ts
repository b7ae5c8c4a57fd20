import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { aFurnitureShipment } from './builders';
import { SECRET, startEndpoint } from './endpoint-server';
import { FAST_POLICY } from './harness';
import { valueOf } from './metrics-text';
import { startProcessStack, type ProcessStack } from './process-stack';
import { until } from './temporal';
import { temporaryFolder } from './temporary-folder';

const ROOT = path.join(__dirname, '..', '..');
const ACCOUNT = { name: 'acme', environment: 'sandbox' } as const;

/** The orders that run, whose ids and texts no metric may show. */
export const ORDERS = {
  delivered: aFurnitureShipment({ orderId: 'SO-zebra-1', title: 'Ottoline sofa' }),
  asking: aFurnitureShipment({
    ...{ orderId: 'SO-zebra-2', title: 'Wilhelmina chair' },
    priceLimit: { minorUnits: 100, currency: 'USD' },
  }),
  /** By the HTTP API. */
  started: aFurnitureShipment({ orderId: 'SO-zebra-3', title: 'Pumpernickel table' }),
} as const;

/** What three live processes serve after an order was delivered, while another one asks for approval of its price. */
export interface MetricsPages {
  readonly worker: string;
  readonly webhooks: string;
  readonly api: string;
  /** Ids that only these orders have, by what they are. */
  readonly ids: Readonly<Record<string, string>>;
}

/** Labels of the notifications that the endpoint of the account accepts. */
export const DELIVERED = { account: 'acme', endpoint: 'erp', status: '2xx' };

const pageOf = async (port: number): Promise<string> =>
  await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** Runs Temporal, the sandbox, a worker, a receiver and the HTTP API as processes, and orders through them. */
export async function scrapeLiveStack(): Promise<MetricsPages> {
  const api = await reserveFreePort();
  const metrics = {
    ...{ worker: await reserveFreePort(), webhooks: await reserveFreePort(), api: await reserveFreePort() },
  };
  const folder = temporaryFolder();
  const endpoint = await startEndpoint();
  const CONSIGN_ACCOUNTS = path.join(folder, 'accounts.yaml');
  const example = await readFile(path.join(ROOT, 'examples/accounts.yaml'), 'utf8');
  const notifications = `notifications: [{ name: erp, url: '${endpoint.url}', secrets: [{ env: ERP_SECRET }] }]`;
  await writeFile(
    CONSIGN_ACCOUNTS,
    example.replace('    source: acme\n', (source) => `${source}    ${notifications}\n`),
  );
  const world = await startProcessStack(
    folder,
    {
      ...{ CONSIGN_LOG_LEVEL: 'silent', SANDBOX_SPEED: '20', CONSIGN_METRICS_STATE_SECONDS: '1' },
      ...{ CONSIGN_ACCOUNTS, ERP_SECRET: SECRET },
    },
    { isPersistent: false, ports: { api, metrics } },
  );
  try {
    return await run(world, metrics);
  } finally {
    await world.close();
    await endpoint.kill();
  }
}

async function run(
  { stack, temporal }: ProcessStack,
  ports: { readonly worker: number; readonly webhooks: number; readonly api: number },
): Promise<MetricsPages> {
  const shipments = new ShipmentClient(temporal.client);
  for (const shipment of [ORDERS.delivered, ORDERS.asking])
    await shipments.start({
      ...{ shipment, account: ACCOUNT, policy: FAST_POLICY, documentHash: 'test', notifies: true },
    });
  const { account, orderId } = ORDERS.delivered;
  const result = await shipments.result(account, orderId);
  if (result.kind !== 'delivered') throw new Error(`the order was ${result.kind}`);
  await until(
    async () => {
      const page = await pageOf(ports.worker);
      return (
        valueOf(page, 'consign_open_questions', { kind: 'priceApproval' }) === 1 &&
        valueOf(page, 'consign_open_shipments', { phase: 'quoting' }) === 1 &&
        valueOf(page, 'consign_open_shipments', { phase: 'delivered' }) === 0 &&
        (valueOf(page, 'consign_notifications_total', DELIVERED) ?? 0) > 0
      );
    },
    { patienceMs: 20_000, everyMs: 200 },
  );
  const view = await shipments.get(account, orderId);
  return {
    ...{ worker: await pageOf(ports.worker), webhooks: await pageOf(ports.webhooks) },
    api: await useApi(stack.apiUrl ?? '', async () => await pageOf(ports.api)),
    ids: { listingId: result.listingId, runId: view.runId, workflowId: view.workflowId },
  };
}

/** Starts an order twice and follows it, beside requests that are refused. */
async function useApi<T>(url: string, look: () => Promise<T>): Promise<T> {
  const tiles = JSON.parse(await readFile(path.join(ROOT, 'examples/ltl-tiles.json'), 'utf8')) as object;
  const body = JSON.stringify({ ...tiles, orderId: ORDERS.started.orderId });
  const end = new AbortController();
  const ask = async (method: string, place: string, over: RequestInit = {}): Promise<Response> =>
    await fetch(`${url}${place}`, {
      ...{ method, signal: end.signal },
      headers: { authorization: 'Bearer demo-api-token', 'content-type': 'application/json' },
      ...over,
    });
  const order = `/shipments/acme/${ORDERS.started.orderId}`;
  await ask('PUT', order, { body });
  await ask('PUT', order, { body });
  await ask('PUT', order, { body: '{}' });
  await ask('GET', order, { headers: { authorization: 'Bearer zebra' } });
  await ask('GET', '/zebra');
  await ask('GET', `${order}/events`);
  try {
    return await look();
  } finally {
    end.abort();
  }
}
