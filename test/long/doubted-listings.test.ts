import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TroubleInput } from '../../sandbox';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders, noneBeside } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture } = numberedOrders('U');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

const cancelAtMarketplace = (listingId: string): void => {
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
};

const awaited = async (shipment: Shipment): Promise<string> => {
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
  return state !== null && 'listingId' in state.at ? state.at.listingId : '';
};
/** Happens once, to the request that posts the order's listing. */
const atPost = ({ account, orderId }: Shipment, what: TroubleInput['what']): void => {
  const when = { request: 'createListing', match: `"${account}/${orderId}"` } as const;
  harness.sandbox.trouble({ when, what, times: 1 });
};
/** The 201 to the order's listing names that of another order. */
async function namesAnother(shipment: Shipment): Promise<string> {
  const other = furniture();
  await harness.start(other);
  const foreign = await awaited(other);
  const headers = { location: `${harness.sandbox.url}/v2/listings/${foreign}` };
  atPost(shipment, { kind: 'statusAfter', status: 201, headers });
  return foreign;
}
/** Started with such an answer; the other order's listing is slow to be read. */
async function startedWithForeign(shipment: Shipment): Promise<string> {
  const foreign = await namesAnother(shipment);
  harness.sandbox.trouble({
    when: { request: 'getListing', match: foreign },
    what: { kind: 'delay', delayMs: 1_500 },
  });
  await harness.start(shipment, { doubtWaitMs: 30_000 });
  await awaited(shipment);
  return foreign;
}
const isListed = (listingId: string): boolean =>
  Object.values(harness.sandbox.ledger().orders)
    .flatMap(({ listings }) => listings)
    .some((listing) => String(listing.listingId) === listingId && !listing.isDeleted);

