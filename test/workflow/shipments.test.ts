import { leftIds } from '../../src/domain/candidates';
import path from 'node:path';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadAccounts } from '../../src/accounts';
import { limitQueues } from '../../src/temporal/queue-limits';
import type { FurnitureShipment, Shipment } from '../../src/domain/shipment';
import { validate } from '../../src/starter/client/order-files';
import { sendAnswer } from '../../src/starter/client/send-answer';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import * as messages from '../../src/contract/messages';
import { accountOf, paused } from '../support/account-in-trouble';
import { aFurnitureShipment, numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;
const EXAMPLES = path.join(__dirname, '..', '..', 'examples');
const { furniture, ltl } = numberedOrders('SO', 'PO');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    carrierAnswer: 'accepts',
    transit: 'normal',
    premiumPosition: 'insuranceQuote',
  });
});
afterAll(async () => await harness?.close());

const listingIdOf = ({ state }: ShipmentView): number =>
  Number(state !== null && 'listingId' in state.at ? state.at.listingId : 0);

describe('a furniture order', () => {
  test('goes from fixed price to settled, with carrier, bill of lading and tracking', async () => {
    const sha256 = await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
    const image = { fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256 };
    const shipment = furniture({ images: [image], coverage: { minorUnits: 240_000, currency: 'USD' } });
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state).toMatchObject({
      at: { phase: 'settled' },
      notices: [],
      imagesTried: 1,
      trackingLink: { url: expect.stringMatching(/^http/) },
    });
    expect(state?.contacts).toMatchObject({ serviceProvider: expect.any(Object) });
    expect(state?.listing?.transitStatus).toBe('Delivered');
    expect(state?.listing?.carrier?.displayName).toEqual(expect.any(String));
    expect(state?.billOfLading).toMatchObject({ billOfLadingNumber: expect.stringMatching(/^\d+$/) });
    expect(state?.fixedPrice?.premium?.minorUnits).toBeGreaterThan(0);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, 'furniture-delivered');
  });

  test('on its way says where the truck was seen last', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    await harness.start(shipment);
    const booked = await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    harness.sandbox.controls.advance(listingIdOf(booked), { to: 'PickedUp', kind: 'transit' });
    const { state } = await harness.until(shipment, (view) => view.state?.lastSeen != null);
    expect(state?.lastSeen).toMatch(/^\w.+, [A-Z]{2}$/);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('with an address type that the marketplace does not list reports it, and lets the marketplace refuse it', async () => {
    const destination = { ...aFurnitureShipment().destination, addressType: 'Treehouse' };
    const shipment = furniture({ destination });
    await harness.start(shipment);
    const { status, state, failure } = await harness.ended(shipment);
    expect(state?.notices).toEqual([expect.stringContaining('lists no address type Treehouse')]);
    expect(status).toBe('FAILED');
    expect(failure).toContain('answered 400: 40006 ');
    // The marketplace's own words are in the state, for whoever looks into the shipment, and nowhere else.
    expect(state?.said).toEqual([{ at: expect.any(String), about: failure, words: expect.any(String) }]);
    const { memo } = await harness.handleOf(shipment).describe();
    for (const { words } of state?.said ?? [])
      expect(`${failure} ${JSON.stringify(memo)}`).not.toContain(words);
  });

  test('whose price is above its limit asks, and continues when a person approves', async () => {
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.question != null);
    expect(state?.question).toMatchObject({
      kind: 'priceApproval',
      answers: ['approve', 'retry', 'revise', 'cancel'],
    });
    const { waitingFor } = await harness.until(
      shipment,
      (view) => view.waitingFor?.startsWith('a person') === true,
    );
    expect(waitingFor).toContain('above the limit of USD 1.00');
    const first = state?.question?.id ?? '';
    const handle = harness.handleOf(shipment);
    await handle.executeUpdate(messages.retryNowUpdate, { args: [{ questionId: first, ...BY }] });
    const questionId = await harness.asked(shipment, 'priceApproval', first);
    // The marketplace is told that it is the same price which is asked for again.
    expect(harness.sandbox.requests('getFixedPrice').at(-1)?.body).toMatchObject({
      priceCorrelationId: state?.fixedPrice?.priceCorrelationId,
    });
    await handle.executeUpdate(messages.approvePriceUpdate, { args: [{ questionId, ...BY }] });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    await harness.record(shipment, 'furniture-approved');
  });

  /** The example order, priced without naming its premium; its image is left out, which needs the starter. */
  async function coveredSofa(over: Partial<FurnitureShipment> = {}): Promise<FurnitureShipment> {
    harness.sandbox.setSwitches({ premiumPosition: 'missing', transit: 'manual' });
    const accounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
    const read = await validate({ file: path.join(EXAMPLES, 'furniture-sofa.json') }, accounts);
    if (!read.ok || read.order.shipment.kind !== 'furniture') throw new Error(JSON.stringify(read));
    return { ...read.order.shipment, orderId: furniture().orderId, ...over };
  }

  test('whose answer names no premium asks for it, and is listed once a person states it', async () => {
    const shipment = await coveredSofa();
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'premiumUnknown');
    expect(harness.ledgerOf(shipment).listings).toEqual([]);
    const state = (premiumMinorUnits: number) =>
      harness
        .handleOf(shipment)
        .executeUpdate(messages.statePremiumUpdate, { args: [{ questionId, premiumMinorUnits, ...BY }] });
    await expect(state(0)).rejects.toThrow(WorkflowUpdateFailedError);
    await state(4_850);
    const { state: booked } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    const { price, premium, total } = booked?.fixedPrice ?? {};
    expect(premium).toEqual({ minorUnits: 4_850, currency: 'USD' });
    expect(total?.minorUnits).toBe((price?.minorUnits ?? Number.NaN) + 4_850);
    const story = booked?.timeline.map(({ what }) => what);
    expect(story).toContain('Pat answers premium: seen on the website');
    expect(story).toContain('a person stated the premium: USD 48.50');
    expect(harness.sandbox.requests('createListing').at(-1)?.body).toMatchObject({
      insurance: { coverageAmount: { amount: 2400 } },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose stated premium lifts the total above its limit asks for approval', async () => {
    const shipment = await coveredSofa({ priceLimit: { minorUnits: 60_000, currency: 'USD' } });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'premiumUnknown');
    await sendAnswer(
      harness.handleOf(shipment),
      { questionId, ...BY },
      { kind: 'premium', premiumMinorUnits: 55_000 },
    );
    const { state } = await harness.until(shipment, (view) => view.state?.question?.kind === 'priceApproval');
    expect(state?.question?.text).toContain('above the limit of USD 600.00');
    expect(state?.fixedPrice?.price.minorUnits).toBeLessThan(60_000);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose premium a later answer names uses that premium', async () => {
    const shipment = await coveredSofa();
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'premiumUnknown');
    harness.sandbox.setSwitches({ premiumPosition: 'insurance' });
    await sendAnswer(harness.handleOf(shipment), { questionId, ...BY }, { kind: 'retry' });
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    expect(state?.fixedPrice?.premium).toEqual({ minorUnits: 3_600, currency: 'USD' });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.each([
    ['is refused', { kind: 'status', status: 400 }],
    ['gets no answer', { kind: 'hangUpAfter' }],
  ] as const)('whose image %s reports it, and is listed once', async (_, what) => {
    const sha256 = await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
    const image = { fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256 };
    harness.sandbox.trouble({ when: 'uploadListingImage', what, times: 1 });
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture({ images: [image] });
    await harness.start(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    expect(state?.notices).toEqual([expect.stringMatching(/^image 1 was not uploaded: /)]);
    expect(state?.question).toBeNull();
    expect(harness.ledgerOf(shipment).listings).toHaveLength(1);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose answer to the listing was lost is settled by the event that names the listing', async () => {
    const shipment = furniture();
    harness.sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(expect.stringContaining('is in doubt'));
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, 'furniture-in-doubt');
  });

  test('that the marketplace never received is sent again', async () => {
    const shipment = furniture();
    harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 429 }, times: 2 });
    await harness.start(shipment);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  });

  test('that the marketplace refuses fails before booking, with its reason', async () => {
    const shipment = furniture();
    harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 400 }, times: 1 });
    await harness.start(shipment);
    const { status, failure } = await harness.ended(shipment);
    expect(status).toBe('FAILED');
    expect(failure).toContain('POST /v2/listings');
    await expect(harness.handleOf(shipment).result()).rejects.toMatchObject({
      cause: { details: [{ operation: 'createListing', status: 400, codes: [], fields: [] }] },
    });
    expect(harness.ledgerOf(shipment).liveBookings).toBe(0);
  });

  test('whose key is refused waits with all others of its account for one question, and continues once the account is fixed', async () => {
    const shipments = [furniture(), furniture()];
    harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 }, times: 2 });
    for (const shipment of shipments) await harness.start(shipment);
    await paused(harness, shipments);
    const account = accountOf(harness);
    const { waitingFor, state: waiting } = await harness.until(
      shipments[0] ?? furniture(),
      (view) => view.waitingFor?.startsWith('account acme') === true,
    );
    expect(waitingFor).toContain('consign accounts retry acme');
    expect(waiting?.pause).toMatchObject({ status: 401 });
    expect(await account.query(messages.accountPauseQuery)).toMatchObject({ reasons: [{ status: 401 }] });
    await until(async () => {
      const asking = await harness.shipments.list({ query: 'NeedsAttention = true' });
      const ids = asking.map(({ workflowId }) => workflowId);
      const own = shipments.map(({ orderId }) => `shipment/acme/${orderId}`);
      return ids.includes('account/acme') && !own.some((id) => ids.includes(id));
    });
    await expect(
      account.executeUpdate(messages.resumeAccountUpdate, { args: [{ ...BY, reason: '' }] }),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining('say what was done') } });
    await account.executeUpdate(messages.resumeAccountUpdate, { args: [BY] });
    await account.result();
    for (const shipment of shipments) {
      expect(await harness.ended(shipment)).toMatchObject({
        status: 'COMPLETED',
        state: { questionsAsked: 0 },
      });
    }
  });

  test.each(['update', "Temporal's cancel"])(
    'that is withdrawn by %s before its price is accepted ends with nothing booked',
    async (way) => {
      const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
      await harness.start(shipment);
      await harness.until(shipment, (view) => view.state?.question != null);
      if (way === 'update')
        await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
      else await harness.handleOf(shipment).cancel();
      const { status } = await harness.ended(shipment);
      expect(status).toBe(way === 'update' ? 'COMPLETED' : 'CANCELLED');
      expect(harness.ledgerOf(shipment).listings).toEqual([]);
    },
  );

  test('an answer to another question, or without a reason, is refused and says why', async () => {
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.question != null);
    const questionId = state?.question?.id ?? '';
    const answer = async (input: messages.AnswerInput) =>
      await harness.handleOf(shipment).executeUpdate(messages.approvePriceUpdate, { args: [input] });
    await expect(answer({ ...BY, questionId: 'q9-inDoubt' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('the open question is') },
    });
    await expect(answer({ questionId, by: 'Pat', reason: ' ' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('`reason` must not be empty') },
    });
    await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
    await harness.ended(shipment);
  });
});

