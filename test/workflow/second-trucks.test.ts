import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/workflows/messages';
import { numberedOrders } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('T');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

const CLOCK = { acceptancePending: 3_000, bookedLate: 5_000 };
const window = (over: Partial<ShipmentPolicy['acceptance']>): Partial<ShipmentPolicy> => ({
  acceptance: { ...FAST_POLICY.acceptance, windowMs: 4_000, ...over },
  documentWindowMs: 1_500,
});
const isPast = async (instant: string | undefined): Promise<void> =>
  await until(async () => await Promise.resolve(Date.now() > Date.parse(instant ?? '')));
const acceptancesOf = (shipment: Shipment) => harness.ledgerOf(shipment).acceptances;
const cancelAtMarketplace = (listingId: string): void => {
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
};

describe('an acceptance', () => {
  beforeEach(() => {
    harness.sandbox.clearFaults();
    harness.sandbox.setClock({ steps: CLOCK });
    harness.sandbox.setSwitches({
      ...{ carrierAnswer: 'accepts', transit: 'normal', webhooks: 'on', acceptanceScript: [] },
    });
  });

  test('that is booked after its status said failed, while that is waited for, is followed', async () => {
    harness.sandbox.setSwitches({ acceptanceScript: ['failedThenBooked'] });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 10_000 }));
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 0 },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1, pendingAcceptances: 0 });
    expect(acceptancesOf(shipment)).toHaveLength(1);
  });

  test('that is booked while the next one is pending leads to a question once that one is booked unseen', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 30_000, bookedLate: 20_000 } });
    harness.sandbox.setSwitches({ acceptanceScript: ['failedThenBooked'], transit: 'manual' });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 30_000 }));
    await harness.until(shipment, ({ state }) => state?.phase === 'booked');
    harness.sandbox.setSwitches({ webhooks: 'off' });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['booked', 'pending']);
    await harness.asked(shipment, 'possibleDoubleBooking');
    const [first = '', second = ''] = person.listingIdsOf(shipment);
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(first);
    expect(state?.question?.text).toContain(second);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('that is booked after the next one was keeps the shipment open until a person has settled it', async () => {
    harness.sandbox.setClock({ steps: { bookedLate: 40_000 } });
    harness.sandbox.setSwitches({ acceptanceScript: ['failedThenBooked'] });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 8_000 }));
    await harness.until(shipment, ({ state }) => state?.phase === 'booked');
    const [followed = ''] = person.listingIdsOf(shipment);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const [late = ''] = person.listingIdsOf(shipment).filter((id) => id !== followed);
    const { state } = await harness.until(shipment, (view) => view.state?.phase === 'delivered');
    expect(state?.question?.text).toContain(`listing ${followed}`);
    expect(state?.question?.text).toContain(`also ${late}`);
    cancelAtMarketplace(late);
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  });

  test('in doubt cannot be abandoned while the carrier may still answer, and can be afterwards', async () => {
    harness.sandbox.setSwitches({ acceptanceScript: ['pending'] });
    harness.sandbox.addFault({ endpoint: 'acceptRate', kind: 'hangUpAfter', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 3_000 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    await expect(person.decide(shipment, questionId, { kind: 'abandon' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('or abandoned, from') },
    });
    const { state } = await harness.until(shipment, () => true);
    await isPast(state?.question?.resendFrom);
    await person.decide(shipment, questionId, { kind: 'abandon' });
    await expect(harness.handleOf(shipment).result()).rejects.toMatchObject({
      cause: { type: 'ShipmentCancelled' },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
  });

  test('that was sent again and then fails by its status costs that rate, and nothing is asked twice', async () => {
    harness.sandbox.setSwitches({ acceptanceScript: ['failed', 'failed'] });
    harness.sandbox.addFault({ endpoint: 'acceptRate', kind: 'hangUpAfter', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 2_000 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    const { state } = await harness.until(shipment, () => true);
    await isPast(state?.question?.resendFrom);
    const before = harness.sandbox.requests('getAcceptanceStatus').length;
    await person.decide(shipment, questionId, { kind: 'resend' });
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1 },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'booked']);
    expect(harness.sandbox.requests('getAcceptanceStatus').length - before).toBeLessThan(25);
  });

  test('that was sent again, found no answer in time, and then fails costs that rate without another question', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 25_000 } });
    harness.sandbox.setSwitches({ acceptanceScript: ['pending', 'failed'] });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    const first = await harness.asked(shipment, 'inDoubt');
    await person.decide(shipment, first, { kind: 'resend' });
    await harness.asked(shipment, 'inDoubt', first);
    harness.sandbox.setClock({ steps: { acceptancePending: 3_000 } });
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.timeline.map(({ what }) => what)).not.toContainEqual(
      expect.stringContaining('in doubt: The carrier no longer offers this rate'),
    );
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['pending', 'failed', 'booked']);
  });

  test('whose polling ran out is told when it is booked while a person is asked', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 30_000 } });
    harness.sandbox.setSwitches({ webhooks: 'off' });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    await harness.asked(shipment, 'inDoubt');
    expect(harness.ledgerOf(shipment)).toMatchObject({ pendingAcceptances: 1 });
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1, question: null },
    });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test('that is booked silently is a question, which an event settles at last', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off', acceptanceScript: ['bookedSilently'] });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    await harness.asked(shipment, 'inDoubt');
    const [listingId = ''] = person.listingIdsOf(shipment);
    harness.sandbox.setSwitches({ webhooks: 'on' });
    person.tell(listingId);
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1 },
    });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test('whose answer names the listing of another order is not followed there', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const other = furniture();
    await harness.start(other);
    await harness.until(other, ({ state }) => state?.phase === 'booked');
    const [foreign = ''] = person.listingIdsOf(other);
    harness.sandbox.setSwitches({ transit: 'normal' });
    const headers = { location: `${harness.sandbox.url}/v2/listings/${foreign}` };
    const fault = { endpoint: 'getAcceptanceStatus', kind: 'status', status: 201, times: 1 } as const;
    harness.sandbox.addFault({ ...fault, headers, body: '' });
    const shipment = ltl();
    await harness.start(shipment, { ...window({}), doubtWaitMs: 30_000 });
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(
      expect.stringContaining(`its answer named listing ${foreign}`),
    );
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(other)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(other).terminate('the test is over');
  });

  test('that failed is followed by no other while a listing that an event named cannot be read', async () => {
    harness.sandbox.setClock({ steps: { bookedLate: 20_000 } });
    harness.sandbox.setSwitches({ acceptanceScript: ['failedThenBooked'] });
    harness.sandbox.addFault({ endpoint: 'getListing', kind: 'status', status: 401, times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 10_000 }));
    await person.paused(shipment);
    expect(acceptancesOf(shipment)).toHaveLength(1);
    await person.resumeAccount();
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test("that Temporal's cancel meets under way is followed", async () => {
    harness.sandbox.addFault({ endpoint: 'acceptRate', kind: 'delay', delayMs: 800, times: 1 });
    const shipment = ltl();
    const before = harness.sandbox.requests('acceptRate').length;
    await harness.start(shipment, window({}));
    await until(async () => await Promise.resolve(harness.sandbox.requests('acceptRate').length > before));
    await harness.handleOf(shipment).cancel();
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.notices).toContainEqual(expect.stringContaining('not cancelled as yet'));
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });
});

