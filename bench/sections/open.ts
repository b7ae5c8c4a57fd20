import { setTimeout as delay } from 'node:timers/promises';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { until } from '../../test/support/temporal';
import { mapAtOnce } from '../../src/platform/at-once';
import { startBareShipments } from '../bare/bare-shipments';
import { deriveScript } from '../bare/derive-script';
import { closingAll, type OnClose } from '../../src/platform/closing';
import { GOALS } from '../goals';
import type { Measurement, Section } from '../measurement';
import { UNTIL_DISPATCHED } from '../mock-marketplace';
import { ACCOUNT, createMockWorld, type MockWorld } from '../mock-world';
import { cpuMsOf, residentMbOf } from '../process-usage';
import { AT_ONCE, nameOf, OPENED_WITHIN_MS, openUntil } from '../open-shipments';
import { percentile } from '../statistics';

/** `settleMs` leaves the worker idle before its memory is read. */
const FULL = {
  levels: [100, 1_000, 3_000],
  bare: 1_000,
  slices: 5,
  events: 100,
  perSecond: 20,
  settleMs: 5_000,
};
const QUICK = { levels: [10, 50], bare: 30, slices: 2, events: 30, perSecond: 20, settleMs: 1_000 };
/** With fewer shipments, the growth of an empty heap is most of what is measured. */
const ENOUGH_FOR_GOALS = 1_000;

interface Level {
  readonly open: number;
  /** Of the worker process. */
  readonly residentMb: number;
  /** Per event, one sample per slice. */
  readonly cpuMs: readonly number[];
  readonly p99: readonly number[];
}

/** The cost of many open shipments in one worker. */
export const measureOpen: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const size = isQuick ? QUICK : FULL;
    const readers = new Map<string, () => void>();
    const onListingRead = (listingId: string): void => readers.get(listingId)?.();
    const mockWorld = await createMockWorld({ lifeOf: () => UNTIL_DISPATCHED, onListingRead }, onClose);
    const { worker } = mockWorld;
    const emptyMb = await residentMbOf(worker);
    const levels: Level[] = [];
    for (const open of size.levels) {
      progress(`opening ${open} shipments`);
      await openUntil(mockWorld, open);
      await delay(size.settleMs);
      const residentMb = await residentMbOf(worker);
      progress(`${open} open shipments: events`);
      const slices: { readonly cpuMs: number; readonly p99: number }[] = [];
      for (let slice = 0; slice < size.slices; slice += 1)
        slices.push(await measureSlice(mockWorld, readers, size));
      levels.push({
        ...{ open, residentMb, cpuMs: slices.map(({ cpuMs }) => cpuMs) },
        p99: slices.map(({ p99 }) => p99),
      });
    }
    progress(`opening ${size.bare} bare workflows`);
    const bareMb = await bareMemory(mockWorld, size, onClose);
    return {
      name: 'open',
      title: 'many open shipments in one worker',
      how: [
        'Both kinds, dispatched, on a mock marketplace that answers immediately, in one worker process that is never restarted. Memory is its resident memory (RSS) less that before the first shipment.',
        `Each event is a signal to another shipment, ${size.perSecond} per second. Latency is from the signal until the shipment reads its listing.`,
        'A worker caches as many workflows as the SDK derives from its heap limit. Beyond that, an event to a shipment that is not cached replays its history.',
        'The bare workflows execute the script of one of these shipments.',
      ],
      measurements: measurementsOf(levels, { emptyMb, bareMb, bare: size.bare }),
    };
  });

/** Sends events at an even pace, below what the worker can take. */
async function measureSlice(
  { mock, worker }: MockWorld,
  readers: Map<string, () => void>,
  { events, perSecond }: typeof FULL,
): Promise<{ readonly cpuMs: number; readonly p99: number }> {
  const listings = [...mock.listings.values()].toSorted(() => Math.random() - 0.5).slice(0, events);
  const before = await cpuMsOf(worker);
  const latencies = listings.map(async (listing, index) => {
    await delay(index * (1_000 / perSecond));
    const sentAt = performance.now();
    const read = new Promise<void>((resolve) => readers.set(String(listing.listingId), resolve));
    await mock.tell(listing, 'Listing.StatusChanged/v1');
    await read;
    return performance.now() - sentAt;
  });
  const taken = await Promise.all(latencies);
  // The workflow task after the reading still belongs to the event.
  await delay(500);
  readers.clear();
  const cpuMs = ((await cpuMsOf(worker)) - before) / listings.length;
  return { cpuMs, p99: percentile(taken, 0.99) };
}

/** Memory per bare workflow, with the history of an open shipment. */
async function bareMemory(
  { world }: MockWorld,
  { bare: count, settleMs }: typeof FULL,
  onClose: OnClose,
): Promise<number> {
  const { client } = world.temporal;
  const types = ['furniture', 'ltl'];
  const scripts = Object.fromEntries(
    await mapAtOnce(types, 1, async (type, index) => {
      const handle = client.workflow.getHandle(shipmentWorkflowId(ACCOUNT, nameOf(index)));
      const { events } = await handle.fetchHistory();
      return [type, deriveScript(events ?? [])] as const;
    }),
  );
  const { worker, quiet, start } = await startBareShipments(world, { scripts, account: ACCOUNT }, onClose);
  const emptyMb = await residentMbOf(worker);
  const names = Array.from({ length: count }, (_, index) => `bare/${nameOf(index)}`);
  await mapAtOnce(names, AT_ONCE, async (name, index) => {
    await start(types[index % types.length] ?? '', name);
    await until(async () => await Promise.resolve(quiet.isLast(name)), {
      ...{ patienceMs: OPENED_WITHIN_MS, everyMs: 50 },
    });
  });
  await delay(settleMs);
  return ((await residentMbOf(worker)) - emptyMb) / count;
}

function measurementsOf(
  levels: readonly Level[],
  { emptyMb, bareMb, bare }: { readonly emptyMb: number; readonly bareMb: number; readonly bare: number },
): Measurement[] {
  const rows = levels.flatMap(({ open, residentMb, cpuMs, p99 }): Measurement[] => [
    {
      ...{ what: `${open} open: memory per shipment`, unit: 'MB', samples: [(residentMb - emptyMb) / open] },
      ...(open < ENOUGH_FOR_GOALS ? {} : { goal: GOALS.memoryPerShipment }),
    },
    { what: `${open} open: CPU per event`, unit: 'ms', samples: cpuMs },
    { what: `${open} open: p99 until the listing is read`, unit: 'ms', samples: p99 },
  ]);
  const [least, most] = [levels[0], levels.at(-1)];
  if (least === undefined || most === undefined) return rows;
  const furtherMb = (most.residentMb - least.residentMb) / (most.open - least.open);
  return [
    { what: 'memory of the worker without shipments', unit: 'MB', samples: [emptyMb] },
    ...rows,
    {
      ...{ what: `memory per further shipment, ${least.open} to ${most.open} open`, unit: 'MB' },
      samples: [furtherMb],
    },
    { what: `${bare} bare workflows open: memory per workflow`, unit: 'MB', samples: [bareMb] },
    {
      ...{ what: `CPU per event, ${most.open} open / ${least.open} open`, unit: '', isRatio: true },
      ...{ samples: most.cpuMs.map((value, slice) => value / (least.cpuMs[slice] ?? Number.NaN)) },
      ...(most.open < ENOUGH_FOR_GOALS ? {} : { goal: GOALS.cpuSlope }),
    },
  ];
}
