import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { addTimeline, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import type { CliContext } from '../../../src/starter/cli/context';
import { exportCommand } from '../../../src/starter/cli/syntax/follow-orders';
import { exportedOf } from '../../../src/starter/client/export-shipments';
import type { ShipmentSummary } from '../../../src/starter/client/list-shipments';
import { ShipmentClient } from '../../../src/starter/client/shipment-client';
import { aFurnitureShipment, aListing, anLtlShipment, aRate } from '../../support/builders';
import { clientOfRuns } from '../../support/listed-runs';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const [BOOKED, PICKED_UP, DELIVERED] = ['2035-03-05', '2035-03-06', '2035-03-08'].map(
  (day) => `${day}T08:00:00.000Z`,
) as [string, string, string];

const delivered = (over: Partial<ShipmentState> = {}): ShipmentState => ({
  ...initialState(aFurnitureShipment()),
  at: { phase: 'settled', listingId: '273679133', deliveredAt: DELIVERED },
  fixedPrice: { ...PRICES, total: usd(26_297) },
  listing: aListing({
    ...{ status: 'Booked', transitStatus: 'Delivered', billOfLadingNumber: '26606499' },
    carrier: { userId: '7', displayName: '=Two Rivers Trucking' },
    ...{ namedPrice: usd(19_235), acceptedPrice: usd(19_235), totalCost: usd(20_100) },
    referenceNumbers: [{ type: 'ThirdPartyTracking', number: '-4711', label: null }],
  }),
  ...{ bookedAt: BOOKED, pickedUpAt: PICKED_UP },
  ...over,
});

const PRICES = {
  ...{ price: usd(22_697), listPrice: usd(19_235), premium: usd(3_600), priceCorrelationId: null },
} as unknown as NonNullable<ShipmentState['fixedPrice']>;

const aSummary = (over: Partial<ShipmentSummary> = {}): ShipmentSummary => ({
  workflowId: `shipment/acme/${over.orderId ?? 'SO-1'}`,
  ...{ account: 'acme', orderId: 'SO-1', kind: 'furniture', phase: 'settled', status: 'COMPLETED' },
  ...{ needsAttention: false, listingId: '273679133', waitingFor: null, waitsFor: null },
  startedAt: '2035-03-04T23:59:59.999Z',
  ...over,
});

const COLUMNS =
  'order,account,kind,phase,status,transitStatus,carrier,listing,billOfLading,proNumber,quotedAmount,quotedCurrency,acceptedAmount,acceptedCurrency,currentAmount,currentCurrency,created,booked,pickedUp,delivered,isComplete';

/** A Temporal server with these orders, whose worker knows their state; null: there is no worker. */
function fakeTemporal(
  orders: readonly { readonly summary: ShipmentSummary; readonly state: ShipmentState | null }[],
  hasWorker = true,
) {
  const queries: string[] = [];
  const byId = new Map(orders.map((order) => [order.summary.workflowId, order.state]));
  const poller = {
    identity: 'w',
    lastAccessTime: msToTs(Date.now()),
  };
  const { options, workflowService } = clientOfRuns(
    orders.map(({ summary: { workflowId, status, ...summary } }) => ({
      workflowId,
      status: status === 'RUNNING' ? status : 'COMPLETED',
      searchAttributes: {
        ShipmentKind: [summary.kind],
        ShipmentPhase: [summary.phase],
        ListingId: [summary.listingId],
      },
      memo: { placedAt: summary.startedAt },
    })),
    { queries },
  );
  const client = {
    options,
    withDeadline: async (_deadline: number, ask: () => Promise<unknown>) => await ask(),
    workflowService: {
      ...workflowService,
      describeTaskQueue: async () => await Promise.resolve({ pollers: hasWorker ? [poller] : [] }),
      listTaskQueuePartitions: async () =>
        await Promise.resolve({ workflowTaskQueuePartitions: [], activityTaskQueuePartitions: [] }),
    },
    workflow: {
      getHandle: (workflowId: string) => ({ query: async () => await Promise.resolve(byId.get(workflowId)) }),
    },
  } as unknown as Client;
  return { client, queries };
}

async function run({ client }: { readonly client: Client }, ...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const context = {
    printContent: (text: string) => void out.push(text),
    warn: (text: string) => void err.push(text),
    withShipments: async (use: (shipments: ShipmentClient) => Promise<unknown>) =>
      await use(new ShipmentClient(client)),
  } as unknown as CliContext;
  const command = exportCommand(context)
    .exitOverride()
    .configureOutput({ writeErr: (text) => void err.push(text) });
  const error: unknown = await command.parseAsync(args, { from: 'user' }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { exitCode } = process;
  process.exitCode = undefined;
  return { out, err: err.join('\n'), code: exitCode, error };
}

const DAYS = ['--from', '2035-03-01', '--to', '2035-03-04'];

test('an order is exported with its states, prices and times, safe for a spreadsheet', async () => {
  const { out, err, code } = await run(fakeTemporal([{ summary: aSummary(), state: delivered() }]), ...DAYS);
  expect({ err, code }).toEqual({ err: '', code: undefined });
  expect(out).toEqual([
    COLUMNS,
    `SO-1,acme,furniture,settled,COMPLETED,Delivered,'=Two Rivers Trucking,273679133,26606499,'-4711,262.97,USD,192.35,USD,201.00,USD,2035-03-04T23:59:59.999Z,${BOOKED},${PICKED_UP},${DELIVERED},true`,
  ]);
});

test('JSON lines have the values as they are, with null for what is not known', async () => {
  const ltl = {
    ...initialState(anLtlShipment()),
    at: { phase: 'booked', listingId: '7' } as const,
    agreedPrice: { price: usd(50_000), rateRequestId: 'r' },
    rateDecision: { chosen: aRate({ rateId: 'r-1' }) } as unknown as ShipmentState['rateDecision'],
    listing: aListing({ listingId: '7' }),
  };
  const fake = fakeTemporal([
    { summary: aSummary(), state: delivered() },
    {
      summary: aSummary({ orderId: '-PO', kind: 'ltl', phase: 'booked', status: 'RUNNING', listingId: null }),
      state: ltl,
    },
  ]);
  for (const how of [['--format', 'jsonl'], ['--json']]) {
    const { out } = await run(fake, ...DAYS, ...how);
    const [first, second] = out.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(Object.keys(first ?? {})).toEqual(COLUMNS.split(','));
    expect(first).toMatchObject({
      carrier: '=Two Rivers Trucking',
      proNumber: '-4711',
      currentAmount: '201.00',
    });
    expect(second).toMatchObject({
      ...{ order: '-PO', quotedAmount: '500.00', acceptedAmount: '500.00', currentAmount: null },
      ...{ listing: null, booked: null, pickedUp: null, delivered: null, isComplete: true },
    });
  }
});

test('an order that is not booked has no accepted price', () => {
  const state = delivered({ at: { phase: 'awaitingBooking', listingId: '273679133', unverified: null } });
  expect(exportedOf(aSummary(), state)).toMatchObject({
    acceptedAmount: null,
    quotedAmount: '262.97',
    delivered: null,
  });
});

test('nothing of a person is exported', () => {
  const shipment = aFurnitureShipment();
  const state = addTimeline(
    delivered({ contacts: { origin: shipment.origin.contact } as unknown as ShipmentState['contacts'] }),
    BOOKED,
    shipment.origin.contact.name,
  );
  const text = JSON.stringify(exportedOf(aSummary(), state));
  const { contact, address } = shipment.origin;
  for (const secret of [contact.name, contact.phone, address.street, address.postalCode])
    expect(text).not.toContain(secret);
});

test.each([
  ['2035-03-01T00:00:00.000Z', true],
  ['2035-03-04T23:59:59.999Z', true],
  ['2035-02-28T23:59:59.999Z', false],
  ['2035-03-05T00:00:00.000Z', false],
])('an order placed at %s counts for the days: %p', async (startedAt, isThere) => {
  const fake = fakeTemporal([{ summary: aSummary({ startedAt }), state: delivered() }]);
  expect((await run(fake, ...DAYS)).out).toHaveLength(isThere ? 2 : 1);
  expect(fake.queries[0]).toContain("StartTime >= '2035-03-01T00:00:00Z'");
});

test('--account filters, and its name cannot change the filter', async () => {
  const fake = fakeTemporal([]);
  expect(await run(fake, ...DAYS, '--account', 'acme')).toMatchObject({ out: [COLUMNS], error: null });
  expect(fake.queries).toEqual([expect.stringContaining("AND Account = 'acme'")]);
  const { error } = await run(fake, ...DAYS, '--account', "x' OR '1'='1");
  expect(error).toMatchObject({ kind: 'invalidInput' });
  expect(fake.queries).toHaveLength(1);
});

test.each([
  [['--from', '2035-02-30', '--to', '2035-03-04'], '2035-02-30 is not a day'],
  [['--from', '2035-03-05', '--to', '2035-03-04'], 'The first day, 2035-03-05, is after the last day'],
  [['--from', 'yesterday', '--to', '2035-03-04'], 'yesterday is not a day'],
])('the days %j are refused', async (args, says) => {
  expect((await run(fakeTemporal([]), ...args)).error).toMatchObject({
    ...{ kind: 'invalidInput', message: expect.stringContaining(says) },
  });
});

test('without a worker what Temporal knows is exported, and the command says so', async () => {
  const orders = ['A', 'B'].map((orderId) => ({ summary: aSummary({ orderId }), state: delivered() }));
  const { out, err, code } = await run(fakeTemporal(orders, false), ...DAYS);
  expect(out[1]).toBe(
    'A,acme,furniture,settled,COMPLETED,,,273679133,,,,,,,,,2035-03-04T23:59:59.999Z,,,,false',
  );
  expect(err).toContain('2 orders have empty columns');
  expect(code).toBe(5);
});
