import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import type { Operation } from '../../sandbox';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { askedAbout, booked } from '../support/mishaps';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('F');
/** Of each order. */
const RATES = 3;

beforeAll(async () => {
  const switches = { transit: 'manual', ratesPerRequest: RATES } as const;
  harness = await startHarness({ clock: { speed: 10 }, switches });
}, 60_000);
afterAll(async () => await harness?.close());

interface Refusal {
  readonly code: number;
  readonly field: string;
}
/** One problem for each code that the marketplace documents. */
const DATES: Refusal = { code: 40_001, field: 'route.items[0].timeFrame.latestArrival' };
const VALUE: Refusal = { code: 40_006, field: 'items[0].commodity' };
const SCRIPT: Refusal = { code: 40_010, field: 'description' };
const REFUSALS = [DATES, VALUE, SCRIPT];

function refuse(
  shipment: Shipment,
  endpoint: Operation,
  { code, field, times = 1 }: Refusal & { readonly times?: number },
): void {
  const reference = orderReference(shipment.account, shipment.orderId);
  harness.sandbox.trouble({
    when: endpoint,
    whom: reference,
    what: { kind: 'fieldError', code, field },
    times,
  });
}

/** What a refusal says, in whatever text a person reads it. */
const said = ({ code, field }: Refusal): string => `answered 400: ${code} ${field}`;

const requestsOf = (shipment: Shipment, endpoint: 'createListing' | 'createRateRequest'): number =>
  harness.sandbox
    .requests(endpoint)
    .filter(({ body }) =>
      JSON.stringify(body).includes(`"${orderReference(shipment.account, shipment.orderId)}"`),
    ).length;

const standing = (shipment: Shipment) => {
  const { liveBookings, mostLiveBookings, openListings, created, pendingAcceptances } =
    harness.ledgerOf(shipment);
  return { liveBookings, mostLiveBookings, openListings, created, pendingAcceptances };
};
const NOTHING = { liveBookings: 0, mostLiveBookings: 0, openListings: 0, created: 0, pendingAcceptances: 0 };
const ONE_BOOKED = { ...NOTHING, liveBookings: 1, mostLiveBookings: 1, created: 1 };
const BOOKED_ANEW = { ...ONE_BOOKED, created: 2 };
const ONE_CANCELLED = { ...NOTHING, mostLiveBookings: 1, created: 1 };

/** The same order with another document, as it is corrected by whoever wrote it. */
async function startCorrected(shipment: Shipment): Promise<string> {
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const corrected = { ...shipment, title: `${shipment.title}, corrected` };
  const order = { shipment: corrected, account, policy: FAST_POLICY, documentHash: 'corrected' };
  return (await harness.shipments.start(order)).outcome;
}

async function revise(shipment: Shipment, questionId: string): Promise<void> {
  const revised = { shipment, policy: FAST_POLICY, documentHash: 'revised' };
  await harness
    .handleOf(shipment)
    .executeUpdate(messages.reviseOrderUpdate, { args: [{ questionId, ...BY, ...revised }] });
}

/** Whether the order is booked in the end, or else the status with which it closed. */
async function endOf(shipment: Shipment): Promise<string> {
  const { status, state } = await harness.until(
    shipment,
    (view) =>
      (view.status !== 'RUNNING' && view.state !== null) ||
      (view.state?.at.phase === 'booked' && view.state.question === null),
  );
  if (status !== 'RUNNING') return state?.at.phase === 'cancelled' ? 'WITHDRAWN' : status;
  await harness.handleOf(shipment).terminate('the test is over');
  return 'BOOKED';
}

const questionOf = async (shipment: Shipment) =>
  (await harness.until(shipment, ({ state }) => state?.question != null)).state?.question;

const FIRST_WRITE = { furniture: 'createListing', ltl: 'createRateRequest' } as const;
const orderOf = { furniture, ltl };

test.concurrent.each([
  ...REFUSALS.map((refusal) => ({ kind: 'furniture', ...refusal }) as const),
  ...REFUSALS.map((refusal) => ({ kind: 'ltl', ...refusal }) as const),
])(
  'a $kind order that is refused with $code for $field fails before booking, and runs again once corrected',
  async ({ kind, ...refusal }) => {
    const [shipment, endpoint] = [orderOf[kind](), FIRST_WRITE[kind]];
    refuse(shipment, endpoint, refusal);
    await harness.start(shipment);
    const { status, failure } = await harness.ended(shipment);
    expect({ status, failure }).toEqual({
      status: 'FAILED',
      failure: expect.stringContaining(said(refusal)),
    });
    const details = [
      { operation: endpoint, status: 400, codes: [String(refusal.code)], fields: [refusal.field] },
    ];
    await expect(harness.handleOf(shipment).result()).rejects.toMatchObject({ cause: { details } });
    expect(standing(shipment)).toEqual(NOTHING);
    expect(requestsOf(shipment, endpoint)).toBe(1);
    expect(await startCorrected(shipment)).toBe('restarted');
    expect(await endOf(shipment)).toBe('BOOKED');
    expect(standing(shipment)).toEqual(ONE_BOOKED);
    expect(requestsOf(shipment, endpoint)).toBe(2);
  },
);

