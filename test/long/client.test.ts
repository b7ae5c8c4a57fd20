import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { loadAccounts } from '../../src/accounts';
import type { AccountReport } from '../../src/accounts/report';
import type { Shipment } from '../../src/domain/shipment';
import {
  Client,
  Connection,
  ServiceError,
  WorkflowNotFoundError,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { Command } from 'commander';
import { accountPauseWorkflowId } from '../../src/domain/workflow-id';
import { askConformance } from '../../src/starter/client/ask-conformance';
import type { QuestionAnswer } from '../../src/starter/client/answer-question';
import { NoAnswerError, NoWorkerError } from '../../src/starter/client/errors';
import type { EventSummary } from '../../src/starter/client/event-client';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { saveDocuments } from '../../src/starter/client/save-documents';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { StartableOrder } from '../../src/starter/client/start-order';
import { checkOnline } from '../../src/starter/cli/check-online';
import type { CliContext } from '../../src/starter/cli/context';
import { sampleOrders } from '../../src/starter/cli/sample-orders';
import { renderAttention } from '../../src/starter/cli/commands/attention';
import { renderEvents } from '../../src/starter/cli/commands/events';
import { hasPrice, renderQuote } from '../../src/starter/cli/show-quote';
import { disputePackCommand } from '../../src/starter/cli/syntax/follow-orders';
import { supportCommand } from '../../src/starter/cli/syntax/set-up';
import { aFurnitureShipment, anLtlShipment, aStop, numberedOrders } from '../support/builders';
import { CANARIES, hitsIn } from '../support/canaries';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    paymentMethods: 'normal',
    premiumPosition: 'insuranceQuote',
    carrierAnswer: 'accepts',
    transit: 'normal',
  });
});
afterAll(async () => await harness?.close());

async function quote(
  shipment: Shipment,
  over: { maximumWaitMs?: number; account?: string; patienceMs?: number } = {},
) {
  const { maximumWaitMs = FAST_POLICY.rates.maximumWaitMs, account = 'acme', patienceMs } = over;
  const progress: string[] = [];
  const quoted = await harness.shipments.quote(
    {
      shipment,
      account: { name: account, environment: 'sandbox' },
      policy: FAST_POLICY,
      documentHash: 'test',
    },
    { maximumWaitMs, patienceMs, onProgress: (text) => progress.push(text) },
  );
  return { quoted, text: renderQuote(shipment, quoted, maximumWaitMs), progress };
}

/** Of all orders of the ledger. */
const listings = (): number =>
  Object.values(harness.sandbox.ledger().orders).reduce((sum, order) => sum + order.listings.length, 0);

test('a furniture order is priced, with its premium, and nothing is listed', async () => {
  const coverage = { minorUnits: 240_000, currency: 'USD' };
  const { quoted, text } = await quote(aFurnitureShipment({ coverage }));
  expect(quoted).toMatchObject({
    kind: 'furniture',
    fixedPrice: { price: { currency: 'USD' }, premium: { currency: 'USD' }, listPrice: { currency: 'USD' } },
  });
  expect(text).toMatch(/Total +USD \d/);
  expect(listings()).toBe(0);
});

test('a furniture quote without a premium has no total, and says that the order would ask', async () => {
  harness.sandbox.setSwitches({ premiumPosition: 'missing' });
  const { quoted, text } = await quote(
    aFurnitureShipment({ coverage: { minorUnits: 240_000, currency: 'USD' } }),
  );
  expect(quoted).toMatchObject({ fixedPrice: { price: { currency: 'USD' }, premium: 'unknown' } });
  expect(text).toMatch(/Total +unknown/);
  expect(text).toContain('the order would ask a person (premiumUnknown)');
});

test('an LTL order gets its rates and the one that would be accepted; none is accepted', async () => {
  const { quoted, text } = await quote(anLtlShipment());
  expect(hasPrice(quoted)).toBe(true);
  expect(quoted).toMatchObject({
    kind: 'ltl',
    possibleCauses: [],
    decision: { chosen: { rateId: expect.any(String) } },
  });
  expect(text).toContain('would be accepted (cheapest)');
  expect(harness.sandbox.order('acme/PO-7').rateRequests).toEqual([]);
  expect(harness.sandbox.order('acme/PO-7.quote').rateRequests).toHaveLength(1);
  expect(listings()).toBe(0);
});

