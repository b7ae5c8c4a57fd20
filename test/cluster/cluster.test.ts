import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCluster, whyNoCluster, type Cluster } from '../../devstack/cluster/cluster';
import { limitQueues } from '../../src/temporal/queue-limits';
import { attributeOf } from '../../src/domain/bounds';
import { ORDER_ID, REFERENCES, referencesPair } from '../../src/contract/search-attributes';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { isTemporalUp } from '../../src/temporal/is-up';
import { checkNewestShipment } from '../../src/starter/cli/doctor';
import { readClusterState } from '../../src/worker/cluster-state';
import { aFurnitureShipment } from '../support/builders';
import { consign, consignProcess } from '../support/consign';
import { run } from '../../devstack/cluster/go-tool';
import { startProcessStack, type ProcessStack } from '../support/process-stack';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

const WHY_NOT = whyNoCluster();
/** `npm run test:cluster` must not pass without a cluster. */
const isAskedFor = process.env.npm_lifecycle_event === 'test:cluster';
// The rule does not see that the tests that may be skipped are tests.
/* oxlint-disable jest/no-standalone-expect */
const testOnCluster = WHY_NOT === null || isAskedFor ? test : test.skip;
const unlessCluster = WHY_NOT === null ? '' : ` (skipped: ${WHY_NOT})`;

const ROOT = path.join(__dirname, '..', '..');
const SECRET = 'demo-webhook-secret';
/** A listing that no order knows. */
const FOREIGN = '987654321';
/** The first builds compile for minutes. */
const BUILD_MS = 20 * 60_000;

let cluster: Cluster;
let world: ProcessStack;
const said: string[] = [];
const before = process.env;
const closers: (() => Promise<unknown>)[] = [];

/** A copy of the sofa that asks, because its price is above the limit. @returns the file */
async function orderThatAsks(folder: string): Promise<string> {
  const sofa = JSON.parse(
    await readFile(path.join(ROOT, 'examples', 'furniture-sofa.json'), 'utf8'),
  ) as object;
  const file = path.join(folder, 'asks.json');
  const own = { orderId: 'Sofa_asks', images: [], priceLimit: { amount: '1.00', currency: 'USD' } };
  await writeFile(file, JSON.stringify({ ...sofa, ...own, references: { PurchaseOrder: 'PO/88 a' } }));
  return file;
}

/** As the marketplace announces a listing that belongs to nobody here. */
async function announceForeign(): Promise<void> {
  const [type, time] = ['Shipment.TransitStatusChanged/v1', '2035-03-01T12:00:00Z'];
  const data = { listingId: Number(FOREIGN), transitStatus: { value: 'PickedUp' } };
  const answer = await fetch(`${world.stack.webhookUrl}/webhooks/acme/${SECRET}`, {
    method: 'POST',
    body: JSON.stringify({ specversion: '1.0', id: 'foreign-1', source: 'urn:x', type, time, data }),
  });
  expect(answer.status).toBe(200);
}

const countOf = async (query: string): Promise<number> =>
  (await world.temporal.client.workflow.count(query)).count;
const atLeastOne = async (query: string): Promise<void> =>
  await until(async () => (await countOf(query)) > 0);

beforeAll(async () => {
  if (WHY_NOT !== null && !isAskedFor) return;
  const folder = temporaryFolder();
  cluster = await startCluster(
    { folder, env: before, log: (line) => said.push(line) },
    (close) => void closers.push(close),
  );
  world = await startProcessStack(
    folder,
    { ...cluster.env, CONSIGN_LOG_LEVEL: 'silent' },
    { ports: { api: await reserveFreePort() } },
  );
  closers.push(async () => await world.close());
  process.env = { ...before, ...world.stack.env };
  for (const file of ['examples/furniture-sofa.json', 'examples/ltl-tiles.json', await orderThatAsks(folder)])
    expect(await consign('start', file)).toMatchObject({ code: 0, err: '' });
  await announceForeign();
  await atLeastOne("OrderId = 'Sofa_asks' AND NeedsAttention = true");
  await atLeastOne("WorkflowType = 'unroutedEvent'");
}, BUILD_MS);
afterAll(async () => {
  process.env = before;
  for (const close of closers.splice(0).toReversed()) await close();
}, 60_000);

