import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox } from '../../../sandbox';
import { ask, bookedListing, closeSandboxes, collectRates, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

const ORDERS = Array.from({ length: 10 }, (_, index) => `acme/o-${index}`);
const named = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });

const troubled = async (seed: string): Promise<Sandbox> =>
  await quickSandbox({
    seed,
    switches: { transit: 'manual' },
    troubles: [
      { when: { event: '*', chance: 0.5 }, what: 'lost' },
      ...(['twin', 'unknownType', 'unknownStatus'] as const).map(
        (what) => ({ when: { event: '*', chance: 0.3 }, what }) as const,
      ),
    ],
  });

/** The carrier of each order, and what became of its events by their type. */
async function fatesOf(sandbox: Sandbox, arriving: readonly string[]): Promise<Record<string, unknown>> {
  const carriers = new Map<string, unknown>();
  for (const order of arriving) {
    const listingId = await bookedListing(sandbox, named(order));
    const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
    carriers.set(order, body['serviceProvider']?.['displayName']);
  }
  const eventsOf = (order: string): string[] => {
    const [listing] = sandbox.order(order).listings;
    const own = sandbox.events().filter(({ listingId }) => listingId === listing?.listingId);
    return own.map(({ envelope, withheld }) => `${String(envelope['type'])} ${withheld}`);
  };
  // The last of each: its bill of lading, some time after the booking.
  await until(
    () => ORDERS.filter((order) => eventsOf(order).some((event) => event.includes('AttachmentAdded'))),
    ({ length }) => length === ORDERS.length,
  );
  return Object.fromEntries(ORDERS.map((order) => [order, [carriers.get(order), eventsOf(order)]]));
}

test('the same seed gives each order the same carrier and the same lost and strange events, however they arrive', async () => {
  const first = await fatesOf(await troubled('a'), ORDERS);
  expect(await fatesOf(await troubled('a'), ORDERS.toReversed())).toEqual(first);
  expect(await fatesOf(await troubled('b'), ORDERS)).not.toEqual(first);
  expect(new Set(Object.values(first).map(String)).size).toBeGreaterThan(ORDERS.length / 2);
});

test('the same seed gives each order the same rates in whatever order it asks', async () => {
  const pricesOf = async (seed: string, orders: readonly string[]) => {
    const sandbox = await quickSandbox({ seed });
    const prices: Record<string, unknown> = {};
    for (const order of orders)
      prices[order] = (await collectRates(sandbox, named(order))).map((rate) => rate['totalPrice']);
    return prices;
  };
  const two = ORDERS.slice(0, 2);
  const first = await pricesOf('a', two);
  expect(await pricesOf('a', two.toReversed())).toEqual(first);
  expect(first['acme/o-0']).not.toEqual(first['acme/o-1']);
});
