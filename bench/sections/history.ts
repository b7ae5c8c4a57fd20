import type { Client } from '@temporalio/client';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { ShipmentPolicy } from '../../src/domain/policy';
import { startSandbox, type ClockSettings, type Sandbox, type SwitchChanges } from '../../sandbox';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { StartableOrder } from '../../src/starter/client/start-order';
import { mapAtOnce } from '../../src/platform/at-once';
import { closingAll, type OnClose } from '../../src/platform/closing';
import { scaled } from '../flow-policy';
import { GOALS } from '../goals';
import { countHistory, type HistoryCounts } from '../history-counts';
import type { Measurement, Section } from '../measurement';
import {
  createWorld,
  FLOW,
  KINDS,
  readExampleOrder,
  startReceiver,
  startWorker,
  webhookSecretOf,
  withOrderId,
  type Kind,
} from '../world';

const FULL = { orders: 3, hourMs: 500 };
const QUICK = { orders: 1, hourMs: 75 };
const DAYS = 16;

const LIVES = ['quick', 'slow'] as const;
type LifeName = (typeof LIVES)[number];

/** The timing of a life: the sandbox and the policy. */
interface Life {
  readonly clock: ClockSettings;
  readonly switches: SwitchChanges;
  readonly policyOf: (order: StartableOrder) => ShipmentPolicy;
}

/** Counts from the histories of shipments and the request log of the sandbox. */
export const measureHistory: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const { orders, hourMs } = isQuick ? QUICK : FULL;
    const lives: Readonly<Record<LifeName, Life>> = { quick: QUICK_LIFE, slow: slowLife(hourMs) };
    // Each has its own sandbox, whose request log then counts the calls of this life only.
    const accounts = await mapLives(async (life, kind) => ({
      ...{ life, kind, name: `${life}-${kind}` },
      sandbox: await openSandbox(lives[life], onClose),
    }));
    const world = await createWorld(
      Object.fromEntries(accounts.map(({ name, sandbox }) => [name, sandbox.url])),
      onClose,
    );
    const receiver = await startReceiver(world, onClose);
    await startWorker(world, onClose);
    progress(
      `quick life in 20 s, slow life of ${DAYS} days in ${Math.round((DAYS * 24 * hourMs) / 1_000)} s`,
    );
    const { client } = world.temporal;
    const shipments = new ShipmentClient(client);
    const rows = accounts.map(async ({ life, kind, name, sandbox }) => {
      sandbox.addWebhook({ url: `${receiver.urlOf(name)}/${webhookSecretOf(name)}` });
      const order = await readExampleOrder(world, { kind, account: name });
      const policy = lives[life].policyOf(order);
      const ids = Array.from({ length: orders }, (_, index) => `order-${index}`);
      const start = async (orderId: string): Promise<unknown> =>
        await shipments.start({ ...withOrderId(order, orderId), policy });
      // Quick lives one after the other: on a busy worker more would arrive during the same workflow task.
      if (life === 'slow') await mapAtOnce(ids, ids.length, start);
      for (const orderId of ids) {
        if (life === 'quick') await start(orderId);
        await expectDelivered(shipments, name, orderId);
      }
      progress(`${life} life, ${FLOW[kind]}: ended`);
      return measurementsOf({ life, kind }, await countsOf(client, { name, ids, sandbox }));
    });
    return {
      name: 'history',
      title: 'history, API calls and billable actions of a shipment',
      how: [
        'Quick life: the orders of the quickstart, with their policy, at the normal speed of the sandbox (about 20 s).',
        `Slow life: the same orders with the default policy, ${DAYS} days from order to settled price (half a day until pickup, 6.5 days on the road, 9 days of settlement), with a GPS position that changes on every read. One hour takes ${hourMs} ms, for policy and sandbox alike; only the collection of rates keeps the timing of the quick life.`,
        'The duration of calls is not scaled. Paces of minutes therefore become relatively longer, and calls and attempts slightly fewer, than in 16 real days.',
        'Billable actions are an estimate by the public rules of Temporal Cloud: workflow starts, continue-as-new, timers, signals, updates, search attribute upserts, activity attempts and one heartbeat per write; no queries. The history lacks the attempts of polls that were cancelled between two attempts; they are taken from the request log of the sandbox.',
      ],
      measurements: (await Promise.all(rows)).flat(),
    };
  });

async function mapLives<T>(work: (life: LifeName, kind: Kind) => Promise<T>): Promise<T[]> {
  const all = LIVES.flatMap((life) => KINDS.map((kind) => ({ life, kind })));
  return await Promise.all(all.map(async ({ life, kind }) => await work(life, kind)));
}

async function openSandbox({ clock, switches }: Life, onClose: OnClose): Promise<Sandbox> {
  const sandbox = await startSandbox({ clock, switches });
  onClose(async () => await sandbox.close());
  return sandbox;
}

async function expectDelivered(shipments: ShipmentClient, account: string, orderId: string): Promise<void> {
  const result = await shipments.result(account, orderId);
  if (result.kind !== 'delivered') throw new Error(`${account}/${orderId} was not delivered`);
}

const QUICK_LIFE: Life = { clock: {}, switches: {}, policyOf: ({ policy }) => policy };

/** A realistic schedule, with hours of the given length. */
function slowLife(hourMs: number): Life {
  const hours = (count: number): number => count * hourMs;
  return {
    clock: {
      steps: {
        ...{ booking: hours(3), acceptancePending: hours(3), billOfLading: hours(2) },
        // Half a day until the pickup, and six and a half days on the road.
        ...{ readyForDispatch: hours(3), dispatched: hours(3), pickedUp: hours(3), delivered: hours(156) },
        proofOfDelivery: hours(3),
      },
    },
    switches: { movingPosition: true },
    policyOf: ({ policy }) => ({ ...scaled(DEFAULT_POLICY, hourMs), rates: policy.rates }),
  };
}

/** The account must have no other orders. */
async function countsOf(
  client: Client,
  {
    name,
    ids,
    sandbox,
  }: { readonly name: string; readonly ids: readonly string[]; readonly sandbox: Sandbox },
): Promise<HistoryCounts[]> {
  const { requests } = sandbox.ledger();
  const calls = Object.values(requests).reduce((sum, count) => sum + count, 0) / ids.length;
  // The download of a document, and a sign-in, are second calls of one attempt.
  const second = ((requests.getDocument ?? 0) + (requests.signIn ?? 0)) / ids.length;
  const counted = ids.map(
    async (orderId) =>
      await countHistory(client, {
        workflowId: `shipment/${name}/${orderId}`,
        calls,
        attempts: calls - second,
      }),
  );
  return await Promise.all(counted);
}

function measurementsOf(
  { life, kind }: { readonly life: LifeName; readonly kind: Kind },
  counts: readonly HistoryCounts[],
): Measurement[] {
  const row = (what: string, field: keyof HistoryCounts, more: Partial<Measurement> = {}): Measurement => ({
    ...{ what: `${life} life, ${FLOW[kind]}: ${what}`, unit: '' },
    ...{ samples: counts.map((one) => one[field]), ...more },
  });
  return [
    row('history events', 'events', { goal: life === 'quick' ? GOALS.quickEvents : GOALS.slowEvents }),
    row('history size', 'kilobytes', { unit: 'kB' }),
    row('workflow tasks', 'workflowTasks'),
    row('activities', 'activities'),
    row('activity attempts', 'attempts'),
    row('signals', 'signals'),
    row('events of memo and search attributes', 'published'),
    row('events of timers', 'timers'),
    row('API calls', 'calls'),
    row('billable actions (estimate)', 'actions'),
  ];
}
