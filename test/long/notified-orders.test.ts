import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { renderAttention } from '../../src/starter/cli/commands/attention';
import { renderNotifications } from '../../src/starter/cli/commands/notifications';
import { notificationsWorkflowId } from '../../src/domain/workflow-id';
import type { Shipment } from '../../src/domain/shipment';
import type { NotificationEndpoint } from '../../src/notifications/endpoint';
import { numberedOrders } from '../support/builders';
import {
  anEndpointAt,
  SECRET,
  startEndpoint,
  verified,
  type EndpointServer,
} from '../support/endpoint-server';
import { BY, startHarness, type Harness } from '../support/harness';
import { signingSecret } from '../support/notifications';
import { until } from '../support/temporal';
import { untilConfirmed } from '../support/until-confirmed';

let harness: Harness;
let erp: EndpointServer;
let chat: EndpointServer;
/** Of another account. */
let beta: EndpointServer;
/** The accounts file of the workers, which a test changes. */
const endpoints: NotificationEndpoint[] = [];
const { furniture, ltl } = numberedOrders('N');

beforeAll(async () => {
  [erp, chat, beta] = await Promise.all([startEndpoint(), startEndpoint(), startEndpoint()]);
  harness = await startHarness({ clock: { speed: 10 }, endpoints, endpointsOfBeta: [anEndpointAt(beta)] });
}, 60_000);
beforeEach(() => {
  endpoints.splice(0, endpoints.length, anEndpointAt(erp));
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'normal' });
});
afterEach(() => {
  erp.react(() => 204);
  chat.react(() => 204);
});
afterAll(async () => {
  await harness?.close();
  await erp?.kill();
  await chat?.kill();
  await beta?.kill();
});

const ended = async (endpoint: EndpointServer, { orderId }: Shipment): Promise<void> =>
  await until(async () => await Promise.resolve(endpoint.kindsOf(orderId).includes('ended')));
const deliveryOf = (shipment: Shipment) =>
  harness.temporal.client.workflow.getHandle(notificationsWorkflowId(shipment));
const isOpen = async (shipment: Shipment): Promise<boolean> =>
  (await deliveryOf(shipment).describe()).status.name === 'RUNNING';
const logOf = async ({ account, orderId }: Shipment) =>
  await untilConfirmed(async () => await harness.shipments.notifications(account, orderId));
const replay = async ({ account, orderId }: Shipment, fromId?: string): Promise<number> =>
  await untilConfirmed(async () => await harness.shipments.replayNotifications(account, orderId, fromId));
