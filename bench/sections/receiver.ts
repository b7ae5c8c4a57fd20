import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { Pool } from 'undici';
import { ORDER_REFERENCE_TYPE } from '../../src/domain/listing-proof';
import { mapAtOnce } from '../../src/platform/at-once';
import { closingAll, type OnClose } from '../../src/platform/closing';
import { GOALS } from '../goals';
import type { Measurement, Section } from '../measurement';
import { cpuMsOf } from '../process-usage';
import { percentile } from '../statistics';
import {
  createWorld,
  startBenchProgram,
  startReceiver,
  webhookSecretOf,
  type Program,
  type World,
} from '../world';

const FULL = { events: 600, rounds: 6, orders: 100 };
const QUICK = { events: 100, rounds: 3, orders: 20 };
const AT_ONCE = [1, 10, 50] as const;
const ACCOUNT = 'acme';
const NOBODY = 'http://127.0.0.1:9';

/** One way to deliver an event to its workflow. */
interface Way {
  readonly name: string;
  /** Null: the benchmark's own process delivers. */
  readonly process: Program | null;
  readonly send: (order: string) => Promise<void>;
}

interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

/** The receiver, against the least possible one and against signals alone. */
export const measureReceiver: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const { events, rounds, orders: count } = isQuick ? QUICK : FULL;
    // Without a worker, because only the delivery is measured.
    const world = await createWorld({ [ACCOUNT]: NOBODY }, onClose);
    const orders = Array.from({ length: count }, (_, index) => `SO-${index}`);
    await mapAtOnce(orders, 10, async (order) => await startShipment(world.temporal.client, order));
    const ways = await startWays(world, onClose);
    const runRound = async (way: Way, { size, atOnce }: { size: number; atOnce: number }): Promise<Round> => {
      const of = Array.from({ length: size }, (_, index) => orders[index % orders.length] ?? '');
      const cpu = async (): Promise<number> => (way.process === null ? 0 : await cpuMsOf(way.process));
      const [cpuBefore, startedAt] = [await cpu(), performance.now()];
      const latencies = await mapAtOnce(of, atOnce, async (order) => {
        const sentAt = performance.now();
        await way.send(order);
        return performance.now() - sentAt;
      });
      return {
        perSecond: size / ((performance.now() - startedAt) / 1_000),
        ...{ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
        cpuMs: ((await cpu()) - cpuBefore) / size,
      };
    };

    const taken = new Map(
      AT_ONCE.map((atOnce) => [atOnce, new Map(ways.map((way) => [way.name, [] as Round[]]))]),
    );
    progress('warm-up');
    for (const way of ways) await runRound(way, { size: 3 * events, atOnce: 50 });
    for (let round = 0; round < rounds; round += 1) {
      progress(`round ${round + 1} of ${rounds}`);
      for (const [atOnce, byWay] of taken) {
        const turns = [...ways.slice(round % ways.length), ...ways.slice(0, round % ways.length)];
        for (const way of turns) byWay.get(way.name)?.push(await runRound(way, { size: events, atOnce }));
      }
    }
    return {
      name: 'receiver',
      title: 'the webhook receiver, against the least possible receiver and signals alone',
      how: [
        `${events} events per round over keep-alive connections, the three ways in turn; ${count} open shipments, no worker.`,
        'Least receiver: node:http, JSON.parse, one signal, in its own process. Signals alone: the Temporal client of the benchmark process.',
        'Latency is from the request to its answer.',
      ],
      measurements: [...taken].flatMap(([atOnce, byWay]) => measurementsOf(atOnce, byWay)),
    };
  });

async function startShipment(client: Client, order: string): Promise<void> {
  const workflowId = `shipment/${ACCOUNT}/${order}`;
  await client.workflow.start('furnitureShipment', { workflowId, taskQueue: 'shipments', args: [] });
}

async function startWays(world: World, onClose: OnClose): Promise<Way[]> {
  const receiver = await startReceiver(world, onClose);
  const script = { script: 'least-receiver.ts', ready: /least receiver at .*"port":(\d+)/ };
  const least = await startBenchProgram(world, script, onClose);
  const { client } = world.temporal;
  return [
    { name: RECEIVER, process: receiver, send: poster(receiver.urlOf(ACCOUNT), onClose) },
    { name: LEAST, process: least, send: poster(`http://127.0.0.1:${least.ready[1]}/`, onClose) },
    {
      ...{ name: SIGNALS, process: null },
      async send(order) {
        const { id, type, time, data } = anEvent(order);
        const event = { id, type, time, listingIds: [data.listingId], attachmentIds: [] };
        await client.workflow
          .getHandle(`shipment/${ACCOUNT}/${order}`)
          .signal('marketplaceEventReceived', event);
      },
    },
  ];
}

const RECEIVER = 'receiver';
const LEAST = 'least receiver';
const SIGNALS = 'signals alone';

/** Posts over keep-alive connections, one per concurrent request. */
function poster(url: string, onClose: OnClose): Way['send'] {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: Math.max(...AT_ONCE) });
  onClose(async () => await pool.destroy());
  const headers = { 'content-type': 'application/json', 'x-webhook-secret': webhookSecretOf(ACCOUNT) };
  return async (order) => {
    const body = JSON.stringify(anEvent(order));
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`an event was answered with ${answer.statusCode}`);
  };
}

/** An event in the form that the marketplace sends. */
const anEvent = (order: string) => ({
  ...{
    specversion: '1.0',
    id: randomUUID(),
    source: 'urn:marketplace',
    type: 'Shipment.TransitStatusChanged/v1',
  },
  ...{ time: '2035-03-01T12:00:00Z', datacontenttype: 'application/json' },
  data: {
    referenceNumbers: [
      { number: 'PO-771', type: 'PurchaseOrder', referenceNumberLabel: null },
      { number: `${ACCOUNT}/${order}`, type: ORDER_REFERENCE_TYPE, referenceNumberLabel: null },
    ],
    listingId: '273679133',
    transitStatus: { value: 'Dispatched', label: 'Dispatched', shortLabel: 'Dispatched' },
  },
});

function measurementsOf(
  atOnce: (typeof AT_ONCE)[number],
  byWay: ReadonlyMap<string, readonly Round[]>,
): Measurement[] {
  const of = (name: string, field: keyof Round): number[] =>
    (byWay.get(name) ?? []).map((round) => round[field]);
  const against = (name: string): number[] => {
    const theirs = of(name, 'perSecond');
    return of(RECEIVER, 'perSecond').map((value, round) => value / (theirs[round] ?? Number.NaN));
  };
  const goal = atOnce === 1 ? {} : { goal: GOALS.receiver };
  const concurrent = `${atOnce} concurrent`;
  const rows = [...byWay.keys()].flatMap((name): Measurement[] => [
    { what: `${concurrent}, ${name}: throughput`, unit: 'per second', samples: of(name, 'perSecond') },
    { what: `${concurrent}, ${name}: p50`, unit: 'ms', samples: of(name, 'p50') },
    { what: `${concurrent}, ${name}: p99`, unit: 'ms', samples: of(name, 'p99') },
    ...(name === SIGNALS
      ? []
      : [{ what: `${concurrent}, ${name}: CPU per event`, unit: 'ms', samples: of(name, 'cpuMs') }]),
  ]);
  return [
    ...rows,
    {
      ...{ what: `${concurrent}: throughput, receiver / least receiver`, unit: '', isRatio: true },
      ...{ samples: against(LEAST), ...goal },
    },
    {
      ...{ what: `${concurrent}: throughput, receiver / signals alone`, unit: '', isRatio: true },
      samples: against(SIGNALS),
    },
  ];
}