/** A booking that its carrier cancelled, and that is refused when it is to be booked anew. */
async function refusedAnew(shipment: Shipment, refusal: Refusal): Promise<string> {
  const { listingId } = await booked(harness, shipment);
  harness.sandbox.trouble({ whom: { listing: listingId }, what: 'carrierCancels' });
  const questionId = await askedAbout(harness, shipment, 'Cancelled');
  refuse(shipment, FIRST_WRITE[shipment.kind], refusal);
  await person.answer(shipment, questionId, messages.rebookUpdate);
  return await harness.asked(shipment, 'unexpectedFailure');
}

test.concurrent.each([
  { kind: 'furniture', end: 'BOOKED', requests: 3, ...DATES },
  { kind: 'furniture', end: 'WITHDRAWN', requests: 2, ...SCRIPT },
  { kind: 'ltl', end: 'BOOKED', requests: 3, ...VALUE },
  { kind: 'ltl', end: 'WITHDRAWN', requests: 2, ...DATES },
] as const)(
  'a $kind order whose booking ended asks about a refused field, and is $end after the answer ($code)',
  async ({ kind, end, requests, ...refusal }) => {
    const [shipment, endpoint] = [orderOf[kind](), FIRST_WRITE[kind]];
    const questionId = await refusedAnew(shipment, refusal);
    expect(await questionOf(shipment)).toMatchObject({
      text: expect.stringContaining(said(refusal)),
      answers: ['retry', 'revise', 'cancel'],
    });
    expect(standing(shipment)).toEqual(ONE_CANCELLED);
    expect(requestsOf(shipment, endpoint)).toBe(2);
    await (end === 'BOOKED' ? revise(shipment, questionId) : person.cancel(shipment));
    expect(await endOf(shipment)).toBe(end);
    expect(standing(shipment)).toEqual(end === 'BOOKED' ? BOOKED_ANEW : ONE_CANCELLED);
    expect(requestsOf(shipment, endpoint)).toBe(requests);
  },
);

/** The rates of the order that were tried, in their order; each stands there as often as it was sent. */
async function triedRates(shipment: Shipment): Promise<string[]> {
  const { state } = await harness.until(shipment, (view) => view.state !== null);
  const ids = state?.rates.map(({ rateId }) => rateId) ?? [];
  const sent = harness.sandbox.requests('acceptRate');
  return sent.flatMap(({ path }) => ids.filter((id) => path.includes(id)));
}

test.concurrent.each(REFUSALS)(
  'an acceptance that is refused with $code for $field costs only that rate',
  async (refusal) => {
    const shipment = ltl();
    refuse(shipment, 'acceptRate', refusal);
    await harness.start(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    const tried = await triedRates(shipment);
    expect(new Set(tried).size).toBe(2);
    expect(tried).toEqual([
      ...(state?.excludedRateIds ?? []),
      harness.ledgerOf(shipment).listings[0]?.rateId,
    ]);
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(expect.stringContaining(said(refusal)));
    expect({ ...standing(shipment), questions: state?.questionsAsked }).toEqual({
      ...ONE_BOOKED,
      questions: 0,
    });
    expect(await endOf(shipment)).toBe('BOOKED');
  },
);

const select = async (shipment: Shipment, questionId: string, rateId: string): Promise<void> =>
  await harness
    .handleOf(shipment)
    .executeUpdate(messages.selectRateUpdate, { args: [{ questionId, ...BY, rateId }] });

test.concurrent.each([
  { answer: 'revise', end: 'BOOKED', ...DATES },
  { answer: 'selectRate', end: 'BOOKED', ...VALUE },
  { answer: 'cancel', end: 'WITHDRAWN', ...SCRIPT },
] as const)(
  'an LTL order whose rates are all refused names the field when it asks, and is $end after $answer ($code)',
  async ({ answer, end, ...refusal }) => {
    const shipment = ltl();
    refuse(shipment, 'acceptRate', { ...refusal, times: RATES });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'rateChoice');
    expect((await questionOf(shipment))?.text).toContain(said(refusal));
    const tried = await triedRates(shipment);
    expect({ sent: tried.length, rates: new Set(tried).size }).toEqual({ sent: RATES, rates: RATES });
    expect(standing(shipment)).toEqual(NOTHING);
    if (answer === 'revise') await revise(shipment, questionId);
    else if (answer === 'selectRate') await select(shipment, questionId, tried[0] ?? '');
    else await person.cancel(shipment);
    expect(await endOf(shipment)).toBe(end);
    expect(standing(shipment)).toEqual(end === 'BOOKED' ? ONE_BOOKED : NOTHING);
    expect(harness.ledgerOf(shipment).acceptances).toHaveLength(end === 'BOOKED' ? 1 : 0);
  },
);
