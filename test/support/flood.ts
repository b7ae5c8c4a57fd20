import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { EventRouter, Routed } from '../../src/webhooks/router';

const ACME = { name: 'acme', accounts: [{ name: 'acme', environment: 'sandbox' }] } as const;

const FIRST_LISTING = 700_000_000;
const RUNNING = "ExecutionStatus = 'Running'";
const COMPLETED = "ExecutionStatus = 'Completed'";
const SETTLE_MS = 15 * 60_000;
const PROGRESS_MS = 10_000;

export interface FloodInput {
  readonly client: Client;
  readonly router: EventRouter;
  /** How many events of listings that are none of ours. */
  readonly count: number;
  /** How many of them are on their way at once. */
  readonly atOnce: number;
  /** A running shipment, whose events come all the while. */
  readonly orderId: string;
  /** Told every ten seconds how many were answered and looked up so far: a great flood takes minutes. */
  readonly onProgress?: (answered: number, lookedUp: number) => void;
}

export interface FloodReport {
  /** Milliseconds from an event of the shipment until Temporal has its signal, at the most. */
  readonly quietMs: number;
  readonly floodedMs: number;
  /** Of half of the shipment's events meanwhile: what the machine does besides hardly shows in it. */
  readonly medianMs: number;
  /** Milliseconds until every foreign event was answered, and until no look-up was left. */
  readonly answeredMs: number;
  readonly settledMs: number;
  readonly completed: number;
  readonly open: number;
}

/** Whether a listing is one of those that the flood names. */
export const isOfFlood = (listingId: string): boolean => Number(listingId) >= FIRST_LISTING;

const anEvent = (listingIds: readonly string[]) => ({
  ...{ id: randomUUID(), type: 'Listing.StatusChanged/v1', time: '2035-03-01T12:00:00Z' },
  listingIds,
});

/** Sends events of foreign listings, and meanwhile events of one shipment, of which the slowest is reported. */
export async function measureFlood({
  client,
  router,
  count,
  atOnce,
  orderId,
  onProgress,
}: FloodInput): Promise<FloodReport> {
  const timeOne = async (): Promise<number> => {
    const startedAt = performance.now();
    const clues = { orders: [{ account: 'acme', orderId }], listingIds: [], attachmentIds: [] };
    const event = anEvent([]);
    let outcome = await router.route(ACME, event, clues);
    // The answer 503, after which the sender repeats it; that takes part of the time.
    while (outcome === 'unavailable') outcome = await router.route(ACME, event, clues);
    if (outcome !== 'signalled') throw new Error(`an event of the shipment was ${outcome}`);
    return performance.now() - startedAt;
  };
  const quiet: number[] = [];
  for (let round = 0; round < 10; round += 1) quiet.push(await timeOne());

  const startedAt = performance.now();
  const progress = { begun: 0, answered: 0 };
  const sendSome = async (): Promise<void> => {
    while (progress.begun < count) {
      const listingId = String(FIRST_LISTING + progress.begun);
      progress.begun += 1;
      await deliver(router, listingId);
      progress.answered += 1;
    }
  };
  let toldAt = startedAt;
  const tell = async (): Promise<void> => {
    if (onProgress === undefined || performance.now() - toldAt < PROGRESS_MS) return;
    toldAt = performance.now();
    onProgress(progress.answered, await lookUps(client, COMPLETED));
  };
  const flood = Promise.all(Array.from({ length: atOnce }, sendSome));
  const flooded: number[] = [];
  do {
    flooded.push(await timeOne());
    await Promise.all([delay(20), tell()]);
  } while (progress.answered < count);
  await flood;
  const answeredMs = performance.now() - startedAt;
  const isSettled = async (): Promise<boolean> =>
    (await lookUps(client, COMPLETED)) >= count && (await lookUps(client, RUNNING)) === 0;
  for (const deadline = Date.now() + SETTLE_MS; !(await isSettled()) && Date.now() < deadline;)
    await Promise.all([delay(100), tell()]);
  return {
    ...{ quietMs: Math.max(...quiet), floodedMs: Math.max(...flooded), answeredMs },
    medianMs: flooded.sort((left, right) => left - right)[Math.floor(flooded.length / 2)] ?? 0,
    settledMs: performance.now() - startedAt,
    completed: await lookUps(client, COMPLETED),
    open: await lookUps(client, RUNNING),
  };
}

/** As the marketplace does: what is answered with 503 is sent again. */
async function deliver(router: EventRouter, listingId: string): Promise<void> {
  const clues = { orders: [], listingIds: [listingId], attachmentIds: [] };
  let outcome: Routed = 'unavailable';
  while (outcome === 'unavailable') outcome = await router.route(ACME, anEvent([listingId]), clues);
}

async function lookUps(client: Client, filter: string): Promise<number> {
  return (await client.workflow.count(`WorkflowType = 'unroutedEvent' AND ${filter}`)).count;
}
