import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import type { Operation, RecordedRequest } from '../../sandbox';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

const NAMED_MS = 3_000;
/** The next request is late by the jitter, a quarter, and by what a busy machine takes. */
const LATEST_MS = NAMED_MS * 1.25 + 20_000;

type Form = 'seconds' | 'date';
interface Case {
  readonly endpoint: Operation;
  readonly status: 429 | 503;
  readonly form: Form;
  readonly shipment: Shipment;
  /** Whether the order's policy takes a 503 to a write for a refusal to begin. */
  readonly busyMeansNotSent?: boolean;
}

let harness: Harness;
const { furniture, ltl } = numberedOrders('R');
const FORMS: readonly Form[] = ['seconds', 'date'];
const inBothForms = (
  endpoint: Case['endpoint'],
  status: Case['status'],
  order: () => Shipment,
): readonly Case[] => FORMS.map((form) => ({ endpoint, status, form, shipment: order() }));

/** What certainly had no effect, or is trusted to have had none, is sent again by itself. */
const REPEATED: readonly Case[] = [
  ...inBothForms('createListing', 429, furniture),
  ...inBothForms('acceptRate', 429, ltl),
  ...inBothForms('createRateRequest', 429, ltl),
  ...inBothForms('createRateRequest', 503, ltl),
  ...inBothForms('getAcceptanceStatus', 503, ltl),
  ...inBothForms('getListing', 503, furniture),
  ...inBothForms('createListing', 503, furniture).map((one) => ({ ...one, busyMeansNotSent: true })),
  ...inBothForms('acceptRate', 503, ltl).map((one) => ({ ...one, busyMeansNotSent: true })),
];
/** A 503 says nothing of what became of a write, whatever time it names. */
const DOUBTED = [...inBothForms('createListing', 503, furniture), ...inBothForms('acceptRate', 503, ltl)];

const referenceOf = ({ shipment: { account, orderId } }: Case): string => `${account}/${orderId}`;
const titleOf = ({ status, endpoint, form }: Case) => [status, endpoint, form] as const;

beforeAll(async () => {
  // Without events, so that nothing but its own repetition reads a listing again.
  harness = await startHarness({ clock: { speed: 10 }, hasWebhooks: false });
  for (const one of [...REPEATED, ...DOUBTED])
    harness.sandbox.trouble({
      when: one.endpoint,
      whom: referenceOf(one),
      what: { kind: 'status', status: one.status, retryAfter: NAMED_MS / 1_000, retryAfterForm: one.form },
      times: 1,
    });
  await Promise.all(
    [...REPEATED, ...DOUBTED].map(
      async ({ shipment, busyMeansNotSent = false }) => await harness.start(shipment, { busyMeansNotSent }),
    ),
  );
}, 60_000);
afterAll(async () => await harness?.close());

/** The request that was answered so, and those of the same order that repeat it. */
function requestsOf(one: Case): readonly RecordedRequest[] {
  const [hit] = harness.ledgerOf(one.shipment).troubles;
  const [first, ...later] = harness.sandbox
    .requests(one.endpoint)
    .filter(({ number }) => hit !== undefined && number >= hit.request);
  if (first === undefined) return [];
  const names = ({ body }: RecordedRequest): boolean =>
    JSON.stringify(body ?? null).includes(`"${referenceOf(one)}"`);
  // The path names the order's rate or listing, where the body does not name the order.
  return [first, ...later.filter((next) => next.path === first.path && names(next) === names(first))];
}

const instantOf = ({ at }: RecordedRequest): number => Date.parse(at);
/** A date of HTTP has whole seconds. */
const namedBy = (first: RecordedRequest, form: Form): number => {
  const instant = instantOf(first) + NAMED_MS;
  return form === 'seconds' ? instant : Math.floor(instant / 1_000) * 1_000;
};

test.each(REPEATED.map((one) => [...titleOf(one), one] as const))(
  'a %i of %s that names its %s is retried, and not earlier',
  async (_status, _endpoint, form, one) => {
    await until(async () => await Promise.resolve(requestsOf(one).length > 1));
    const [first, second] = requestsOf(one);
    if (first === undefined || second === undefined) throw new TypeError('it was not repeated');
    expect(first.status).toBe(one.status);
    expect(instantOf(second)).toBeGreaterThanOrEqual(namedBy(first, form));
    expect(instantOf(second) - instantOf(first)).toBeLessThan(LATEST_MS);
    expect(await harness.ended(one.shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 0, excludedRateIds: [] },
    });
    expect(harness.ledgerOf(one.shipment)).toMatchObject({
      created: 1,
      liveBookings: 1,
      mostLiveBookings: 1,
    });
  },
);

test.each(DOUBTED.map((one) => [...titleOf(one), one] as const))(
  'a %i of %s that names its %s is not retried automatically',
  async (_status, _endpoint, form, one) => {
    await harness.asked(one.shipment, 'inDoubt');
    await until(async () => {
      const [first] = requestsOf(one);
      return await Promise.resolve(first !== undefined && Date.now() > namedBy(first, form) + NAMED_MS);
    });
    expect(requestsOf(one)).toHaveLength(1);
    expect((await harness.until(one.shipment, () => true)).state?.question?.kind).toBe('inDoubt');
    expect(harness.ledgerOf(one.shipment)).toMatchObject({ created: 0, acceptances: [] });
  },
);