/** The ids of an order's events in order of their first arrival. */
const idsOf = (endpoint: EndpointServer, { orderId }: Shipment): readonly string[] => [
  ...new Set(endpoint.deliveries.filter((one) => one.orderId === orderId).map(({ event }) => event.id)),
];
const numbersOf = (endpoint: EndpointServer, shipment: Shipment): readonly number[] =>
  idsOf(endpoint, shipment).map((id) => Number(id.slice(id.lastIndexOf('.') + 1)));
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the endpoints of an account', () => {
  test('are notified of the whole life of an order, in order, although the first answers are 500', async () => {
    erp.react((_, earlier) => (earlier < 2 ? 500 : 204));
    const shipment = furniture({ labels: { costCentre: '4410' } });
    await harness.start(shipment);
    await ended(erp, shipment);
    await until(async () => !(await isOpen(shipment)));
    const own = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
    const ids = idsOf(erp, shipment);
    // Each event came three times, by one id, and none before the one before it was accepted.
    expect(own.map(({ event }) => event.id)).toEqual(ids.flatMap((id) => [id, id, id]));
    expect(numbersOf(erp, shipment)).toEqual(upTo(ids.length));
    const kinds = [...new Set(own.map(({ kind }) => kind))];
    expect(kinds.filter((kind) => ['booked', 'pickedUp', 'delivered', 'ended'].includes(kind))).toEqual([
      ...['booked', 'pickedUp', 'delivered', 'ended'],
    ]);
    expect(kinds).toContain('documentsReady');
    for (const delivery of own) expect(verified(delivery)).toEqual(delivery.event);
    expect(own.at(-1)?.event).toMatchObject({
      subject: shipment.orderId,
      data: { labels: { costCentre: '4410' }, outcome: 'delivered', phase: 'settled' },
    });
    // Neither the consignee nor the street.
    expect(own.map(({ body }) => body).join('')).not.toMatch(/Pat Doe|9th St|555 0100/);
    const { deliveries, waiting } = await logOf(shipment);
    expect(waiting).toEqual([]);
    await harness.record(shipment, 'furniture-notified');
    await harness.record(shipment, 'notifications-delivered', notificationsWorkflowId(shipment));
    expect(deliveries.map(({ id, attempts, status }) => [id, attempts, status])).toEqual(
      ids.map((id) => [id, 3, 204]),
    );
  });

  test('an LTL order that asks notifies of its question when it opens and when it is answered', async () => {
    const shipment = ltl({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'priceApproval');
    await until(async () => await Promise.resolve(erp.kindsOf(shipment.orderId).includes('questionOpened')));
    const [opened] = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
    expect(opened?.event.data).toMatchObject({
      question: { id: questionId, kind: 'priceApproval', answers: expect.arrayContaining(['approve']) },
    });
    await harness.shipments.cancel(shipment.account, shipment.orderId, BY);
    await ended(erp, shipment);
    expect(erp.kindsOf(shipment.orderId)).toEqual(['questionOpened', 'questionClosed', 'ended']);
    const end = erp.deliveries.find(({ orderId, kind }) => orderId === shipment.orderId && kind === 'ended');
    expect(end?.event.data).toMatchObject({ outcome: 'withdrawn' });
    // The name and the words of the person stay in Consign.
    expect(end?.body).not.toContain(BY.by);
  });

  test('an order that fails before its booking, and is started again, has two ends', async () => {
    const destination = { ...furniture().destination, addressType: 'Treehouse' };
    const shipment = furniture({ destination });
    await harness.start(shipment);
    await ended(erp, shipment);
    expect((await harness.ended(shipment)).status).toBe('FAILED');
    await harness.start(shipment);
    await until(async () => await Promise.resolve(erp.kindsOf(shipment.orderId).length === 2));
    const own = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
    expect(own.map(({ event }) => event.data)).toMatchObject([
      { outcome: 'failedBeforeBooking' },
      { outcome: 'failedBeforeBooking' },
    ]);
    expect(idsOf(erp, shipment)).toHaveLength(2);
  });

  test('each has its own filter, and one that never answers holds up neither the shipment nor the other', async () => {
    endpoints.push(anEndpointAt(chat, { name: 'chat', events: ['booked', 'ended'] }));
    erp.react(() => 'never');
    const shipment = furniture();
    await harness.start(shipment);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    await ended(chat, shipment);
    expect(chat.kindsOf(shipment.orderId)).toEqual(['booked', 'ended']);
    expect(new Set(erp.kindsOf(shipment.orderId)).size).toBeLessThan(2);
    expect(await isOpen(shipment)).toBe(true);
    await deliveryOf(shipment).terminate('the test is over');
  });

  test('are notified of the orders of their account alone', async () => {
    const [own, other] = [furniture(), furniture({ account: 'beta' })];
    for (const shipment of [own, other]) await harness.start(shipment);
    await ended(erp, own);
    await ended(beta, other);
    for (const shipment of [own, other]) await until(async () => !(await isOpen(shipment)));
    expect(erp.kindsOf(other.orderId)).toEqual([]);
    expect(new Set(beta.deliveries.map(({ orderId }) => orderId))).toEqual(new Set([other.orderId]));
    for (const { event } of beta.deliveries) expect(event.source).toBe('/consign/beta');
  });

  test('while a secret is rotated, requests carry both signatures', async () => {
    const next = signingSecret(2);
    const secrets = [SECRET, next].map((secret) => async () => await Promise.resolve(secret));
    endpoints.splice(0, 1, anEndpointAt(erp, { secrets }));
    const shipment = furniture();
    await harness.start(shipment);
    await ended(erp, shipment);
    for (const delivery of erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId)) {
      expect(verified(delivery, SECRET)).toEqual(delivery.event);
      expect(verified(delivery, next)).toEqual(delivery.event);
      expect(() => verified(delivery, signingSecret(3))).toThrow('No matching signature found');
    }
  });
});

