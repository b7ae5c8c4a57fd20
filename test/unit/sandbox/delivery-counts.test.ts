import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { Sandbox, SwitchChanges } from '../../../sandbox';
import { receiveEvents, type EventReceiver } from './event-receiver';
import { closeSandboxes, createListing, quickSandbox, until } from './marketplace-client';

let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await receiveEvents();
});
afterEach(async () => {
  await closeSandboxes();
  await receiver.close();
});

const countsOf = async (sandbox: Sandbox): Promise<Record<string, number>> => {
  const answer = await request(`${sandbox.url}/_sandbox/events/counts`);
  return ((await answer.body.json()) as { counts: Record<string, number> }).counts;
};

/** Three events of a listing that nobody books. */
async function burst(switches: SwitchChanges): Promise<Sandbox> {
  const sandbox = await quickSandbox({
    webhooks: [{ url: receiver.url }],
    clock: { steps: { booking: 3_600_000, webhookRetry: 20 } },
    switches: { ...switches, webhookLateMs: 20 },
  });
  sandbox.controls.sendBurst({ listingId: Number(await createListing(sandbox)), count: 3 });
  return sandbox;
}

test.each([
  [{}, { events: 3, received: 3 }],
  [{ webhooks: 'off' }, { events: 3, off: 3 }],
  [{ webhookLoss: 1 }, { events: 3, lost: 3 }],
  [{ webhookDuplicates: 1 }, { events: 3, received: 3, doubled: 3 }],
  [{ webhookLateShare: 1 }, { events: 3, received: 3, late: 3 }],
  [{ webhookTwins: 1 }, { events: 6, received: 6, twin: 3 }],
  // The first has no id before it.
  [{ webhookReusedIds: 1 }, { events: 3, received: 3, reusedId: 2 }],
  [{ webhookUnknownTypes: 1 }, { events: 6, received: 6, unknownType: 3 }],
  [{ webhookUnknownStatuses: 1 }, { events: 6, received: 6, unknownStatus: 3 }],
] satisfies [SwitchChanges, Record<string, number>][])(
  'the accidents of %j are counted',
  async (switches, met) => {
    const sandbox = await burst(switches);
    const counted = await until(
      async () => await countsOf(sandbox),
      (counts) => Object.entries(met).every(([name, count]) => counts[name] === count),
    );
    const others = Object.entries(counted).filter(([name]) => !(name in met));
    expect(others.filter(([, count]) => count > 0)).toEqual([]);
  },
);

test('a delivery that a receiver refuses is counted, and a reset begins anew', async () => {
  receiver.statuses.push(503);
  const sandbox = await burst({ webhookAttempts: 1 });
  await until(
    async () => await countsOf(sandbox),
    ({ received, refused }) => received === 2 && refused === 1,
  );
  sandbox.reset();
  expect(Object.values(await countsOf(sandbox)).every((count) => count === 0)).toBe(true);
});