describe('a listing', () => {
  beforeAll(() => {
    harness.sandbox.clearTroubles();
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'on' });
  });
  const book = (listingId: string): void => {
    harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  };
  test.concurrent("whose answer names another order's listing finds its own by its event", async () => {
    const shipment = furniture();
    const foreign = await namesAnother(shipment);
    await harness.start(shipment, { doubtWaitMs: 30_000 });
    await person.noted(shipment, `its answer named listing ${foreign}`);
    const [own = ''] = person.listingIdsOf(shipment);
    person.tell(own);
    await person.noted(shipment, `listing ${own} is taken`);
    await person.cancel(shipment);
    expect(await harness.ended(shipment)).toMatchObject({
      state: { at: { phase: 'cancelled' }, questionsAsked: 0 },
    });
    expect(isListed(foreign)).toBe(true);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0 });
  });

  test.concurrent(
    'whose event arrives before the answer turns out to name another listing is adopted',
    async () => {
      const shipment = furniture();
      await startedWithForeign(shipment);
      const [own = ''] = person.listingIdsOf(shipment);
      person.tell(own);
      await person.noted(shipment, `listing ${own} is taken`);
      expect((await harness.until(shipment, () => true)).state).toMatchObject({
        questionsAsked: 0,
        candidates: noneBeside(),
      });
      await person.cancel(shipment);
      await harness.ended(shipment);
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0 });
    },
  );

  test.concurrent(
    "whose answer names another order's listing takes no change meant for that one",
    async () => {
      const shipment = furniture();
      const foreign = await startedWithForeign(shipment);
      const change = { shipment: { ...shipment, title: 'Blue sofa' }, policy: FAST_POLICY };
      await harness
        .handleOf(shipment)
        .executeUpdate(messages.amendListingUpdate, { args: [{ ...BY, ...change, documentHash: 'new' }] });
      await person.noted(shipment, `not changed: the order has left listing ${foreign}`);
      const [own = ''] = person.listingIdsOf(shipment);
      person.tell(own);
      const { state } = await harness.until(shipment, (view) => view.state?.listing?.listingId === own);
      expect(state).toMatchObject({ amendment: { status: 'refused' }, listing: { title: shipment.title } });
      await person.cancel(shipment);
      await harness.ended(shipment);
      const puts = harness.sandbox.requests('updateListing').map(({ path }) => path);
      expect(puts.filter((path) => path.endsWith(own) || path.endsWith(foreign))).toEqual([]);
    },
  );

  test.concurrent(
    "whose answer names another order's listing sends its images to its own listing",
    async () => {
      const sha256 = await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
      const image = { fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256 };
      const shipment = furniture({ images: [image] });
      const foreign = await namesAnother(shipment);
      // No event names its own listing before a person does.
      harness.sandbox.trouble({ when: { event: '*' }, whom: `acme/${shipment.orderId}`, what: 'lost' });
      await harness.start(shipment);
      const questionId = await harness.asked(shipment, 'inDoubt');
      const [own = ''] = person.listingIdsOf(shipment);
      await person.decide(shipment, questionId, { kind: 'adopt', listingId: own });
      await person.noted(shipment, 'image 1 uploaded');
      const uploads = harness.sandbox.requests('uploadListingImage').map(({ path }) => path);
      expect(uploads.filter((path) => path.includes(own))).toHaveLength(1);
      expect(uploads.filter((path) => path.includes(foreign))).toEqual([]);
      await person.cancel(shipment);
      await harness.ended(shipment);
    },
  );

  test.concurrent(
    'that is refused as a duplicate at the first send asks a question, and the order does not fail',
    async () => {
      const shipment = furniture();
      atPost(shipment, 'duplicate');
      await harness.start(shipment);
      const questionId = await harness.asked(shipment, 'inDoubt');
      expect(person.postsOf(shipment)).toBe(1);
      await person.decide(shipment, questionId, { kind: 'abandon' });
      expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
    },
  );

  test.concurrent(
    'that a person abandons, and that does not exist, ends the order as cancelled',
    async () => {
      const shipment = furniture();
      atPost(shipment, 'hangUpBefore');
      await harness.start(shipment);
      const questionId = await harness.asked(shipment, 'inDoubt');
      const { state } = await harness.until(shipment, () => true);
      expect(state?.question?.text).toContain(`for the reference acme/${shipment.orderId}`);
      await person.decide(shipment, questionId, { kind: 'abandon' });
      await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({ kind: 'withdrawn' });
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
    },
  );

  test.concurrent("is deleted when Temporal's cancel arrives while it is posted", async () => {
    const shipment = furniture();
    atPost(shipment, { kind: 'delay', delayMs: 800 });
    await harness.start(shipment);
    await until(async () => await Promise.resolve(person.postsOf(shipment) > 0));
    await harness.handleOf(shipment).cancel();
    expect((await harness.ended(shipment)).status).toBe('CANCELLED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 0, openListings: 0 });
  });

  test.concurrent('that the order left and that is booked again is a second truck', async () => {
    const shipment = furniture();
    await harness.start(shipment);
    const left = await awaited(shipment);
    book(left);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    cancelAtMarketplace(left);
    const ended = await harness.asked(shipment, 'listingEnded');
    await person.answer(shipment, ended, messages.rebookUpdate);
    const kept = await awaited(shipment);
    book(kept);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
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
    'stays withdrawn while its DELETE is unclear, and is cancelled once the DELETE succeeds',
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const listingId = await awaited(shipment);
      harness.sandbox.trouble({
        when: { request: 'deleteListing', match: listingId },
        what: 'hangUpBefore',
        times: 8,
      });
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
      const story = (await person.timeline(shipment)).join('\n');
      expect(story).toContain(`asks: listing ${listingId} could not be taken off the market`);
      expect(story).toContain(`listing ${listingId} deleted; nothing is booked`);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );

  test.concurrent(
    'that can neither be deleted nor read during a withdrawal is tried once for each event',
    async () => {
      const shipment = furniture();
      await harness.start(shipment, { sweepPace: { initialMs: 500, maximumMs: 60_000 } });
      const listingId = await awaited(shipment);
      // Nothing is deleted on the word of our own write alone.
      await harness.until(shipment, ({ state }) => state?.listing != null);
      harness.sandbox.trouble({
        when: 'deleteListing',
        whom: { listing: listingId },
        what: { kind: 'status', status: 403 },
      });
      harness.sandbox.trouble({
        when: 'getListing',
        whom: { listing: listingId },
        what: { kind: 'status', status: 400 },
      });
      // Each try reads the listing before its DELETE, so no DELETE is sent.
      const since = async (): Promise<{ readonly tries: number; readonly events: number }> => {
        const { events = [] } = await harness.handleOf(shipment).fetchHistory();
        const isTry = ({ activityTaskScheduledEventAttributes: begun }: (typeof all)[number]): boolean =>
          begun?.activityType?.name === 'deleteListing';
        const all = events ?? [];
        const after = all.slice(Math.max(0, all.findIndex(isTry)));
        return {
          tries: after.filter(isTry).length,
          events: after.filter((event) => event.workflowExecutionSignaledEventAttributes != null).length,
        };
      };
      await person.cancel(shipment);
      // The watch of the listing may have asked before; what is asked after the first try is about the withdrawal.
      await until(async () => (await since()).tries === 1);
      const first = await harness.asked(shipment, 'unexpectedFailure');
      const event = { id: 'e-1', type: 'Listing.StatusChanged/v1', time: '2035-03-01T00:00:00Z' };
      await harness
        .handleOf(shipment)
        .signal(messages.marketplaceEventReceivedSignal, { ...event, listingIds: [listingId] });
      await harness.asked(shipment, 'unexpectedFailure', first);
      const { tries, events } = await since();
      expect(tries).toBeGreaterThanOrEqual(2);
      // The marketplace's own event can come late, and is one more reason.
      expect(tries).toBeLessThanOrEqual(1 + events);
      expect(harness.ledgerOf(shipment)).toMatchObject({ openListings: 1, deletedListings: [] });
      await harness.handleOf(shipment).terminate('the test is over');
    },
  );

  test.concurrent('that a carrier books before the DELETE of a withdrawn order is followed', async () => {
    const shipment = furniture();
    await harness.start(shipment);
    const listingId = await awaited(shipment);
    harness.sandbox.trouble({
      when: { request: 'deleteListing', match: listingId },
      what: 'bookBefore',
      times: 1,
    });
    await person.cancel(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    expect(state?.notices).toContainEqual('not withdrawn: a carrier booked it before');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.concurrent('that is posted while its run is terminated asks for attention', async () => {
    const shipment = furniture();
    atPost(shipment, { kind: 'delay', delayMs: 1_000 });
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
    "that an earlier, terminated run left ended does not settle the next run's doubt",
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const left = await awaited(shipment);
      await harness.handleOf(shipment).terminate('a mistake');
      cancelAtMarketplace(left);
      atPost(shipment, 'hangUpBefore');
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
    atPost(shipment, { kind: 'status', status: 401 });
    await harness.start(shipment);
    await person.paused(shipment);
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(await person.taskFailures(shipment)).toBe(0);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
  });

  test.concurrent(
    'that is refused after a booking ended can be withdrawn while the question is open',
    async () => {
      const shipment = furniture();
      await harness.start(shipment);
      const left = await awaited(shipment);
      book(left);
      await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
      cancelAtMarketplace(left);
      const ended = await harness.asked(shipment, 'listingEnded');
      atPost(shipment, 'fieldError');
      await person.answer(shipment, ended, messages.rebookUpdate);
      await harness.asked(shipment, 'unexpectedFailure');
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
      expect(await person.taskFailures(shipment)).toBe(0);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );
});

describe('the doubt about a listing that exists', () => {
  beforeAll(() => {
    harness.sandbox.clearTroubles();
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'off' });
  });
  /** Nobody told the order of its listing. */
  async function inDoubt(policy: Partial<ShipmentPolicy> = {}) {
    const shipment = furniture();
    harness.sandbox.trouble({
      when: { request: 'createListing', match: `"acme/${shipment.orderId}"` },
      what: 'hangUpAfter',
      times: 1,
    });
    await harness.start(shipment, policy);
    const questionId = await harness.asked(shipment, 'inDoubt');
    const [listingId = ''] = person.listingIdsOf(shipment);
    return { shipment, questionId, listingId };
  }
  async function withdrawn(shipment: Shipment): Promise<void> {
    await person.cancel(shipment);
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
  }
  const sendOf = (shipment: Shipment): string => {
    const [posted] = harness.sandbox
      .requests('createListing')
      .filter(({ body }) => JSON.stringify(body).includes(`"acme/${shipment.orderId}"`));
    return /"number":"(\w+\.1)"/u.exec(JSON.stringify(posted?.body))?.[1] ?? '';
  };

  test.concurrent(
    "whose answer named another order's listing leaves that listing alone when it is cancelled",
    async () => {
      const shipment = furniture();
      const foreign = await namesAnother(shipment);
      await harness.start(shipment);
      await until(async () => await Promise.resolve(person.postsOf(shipment) > 0));
      await harness.handleOf(shipment).cancel();
      const questionId = await harness.asked(shipment, 'inDoubt');
      await person.decide(shipment, questionId, { kind: 'adopt', listingId: foreign });
      const again = await harness.asked(shipment, 'inDoubt', questionId);
      const [own = ''] = person.listingIdsOf(shipment);
      await person.decide(shipment, again, { kind: 'adopt', listingId: own });
      expect((await harness.ended(shipment)).status).toBe('CANCELLED');
      expect(isListed(foreign)).toBe(true);
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0, liveBookings: 0 });
    },
  );

  test.concurrent.each(['is followed', 'is withdrawn at once'])(
    'whose answer named a missing listing, and that %s, asks a question',
    async (what) => {
      const shipment = furniture();
      const headers = { location: `${harness.sandbox.url}/v2/listings/1` };
      atPost(shipment, { kind: 'statusAfter', status: 201, headers });
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
      const { status, state } = await harness.ended(shipment);
      // A person's withdrawal completes; Temporal's cancel ends as cancelled.
      expect(status).toBe(what === 'is followed' ? 'COMPLETED' : 'CANCELLED');
      expect(state?.at.phase).toBe('cancelled');
      expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0, liveBookings: 0 });
    },
  );

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
    'asks again, with the reason, when the answer names a listing that is not this order’s',
    async () => {
      const other = furniture();
      await harness.start(other);
      await harness.until(other, ({ state }) => state?.at.phase === 'awaitingBooking');
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
      // The heavy one is not followed, and may bring a truck all the same.
      const doubled = await harness.asked(shipment, 'possibleDoubleBooking');
      await person.decide(shipment, doubled, { kind: 'adopt', listingId });
      await person.noted(shipment, `listing ${heavy} is left`);
      await person.cancel(shipment);
      expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
      expect(harness.ledgerOf(shipment).deletedListings).toEqual([Number(listingId), Number(heavy)]);
    },
  );

  test.concurrent('between two listings takes one, and asks a person about the other', async () => {
    const { shipment, listingId } = await inDoubt();
    const second = await person.listByHand(shipment, sendOf(shipment));
    await Promise.all([person.signal(shipment, second), person.signal(shipment, listingId)]);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(listingId);
    expect(state?.question?.text).toContain(second);
    await person.decide(shipment, questionId, { kind: 'adopt', listingId });
    await harness.until(shipment, () => harness.ledgerOf(shipment).openListings === 1);
    expect(harness.ledgerOf(shipment)).toMatchObject({
      deletedListings: [Number(second)],
      mostLiveBookings: 0,
    });
    await withdrawn(shipment);
  });

  test.concurrent(
    'waits while the listing of an event is unreadable, and is settled once it is read',
    async () => {
      const { shipment, listingId } = await inDoubt();
      harness.sandbox.trouble({
        when: { request: 'getListing', match: listingId },
        what: { kind: 'status', status: 401 },
        times: 3,
      });
      await person.signal(shipment, listingId);
      await person.noted(shipment, `listing ${listingId} cannot be read yet`);
      await person.noted(shipment, `listing ${listingId} is taken`);
      expect(person.postsOf(shipment)).toBe(1);
      await withdrawn(shipment);
    },
  );

  test.concurrent('is settled by an event that arrives before the record', async () => {
    const { shipment, listingId } = await inDoubt({ doubtWaitMs: 2_500 });
    harness.sandbox.trouble({
      when: { request: 'getListing', match: listingId },
      what: { kind: 'status', status: 404 },
      times: 1,
    });
    await person.signal(shipment, listingId);
    await person.noted(shipment, `listing ${listingId} is taken`);
    expect(person.postsOf(shipment)).toBe(1);
    await withdrawn(shipment);
  });

  test.concurrent('is sent again by the one answer, once the blocking listing can be read', async () => {
    const { shipment, questionId } = await inDoubt();
    const byHand = await person.listByHand(shipment);
    await person.signal(shipment, byHand);
    await person.noted(shipment, `listing ${byHand} carries our reference too`);
    harness.sandbox.trouble({
      when: { request: 'getListing', match: byHand },
      what: { kind: 'status', status: 401 },
      times: 1,
    });
    await person.decide(shipment, questionId, { kind: 'resend' });
    await person.noted(shipment, `listing ${byHand} is left: taken off the market`);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
    // The account's trouble is over by itself, and nobody is asked again what they have answered.
    expect(state).toMatchObject({ questionsAsked: 1, question: null });
    expect(person.postsOf(shipment)).toBe(3);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.concurrent('survives that a blocking listing cannot be deleted', async () => {
    const { shipment, questionId, listingId } = await inDoubt();
    const byHand = await person.listByHand(shipment);
    await person.signal(shipment, byHand);
    await person.noted(shipment, `listing ${byHand} carries our reference too`);
    harness.sandbox.trouble({
      when: { request: 'deleteListing', match: byHand },
      what: { kind: 'status', status: 401 },
      times: 1,
    });
    await person.decide(shipment, questionId, { kind: 'resend' });
    await harness.until(shipment, ({ state }) => state?.pause != null);
    expect(person.postsOf(shipment)).toBe(2);
    await person.noted(shipment, `listing ${byHand} is left: taken off the market`);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
    expect(person.postsOf(shipment)).toBe(3);
    expect(person.listingIdsOf(shipment)).toHaveLength(3);
    await person.signal(shipment, listingId);
    await harness.asked(shipment, 'possibleDoubleBooking');
    await harness.handleOf(shipment).terminate('the test is over');
  });
});

test('an event of the booking outweighs a simultaneous answer that nothing exists', async () => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual', webhooks: 'off' });
  const shipment = furniture();
  harness.sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
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
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, created: 1 });
  await harness.handleOf(shipment).terminate('the test is over');
});
