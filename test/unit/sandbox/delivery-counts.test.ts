import { expect, test } from '@jest/globals';
import { request } from 'undici';
import type { Sandbox, SwitchChanges, TroubleInput } from '../../../sandbox';
import { eventTroubles } from '../../../sandbox/troubles/trouble';
import { useEventReceiver } from './event-receiver';
import { createListing, quickSandbox, until } from './marketplace-client';

const receiver = useEventReceiver();

const countsOf = async (sandbox: Sandbox): Promise<Record<string, number>> => {
  const answer = await request(`${sandbox.url}/_sandbox/events/counts`);
  return ((await answer.body.json()) as { counts: Record<string, number> }).counts;
};

/** Three events of a listing that nobody books. */
async function burst(switches: SwitchChanges, troubles: readonly TroubleInput[] = []): Promise<Sandbox> {
  const sandbox = await quickSandbox({
    webhooks: [{ url: receiver.url }],
    clock: { steps: { booking: 3_600_000, webhookRetry: 20 } },
    ...{ switches, troubles },
  });
  const whom = { listing: await createListing(sandbox) };
  sandbox.trouble({ whom, what: { kind: 'eventBurst', count: 3 } });
  return sandbox;
}

test.each([
  ['nothing', { events: 3, received: 3 }],
  ['off', { events: 3, off: 3 }],
  ['lost', { events: 3, lost: 3 }],
  ['doubled', { events: 3, received: 3, doubled: 3 }],
  ['late', { events: 3, received: 3, late: 3 }],
  ['twin', { events: 6, received: 6, twin: 3 }],
  // The first has no id before it.
  ['reusedId', { events: 3, received: 3, reusedId: 2 }],
  ['unknownType', { events: 6, received: 6, unknownType: 3 }],
  ['unknownStatus', { events: 6, received: 6, unknownStatus: 3 }],
] satisfies [string, Record<string, number>][])('events that meet %s are counted', async (name, met) => {
  const kind = eventTroubles.find((one) => one === name);
  const troubles = kind === undefined ? [] : [{ when: { event: '*' }, what: { kind, delayMs: 20 } } as const];
  const sandbox = await burst({ webhooks: name === 'off' ? 'off' : 'on' }, troubles);
  const counted = await until(
    async () => await countsOf(sandbox),
    (counts) => Object.entries(met).every(([name, count]) => counts[name] === count),
  );
  const others = Object.entries(counted).filter(([name]) => !(name in met));
  expect(others.filter(([, count]) => count > 0)).toEqual([]);
});

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