testOnCluster(
  `a new namespace on PostgreSQL gets what it lacks from \`consign setup\`, and lacks nothing then${unlessCluster}`,
  async () => {
    const setup = said.filter((line) => line.includes('consign.js setup'));
    for (const name of ['OrderId (KEYWORD)', 'PickupOn (DATETIME)', 'ReferenceNumbers (KEYWORD_LIST)'])
      expect(setup).toContainEqual(
        expect.stringContaining(`fixed: namespace default has no search attribute ${name}`),
      );
    expect(await consign('setup', '--check')).toMatchObject({
      code: 0,
      out: expect.stringContaining('has everything that Consign needs'),
    });
    const { persistenceStore, visibilityStore, historyShardCount } =
      await world.temporal.client.workflowService.getClusterInfo({});
    expect({ persistenceStore, visibilityStore, historyShardCount }).toEqual({
      ...{ persistenceStore: 'postgres12', visibilityStore: 'postgres12', historyShardCount: 4 },
    });
  },
);

testOnCluster.each(['SO-10482', 'PO-20931'])(
  `order %s goes through real processes to delivered, and is booked once${unlessCluster}`,
  async (orderId) => {
    expect(await consign('watch', orderId)).toMatchObject({ code: 0, err: '' });
    expect((await consign('show', orderId)).out).toMatch(/\(completed\)[^]*^Transit +Delivered$/m);
    const ledger = (await (await fetch(`${world.stack.sandboxUrl}/_sandbox/ledger`)).json()) as {
      readonly orders: Record<string, object>;
    };
    expect(ledger.orders[`acme/${orderId}`]).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
    // The list shows the end a moment later.
    await atLeastOne(
      `OrderId = '${orderId}' AND ExecutionStatus = 'Completed' AND TransitStatus = 'Delivered'`,
    );
  },
);

const DAY = new Date().toISOString().slice(0, 10);

testOnCluster.each([
  ['consign list', ['list'], 'Sofa_asks'],
  [
    'consign list --query',
    ['list', '--query', "ShipmentKind = 'furniture' AND NeedsAttention = true"],
    'Sofa_asks',
  ],
  ['consign attention', ['attention'], 'above the limit'],
  ['consign events list', ['events', 'list'], FOREIGN],
  ['consign export', ['export', '--from', DAY, '--to', DAY], 'Sofa_asks'],
  ['consign notifications retry', ['notifications', 'retry', '--account', 'acme'], 'No order waits'],
  ['consign doctor', ['doctor'], 'All checks passed.'],
] as const)(`%s finds on PostgreSQL what it looks for${unlessCluster}`, async (_command, args, finds) => {
  const { out, err } = await consign(...args);
  expect(out + err).toContain(finds);
});

testOnCluster.each([
  ['/shipments?search=Sofa_as', ['Sofa_asks']],
  // `_` stands only for itself.
  ['/shipments?search=SofaXas', []],
  // Unlike SQLite, PostgreSQL tells capital letters from small ones.
  ['/shipments?search=sofa_as', []],
  ['/shipments?search=PO/88%20a', ['Sofa_asks']],
  ['/shipments?kind=furniture&phase=quoting&state=open&needsAttention=true', ['Sofa_asks']],
  ['/shipments?listingId=123456', []],
  ['/due', []],
  ['/attention', ['Sofa_asks']],
  ['/events', [FOREIGN]],
  ['/accounts', ['acme']],
] as const)(`the HTTP API answers %s from PostgreSQL${unlessCluster}`, async (route, found) => {
  const headers = { authorization: 'Bearer demo-api-token' };
  const answer = await fetch(`${world.stack.apiUrl}${route}`, { headers });
  const text = await answer.text();
  expect({ status: answer.status, text }).toEqual({ status: 200, text: expect.anything() });
  for (const one of found) expect(text).toContain(one);
  if (found.length === 0) expect(text).not.toContain('"orderId"');
});