test('an empty list names the known causes that match the order, and the wait is reported', async () => {
  harness.sandbox.trouble({ when: 'createRateRequest', what: 'noRates' });
  const items = anLtlShipment().items.map((item) => ({ ...item, commodity: 'Beverages' }));
  const { quoted, progress } = await quote(anLtlShipment({ items }), { maximumWaitMs: 1_500 });
  expect(hasPrice(quoted)).toBe(false);
  expect(quoted).toMatchObject({
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

test('an account without a worker is reported after a time-out, and nothing is left running or named in the reason', async () => {
  const quoting = quote(aFurnitureShipment(), { account: 'nobody', patienceMs: 500 });
  await expect(quoting).rejects.toThrow(NoWorkerError);
  await expect(quoting).rejects.toThrow('account nobody');
  const { workflow } = harness.temporal.client;
  // Visibility is told of an end a little later.
  await until(async () => (await workflow.count("ExecutionStatus = 'Running'")).count === 0);
  // Temporal keeps the reason in plain text, also with encryption.
  const reasons: unknown[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: "ExecutionStatus = 'Terminated'" })) {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    reasons.push(events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason);
  }
  expect(reasons).toEqual(['no worker took the request']);
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

test('conformance reports a different answer by field and kind, and continues with the others', async () => {
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

test("a question about the account names its support address, and the account's shipments are resumed", async () => {
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
  expect(await harness.shipments.retryAccount('acme', BY)).toEqual({ outcome: 'accepted' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  // The same request is the same update, also after its end; another one finds that nothing waits any more.
  expect(await harness.shipments.retryAccount('acme', BY)).toEqual({ outcome: 'accepted' });
  const again = { ...BY, reason: 'the key is new' };
  expect(await harness.shipments.retryAccount('acme', again)).toEqual({ outcome: 'doneBefore' });
});

const { furniture } = numberedOrders('K');
const LOW = { minorUnits: 100, currency: 'USD' };

const startable = (shipment: Shipment, over: Partial<StartableOrder> = {}): StartableOrder => ({
  ...{ shipment, account, policy: FAST_POLICY, documentHash: 'test', ...over },
});

/** An order whose price is above its limit, and the question about that. */
async function asking(): Promise<{
  readonly orderId: string;
  readonly questionId: string;
  readonly shipment: Shipment;
}> {
  const shipment = furniture({ priceLimit: LOW });
  await harness.start(shipment);
  return { shipment, orderId: shipment.orderId, questionId: await harness.asked(shipment, 'priceApproval') };
}

test('an order is watched to its end, and its result and its documents are read', async () => {
  const shipment = furniture();
  const { orderId } = shipment;
  await harness.start(shipment);
  const views: ShipmentView[] = [];
  for await (const view of harness.shipments.watch('acme', orderId)) views.push(view);
  expect(views.length).toBeGreaterThan(2);
  expect(views.at(-1)).toMatchObject({ status: 'COMPLETED' });
  expect(views.slice(0, -1).every(({ status }) => status === 'RUNNING')).toBe(true);
  // Each view differs from the one before.
  for (const [index, view] of views.slice(1).entries()) expect(view).not.toEqual(views[index]);

  const { shipments } = harness;
  expect(await shipments.result('acme', orderId)).toMatchObject({ kind: 'delivered' });
  const found = await shipments.documents('acme', orderId);
  expect(found.stored).toContainEqual(expect.objectContaining({ kind: 'billOfLading' }));
  const folder = temporaryFolder();
  const saved = await saveDocuments(found.stored, harness.files, { folder });
  expect(saved.map(({ outcome }) => outcome)).toEqual(found.stored.map(() => 'written'));
  expect(await readdir(folder)).toHaveLength(found.stored.length);
  const pack = path.join(folder, 'pack');
  const { printed } = await run(disputePackCommand, [orderId, '--out', pack]);
  expect(printed).toContain(`written: ${pack}`);
  expect(await readdir(path.join(pack, 'documents'))).toHaveLength(found.stored.length);
  expect(await readFile(path.join(pack, 'requests.json'), 'utf8')).toContain(shipment.origin.contact.phone);
  expect(await readFile(path.join(pack, 'quote.txt'), 'utf8')).toMatch(/Total for the customer +USD \d/);
  expect(await readFile(path.join(pack, 'prices.txt'), 'utf8')).toMatch(/listing \d+: named USD \d/);
  expect(await readFile(path.join(pack, 'README.txt'), 'utf8')).toContain('photos: the order has none');
  await expect(shipments.retryDocuments('acme', orderId, BY)).rejects.toMatchObject({ kind: 'ended' });
});

/** Runs one command against the harness. @param client another client than the harness's */
async function run(
  toCommand: (context: CliContext) => Command,
  options: readonly string[],
  client: Client = harness.temporal.client,
): Promise<{ readonly printed: string }> {
  const printed: string[] = [];
  const context = {
    print: (text: string) => void printed.push(text),
    accounts: () => loadAccounts('examples/accounts.yaml', {}),
    files: () => harness.files,
    withShipments: async (use: (shipments: ShipmentClient, client: Client) => Promise<unknown>) =>
      await use(new ShipmentClient(client), client),
    orderOf: (orderId: string) => ({ account: 'acme', orderId }),
  } as unknown as CliContext;
  await toCommand(context).parseAsync(options, { from: 'user' });
  return { printed: printed.join('\n') };
}

test('an order whose every text is a canary has a support bundle without one, also without workers or keys', async () => {
  const ALL = Object.values(CANARIES).join(' and ');
  const { street, unit, town, postalCode, name, company, phoneBraces: phone, email } = CANARIES;
  const stop = aStop({
    address: { ...aStop().address, street, unit, city: town, postalCode },
    contact: { name, companyName: company, phone, email },
  });
  const shipment = furniture({
    ...{ orderId: 'Zebulon.Quux-4711', title: CANARIES.note, driverNotes: CANARIES.note },
    ...{ origin: stop, destination: stop, labels: { [CANARIES.lowerName]: ALL } },
    references: [{ type: 'Other', number: CANARIES.hexKey, label: CANARIES.lowerName }],
  });
  const { orderId } = shipment;
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const echo = {
    kind: 'status',
    status: 500,
    body: { reason: ALL, errors: [{ code: ALL, field: ALL }] },
  } as const;
  harness.sandbox.trouble({ when: 'createListing', what: echo, times: 1 });
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  const person = { by: CANARIES.firstName, reason: `phoned ${CANARIES.phoneDashes}` };
  await harness.shipments.answer('acme', orderId, { kind: 'resend', questionId, ...person });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');

  const { connection } = harness.temporal.client;
  const { namespace } = harness.temporal.open;
  const noKeys = async () => await Promise.reject(new Error('this process has no keys'));
  const undecodable = { payloadCodecs: [{ encode: noKeys, decode: noKeys }] };
  const withKeys = (await run(supportCommand, [orderId, '--account', 'acme'])).printed;
  const withoutKeys = await run(
    supportCommand,
    [orderId],
    new Client({ connection, namespace, dataConverter: undecodable }),
  );
  const withoutWorkers = await harness.withoutWorkers(async () => await run(supportCommand, [orderId]));
  for (const text of [withKeys, withoutKeys.printed, withoutWorkers.printed]) {
    expect(text).toContain('createListing failed: InDoubt');
    expect(text).toContain('phase: awaitingBooking');
    expect(text).toContain('update resolveInDoubt');
    const found = hitsIn(text, [...Object.values(CANARIES), orderId]);
    expect([...found, ...(text.includes('acme') ? ['acme'] : [])]).toEqual([]);
  }
  expect(withKeys).toContain('1 × InDoubt (createListing, 500)');
  expect(withKeys).toContain('  … answers resend: …');
  expect(withKeys).toContain('  listing listing-1 created at the list price');
  expect(withKeys).toContain('waits for: a carrier to book listing listing-1');
  expect(withKeys).not.toContain('(a line that is not shown)');
  expect(withoutKeys.printed).toMatch(/payloads that cannot be decoded here: [1-9]/);
  expect(withoutWorkers.printed).toContain('state: no worker answers');

  const folder = temporaryFolder();
  const out = path.join(folder, 'bundle.md');
  expect(await run(supportCommand, [orderId, '--out', out])).toEqual({ printed: `written: ${out}` });
  expect(await readFile(out, 'utf8')).toMatch(
    /^# Consign support bundle\n\nYou may paste this text in public\./,
  );
  await expect(run(supportCommand, [orderId, '--out', out])).rejects.toMatchObject({
    kind: 'invalidInput',
    message: `${out} exists already.`,
  });
  const { sections } = JSON.parse((await run(supportCommand, [orderId, '--json'])).printed) as {
    readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  };
  expect(sections.find(({ title }) => title === 'Order')?.lines).toContain('order: account-1/order-1');
  await harness.shipments.cancel('acme', orderId, BY);
});

test.each([supportCommand, disputePackCommand])(
  'a bundle and a pack of an order that does not exist are refused',
  async (toCommand) => {
    const options = toCommand === disputePackCommand ? ['--out', 'never-written'] : [];
    await expect(run(toCommand, ['K-none', ...options])).rejects.toMatchObject({ kind: 'notFound' });
  },
);

/** A client whose looks at a shipment pass through `describe` first. */
function clientThat(describe: NonNullable<WorkflowClientInterceptor['describe']>): ShipmentClient {
  const { connection } = harness.temporal.client;
  const { namespace } = harness.temporal.open;
  return new ShipmentClient(
    new Client({ connection, namespace, interceptors: { workflow: [{ describe }] } }),
  );
}

/** A listing that nobody books. */
async function waiting(): Promise<Shipment> {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  return shipment;
}

test('a watch ends without an error when its signal fires, and looks at a moderate pace until then', async () => {
  const { orderId } = await waiting();
  const looks: number[] = [];
  const stop = new AbortController();
  const client = clientThat(async (input, next) => {
    looks.push(Date.now());
    if (looks.length === 3) stop.abort();
    return await next(input);
  });
  const views: ShipmentView[] = [];
  for await (const view of client.watch('acme', orderId, { signal: stop.signal })) views.push(view);
  expect(views.length).toBeGreaterThan(0);
  expect(views.every(({ status }) => status === 'RUNNING')).toBe(true);
  expect(looks).toHaveLength(3);
  const waits = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(695);
  const aborted = client.watch('acme', orderId, { signal: AbortSignal.abort() });
  expect(await aborted.next()).toEqual({ done: true, value: undefined });
  await harness.shipments.cancel('acme', orderId, BY);
});

test('a watch continues after an outage of Temporal, unless it takes longer than its patience', async () => {
  const shipment = await waiting();
  let looks = 0;
  const client = clientThat(async (input, next) => {
    looks += 1;
    if (looks === 2 || looks === 3) throw new ServiceError('Temporal is away');
    if (looks === 4) await harness.handleOf(shipment).terminate('the test is over');
    return await next(input);
  });
  const statuses: string[] = [];
  for await (const { status } of client.watch('acme', shipment.orderId)) statuses.push(status);
  expect(statuses).toEqual(['RUNNING', 'TERMINATED']);

  looks = 0;
  const impatient = client.watch('acme', (await waiting()).orderId, { patienceMs: 0 });
  expect((await impatient.next()).value).toMatchObject({ status: 'RUNNING' });
  await expect(impatient.next()).rejects.toMatchObject({ kind: 'temporalUnreachable' });
  looks = 1;
  const atOnce = client.watch('acme', shipment.orderId);
  await expect(atOnce.next()).rejects.toMatchObject({ kind: 'temporalUnreachable' });
  await expect(harness.shipments.watch('acme', 'K-none').next()).rejects.toMatchObject({ kind: 'notFound' });
});

/** What an answer says beside who gives it. */
interface AnswerOver {
  readonly kind: 'approve' | 'rebook';
  readonly questionId?: string;
  readonly by?: string;
}

test('a question is answered once, and a refused, a late and a wrong answer have their own errors', async () => {
  const { shipment, orderId, questionId } = await asking();
  const { shipments } = harness;
  const answer = async (given: AnswerOver) => await shipments.answer('acme', orderId, { ...BY, ...given });
  await expect(answer({ kind: 'rebook' })).rejects.toMatchObject({ name: 'RefusedError', kind: 'refused' });
  await expect(answer({ kind: 'approve', by: ' ' })).rejects.toMatchObject({ kind: 'refused' });
  await expect(answer({ kind: 'approve', questionId: 'q7-inDoubt' })).rejects.toMatchObject({
    ...{ name: 'StaleQuestionError', kind: 'staleQuestion', message: expect.stringContaining(questionId) },
  });
  for (const kind of ['resend', 'abandon'] as const) {
    const unnamed = { kind, ...BY } as unknown as QuestionAnswer;
    await expect(shipments.answer('acme', orderId, unnamed)).rejects.toMatchObject({ kind: 'invalidInput' });
  }
  expect(await answer({ kind: 'approve' })).toEqual({ outcome: 'accepted' });
  // The same answer again is the same update.
  expect(await answer({ kind: 'approve', questionId })).toEqual({ outcome: 'accepted' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  await expect(answer({ kind: 'approve' })).rejects.toMatchObject({ kind: 'noQuestion' });
  await expect(shipments.answer('acme', 'K-none', { kind: 'retry', ...BY })).rejects.toMatchObject({
    ...{ kind: 'notFound' },
  });
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
});

test('a premium that the marketplace does not name is stated', async () => {
  harness.sandbox.setSwitches({ premiumPosition: 'missing' });
  const shipment = furniture({ coverage: { minorUnits: 240_000, currency: 'USD' } });
  await harness.start(shipment);
  await harness.asked(shipment, 'premiumUnknown');
  const stated = { kind: 'premium', premiumMinorUnits: 4_850, ...BY } as const;
  expect(await harness.shipments.answer('acme', shipment.orderId, stated)).toEqual({ outcome: 'accepted' });
  expect((await harness.ended(shipment)).state?.fixedPrice).toMatchObject({ premium: { minorUnits: 4_850 } });
});

test('a corrected order answers the open question, or changes the open listing', async () => {
  const { shipment, orderId } = await asking();
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const corrected = startable({ ...shipment, priceLimit: null }, { documentHash: 'corrected' });
  expect(await harness.shipments.revise(corrected, BY)).toEqual({ kind: 'answer' });
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  const red = startable({ ...shipment, priceLimit: null, title: 'A red sofa' }, { documentHash: 'red' });
  expect(await harness.shipments.revise(red, BY)).toMatchObject({
    ...{ kind: 'change', report: { status: 'done', what: expect.stringContaining('was changed (title)') } },
  });
  await expect(harness.shipments.revise(red, BY)).rejects.toMatchObject({ kind: 'refused' });
  await expect(harness.shipments.revise(startable(furniture()), BY)).rejects.toMatchObject({
    kind: 'notFound',
  });
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  await harness.shipments.cancel('acme', orderId, BY);
});

test('an order is withdrawn once, and not after it was delivered', async () => {
  const { shipment, orderId } = await asking();
  const { shipments } = harness;
  await expect(shipments.cancel('acme', orderId, { ...BY, by: '' })).rejects.toMatchObject({
    kind: 'refused',
  });
  expect(await shipments.cancel('acme', orderId, BY)).toEqual({ outcome: 'accepted' });
  await harness.ended(shipment);
  expect(await shipments.cancel('acme', orderId, BY)).toEqual({ outcome: 'doneBefore' });
  expect(await shipments.result('acme', orderId)).toMatchObject({ kind: 'withdrawn', by: BY.by });
  await expect(shipments.start(startable(shipment))).rejects.toMatchObject({
    ...{ kind: 'conflict', reason: 'withdrawn', withdrawal: { by: BY.by } },
  });
  const delivered = furniture();
  await harness.start(delivered);
  await harness.ended(delivered);
  await expect(shipments.cancel('acme', delivered.orderId, BY)).rejects.toMatchObject({ kind: 'ended' });
  await expect(shipments.cancel('acme', 'K-none', BY)).rejects.toMatchObject({ kind: 'notFound' });
});

test('a shipment that failed has no result, but an error with the type of its failure', async () => {
  harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 400 }, times: 1 });
  const shipment = furniture();
  await harness.start(shipment);
  await expect(harness.shipments.result('acme', shipment.orderId)).rejects.toMatchObject({
    ...{ name: 'ShipmentFailedError', kind: 'failed', failureType: 'FailedBeforeBooking' },
  });
  await expect(harness.shipments.result('acme', 'K-none')).rejects.toMatchObject({ kind: 'notFound' });
});

test('an event after the end is listed, found again and acknowledged', async () => {
  const { shipments } = harness;
  const shipment = furniture();
  const { orderId } = shipment;
  await harness.start(shipment);
  const listingId = (await harness.ended(shipment)).state?.listing?.listingId ?? '';
  await expect(shipments.acknowledge('acme', orderId, BY)).rejects.toMatchObject({
    ...{ kind: 'nothingToAcknowledge' },
  });
  expect(await shipments.replayEvent(account, listingId)).toMatchObject({
    workflowId: `shipment/acme/${orderId}`,
  });
  await expect(shipments.replayEvent(account, '1x')).rejects.toMatchObject({ kind: 'invalidInput' });
  harness.sandbox.controls.adjustPrice(listingId, { amount: 75 });
  const asksNow = async (): Promise<EventSummary[]> =>
    (await shipments.events({ kinds: ['late'] })).filter(
      (one) => one.orderId === orderId && one.needsAttention,
    );
  await until(async () => (await asksNow()).length > 0);
  const events = await asksNow();
  expect(events).toMatchObject([{ kind: 'late', listingId, says: expect.stringMatching(/acknowledge/i) }]);
  expect(renderEvents(events)).toMatch(new RegExp(`late +acme +${listingId} +${orderId} +running !`));
  expect(await shipments.lateEvents('acme', orderId)).toMatchObject([{ listingId, needsAttention: true }]);
  await expect(shipments.acknowledge('acme', orderId, { ...BY, listingId: '1' })).rejects.toMatchObject({
    ...{ kind: 'nothingToAcknowledge' },
  });
  expect(await shipments.acknowledge('acme', orderId, BY)).toEqual({ outcome: 'accepted' });
  await until(async () => (await asksNow()).length === 0);
});

test.each([
  ["x' OR Account = 'acme", 'SO-1'],
  ['acme', "SO-1' OR OrderId != '"],
  ['acme', 'SO-1/2'],
])('a name that is none is refused before it reaches Temporal: %s, %s', async (name, orderId) => {
  const { shipments } = harness;
  await expect(shipments.lateEvents(name, orderId)).rejects.toMatchObject({ kind: 'invalidInput' });
  await expect(shipments.get(name, orderId)).rejects.toMatchObject({ kind: 'invalidInput' });
});

test('a filter that Temporal cannot parse is refused by it', async () => {
  const query = "Colour = 'red'";
  const { shipments } = harness;
  const calls: readonly (() => Promise<unknown>)[] = [
    async () => await shipments.list({ query }),
    async () => await shipments.count(query),
    async () => await shipments.attention({ query }),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ name: 'TemporalRefusedError', kind: 'temporalRefused' });
});

test('a read that the marketplace keeps failing is one line of attention, however many orders wait', async () => {
  const { sandbox, shipments } = harness;
  sandbox.trouble({ when: 'getFixedPrice', what: { kind: 'status', status: 503 } });
  const orders = [furniture(), furniture()];
  for (const shipment of orders) await harness.start(shipment);
  const report = async () => await shipments.attention({ patienceMs: 1 });
  await until(async () => (await report()).calls[0]?.shipments === orders.length);
  const { calls } = await report();
  expect(calls).toEqual([
    {
      ...{ account: 'acme', call: 'getFixedPrice', failures: expect.any(Number), shipments: 2 },
      reason: expect.stringContaining('503'),
    },
  ]);
  expect(renderAttention(await report())).toMatch(
    /! getFixedPrice of account acme failed (once|\d+ times in a row) \(.*503.*\); 2 shipments wait/,
  );
  // Nothing to say of a failure that may pass in a moment.
  expect((await shipments.attention()).calls).toEqual([]);
  sandbox.clearTroubles();
  await until(
    async () => await Promise.resolve(orders.every((order) => harness.ledgerOf(order).created === 1)),
  );
});

test('where no Temporal answers each method says so by its error', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const client = new Client({ connection });
  const shipments = new ShipmentClient(client);
  const watch = async () => await shipments.watch('acme', 'K-1').next();
  const calls: readonly (() => Promise<unknown>)[] = [
    async () => await shipments.start(startable(furniture())),
    async () => await shipments.get('acme', 'K-1'),
    async () => await shipments.list(),
    async () => await shipments.attention(),
    async () => await shipments.answer('acme', 'K-1', { kind: 'retry', ...BY }),
    async () => await shipments.events(),
    watch,
  ];
  for (const call of calls)
    await expect(client.withDeadline(Date.now() + 300, call)).rejects.toMatchObject({
      ...{ name: 'TemporalUnreachableError', kind: 'temporalUnreachable' },
    });
});
