import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import type { FurnitureShipment, Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import type { OrderSwitches } from '../../sandbox/model/switches';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('K');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', webhooks: 'on', transit: 'normal' });
});

const referenceOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);

function planFor(shipment: Shipment, planned: OrderSwitches): void {
  const { orders } = harness.sandbox.setSwitches({});
  harness.sandbox.setSwitches({ orders: { ...orders, [referenceOf(shipment)]: planned } });
}

function heavier<T extends Shipment>(shipment: T): T {
  const [item] = shipment.items;
  if (item === undefined) throw new TypeError('an order has items');
  return { ...shipment, items: [{ ...item, weightInGrams: 90_000 }] };
}

async function revise(shipment: Shipment, questionId: string): Promise<void> {
  const revised = { shipment: heavier(shipment), policy: FAST_POLICY, documentHash: 'revised' };
  await harness
    .handleOf(shipment)
    .executeUpdate(messages.reviseOrderUpdate, { args: [{ questionId, ...BY, ...revised }] });
}

const textOf = async (shipment: Shipment): Promise<string> =>
  (await harness.until(shipment, () => true)).state?.question?.text ?? '';
const cancelAtMarketplace = (listingId: string): void => {
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
};
const OUTDATED = expect.stringContaining('it moves what the order said before it was revised');

describe('what was accepted before the order was revised', () => {
  /** Its only carrier says no, so that a person is asked; later it books all the same. */
  async function askedForAnother(bookedLate: number): Promise<{ shipment: Shipment; questionId: string }> {
    harness.sandbox.setClock({ steps: { acceptancePending: 1_000, bookedLate } });
    const shipment = ltl();
    planFor(shipment, { ratesPerRequest: 1 });
    harness.sandbox.trouble({
      when: 'acceptRate',
      whom: referenceOf(shipment),
      what: 'failedThenBooked',
      times: 1,
    });
    await harness.start(shipment);
    return { shipment, questionId: await harness.asked(shipment, 'rateChoice') };
  }

  /** Its status tells it, as no event does. */
  async function toldByStatus(shipment: Shipment): Promise<void> {
    await until(async () => await Promise.resolve(harness.ledgerOf(shipment).liveBookings === 1));
    const [first] = harness.ledgerOf(shipment).acceptances;
    const match = first?.executionId ?? '';
    const headers = { location: `${harness.sandbox.url}/v2/listings/${person.listingIdsOf(shipment)[0]}` };
    const answer = { status: 201, body: '', headers };
    harness.sandbox.trouble({
      when: { request: 'getAcceptanceStatus', match },
      what: { kind: 'status', ...answer },
    });
  }

  test('that is booked by then is followed, and no other rate is accepted', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off' });
    const { shipment, questionId } = await askedForAnother(1_000);
    await toldByStatus(shipment);
    await revise(shipment, questionId);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.notices).toContainEqual(OUTDATED);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, mostLiveBookings: 1 });
  });

  test('is not closed while it is booked: the withdrawal says so', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off' });
    const { shipment, questionId } = await askedForAnother(1_000);
    harness.sandbox.trouble({ when: 'createRateRequest', whom: referenceOf(shipment), what: 'noRates' });
    await revise(shipment, questionId);
    await harness.asked(shipment, 'noRates', questionId);
    await toldByStatus(shipment);
    await person.cancel(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.notices).toEqual(expect.arrayContaining([OUTDATED, 'not closed: a carrier has booked it']));
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
  });

  test('that is booked in addition to the next accepted rate is a possible double booking', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const { shipment, questionId } = await askedForAnother(80_000);
    await revise(shipment, questionId);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    const [followed = ''] = person.listingIdsOf(shipment);
    await harness.asked(shipment, 'possibleDoubleBooking');
    const late = person.listingIdsOf(shipment).find((id) => id !== followed) ?? '';
    expect(await textOf(shipment)).toContain(`also ${late}`);
    cancelAtMarketplace(late);
    await harness.until(shipment, ({ state }) => state?.question === null);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });
});

describe('a listing with the reference of the order and another load', () => {
  test('asks a question before another listing is posted', async () => {
    harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const limit = await harness.asked(shipment, 'priceApproval');
    const heavy = await person.listByHand(heavier(shipment));
    await person.noted(shipment, `listing ${heavy} carries our reference too (Active), but`);
    // What is asked already comes first, under the id that the person is reading.
    await person.answer(shipment, limit, messages.approvePriceUpdate);
    const asked = await harness.asked(shipment, 'unexpectedFailure', limit);
    const text = await textOf(shipment);
    expect(text).toContain(`listing ${heavy} (Active) carries the reference of this order`);
    expect(text).toContain('weighs 90000 g');
    cancelAtMarketplace(heavy);
    harness.sandbox.setSwitches({ carrierAnswer: 'accepts' });
    await person.answer(shipment, asked, messages.retryNowUpdate);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({
      created: 2,
      mostLiveBookings: 1,
      deletedListings: [],
    });
  });

  test('that is delivered asks once, and does not block a new listing for ever', async () => {
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const limit = await harness.asked(shipment, 'priceApproval');
    const heavy = await person.listByHand(heavier(shipment));
    await person.noted(shipment, `listing ${heavy} carries our reference too`);
    await until(async () => await Promise.resolve(harness.ledgerOf(shipment).delivered === 1));
    await person.answer(shipment, limit, messages.approvePriceUpdate);
    const asked = await harness.asked(shipment, 'unexpectedFailure', limit);
    expect(await textOf(shipment)).toContain('see whether the goods of this order are with it');
    await person.answer(shipment, asked, messages.retryNowUpdate);
    const { status, state } = await harness.ended(shipment);
    expect({ status, asked: state?.questionsAsked }).toEqual({ status: 'COMPLETED', asked: 2 });
    expect(state?.notices).toContainEqual(`listing ${heavy} was delivered for this order too`);
  });

  test('besides the followed listing is a possible double booking, and is not followed', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    await harness.start(shipment);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    const heavy = await person.listByHand(heavier(shipment));
    await until(async () => await Promise.resolve(harness.ledgerOf(shipment).liveBookings === 2));
    const asked = await harness.asked(shipment, 'possibleDoubleBooking');
    expect(await textOf(shipment)).toContain('weighs 90000 g');
    await person.decide(shipment, asked, { kind: 'adopt', listingId: heavy });
    await person.noted(shipment, `not kept: listing ${heavy} weighs 90000 g`);
    cancelAtMarketplace(heavy);
    await harness.until(shipment, ({ state }) => state?.question === null);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });
});