describe('a listing', () => {
  beforeAll(() => {
    harness.sandbox.clearFaults();
    harness.sandbox.setClock({ steps: CLOCK });
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'on' });
  });
  const awaited = async (shipment: Shipment): Promise<string> => {
    const { state } = await harness.until(shipment, (view) => view.state?.phase === 'awaitingBooking');
    return state !== null && 'listingId' in state ? state.listingId : '';
  };
  const book = (listingId: string): void => {
    harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  };
  const reference = ({ account, orderId }: Shipment): string => `"${account}/${orderId}"`;
  /** The 201 to the order's listing names that of another order. */
  async function namesAnother(shipment: Shipment): Promise<string> {
    const other = furniture();
    await harness.start(other);
    const foreign = await awaited(other);
    const headers = { location: `${harness.sandbox.url}/v2/listings/${foreign}` };
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'statusAfter', status: 201, times: 1 },
      ...{ headers, match: reference(shipment) },
    });
    return foreign;
  }
  const isListed = (listingId: string): boolean =>
    Object.values(harness.sandbox.ledger().orders)
      .flatMap(({ listings }) => listings)
      .some((listing) => String(listing.listingId) === listingId && !listing.isDeleted);

  test.concurrent('whose answer names that of another order settles its own by its event', async () => {
    const shipment = furniture();
    const foreign = await namesAnother(shipment);
    await harness.start(shipment, { doubtWaitMs: 30_000 });
    await person.noted(shipment, `its answer named listing ${foreign}`);
    const [own = ''] = person.listingIdsOf(shipment);
    person.tell(own);
    await person.noted(shipment, `listing ${own} is taken`);
    await person.cancel(shipment);
    expect(await harness.ended(shipment)).toMatchObject({ status: 'FAILED', state: { questionsAsked: 0 } });
    expect(isListed(foreign)).toBe(true);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0 });
  });

  test.concurrent(
    'whose answer names that of another order is not deleted there when withdrawn at once',
    async () => {
      const shipment = furniture();
      const foreign = await namesAnother(shipment);
      harness.sandbox.addFault({
        ...{ endpoint: 'getListing', kind: 'delay', delayMs: 1_000, times: 1, match: foreign },
      });
      await harness.start(shipment);
      await harness.until(shipment, ({ state }) => state?.phase === 'awaitingBooking');
      await person.cancel(shipment);
      const questionId = await harness.asked(shipment, 'inDoubt');
      const [own = ''] = person.listingIdsOf(shipment);
      await person.decide(shipment, questionId, { kind: 'adopt', listingId: foreign });
      const again = await harness.asked(shipment, 'inDoubt', questionId);
      await person.decide(shipment, again, { kind: 'adopt', listingId: own });
      expect((await harness.ended(shipment)).status).toBe('FAILED');
      expect(isListed(foreign)).toBe(true);
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0 });
    },
  );

  test.concurrent.each(['is followed', 'is withdrawn at once'])(
    'whose answer names one that does not exist, and %s, is in doubt',
    async (what) => {
      const shipment = furniture();
      const headers = { location: `${harness.sandbox.url}/v2/listings/1` };
      harness.sandbox.addFault({
        ...{ endpoint: 'createListing', kind: 'statusAfter', status: 201, times: 1 },
        ...{ headers, match: reference(shipment) },
      });
      await harness.start(shipment);
      await harness.until(shipment, () => person.listingIdsOf(shipment).length > 0);
      if (what !== 'is followed') await harness.handleOf(shipment).cancel();
      const questionId = await harness.asked(shipment, 'inDoubt');
      const [own = ''] = person.listingIdsOf(shipment);
      await person.decide(shipment, questionId, { kind: 'adopt', listingId: own });
      if (what === 'is followed') {
        await person.noted(shipment, `listing ${own} is taken`);
        await person.cancel(shipment);
      }
      expect((await harness.ended(shipment)).status).not.toBe('COMPLETED');
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0, liveBookings: 0 });
    },
  );

  test.concurrent(
    'that is refused as a duplicate at the first send is a question, no failed order',
    async () => {
      const shipment = furniture();
      harness.sandbox.addFault({
        ...{ endpoint: 'createListing', kind: 'duplicate', times: 1, match: reference(shipment) },
      });
      await harness.start(shipment);
      const questionId = await harness.asked(shipment, 'inDoubt');
      expect(person.postsOf(shipment)).toBe(1);
      await person.decide(shipment, questionId, { kind: 'abandon' });
      expect((await harness.ended(shipment)).status).toBe('FAILED');
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
    },
  );

  test.concurrent('that is abandoned where there is none ends the order as cancelled', async () => {
    const shipment = furniture();
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'hangUpBefore', times: 1, match: reference(shipment) },
    });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'inDoubt');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(`for the reference acme/${shipment.orderId}`);
    await person.decide(shipment, questionId, { kind: 'abandon' });
    await expect(harness.handleOf(shipment).result()).rejects.toMatchObject({
      cause: { type: 'ShipmentCancelled' },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
  });

  test.concurrent("that Temporal's cancel meets while it is posted is deleted", async () => {
    const shipment = furniture();
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'delay', delayMs: 800, times: 1, match: reference(shipment) },
    });
    await harness.start(shipment);
    await until(async () => await Promise.resolve(person.postsOf(shipment) > 0));
    await harness.handleOf(shipment).cancel();
    expect((await harness.ended(shipment)).status).toBe('CANCELLED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 0, openListings: 0 });
  });

  test.concurrent('that was left and is booked again is a second truck', async () => {
    const shipment = furniture();
    await harness.start(shipment);
    const left = await awaited(shipment);
    book(left);
    await harness.until(shipment, ({ state }) => state?.phase === 'booked');
    cancelAtMarketplace(left);
    const ended = await harness.asked(shipment, 'listingEnded');
    await person.answer(shipment, ended, messages.rebookUpdate);
    const kept = await awaited(shipment);
    book(kept);
    await harness.until(shipment, ({ state }) => state?.phase === 'booked');
    book(left);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(left);
    expect(state?.question?.text).toContain(kept);
    cancelAtMarketplace(left);
    await harness.until(shipment, (view) => view.state?.question?.id !== questionId);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.concurrent(
    'that stays withdrawn while its DELETE is unclear is cancelled once that gets through',
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const listingId = await awaited(shipment);
      harness.sandbox.addFault({
        ...{ endpoint: 'deleteListing', kind: 'hangUpBefore', times: 8, match: listingId },
      });
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).status).toBe('FAILED');
      const story = (await person.timeline(shipment)).join('\n');
      expect(story).toContain(`asks: listing ${listingId} could not be taken off the market`);
      expect(story).toContain(`listing ${listingId} deleted; nothing is booked`);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );

  test.concurrent('that a carrier books before the DELETE of a withdrawn order is followed', async () => {
    const shipment = furniture();
    await harness.start(shipment);
    const listingId = await awaited(shipment);
    harness.sandbox.addFault({ endpoint: 'deleteListing', kind: 'bookBefore', times: 1, match: listingId });
    await person.cancel(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.phase === 'booked');
    expect(state?.notices).toContainEqual('not withdrawn: a carrier booked it before');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.concurrent('that is posted while its run is terminated asks for attention', async () => {
    const shipment = furniture();
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'delay', delayMs: 1_000, times: 1, match: reference(shipment) },
    });
    await harness.start(shipment);
    await until(async () => await Promise.resolve(person.postsOf(shipment) > 0));
    await harness.handleOf(shipment).terminate('a mistake');
    const found = async () => await harness.shipments.list({ query: 'NeedsAttention = true' });
    const isAsking = async (): Promise<boolean> =>
      (await found()).some(({ orderId, phase }) => orderId === shipment.orderId && phase === 'lateEvent');
    await until(isAsking);
    const late = (await found()).find(({ orderId }) => orderId === shipment.orderId);
    expect(late?.listingId).toBe(person.listingIdsOf(shipment)[0]);
  });

  test.concurrent(
    'that an earlier, terminated run left ended does not settle the doubt of the next',
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const left = await awaited(shipment);
      await harness.handleOf(shipment).terminate('a mistake');
      cancelAtMarketplace(left);
      harness.sandbox.addFault({
        ...{ endpoint: 'createListing', kind: 'hangUpBefore', times: 1, match: reference(shipment) },
      });
      const order = {
        shipment,
        account: { name: 'acme', environment: 'sandbox' },
        policy: FAST_POLICY,
      } as const;
      const statement = { checked: `listing ${left} is cancelled`, by: 'Pat' };
      await harness.shipments.start({ ...order, documentHash: 'test' }, statement);
      const questionId = await harness.asked(shipment, 'inDoubt');
      person.tell(left);
      await harness.until(shipment, ({ state }) => (state?.events.taken ?? 0) > 0);
      expect((await harness.until(shipment, () => true)).state?.question?.id).toBe(questionId);
      await person.decide(shipment, questionId, { kind: 'resend' });
      const next = await awaited(shipment);
      expect(next).not.toBe(left);
      const sends = harness
        .ledgerOf(shipment)
        .listings.map(({ referenceNumbers }) =>
          JSON.stringify(referenceNumbers.filter(({ type }) => type === 'Other')),
        );
      expect(new Set(sends).size).toBe(2);
      await person.cancel(shipment);
      await harness.ended(shipment);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );

  test.concurrent('of an order that waits for its account can be withdrawn', async () => {
    const shipment = furniture();
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'status', status: 401, times: 1, match: reference(shipment) },
    });
    await harness.start(shipment);
    await person.paused(shipment);
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).status).toBe('FAILED');
    expect(await person.taskFailures(shipment)).toBe(0);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
  });

  test.concurrent(
    'that is refused after a booking that ended can be withdrawn while that is asked',
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const left = await awaited(shipment);
      book(left);
      await harness.until(shipment, ({ state }) => state?.phase === 'booked');
      cancelAtMarketplace(left);
      const ended = await harness.asked(shipment, 'listingEnded');
      harness.sandbox.addFault({
        ...{ endpoint: 'createListing', kind: 'fieldError', times: 1, match: reference(shipment) },
      });
      await person.answer(shipment, ended, messages.rebookUpdate);
      await harness.asked(shipment, 'unexpectedFailure');
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).status).toBe('FAILED');
      expect(await person.taskFailures(shipment)).toBe(0);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );
});

