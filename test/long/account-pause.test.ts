import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { Shipment } from '../../src/domain/shipment';
import { accountOf, paused, resume } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { consign } from '../support/consign';
import { BY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

/** As many as show it; what matters must not grow with them. */
const MANY = 40;
const PATIENTLY = { everyMs: 200 };

let harness: Harness;
const { furniture } = numberedOrders('P');
const environment = process.env;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, patienceMs: 150_000 });
  process.env = { ...environment, TEMPORAL_ADDRESS: harness.temporal.open.address };
}, 60_000);
beforeEach(() => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
});
afterEach(async () => {
  harness.sandbox.clearTroubles();
  await until(async () => (await accountOf(harness).describe()).status.name !== 'RUNNING', PATIENTLY);
});
afterAll(async () => {
  process.env = environment;
  await harness?.close();
});

const refuse = (endpoint: 'createListing' | 'listAddressTypes' | 'getFixedPrice', status = 401): void =>
  void harness.sandbox.trouble({ when: endpoint, what: { kind: 'status', status } });

async function startPaused(count: number): Promise<Shipment[]> {
  const shipments = Array.from({ length: count }, () => furniture());
  for (const shipment of shipments) await harness.start(shipment);
  await paused(harness, shipments);
  return shipments;
}

/** How often each order was listed, once it is. */
async function listed(shipments: readonly Shipment[]): Promise<number[]> {
  for (const shipment of shipments)
    await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  return shipments.map((shipment) => harness.ledgerOf(shipment).created);
}

const once = (shipments: readonly Shipment[]): number[] => shipments.map(() => 1);

const lengthOf = async (shipment: Shipment): Promise<number> => {
  const { historyLength } = await harness.handleOf(shipment).describe();
  return historyLength;
};

test('an account in trouble with many shipments has one small question, and a retry resumes all of them', async () => {
  refuse('createListing');
  const few = await startPaused(2);
  const counted = async (least: number): Promise<boolean> =>
    Number(
      /about (\d+) shipments/.exec(String((await accountOf(harness).describe()).memo?.waitingFor))?.[1],
    ) >= least;
  await until(async () => await counted(2), PATIENTLY);
  const many = [...few, ...(await startPaused(MANY))];
  await until(async () => await counted(MANY * 0.75), PATIENTLY);
  const history = await accountOf(harness).fetchHistory();
  // Two shipments more or less are not seen in it, nor are twelve thousand: only a count that changes by a quarter is.
  expect(history.events?.length).toBeLessThan(250);
  expect(historyToJSON(history).length).toBeLessThan(256_000);
  const signals = (history.events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
  expect(signals.length).toBeLessThanOrEqual(3);
  const open = await harness.shipments.list({ query: 'NeedsAttention = true' });
  expect(open.map(({ workflowId }) => workflowId)).toEqual(['account/acme']);
  // However long a shipment waits, its history stays as it is.
  const [one = furniture()] = many;
  const before = await lengthOf(one);
  const looks = await attemptsOf(one);
  await until(async () => (await attemptsOf(one)) > looks, PATIENTLY);
  expect(await lengthOf(one)).toBe(before);

  harness.sandbox.clearTroubles();
  expect(await consign('accounts', 'retry', 'acme', '--by', BY.by, '--reason', BY.reason)).toMatchObject({
    ...{ err: '', code: 0 },
  });
  expect(await listed(many)).toEqual(once(many));
}, 400_000);

async function attemptsOf(shipment: Shipment): Promise<number> {
  const { raw } = await harness.handleOf(shipment).describe();
  return (
    raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'awaitAccount')?.attempt ?? 0
  );
}

test.each([
  ['createListing', 401],
  ['createListing', 403],
  ['getFixedPrice', 402],
] as const)('trouble that only %s meets (%i) must be ended by a person', async (endpoint, status) => {
  refuse(endpoint, status);
  const [shipment = furniture()] = await startPaused(1);
  await until(async () => (await attemptsOf(shipment)) >= 2, PATIENTLY);
  const since = new Date().toISOString();
  harness.sandbox.clearTroubles();
  await until(async () => (await attemptsOf(shipment)) >= 3, PATIENTLY);
  expect(harness.sandbox.requests(endpoint).filter(({ at }) => at > since)).toEqual([]);
  await resume(harness);
  expect(await listed([shipment])).toEqual(once([shipment]));
});

test.each([401, 403, 402])(
  'trouble of every call (%i) ends by itself once a test call succeeds',
  async (status) => {
    refuse('createListing', status);
    refuse('listAddressTypes', status);
    const shipments = await startPaused(2);
    await until(
      async () => String((await accountOf(harness).describe()).memo?.waitingFor).includes('by themselves'),
      PATIENTLY,
    );
    harness.sandbox.clearTroubles();
    expect(await listed(shipments)).toEqual(once(shipments));
  },
);

const ends: Readonly<Record<string, () => Promise<unknown>>> = {
  terminated: async () => await accountOf(harness).terminate('by hand'),
  cancelled: async () => await accountOf(harness).cancel(),
  'terminated while no worker is up': async () =>
    await harness.withoutWorkers(async () => await accountOf(harness).terminate('by hand')),
};

test.each(Object.entries(ends))(
  'shipments continue by themselves when the question about their account is %s',
  async (_how, end) => {
    refuse('createListing');
    const shipments = await startPaused(3);
    harness.sandbox.clearTroubles();
    await end();
    expect(await listed(shipments)).toEqual(once(shipments));
  },
);

test('shipments that pause again after the question is gone ask it again', async () => {
  refuse('createListing');
  const [shipment = furniture()] = await startPaused(1);
  const { runId } = await accountOf(harness).describe();
  await accountOf(harness).terminate('by hand');
  await until(async () => {
    const { status, runId: now } = await accountOf(harness).describe();
    return status.name === 'RUNNING' && now !== runId;
  }, PATIENTLY);
  await paused(harness, [shipment]);
  harness.sandbox.clearTroubles();
  await resume(harness);
  expect(await listed([shipment])).toEqual(once([shipment]));
});

test('a question without waiting shipments ends by itself', async () => {
  refuse('createListing');
  const [shipment = furniture()] = await startPaused(1);
  await harness.handleOf(shipment).cancel();
  await harness.ended(shipment);
  await accountOf(harness).result();
  expect((await accountOf(harness).describe()).status.name).toBe('COMPLETED');
});
