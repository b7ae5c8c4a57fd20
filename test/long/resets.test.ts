import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { consign } from '../support/consign';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { ltl } = numberedOrders('RS');
const before = process.env;

beforeAll(async () => {
  // No event tells of the booking that the run before made, so that only a person can.
  harness = await startHarness({ clock: { speed: 10 }, hasWebhooks: false });
  process.env = { ...before, TEMPORAL_ADDRESS: harness.temporal.open.address };
}, 60_000);
beforeEach(() => void harness.sandbox.setSwitches({ transit: 'manual' }));
afterAll(async () => {
  process.env = before;
  await harness?.close();
});

const acceptancesOf = (shipment: Shipment) => harness.ledgerOf(shipment).acceptances;

/** Booked by the run before; the new run stands where it would accept a rate. */
async function resetOnceBooked(): Promise<{ shipment: Shipment; runId: string; questionId: string }> {
  const shipment = ltl();
  const acceptance = { ...FAST_POLICY.acceptance, windowMs: 1_000 };
  await harness.start(shipment, { acceptance });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  expect(acceptancesOf(shipment)).toHaveLength(1);
  const runId = await person.reset(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  return { shipment, runId, questionId };
}

/** Once the carrier of an acceptance that may have been made must have answered. */
async function mayResend(shipment: Shipment): Promise<void> {
  const { state } = await harness.until(shipment, (view) => view.state?.question != null);
  await until(async () => await Promise.resolve(Date.now() > Date.parse(state?.question?.resendFrom ?? '')));
}

test('a run that was reset before its acceptance sends no second one, and follows the listing that a person names', async () => {
  const { shipment, questionId } = await resetOnceBooked();
  const { state } = await harness.until(shipment, () => true);
  expect(state?.timeline.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('the workflow was reset: the write may have been made by the run before'),
  );
  expect(harness.sandbox.requests('acceptRate')).toHaveLength(1);
  const [listingId = ''] = person.listingIdsOf(shipment);
  harness.sandbox.setSwitches({ transit: 'normal' });
  await person.decide(shipment, questionId, { kind: 'adopt', listingId });
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(acceptancesOf(shipment)).toHaveLength(1);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, mostLiveBookings: 1, liveBookings: 1 });
});

test('a resend is refused unless the person looked at the run that the reset made; then one is sent', async () => {
  const { shipment, runId, questionId } = await resetOnceBooked();
  // What the person says: nothing is booked.
  const [first = ''] = person.listingIdsOf(shipment);
  harness.sandbox.controls.advance(first, { to: 'Cancelled', kind: 'status' });
  const resend = async (id: string, looked: { readonly runId?: string }): Promise<void> =>
    await harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
      args: [{ questionId: id, ...BY, ...looked, decision: { kind: 'resend' } }],
    });
  await mayResend(shipment);
  await resend(questionId, {});
  const again = await harness.asked(shipment, 'inDoubt', questionId);
  await mayResend(shipment);
  await resend(again, { runId: 'another-run' });
  const third = await harness.asked(shipment, 'inDoubt', again);
  expect(acceptancesOf(shipment)).toHaveLength(1);
  await mayResend(shipment);
  await resend(third, { runId });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  expect(acceptancesOf(shipment)).toHaveLength(2);
  harness.sandbox.setSwitches({ transit: 'normal' });
  harness.sandbox.controls.advance(person.listingIdsOf(shipment)[1] ?? '', {
    to: 'Delivered',
    kind: 'transit',
  });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(acceptancesOf(shipment)).toHaveLength(2);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, mostLiveBookings: 1, liveBookings: 1 });
});

test('the CLI passes on which run the person looked at, so its resend is sent', async () => {
  const { shipment, questionId } = await resetOnceBooked();
  const [first = ''] = person.listingIdsOf(shipment);
  harness.sandbox.controls.advance(first, { to: 'Cancelled', kind: 'status' });
  await mayResend(shipment);
  const order = orderReference(shipment.account, shipment.orderId);
  const statement = ['--question', questionId, '--by', BY.by, '--reason', BY.reason];
  expect(await consign('answer', order, 'resend', ...statement)).toMatchObject({ err: '', code: 0 });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  expect(acceptancesOf(shipment)).toHaveLength(2);
  expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1, liveBookings: 1 });
  await harness.handleOf(shipment).terminate('the test is over');
});
