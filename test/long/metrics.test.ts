import { beforeAll, expect, test } from '@jest/globals';
import { documentedMetrics } from '../support/documented-metrics';
import { metricsOf, seriesOf, valueOf } from '../support/metrics-text';
import { DELIVERED, ORDERS, scrapeLiveStack, type MetricsPages } from '../support/metrics-stack';

let pages: MetricsPages;
beforeAll(async () => {
  pages = await scrapeLiveStack();
}, 90_000);

/** Counters that nothing has counted by then. */
const NOT_MET = [
  'consign_writes_in_doubt_total',
  'consign_late_questions_total',
  'consign_missed_events_total',
];

test('a live worker, receiver and HTTP API serve every metric as it is documented, and none besides', () => {
  const served = [pages.worker, pages.webhooks, pages.api]
    .flatMap(metricsOf)
    .filter(({ name }) => name.startsWith('consign_'));
  const documented = documentedMetrics();
  expect(documented.length).toBeGreaterThan(12);
  for (const one of served) {
    // A counter without a series has no labels to compare.
    const known = documented.find(({ name }) => name === one.name);
    expect(one.labels.length === 0 && known !== undefined ? { ...one, labels: known.labels } : one).toEqual(
      known,
    );
  }
  const names = served.map(({ name }) => name);
  expect(
    documented.map(({ name }) => name).filter((name) => !names.includes(name) && !NOT_MET.includes(name)),
  ).toEqual([]);
});

test('they count what happened', () => {
  const { worker, webhooks } = pages;
  const created = { account: 'acme', endpoint: 'createListing', status: '2xx' };
  expect(valueOf(worker, 'consign_marketplace_calls_total', created)).toBe(1);
  expect(
    valueOf(worker, 'consign_marketplace_call_duration_seconds_count', { endpoint: 'getListing' }),
  ).toBeGreaterThan(0);
  expect(valueOf(worker, 'consign_account_paused', { account: 'acme' })).toBe(0);
  expect(valueOf(worker, 'consign_notifications_total', DELIVERED)).toBeGreaterThan(0);
  const age = valueOf(worker, 'consign_oldest_question_age_seconds', { kind: 'priceApproval' }) ?? -1;
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60);
  expect(
    valueOf(webhooks, 'consign_events_total', { event_type: 'Listing.Booked/v1', outcome: 'signalled' }),
  ).toBe(1);
  expect(valueOf(webhooks, 'consign_event_delay_seconds_count', { event_type: 'Listing.Booked/v1' })).toBe(1);
});

test('the HTTP API counts requests by route, refusals, starts and open streams', () => {
  const { api } = pages;
  const order = { route: '/shipments/:account/:orderId' };
  const count = (name: string, labels: Readonly<Record<string, string>>): number | undefined =>
    valueOf(api, `consign_api_${name}`, labels);
  expect(count('requests_total', { ...order, method: 'PUT', status: '201' })).toBe(1);
  expect(count('requests_total', { ...order, method: 'PUT', status: '200' })).toBe(1);
  expect(count('requests_total', { ...order, method: 'GET', status: '401' })).toBe(1);
  expect(count('requests_total', { route: 'none', method: 'none', status: '404' })).toBe(1);
  expect(count('request_duration_seconds_count', { ...order, method: 'PUT' })).toBe(3);
  expect(count('starts_total', { outcome: 'started' })).toBe(1);
  expect(count('starts_total', { outcome: 'already' })).toBe(1);
  expect(count('starts_total', { outcome: 'invalidOrder' })).toBe(1);
  expect(count('problems_total', { code: 'unauthorized' })).toBe(1);
  expect(count('event_streams', {})).toBe(1);
});

test("Temporal's own metrics are served too, under the names that the alerts use", () => {
  const wait = 'temporal_activity_schedule_to_start_latency_seconds_count';
  expect(valueOf(pages.worker, wait, { task_queue: 'marketplace/acme' })).toBeGreaterThan(0);
  expect(metricsOf(pages.worker)).toContainEqual(
    expect.objectContaining({
      name: 'temporal_workflow_task_schedule_to_start_latency_seconds',
      type: 'histogram',
    }),
  );
  expect(metricsOf(pages.worker)).toContainEqual(
    expect.objectContaining({ name: 'temporal_workflow_completed_total', type: 'counter' }),
  );
});

test('no id, name or text of an order is in any of them', () => {
  const texts = [pages.worker, pages.webhooks, pages.api].join('\n');
  expect(seriesOf(texts).length).toBeGreaterThan(100);
  const { contact, address } = ORDERS.delivered.destination;
  const personal = [contact?.name, contact?.phone, address.street, address.city, address.postalCode];
  const orders = Object.values(ORDERS).flatMap(({ orderId, title }) => [orderId, title]);
  const unwanted = [...personal, ...orders, ...Object.values(pages.ids), 'zebra', 'sandbox-key'];
  expect(unwanted.every((text) => text.length > 3)).toBe(true);
  expect(unwanted.filter((text) => texts.includes(text))).toEqual([]);
});