describe('a booking that ends', () => {
  const close = async (shipment: Shipment, questionId: string): Promise<void> =>
    await harness
      .handleOf(shipment)
      .executeUpdate(messages.closeShipmentUpdate, { args: [{ questionId, ...BY }] });

  test.each([
    ['expires before a carrier booked it', 'awaitingBooking', 'Expired', 'silent'],
    ['is cancelled after a carrier booked it', 'booked', 'Cancelled', 'accepts'],
  ] as const)(
    'that %s asks, and leaves nothing to book when a person closes it',
    async (_, phase, to, carrierAnswer) => {
      harness.sandbox.setSwitches({ carrierAnswer, transit: 'manual' });
      const shipment = furniture();
      await harness.start(shipment);
      const view = await harness.until(
        shipment,
        ({ state }) => state?.at.phase === phase && state.listing !== null,
      );
      harness.sandbox.controls.advance(listingIdOf(view), { to, kind: 'status' });
      const { state } = await harness.until(shipment, (asked) => asked.state?.question != null);
      expect(state?.question?.kind).toBe('listingEnded');
      await close(shipment, state?.question?.id ?? '');
      expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
    },
  );

  test('and is booked again at the moment when a person closes it is not closed', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    harness.sandbox.trouble({ when: 'deleteListing', what: 'bookBefore', times: 1 });
    const shipment = furniture();
    await harness.start(shipment);
    const view = await harness.until(
      shipment,
      ({ state }) => state?.at.phase === 'booked' && state.listing !== null,
    );
    harness.sandbox.controls.advance(listingIdOf(view), { to: 'Active', kind: 'status' });
    const { state } = await harness.until(shipment, (asked) => asked.state?.question != null);
    await close(shipment, state?.question?.id ?? '');
    const again = await harness.until(shipment, (told) => (told.state?.notices.length ?? 0) > 0);
    expect(again).toMatchObject({ status: 'RUNNING' });
    expect(again.state?.notices).toEqual(['not closed: a carrier booked it before']);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test.each([
    ['furniture', furniture],
    ['LTL', ltl],
  ] as const)(
    'of %s is booked again in the same run, whatever the earlier listing shows',
    async (_, order) => {
      harness.sandbox.setSwitches({ transit: 'manual' });
      const shipment = order();
      await harness.start(shipment);
      const view = await harness.until(
        shipment,
        ({ state }) => state?.at.phase === 'booked' && state.listing !== null,
      );
      const earlier = listingIdOf(view);
      harness.sandbox.controls.advance(earlier, { to: 'Cancelled', kind: 'status' });
      const { state } = await harness.until(shipment, (asked) => asked.state?.question != null);
      expect(state?.question?.answers).toEqual(['rebook', 'close']);
      harness.sandbox.setSwitches({ transit: 'normal' });
      await harness.handleOf(shipment).executeUpdate(messages.rebookUpdate, {
        args: [{ questionId: state?.question?.id ?? '', ...BY }],
      });
      // It may have passed `booked` before anybody looks.
      await harness.until(shipment, (again) => {
        const listingId = again.state?.listing?.listingId;
        return listingId !== undefined && listingId !== String(earlier);
      });
      harness.sandbox.controls.addReference(earlier, { number: 'late', type: 'Other' });
      const end = await harness.ended(shipment);
      expect(end).toMatchObject({ status: 'COMPLETED', runId: view.runId });
      expect(end.state).toMatchObject({ notices: [] });
      expect(end.state === null ? null : leftIds(end.state)).toEqual([String(earlier)]);
      expect(end.state?.listing?.listingId).not.toBe(String(earlier));
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    },
  );

  test('cannot be found by its old listing once the order is booked again', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    const asked = async (kind: string): Promise<string> => {
      const { state } = await harness.until(shipment, (view) => view.state?.question?.kind === kind);
      return state?.question?.id ?? '';
    };
    const attributes = async () => (await harness.handleOf(shipment).describe()).searchAttributes;
    await harness.start(shipment);
    const approval = await asked('priceApproval');
    await harness.handleOf(shipment).executeUpdate(messages.approvePriceUpdate, {
      args: [{ questionId: approval, ...BY }],
    });
    const view = await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    harness.sandbox.controls.advance(listingIdOf(view), { to: 'Dispatched', kind: 'transit' });
    await harness.until(shipment, ({ state }) => state?.listing?.transitStatus != null);
    harness.sandbox.controls.advance(listingIdOf(view), { to: 'Cancelled', kind: 'status' });
    const ended = await asked('listingEnded');
    expect(await attributes()).toMatchObject({ ListingId: [String(listingIdOf(view))] });
    await harness
      .handleOf(shipment)
      .executeUpdate(messages.rebookUpdate, { args: [{ questionId: ended, ...BY }] });
    await asked('priceApproval');
    const { ListingId, TransitStatus, OrderId } = await attributes();
    expect({ ListingId, TransitStatus, OrderId }).toEqual({ OrderId: [shipment.orderId] });
    await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
    await harness.ended(shipment);
  });

  test('and becomes active again closes its question and is delivered', async () => {
    harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'normal' });
    const shipment = furniture();
    await harness.start(shipment);
    const view = await harness.until(
      shipment,
      ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
    );
    harness.sandbox.controls.advance(listingIdOf(view), { to: 'Expired', kind: 'status' });
    await harness.until(shipment, (asked) => asked.state?.question != null);
    harness.sandbox.controls.advance(listingIdOf(view), { to: 'Booked', kind: 'status' });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  });
});

