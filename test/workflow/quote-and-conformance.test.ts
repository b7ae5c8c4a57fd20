import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { loadAccounts } from '../../src/accounts';
import type { AccountReport } from '../../src/accounts/report';
import type { Shipment } from '../../src/domain/shipment';
import { WorkflowNotFoundError } from '@temporalio/client';
import { accountPauseWorkflowId } from '../../src/domain/workflow-id';
import { askConformance } from '../../src/starter/client/ask-conformance';
import { NoAnswerError, NoWorkerError } from '../../src/starter/client/ask-workers';
import { checkOnline } from '../../src/starter/cli/check-online';
import { quoteOrder } from '../../src/starter/cli/commands/quote';
import { sampleOrders } from '../../src/starter/cli/sample-orders';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    paymentMethods: 'normal',
    premiumPosition: 'insuranceQuote',
  });
});
afterAll(async () => await harness?.close());

async function quote(
  shipment: Shipment,
  over: { maximumWaitMs?: number; account?: string; patienceMs?: number } = {},
) {
  const { maximumWaitMs = FAST_POLICY.rates.maximumWaitMs, account = 'acme', patienceMs } = over;
  const progress: string[] = [];
  const quoted = await quoteOrder(
    harness.temporal.client,
    {
      shipment,
      account: { name: account, environment: 'sandbox' },
      policy: { ...FAST_POLICY, rates: { ...FAST_POLICY.rates, maximumWaitMs } },
      documentHash: 'test',
    },
    { hasIntegrator: false, onProgress: (text) => progress.push(text), ...(patienceMs && { patienceMs }) },
  );
  return { ...quoted, progress };
}

/** Of all orders of the ledger. */
const listings = (): number =>
  Object.values(harness.sandbox.ledger().orders).reduce((sum, order) => sum + order.listings.length, 0);

test('a furniture order is priced, with its premium, and nothing is listed', async () => {
  const coverage = { minorUnits: 240_000, currency: 'USD' };
  const { json, text } = await quote(aFurnitureShipment({ coverage }));
  expect(json).toMatchObject({
    kind: 'furniture',
    fixedPrice: { price: { currency: 'USD' }, premium: { currency: 'USD' }, listPrice: { currency: 'USD' } },
  });
  expect(text).toMatch(/Total +USD \d/);
  expect(listings()).toBe(0);
});

test('a furniture order whose answer names no premium is quoted without a total, and says that it would ask', async () => {
  harness.sandbox.setSwitches({ premiumPosition: 'missing' });
  const { json, text } = await quote(
    aFurnitureShipment({ coverage: { minorUnits: 240_000, currency: 'USD' } }),
  );
  expect(json).toMatchObject({ fixedPrice: { price: { currency: 'USD' }, premium: 'unknown' } });
  expect(text).toMatch(/Total +unknown/);
  expect(text).toContain('the order would ask a person (premiumUnknown)');
});

test('an LTL order gets its rates, of which one would be taken; none is accepted', async () => {
  const { json, text, hasPrice } = await quote(anLtlShipment());
  expect(hasPrice).toBe(true);
  expect(json).toMatchObject({ kind: 'ltl', decision: { chosen: { rateId: expect.any(String) } } });
  expect(text).toContain('would be accepted (cheapest)');
  expect(harness.sandbox.order('acme/PO-7').rateRequests).toEqual([]);
  expect(harness.sandbox.order('acme/PO-7.quote').rateRequests).toHaveLength(1);
  expect(listings()).toBe(0);
});

test('an empty list names the known causes that match the order, and tells meanwhile that it waits', async () => {
  harness.sandbox.trouble({ when: 'createRateRequest', what: 'noRates' });
  const items = anLtlShipment().items.map((item) => ({ ...item, commodity: 'Beverages' }));
  const { json, hasPrice, progress } = await quote(anLtlShipment({ items }), { maximumWaitMs: 1_500 });
  expect(hasPrice).toBe(false);
  expect(json).toMatchObject({
    rates: [],
    possibleCauses: [{ path: '$.items[0].commodity' }, { path: '$.account' }],
  });
  expect(progress).toEqual(['0 rates so far']);
});

test('a key that is refused says what a 401 may mean', async () => {
  harness.sandbox.trouble({ when: 'getFixedPrice', what: { kind: 'status', status: 401 }, times: 1 });
  const quoting = quote(aFurnitureShipment());
  await expect(quoting).rejects.toThrow(NoAnswerError);
  await expect(quoting).rejects.toThrow(/answered 401[^]*static IP addresses of the workers/);
});

