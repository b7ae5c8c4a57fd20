import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { NoAnswerError, NoWorkerError } from '../../src/starter/ask-workers';
import { quoteOrder } from '../../src/starter/commands/quote';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterEach(() => {
  harness.sandbox.clearFaults();
  harness.sandbox.setSwitches({ rates: 'normal' });
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

test('an LTL order gets its rates, of which one would be taken; none is accepted', async () => {
  const { json, text, hasPrice } = await quote(anLtlShipment());
  expect(hasPrice).toBe(true);
  expect(json).toMatchObject({ kind: 'ltl', decision: { chosen: { rateId: expect.any(String) } } });
  expect(text).toContain('would be taken (cheapest)');
  expect(harness.sandbox.order('acme/PO-7').rateRequests).toEqual([]);
  expect(harness.sandbox.order('acme/PO-7.quote').rateRequests).toHaveLength(1);
  expect(listings()).toBe(0);
});

test('an empty list names the known causes that match the order, and tells meanwhile that it waits', async () => {
  harness.sandbox.setSwitches({ rates: 'none' });
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
  harness.sandbox.addFault({ endpoint: 'createFixedPrice', kind: 'status', status: 401, times: 1 });
  const quoting = quote(aFurnitureShipment());
  await expect(quoting).rejects.toThrow(NoAnswerError);
  await expect(quoting).rejects.toThrow(/answered 401[^]*static IP addresses of the workers/);
});

test('an account that no worker serves is told after the patience, and nothing is left running', async () => {
  const quoting = quote(aFurnitureShipment(), { account: 'nobody', patienceMs: 500 });
  await expect(quoting).rejects.toThrow(NoWorkerError);
  await expect(quoting).rejects.toThrow('account nobody');
  const open = harness.temporal.client.workflow.list({ query: "ExecutionStatus = 'Running'" });
  for await (const { workflowId } of open) throw new Error(`${workflowId} still runs`);
});
