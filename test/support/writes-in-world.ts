import { expect } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import type { RecordedRequest } from '../../sandbox';
import type { Hold } from './grpc-line';
import { WRITE_OF, type World } from './worker-world';

const WRITES = Object.values(WRITE_OF);

/** Every request of a write that the marketplace was sent, whoever sent it. */
export const writeRequests = (world: World): readonly RecordedRequest[] =>
  WRITES.flatMap((endpoint) => world.sandbox.requests(endpoint));

/** The next request of each kind of write is acted on at once and answered late (`delay`), or acted on late. */
export function delayWrites(
  world: World,
  what: { readonly kind: 'delay' | 'delayBefore'; readonly delayMs: number },
): void {
  for (const endpoint of WRITES) world.sandbox.trouble({ when: endpoint, what, times: 1 });
}

/** Starts the orders of each group together, once all before them have come to the moment that `reached` counts. */
export async function startInTurn(
  world: World,
  {
    groups,
    policy,
  }: { readonly groups: readonly (readonly Shipment[])[]; readonly policy: Partial<ShipmentPolicy> },
  reached: () => number,
): Promise<void> {
  let started = 0;
  for (const group of groups) {
    for (const order of group) await world.start(order, policy);
    started += group.length;
    await world.reach(() => reached() >= started);
  }
}

const HELD = {
  /** The worker has the task; the mark that precedes its request does not arrive. */
  marks: { method: 'RecordActivityTaskHeartbeat', text: 'sending', what: 'call' },
  /** The mark is recorded; the worker does not hear of it. */
  marksTaken: { method: 'RecordActivityTaskHeartbeat', text: 'sending', what: 'answer' },
  /** The answer is there; its report does not arrive. */
  outcomes: { method: 'RespondActivityTaskCompleted', text: '', what: 'call' },
} as const;

/** Holds back on the line what a worker and Temporal tell each other of writes: all, or those of the orders. */
export function holdWrites(
  world: World,
  moment: keyof typeof HELD,
  orders: readonly Shipment[] | null = null,
): Hold {
  const { method, text, what } = HELD[moment];
  const whose = orders?.map(({ orderId }) => orderId) ?? [''];
  const holds = WRITES.flatMap((write) =>
    whose.map((orderId) => world.line.hold({ method, texts: [write, text, orderId], what })),
  );
  return {
    count: () => holds.reduce((sum, hold) => sum + hold.count(), 0),
    release: () => {
      for (const hold of holds) hold.release();
    },
  };
}

/** How the shipment saw it. */
export interface Story {
  readonly questionsAsked: number;
  readonly timeline: string;
}

/** Waits for the end of the order, which must be delivered, and booked exactly once, now and at every moment. */
export async function expectBookedOnce(world: World, order: Shipment): Promise<Story> {
  const { state, failure } = await world.until(
    order,
    (view) => view.status !== 'RUNNING' && view.state !== null,
  );
  expect(failure).toBeNull();
  expect(state?.listing?.transitStatus).toBe('Delivered');
  const once = { liveBookings: 1, mostLiveBookings: 1, created: 1, openListings: 0, pendingAcceptances: 0 };
  expect(world.ledgerOf(order)).toMatchObject(once);
  return { questionsAsked: state?.questionsAsked ?? -1, timeline: timelineOf(state) };
}

const timelineOf = (state: ShipmentState | null): string =>
  state?.timeline.map(({ what }) => what).join('\n') ?? '';