describe('an endpoint that keeps failing', () => {
  test('with 410 is paused at once, is listed once for all its orders, and resumes in order', async () => {
    erp.react(() => 410);
    const shipments = [furniture(), furniture(), furniture()];
    for (const shipment of shipments) await harness.start(shipment);
    for (const shipment of shipments) expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    const stuck = async () => (await harness.shipments.attention()).endpoints;
    await until(async () => (await stuck())[0]?.orders === 3);
    expect(await stuck()).toEqual([
      {
        ...{ account: 'acme', endpoint: 'erp', orders: 3, isPaused: true },
        ...{ reason: 'the endpoint answered 410', since: expect.any(String) },
      },
    ]);
    const lines = renderAttention(await harness.shipments.attention())
      .split('\n')
      .filter((line) => line.includes('endpoint erp'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('3 orders wait');
    expect(lines[0]).toContain('consign notifications retry --account acme --endpoint erp');
    // One request each, and no more.
    for (const { orderId } of shipments) expect(erp.kindsOf(orderId)).toEqual(['booked']);
    expect(renderNotifications(await logOf(shipments[0] ?? furniture()))).toMatch(/booked +erp +paused/);
    erp.react(() => 204);
    expect(await harness.shipments.retryNotifications('acme', 'chat')).toBe(0);
    expect(await harness.shipments.retryNotifications('acme', 'erp')).toBe(3);
    for (const shipment of shipments) {
      await ended(erp, shipment);
      expect(numbersOf(erp, shipment)).toEqual(upTo(idsOf(erp, shipment).length));
      await until(async () => !(await isOpen(shipment)));
    }
    await until(async () => (await stuck()).length === 0);
  });

  test('is listed after its time, still tried, and forgotten once it answers', async () => {
    endpoints.splice(0, 1, anEndpointAt(erp, { reportAfterMs: 1_500 }));
    erp.react(() => 503);
    const shipment = furniture();
    await harness.start(shipment);
    const stuck = async () => (await harness.shipments.attention()).endpoints;
    await until(async () => (await stuck()).length === 1);
    expect(await stuck()).toMatchObject([
      { isPaused: false, reason: 'the endpoint answered 503', orders: 1 },
    ]);
    const { waiting } = await logOf(shipment);
    expect(waiting[0]).toMatchObject({
      ...{ kind: 'booked', endpoint: 'erp', isPaused: false, reason: 'the endpoint answered 503' },
    });
    erp.react(() => 204);
    expect(await harness.shipments.retryNotifications('acme')).toBe(1);
    await ended(erp, shipment);
    await until(async () => (await stuck()).length === 0);
    await harness.ended(shipment);
  });

  test('for longer than its policy is paused, and sends nothing until a person asks', async () => {
    endpoints.splice(0, 1, anEndpointAt(erp, { reportAfterMs: 1_000, pauseAfterMs: 2_000 }));
    erp.react(() => 'break');
    const shipment = furniture();
    await harness.start(shipment);
    await until(async () => (await harness.shipments.attention()).endpoints[0]?.isPaused === true);
    expect((await harness.shipments.attention()).endpoints[0]?.reason).toMatch(/^the connection failed/);
    const before = erp.kindsOf(shipment.orderId).length;
    await harness.ended(shipment);
    expect(erp.kindsOf(shipment.orderId)).toHaveLength(before);
    erp.react(() => 204);
    expect(await harness.shipments.retryNotifications('acme', 'erp')).toBe(1);
    await ended(erp, shipment);
  });

  test('and is no longer in the accounts file is dropped', async () => {
    endpoints.splice(0, 1, anEndpointAt(erp, { reportAfterMs: 2_000 }));
    erp.react(() => 500);
    const shipment = furniture();
    await harness.start(shipment);
    await until(async () => await Promise.resolve(erp.kindsOf(shipment.orderId).length > 0));
    endpoints.splice(0, 1);
    await harness.ended(shipment);
    await until(async () => {
      // On a busy machine it may have been reported before it left the file.
      await harness.shipments.retryNotifications('acme');
      return !(await isOpen(shipment));
    });
    const { deliveries } = await logOf(shipment);
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(['dropped']));
    expect(erp.kindsOf(shipment.orderId)).not.toContain('ended');
  });
});

describe('a replay', () => {
  test('sends the notifications of an ended order again, with the same ids', async () => {
    const shipment = furniture();
    await harness.start(shipment);
    await ended(erp, shipment);
    await until(async () => !(await isOpen(shipment)));
    const ids = idsOf(erp, shipment);
    const count = (): number => erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId).length;
    const { orderId } = shipment;
    expect(await replay(shipment)).toBe(ids.length);
    await until(async () => await Promise.resolve(count() === 2 * ids.length));
    await until(async () => !(await isOpen(shipment)));
    expect(await replay(shipment, ids.at(-1))).toBe(1);
    await until(async () => await Promise.resolve(count() === 2 * ids.length + 1));
    const all = erp.deliveries.filter((one) => one.orderId === orderId).map(({ event }) => event.id);
    expect(all).toEqual([...ids, ...ids, ids.at(-1)]);
  });

  test.each(['unknown.1', ''])('of the notification %p is refused', async (id) => {
    const shipment = furniture();
    await harness.start(shipment);
    await ended(erp, shipment);
    await expect(replay(shipment, id)).rejects.toThrow('has no notification');
  });
});

describe('an order whose account had no endpoint at the start', () => {
  test('notifies nobody, and its history has nothing of it', async () => {
    const shipment = furniture();
    await harness.startWithoutNotifications(shipment);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    const history = historyToJSON(await harness.handleOf(shipment).fetchHistory());
    expect(history).not.toContain('otification');
    await expect(logOf(shipment)).rejects.toThrow(`No notifications of acme/${shipment.orderId}`);
  });
});
