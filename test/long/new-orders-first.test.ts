import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import { startOrder } from '../../src/starter/client/start-order';
import { limitQueues } from '../../src/temporal/queue-limits';
import { numberedOrders } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

const WAITING = 100;
const CALLS_PER_SECOND = 4;
const PACE_MS = 5_000;
const PATIENTLY = { everyMs: 100 };

let harness: Harness;
const { furniture, ltl } = numberedOrders('F');

const listingsRead = () => new Set(harness.sandbox.requests('getListing').map(({ path }) => path)).size;

/** However slow the machine is: it only has to go on. */
async function allAreRead(): Promise<void> {
  for (let read = 0; read < WAITING; read = listingsRead())
    await until(async () => await Promise.resolve(listingsRead() > read), PATIENTLY);
}

const sweeps = () => harness.sandbox.requests('getListing').map(({ at }) => Date.parse(at));

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const sweepPace = { initialMs: PACE_MS, maximumMs: PACE_MS };
  const waiting = Array.from({ length: WAITING }, () => furniture());
  for (const shipment of waiting) await harness.start(shipment, { sweepPace });
  await allAreRead();
}, 300_000);
afterAll(async () => await harness?.close());

test('sweeps that an outage brought together are spread again within two paces', async () => {
  await harness.withoutWorkers(async () => {
    const quietSince = Date.now();
    // All of them come due in the outage.
    await until(async () => await Promise.resolve(Date.now() - quietSince > 2 * PACE_MS), PATIENTLY);
  });
  const from = Date.now() + 2 * PACE_MS;
  const slotMs = 1_000;
  const slots = (3 * PACE_MS) / slotMs;
  await until(async () => await Promise.resolve(Date.now() > from + slots * slotMs), PATIENTLY);
  const times = sweeps();
  const counts = Array.from({ length: slots }, (_, slot) => {
    const begins = from + slot * slotMs;
    return times.filter((at) => at >= begins && at < begins + slotMs).length;
  });
  const mean = counts.reduce((sum, count) => sum + count, 0) / slots;
  // One sweep in each pace is usual; a busy machine makes fewer.
  expect(mean).toBeGreaterThan(WAITING / (4 * (PACE_MS / 1_000)));
  expect(Math.max(...counts) / mean).toBeLessThanOrEqual(3);
}, 120_000);

test("a new order goes before a hundred sweeps that wait for the account's limit", async () => {
  await limitQueues(harness.temporal.client, [{ name: 'acme', callsPerSecond: CALLS_PER_SECOND }]);
  // By then far more sweeps are due than the limit lets begin.
  const before = sweeps().length;
  await until(async () => await Promise.resolve(sweeps().length >= before + 8 * CALLS_PER_SECOND), PATIENTLY);
  const firstWrites = [
    [furniture(), 'createListing'],
    [ltl(), 'createRateRequest'],
    [furniture(), 'createListing'],
  ] as const;
  for (const [shipment, endpoint] of firstWrites) {
    await harness.start(shipment);
    await until(async () => await Promise.resolve(arrivalOf(endpoint, shipment) !== null), PATIENTLY);
    const arrival = arrivalOf(endpoint, shipment) ?? 0;
    const due = await dueTimeOf(endpoint, shipment);
    expect(due).toBeLessThan(arrival);
    expect(sweeps().filter((at) => at > due && at < arrival).length).toBeLessThan(WAITING / 5);
  }
}, 120_000);

const IMPORTED = 24;

test('imported orders wait behind one that is started alone, and go before sweeps', async () => {
  const { client } = harness.temporal;
  await limitQueues(client, [{ name: 'acme', callsPerSecond: CALLS_PER_SECOND }]);
  const imported = Array.from({ length: IMPORTED }, () => furniture());
  const from = Date.now();
  for (const shipment of imported) {
    const account = { name: shipment.account, environment: 'sandbox' } as const;
    const order = { shipment, account, policy: FAST_POLICY, documentHash: 'test' };
    await startOrder(client, order, { isImported: true });
  }
  const arrivals = () => imported.map((shipment) => arrivalOf('createListing', shipment));
  await until(async () => await Promise.resolve(arrivals().some((at) => at !== null)), PATIENTLY);
  const alone = furniture();
  await harness.start(alone);
  await until(async () => await Promise.resolve(arrivalOf('createListing', alone) !== null), PATIENTLY);
  // In turn it would have been the last one.
  const before = arrivals().filter((at) => at !== null).length;
  expect(before).toBeLessThan(IMPORTED / 2);
  await until(async () => await Promise.resolve(!arrivals().includes(null)), PATIENTLY);
  const last = Math.max(...arrivals().map((at) => at ?? 0));
  // In turn each of the waiting sweeps would have come once and more.
  expect(sweeps().filter((at) => at > from && at < last).length).toBeLessThan(WAITING / 2);
}, 120_000);

type FirstWrite = 'createListing' | 'createRateRequest';

/** When the marketplace got it; epoch milliseconds. */
function arrivalOf(endpoint: FirstWrite, { account, orderId }: Shipment): number | null {
  const reference = `"${orderReference(account, orderId)}"`;
  const found = harness.sandbox
    .requests(endpoint)
    .find(({ body }) => JSON.stringify(body).includes(reference));
  return found === undefined ? null : Date.parse(found.at);
}

/** From when on it waited for the limit; epoch milliseconds. */
async function dueTimeOf(endpoint: FirstWrite, shipment: Shipment): Promise<number> {
  const { events } = await harness.handleOf(shipment).fetchHistory();
  const scheduled = events?.find(
    ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name === endpoint,
  );
  return optionalTsToMs(scheduled?.eventTime) ?? Number.NaN;
}