test('an account that no worker serves is told after the patience, and nothing is left running', async () => {
  const quoting = quote(aFurnitureShipment(), { account: 'nobody', patienceMs: 500 });
  await expect(quoting).rejects.toThrow(NoWorkerError);
  await expect(quoting).rejects.toThrow('account nobody');
  const { workflow } = harness.temporal.client;
  // Visibility is told of an end a little later.
  await until(async () => (await workflow.count("ExecutionStatus = 'Running'")).count === 0);
});

const account = { name: 'acme', environment: 'sandbox' } as const;

/** The samples of the command, for the account of the demo. */
function conformanceInput(listingId: string | null) {
  const file = path.join(__dirname, '..', '..', 'examples', 'accounts.yaml');
  const samples = sampleOrders(loadAccounts(file, {}), 'acme', new Date());
  return { account, ...samples, rates: FAST_POLICY.rates, listingId };
}

test('conformance finds that the sandbox answers as it is read, books nothing, and shows nothing private', async () => {
  const shipment = aFurnitureShipment({ orderId: 'SO-2' });
  await harness.start(shipment);
  const { state } = await harness.ended(shipment);
  const listingId = state?.listing?.listingId ?? null;
  const before = listings();
  const reports = await askConformance(harness.temporal.client, conformanceInput(listingId));
  expect(reports.map(({ endpoint, verdict }) => `${verdict} ${endpoint}`)).toEqual([
    'fits GET /v2/paymentmethods',
    'fits POST /v2/fixedprice',
    'fits GET /v2/lookups/addressTypes',
    'fits POST /v2/raterequests',
    'fits GET /v2/raterequests/{id}/rates',
    'fits GET /v2/listings/{listingId}',
    'fits GET /v2/listings/{listingId}/contacts',
    'fits GET /v2/listings/{listingId}/track',
    'fits GET /v2/listings/{id}/billoflading',
  ]);
  expect(listings()).toBe(before);
  const text = JSON.stringify(reports);
  const { name, phone } = shipment.destination.contact;
  for (const value of [listingId, name, phone, shipment.destination.address.street, 'SO-2', 'acme']) {
    expect(text).not.toContain(value);
  }
});

test('conformance tells an answer that differs by field and kind, and goes on with the others', async () => {
  harness.sandbox.trouble({ when: 'getFixedPrice', what: { kind: 'status', status: 500 }, times: 1 });
  harness.sandbox.setSwitches({ paymentMethods: 'notImplemented', premiumPosition: 'missing' });
  const reports = await askConformance(harness.temporal.client, { ...conformanceInput(null), ltl: null });
  expect(reports).toMatchObject([
    { status: 501, verdict: 'notThere' },
    { status: 500, verdict: 'refused' },
  ]);
  const again = await askConformance(harness.temporal.client, { ...conformanceInput(null), ltl: null });
  expect(again[1]).toMatchObject({
    status: 200,
    verdict: 'differs',
    differences: [{ path: '(as a whole)' }],
  });
});

test('a key is checked by one call, and a refused one names what it may be', async () => {
  const accounts = [{ name: 'acme', environment: 'sandbox' }] as unknown as AccountReport[];
  const check = async () => await checkOnline(harness.temporal.client, { accounts });
  expect(await check()).toMatchObject([{ account: 'acme', isTaken: true, status: 200 }]);
  harness.sandbox.trouble({ when: 'listPaymentMethods', what: { kind: 'status', status: 403 }, times: 1 });
  expect(await check()).toMatchObject([
    { isTaken: false, status: 403, text: expect.stringContaining('static IP addresses') },
  ]);
});

test("a question about the account names the account's support address", async () => {
  const shipment = aFurnitureShipment({ orderId: 'SO-3' });
  harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 }, times: 1 });
  await harness.shipments.start({
    ...{ shipment, account, policy: FAST_POLICY, documentHash: 'test' },
    supportAddress: 'help@example.com',
  });
  await harness.until(shipment, ({ state }) => state?.pause != null);
  const asks = harness.temporal.client.workflow.getHandle(accountPauseWorkflowId('acme'));
  const text = async () =>
    await asks.describe().then(
      ({ memo }) => String(memo?.waitingFor),
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return 'not yet';
        throw error;
      },
    );
  await until(async () => (await text()).includes(' wait '));
  expect(await text()).toMatch(/Support: help@example\.com\.$/);
});
