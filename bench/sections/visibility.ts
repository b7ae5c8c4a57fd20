import type { Client } from '@temporalio/client';
import { TRANSIT_STATUSES } from '../../src/domain/listing';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { startSandbox, type Sandbox } from '../../sandbox';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { StartableOrder } from '../../src/starter/client/start-order';
import { shipmentStateQuery } from '../../src/contract/messages';
import { until } from '../../test/support/temporal';
import { mapAtOnce } from '../../src/platform/at-once';
import { closingAll } from '../../src/platform/closing';
import type { Measurement, Section } from '../measurement';
import { percentile } from '../statistics';
import {
  createWorld,
  KINDS,
  readExampleOrder,
  startReceiver,
  startWorker,
  webhookSecretOf,
  withOrderId,
} from '../world';

const FULL = { rounds: 5, shipments: 20 };
const QUICK = { rounds: 2, shipments: 4 };
const ACCOUNT = 'acme';
const BOOKED_WITHIN_MS = 120_000;
/** The steps of a truck before the delivery. */
const MOVES = TRANSIT_STATUSES.slice(0, -1);

interface OpenShipment {
  readonly workflowId: string;
  readonly listingId: number;
}

/** Time from an event of the marketplace until a query shows its effect. */
export const measureVisibility: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const { rounds, shipments } = isQuick ? QUICK : FULL;
    const sandbox = await startSandbox({ clock: { speed: 20 }, switches: { transit: 'manual' } });
    onClose(async () => await sandbox.close());
    const world = await createWorld({ [ACCOUNT]: sandbox.url }, onClose);
    const receiver = await startReceiver(world, onClose);
    sandbox.addWebhook({ url: `${receiver.urlOf(ACCOUNT)}/${webhookSecretOf(ACCOUNT)}` });
    await startWorker(world, onClose);
    const { client } = world.temporal;
    const orders: StartableOrder[] = [];
    for (const kind of KINDS) orders.push(await readExampleOrder(world, { kind, account: ACCOUNT }));
    const latencies: { readonly alone: number[][]; readonly together: number[][] } = {
      alone: [],
      together: [],
    };
    for (let round = 0; round < rounds; round += 1) {
      progress(`round ${round + 1} of ${rounds}`);
      const ordered = Array.from({ length: shipments }, (_, index) =>
        ordersOf(orders, `SO-${round}-${index}`, index),
      );
      const open = await mapAtOnce(ordered, 10, async (order) => await openShipment(client, sandbox, order));
      const half = Math.ceil(open.length / 2);
      const move = async (shipment: OpenShipment): Promise<number[]> =>
        await moveOn(client, sandbox, shipment);
      latencies.alone.push((await mapAtOnce(open.slice(0, half), 1, move)).flat());
      latencies.together.push((await mapAtOnce(open.slice(half), 10, move)).flat());
    }
    return {
      name: 'visibility',
      title: 'time from an event until a query shows its effect',
      how: [
        'The sandbox moves a truck and posts the event to the receiver. The query is repeated until it shows the new transit status.',
        `${shipments} shipments of both kinds per round, ${MOVES.length} events each: half of them one event at a time, half of them 10 concurrently.`,
      ],
      measurements: [
        ...rowsOf('one event at a time', latencies.alone),
        ...rowsOf('10 concurrent', latencies.together),
      ],
    };
  });

/** Alternates between the kinds. */
function ordersOf(orders: readonly StartableOrder[], orderId: string, index: number): StartableOrder {
  const order = orders[index % orders.length];
  if (order === undefined) throw new TypeError('there are no orders');
  return withOrderId(order, orderId);
}

/** Starts it and waits until it is booked and has its documents. */
async function openShipment(client: Client, sandbox: Sandbox, order: StartableOrder): Promise<OpenShipment> {
  const { orderId } = order.shipment;
  await new ShipmentClient(client).start(order);
  const workflowId = shipmentWorkflowId(ACCOUNT, orderId);
  const handle = client.workflow.getHandle(workflowId);
  await until(
    async () => {
      const { at, billOfLading } = await handle.query(shipmentStateQuery);
      return at.phase === 'booked' && billOfLading !== null;
    },
    { patienceMs: BOOKED_WITHIN_MS, everyMs: 250 },
  );
  const [listing] = sandbox.order(`${ACCOUNT}/${orderId}`).listings;
  if (listing === undefined) throw new Error(`${orderId} is booked without a listing`);
  return { workflowId, listingId: listing.listingId };
}

async function moveOn(
  client: Client,
  sandbox: Sandbox,
  { workflowId, listingId }: OpenShipment,
): Promise<number[]> {
  const handle = client.workflow.getHandle(workflowId);
  const taken: number[] = [];
  for (const to of MOVES) {
    const movedAt = performance.now();
    sandbox.controls.advance(listingId, { to });
    while ((await handle.query(shipmentStateQuery)).listing?.transitStatus !== to);
    taken.push(performance.now() - movedAt);
  }
  return taken;
}

function rowsOf(what: string, rounds: readonly (readonly number[])[]): Measurement[] {
  return [
    { what: `${what}: p50`, unit: 'ms', samples: rounds.map((round) => percentile(round, 0.5)) },
    { what: `${what}: p99`, unit: 'ms', samples: rounds.map((round) => percentile(round, 0.99)) },
  ];
}