describe('an acceptance', () => {
  test('that is refused after a resend costs its rate, once a person has checked again', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 1_000 } });
    const shipment = ltl();
    const reference = referenceOf(shipment);
    const endpoint = 'acceptRate';
    harness.sandbox.trouble({ when: endpoint, whom: reference, what: 'hangUpBefore', times: 1 });
    harness.sandbox.trouble({
      when: endpoint,
      whom: reference,
      what: { kind: 'fieldError', code: 40_001, field: 'id' },
      times: 1,
    });
    await harness.start(shipment, { acceptance: { ...FAST_POLICY.acceptance, windowMs: 2_000 } });
    let asked: string | undefined;
    for (const refused of [false, true]) {
      asked = await harness.asked(shipment, 'inDoubt', asked);
      expect((await textOf(shipment)).includes('Resend then takes the next rate')).toBe(refused);
      const { state } = await harness.until(shipment, () => true);
      const resendFrom = Date.parse(state?.question?.resendFrom ?? '');
      await until(async () => await Promise.resolve(Date.now() > resendFrom));
      await person.decide(shipment, asked, { kind: 'resend' });
    }
    const { status, state } = await harness.ended(shipment);
    expect({ status, asked: state?.questionsAsked }).toEqual({ status: 'COMPLETED', asked: 2 });
    expect(state?.excludedRateIds).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, mostLiveBookings: 1 });
  });

  test('whose delivered report arrives again late is not watched as an earlier one', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 30_000 } });
    const shipment = ltl();
    await harness.start(shipment);
    const { state, runId } = await harness.until(
      shipment,
      (view) => view.state?.at.phase === 'accepting' && view.state.at.pending !== null,
    );
    if (state?.at.phase !== 'accepting' || state.at.pending === null) throw new TypeError('not accepted');
    const { pending, rate } = state.at;
    const value = { kind: 'pending', executionId: pending.executionId, rateId: rate.rateId };
    await harness.handleOf(shipment).signal(LATE_OUTCOME_SIGNAL, {
      ...{ runId, activityId: 'another', end: { kind: 'done', value } },
    } satisfies LateOutcome);
    harness.sandbox.setClock({ steps: { acceptancePending: 100 } });
    const end = await harness.ended(shipment);
    expect(end.status).toBe('COMPLETED');
    expect(end.state?.timeline.map(({ what }) => what)).not.toContainEqual(
      expect.stringContaining('an earlier acceptance by'),
    );
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1 });
  });
});

test('an answer that arrives together with an event whose reading fails is acted on, and not asked for again', async () => {
  harness.sandbox.setSwitches({ transit: 'manual' });
  const shipment: FurnitureShipment = furniture();
  // Only the event has it read again.
  await harness.start(shipment, { sweepPace: { initialMs: 120_000, maximumMs: 120_000 } });
  const { state } = await harness.until(
    shipment,
    (view) =>
      view.state?.at.phase === 'booked' && view.state.billOfLading !== null && view.state.contacts !== null,
  );
  const followed = state?.listing?.listingId ?? '';
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const second = await person.listByHand(shipment);
  const asked = await harness.asked(shipment, 'possibleDoubleBooking');
  const answer = await harness.withoutWorkers(async () => {
    harness.sandbox.trouble({ when: { request: 'getListing', match: followed }, what: 'garbage', times: 3 });
    await person.signal(shipment, followed);
    return await Promise.resolve({
      given: person.decide(shipment, asked, { kind: 'adopt', listingId: followed }),
    });
  });
  await answer.given;
  await until(async () => await Promise.resolve(harness.ledgerOf(shipment).deletedListings.length === 1));
  const { troubles, ...ledger } = harness.ledgerOf(shipment);
  expect(ledger).toMatchObject({ deletedListings: [Number(second)], liveBookings: 1 });
  expect(troubles.map(({ kind }) => kind)).toEqual(['garbage', 'garbage', 'garbage']);
  const timeline = await person.timeline(shipment);
  expect(timeline.filter((what) => what.startsWith('asks:'))).toHaveLength(1);
  await harness.handleOf(shipment).terminate('the test is over');
});