describe('the doubt about a listing that exists', () => {
  beforeAll(() => {
    harness.sandbox.clearFaults();
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'off' });
  });
  /** Nobody told the order of its listing. */
  async function inDoubt(policy: Partial<ShipmentPolicy> = {}) {
    const shipment = furniture();
    harness.sandbox.addFault({
      ...{ endpoint: 'createListing', kind: 'hangUpAfter', times: 1 },
      match: `"acme/${shipment.orderId}"`,
    });
    await harness.start(shipment, policy);
    const questionId = await harness.asked(shipment, 'inDoubt');
    const [listingId = ''] = person.listingIdsOf(shipment);
    return { shipment, questionId, listingId };
  }
  async function withdrawn(shipment: Shipment): Promise<void> {
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).status).toBe('FAILED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
  }
  const sendOf = (shipment: Shipment): string => {
    const [posted] = harness.sandbox
      .requests('createListing')
      .filter(({ body }) => JSON.stringify(body).includes(`"acme/${shipment.orderId}"`));
    return /"number":"(\w+\.1)"/u.exec(JSON.stringify(posted?.body))?.[1] ?? '';
  };

  test.concurrent('is settled by an event while a person is asked', async () => {
    const { shipment, listingId } = await inDoubt();
    await person.signal(shipment, listingId);
    await person.noted(shipment, `listing ${listingId} is taken`);
    const { state } = await harness.until(shipment, () => true);
    expect(state).toMatchObject({ question: null, questionsAsked: 1 });
    expect(person.postsOf(shipment)).toBe(1);
    await withdrawn(shipment);
  });

  test.concurrent(
    'asks again, with the reason, when it is answered with a listing that is not this order’s',
    async () => {
      const other = furniture();
      await harness.start(other);
      await harness.until(other, ({ state }) => state?.phase === 'awaitingBooking');
      const [foreign = ''] = person.listingIdsOf(other);
      const { shipment, questionId, listingId } = await inDoubt();
      const [item] = shipment.items;
      if (item === undefined) throw new TypeError('an order has items');
      const heavy = await person.listByHand({ ...shipment, items: [{ ...item, weightInGrams: 90_000 }] });
      let asked = questionId;
      for (const [answer, reason] of [
        [foreign, `does not carry the reference acme/${shipment.orderId}`],
        [heavy, 'weighs 90000 g'],
        ['1', 'the marketplace knows no listing 1'],
      ] as const) {
        await person.decide(shipment, asked, { kind: 'adopt', listingId: answer });
        asked = await harness.asked(shipment, 'inDoubt', asked);
        const { state } = await harness.until(shipment, () => true);
        expect(state?.question?.text).toContain(reason);
      }
      await person.decide(shipment, asked, { kind: 'adopt', listingId });
      await person.noted(shipment, `listing ${listingId} is taken`);
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).status).toBe('FAILED');
      // The heavy one is no listing of the order's, whatever it carries.
      expect(harness.ledgerOf(shipment).deletedListings).toEqual([Number(listingId)]);
    },
  );

  test.concurrent('between two listings takes one, and a person decides about the other', async () => {
    const { shipment, listingId } = await inDoubt();
    const second = await person.listByHand(shipment, sendOf(shipment));
    await Promise.all([person.signal(shipment, second), person.signal(shipment, listingId)]);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(listingId);
    expect(state?.question?.text).toContain(second);
    await person.decide(shipment, questionId, { kind: 'adopt', listingId });
    await person.noted(shipment, `listing ${second} is left: listing ${listingId} is kept`);
    expect(harness.ledgerOf(shipment)).toMatchObject({ openListings: 1, mostLiveBookings: 0 });
    await withdrawn(shipment);
  });

  test.concurrent(
    'waits when the listing of an event cannot be read, and is settled once it can',
    async () => {
      const { shipment, listingId } = await inDoubt();
      harness.sandbox.addFault({
        ...{ endpoint: 'getListing', kind: 'status', status: 401, times: 3, match: listingId },
      });
      await person.signal(shipment, listingId);
      await person.noted(shipment, `listing ${listingId} cannot be read as yet`);
      await person.noted(shipment, `listing ${listingId} is taken`);
      expect(person.postsOf(shipment)).toBe(1);
      await withdrawn(shipment);
    },
  );

  test.concurrent('is settled by an event that is faster than the record', async () => {
    const { shipment, listingId } = await inDoubt({ doubtWaitMs: 2_500 });
    harness.sandbox.addFault({
      ...{ endpoint: 'getListing', kind: 'status', status: 404, times: 1, match: listingId },
    });
    await person.signal(shipment, listingId);
    await person.noted(shipment, `listing ${listingId} is taken`);
    expect(person.postsOf(shipment)).toBe(1);
    await withdrawn(shipment);
  });

  test.concurrent('survives that a listing which is in the way of a resend cannot be deleted', async () => {
    const { shipment, questionId, listingId } = await inDoubt();
    const byHand = await person.listByHand(shipment);
    await person.signal(shipment, byHand);
    await person.noted(shipment, `listing ${byHand} carries our reference too`);
    harness.sandbox.addFault({
      ...{ endpoint: 'deleteListing', kind: 'status', status: 401, times: 1, match: byHand },
    });
    await person.decide(shipment, questionId, { kind: 'resend' });
    await harness.until(shipment, ({ state }) => state?.pause != null);
    expect(person.postsOf(shipment)).toBe(2);
    await person.noted(shipment, `listing ${byHand} is left: taken off the market`);
    await harness.until(shipment, ({ state }) => state?.phase === 'awaitingBooking');
    expect(person.postsOf(shipment)).toBe(3);
    expect(person.listingIdsOf(shipment)).toHaveLength(3);
    await person.signal(shipment, listingId);
    await harness.asked(shipment, 'possibleDoubleBooking');
    await harness.handleOf(shipment).terminate('the test is over');
  });
});

test('an event of the booking that comes with the answer that there is none is believed', async () => {
  harness.sandbox.clearFaults();
  harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'off' });
  const shipment = furniture();
  harness.sandbox.addFault({ endpoint: 'createListing', kind: 'hangUpAfter', times: 1 });
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  const [listingId = ''] = person.listingIdsOf(shipment);
  harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  const answers: Promise<void>[] = [];
  await harness.withoutWorkers(async () => {
    answers.push(person.decide(shipment, questionId, { kind: 'abandon' }));
    await person.signal(shipment, listingId);
  });
  await Promise.all(answers);
  await harness.until(shipment, ({ state }) => state?.phase === 'booked');
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, created: 1 });
  await harness.handleOf(shipment).terminate('the test is over');
});