testOnCluster(`pages of one order each list every order, the open one first${unlessCluster}`, async () => {
  await until(
    async () =>
      (await countOf(
        "WorkflowType IN ('furnitureShipment', 'ltlShipment') AND ExecutionStatus = 'Completed'",
      )) === 2,
  );
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const answer = await fetch(`${world.stack.apiUrl}/shipments?limit=1${cursor}`, {
      headers: { authorization: 'Bearer demo-api-token' },
    });
    const page = (await answer.json()) as { shipments: { orderId: string }[]; next: string | null };
    seen.push(...page.shipments.map(({ orderId }) => orderId));
    if (page.next === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
  expect(seen[0]).toBe('Sofa_asks');
  expect(seen.toSorted()).toEqual(['PO-20931', 'SO-10482', 'Sofa_asks']);
});

testOnCluster(`the worker counts open shipments and questions on PostgreSQL${unlessCluster}`, async () => {
  const { shipments, questions } = await readClusterState(world.temporal.client);
  expect(shipments.quoting).toBe(1);
  expect(questions.get('priceApproval')?.count).toBe(1);
});

testOnCluster(`doctor finds the newest open shipment on PostgreSQL${unlessCluster}`, async () => {
  expect(await checkNewestShipment(world.temporal.client)).toMatchObject([
    { text: expect.stringMatching(/^the newest open workflow, \S+, was started without encryption$/) },
  ]);
});

testOnCluster(`\`npm run replay\` replays what is open on PostgreSQL${unlessCluster}`, async () => {
  const program = path.join(ROOT, 'dist', 'src', 'worker', 'replay', 'main.js');
  const { code, output } = await run(process.execPath, [program], { env: cluster.env });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/[1-9]\d* of [1-9]/) });
});

/** Each as long as Consign lets it be, and of characters that count differently in bytes. */
testOnCluster.each([
  ['of ASCII', 'x'.repeat(1_000)],
  ['of two bytes each', 'é'.repeat(1_000)],
  ['of three bytes each', '漢'.repeat(1_000)],
  ['of surrogate pairs', '🚚'.repeat(1_000)],
  ['with a NUL, which PostgreSQL refuses', `N${'\u0000'.repeat(300)}`],
  ['with a line separator', `L${'\u2028'.repeat(300)}`],
])(`an attribute %s, cut to Consign's limit, is found on PostgreSQL${unlessCluster}`, async (_what, text) => {
  const value = attributeOf(text);
  expect(value.length).toBeGreaterThan(60);
  const { client } = world.temporal;
  const workflowId = `attribute-${Buffer.from(value).toString('hex').slice(0, 20)}`;
  await client.workflow.start('nothing', {
    ...{ workflowId, taskQueue: 'no-worker', args: [] },
    typedSearchAttributes: [
      { key: ORDER_ID, value },
      { key: REFERENCES, value: [value, 'another'] },
    ],
  });
  for (const { name } of [ORDER_ID, REFERENCES])
    await atLeastOne(`WorkflowId = '${workflowId}' AND ${name} = '${value}'`);
});

testOnCluster(`an order with more numbers than an attribute takes is accepted${unlessCluster}`, async () => {
  const references = Array.from({ length: 60 }, (_, index) => ({
    ...{ type: 'PurchaseOrder', label: null },
    number: `${index}-`.padEnd(60, '漢'),
  }));
  const pair = referencesPair(aFurnitureShipment({ references }));
  await world.temporal.client.workflow.start('nothing', {
    ...{ workflowId: 'many-numbers', taskQueue: 'no-worker', args: [] },
    typedSearchAttributes: [pair],
  });
  await atLeastOne(`WorkflowId = 'many-numbers' AND ReferenceNumbers = '${pair.value.at(-1)}'`);
});

testOnCluster(`a cluster keeps the limit of calls of an account${unlessCluster}`, async () => {
  await limitQueues(world.temporal.client, [{ name: 'limited', callsPerSecond: 5 }]);
  await expect(
    limitQueues(world.temporal.client, [{ name: 'limited', callsPerSecond: null }]),
  ).resolves.toBeUndefined();
});

testOnCluster.each(['server', 'database'] as const)(
  `an order that is placed while the %s is away starts once it is back${unlessCluster}`,
  async (service) => {
    const orderId = `away-${service}`;
    const file = path.join(temporaryFolder(), 'order.json');
    const sofa = JSON.parse(
      await readFile(path.join(ROOT, 'examples', 'furniture-sofa.json'), 'utf8'),
    ) as object;
    await writeFile(file, JSON.stringify({ ...sofa, orderId, images: [] }));
    await cluster[service].kill();
    const refused = await consignProcess(['start', file]);
    await cluster[service].start();
    expect(refused).toMatchObject({ code: 5, err: expect.stringContaining('Temporal') });
    await until(async () => await isTemporalUp(world.temporal.client, () => {}));
    await until(async () => (await consign('start', file)).code === 0);
    expect(await consign('watch', orderId)).toMatchObject({ code: 0 });
  },
);