describe('an LTL order', () => {
  test('goes from rates to settled, and says why each other rate lost', async () => {
    const shipment = ltl();
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state).toMatchObject({ at: { phase: 'settled' }, notices: [] });
    expect(state?.rateDecision?.chosen?.rateId).toMatch(/^\w{24}$/);
    expect(state?.rateDecision?.losses).toHaveLength((state?.rates.length ?? 0) - 1);
    expect(state?.billOfLading).toMatchObject({ billOfLadingNumber: expect.any(String) });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, 'ltl-delivered');
  });

  test('whose first carrier refuses takes the next rate', async () => {
    const shipment = ltl();
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failed', times: 1 });
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.excludedRateIds).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, 'ltl-second-rate');
  });

  test('that no carrier answers asks a person, and can be withdrawn', async () => {
    harness.sandbox.trouble({ when: 'createRateRequest', what: 'noRates' });
    const shipment = ltl();
    await harness.start(shipment, {
      rates: { ...FAST_POLICY.rates, maximumWaitMs: 800 },
    });
    const { state } = await harness.until(shipment, (view) => view.state?.question != null);
    expect(state?.question?.kind).toBe('noRates');
    expect(state?.question?.text).toContain('None of the known causes matches the order');
    await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
  });

  const hurried = { ...FAST_POLICY.rates, enough: 99, quietMs: 60_000, maximumRequests: 1 };

  test('that exceeds the limits of LTL names that as the cause, without a rate', async () => {
    const items = ltl().items.map((item) => ({ ...item, quantity: 21 }));
    const shipment = ltl({ items });
    await harness.start(shipment, { rates: { ...hurried, maximumWaitMs: 500 } });
    await harness.asked(shipment, 'noRates');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(
      '$.items: 21 handling units are more than LTL usually takes (20)',
    );
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose rates carriers withdrew during the collection says that there were some', async () => {
    harness.sandbox.trouble({ when: 'createRateRequest', what: 'allRatesWithdrawn' });
    // A poll looks about once a second: it must see them before they go.
    harness.sandbox.setClock({ steps: { rateWithdrawn: 15_000 } });
    const shipment = ltl();
    await harness.start(shipment, { rates: { ...hurried, maximumWaitMs: 2_500 } });
    await harness.asked(shipment, 'noRates');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toMatch(/^Carriers withdrew every rate .*\(6 in all\)/);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose answer to the acceptance was lost is settled by the Booked event', async () => {
    const shipment = ltl();
    harness.sandbox.trouble({ when: 'acceptRate', what: 'hangUpAfter', times: 1 });
    await harness.start(shipment);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, 'ltl-in-doubt');
  });
});

test("an account's calls start no faster than its limit, whatever the workers could do", async () => {
  const limit = 3;
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  await limitQueues(harness.temporal.client, [{ name: 'acme', callsPerSecond: limit }]);
  const orders = Array.from({ length: 12 }, furniture);
  const before = harness.sandbox.requests('getFixedPrice').length;
  await Promise.all(orders.map(async (order) => await harness.start(order)));
  await Promise.all(
    orders.map(async (order) => await harness.until(order, ({ state }) => state?.fixedPrice != null)),
  );
  await limitQueues(harness.temporal.client, [{ name: 'acme', callsPerSecond: null }]);
  const times = harness.sandbox
    .requests('getFixedPrice')
    .slice(before)
    .map(({ at }) => Date.parse(at));
  expect(times).toHaveLength(orders.length);
  // The server splits the limit over the queue's partitions, and some seconds' worth may come at once.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(
    ((orders.length - 2 * limit - 1) / limit) * 1_000,
  );
  await Promise.all(orders.map(async (order) => await harness.handleOf(order).terminate('the test is over')));
});
