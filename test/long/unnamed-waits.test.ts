import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { delayAfter, type PollPace } from '../../src/domain/policy';
import { READ_PACE } from '../../src/domain/read-pace';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import type { Operation, RecordedRequest } from '../../sandbox';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

/** So many in a row, so that it shows how the delay grows. */
const TIMES = 3;
/** What a busy machine takes. */
const LATE_MS = 6_000;

/** By which a listing is read where no event tells of it. */
const SWEEP_PACE = { initialMs: 1_500, maximumMs: 60_000 };

interface Case {
  readonly endpoint: Operation;
  readonly shipment: Shipment;
  readonly pace: PollPace;
}

let harness: Harness;
const { furniture, ltl } = numberedOrders('UW');
const CASES: readonly Case[] = [
  { endpoint: 'createRateRequest', shipment: ltl(), pace: READ_PACE },
  { endpoint: 'getListing', shipment: furniture(), pace: SWEEP_PACE },
  { endpoint: 'getListing', shipment: ltl(), pace: SWEEP_PACE },
];
const referenceOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);

beforeAll(async () => {
  // Without events, so that nothing but its own repetition reads a listing again.
  harness = await startHarness({ clock: { speed: 10 }, hasWebhooks: false });
  for (const { endpoint, shipment } of CASES)
    harness.sandbox.trouble({
      when: endpoint,
      whom: referenceOf(shipment),
      what: { kind: 'status', status: 503 },
      times: TIMES,
    });
  await Promise.all(
    CASES.map(async ({ shipment }) => await harness.start(shipment, { sweepPace: SWEEP_PACE })),
  );
}, 60_000);
afterAll(async () => await harness?.close());

/** Those that were answered 503, and the one that was not. */
function triesOf({ endpoint, shipment }: Case): readonly RecordedRequest[] {
  const hits = new Set(harness.ledgerOf(shipment).troubles.map(({ request }) => request));
  const all = harness.sandbox.requests(endpoint);
  const refused = all.filter(({ number }) => hits.has(number));
  const last = refused.at(-1);
  const next = all.find(
    ({ number, path }) => last !== undefined && number > last.number && path === last.path,
  );
  return next === undefined ? refused : [...refused, next];
}

test.each(CASES.map((one) => [one.endpoint, one.shipment.kind, one] as const))(
  '503 answers to %s of a %s order without a time are retried with ever longer delays, and ask nothing',
  async (_endpoint, _kind, one) => {
    expect(await harness.ended(one.shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 0, excludedRateIds: [], notices: [] },
    });
    const tries = triesOf(one).map(({ at, status }) => ({ at: Date.parse(at), status }));
    expect(tries.map(({ status }) => status)).toEqual([
      503,
      503,
      503,
      one.endpoint === 'getListing' ? 200 : 201,
    ]);
    const delays = tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
    for (const [index, delayMs] of delays.entries()) {
      const leastMs = delayAfter(one.pace, index);
      expect(delayMs).toBeGreaterThanOrEqual(leastMs);
      expect(delayMs).toBeLessThan(leastMs * 1.25 + LATE_MS);
    }
    expect(harness.ledgerOf(one.shipment)).toMatchObject({
      ...{ created: 1, liveBookings: 1, mostLiveBookings: 1 },
      rateRequests: one.shipment.kind === 'ltl' ? [{}] : [],
    });
  },
);
