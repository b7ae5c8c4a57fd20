import { expect, test } from '@jest/globals';
import type { temporal } from '@temporalio/proto';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference, shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { AddedTrouble, Operation } from '../../sandbox';
import { defaultAccount } from '../../sandbox/model/accounts';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import * as messages from '../../src/contract/messages';
import { aFurnitureShipment, anLtlShipment, aStop } from '../support/builders';
import { CANARIES, ECHOES, hitsIn } from '../support/canaries';
import { consignProcess } from '../support/consign';
import { BY } from '../support/harness';
import { withWorld, type World } from '../support/worker-world';

const { key, plainPassword, street, unit, town, postalCode } = CANARIES;
const address = { ...aStop().address, street, unit, city: town, postalCode };
const contact = { companyName: CANARIES.company, phone: CANARIES.phoneBraces, email: CANARIES.email };
const PEOPLE = {
  origin: aStop({ address, contact: { ...contact, name: CANARIES.name } }),
  destination: aStop({ address, contact: { ...contact, name: CANARIES.accentName } }),
};
const sofa = (orderId: string): Shipment =>
  aFurnitureShipment({ ...PEOPLE, orderId, driverNotes: CANARIES.note });

const [line] = aFurnitureShipment().items;
/** The request for a price names no order: it is known by the height of its goods. */
const heightOf = (form: number): number => Number((0.8 + (form + 1) / 10_000).toFixed(4));
const pricedSofa = (orderId: string, form: number): Shipment =>
  aFurnitureShipment({
    ...{ ...PEOPLE, orderId },
    items: line === undefined ? [] : [{ ...line, heightInMeters: heightOf(form) }],
  });
const pallets = (orderId: string): Shipment => anLtlShipment({ ...PEOPLE, orderId });

interface Case {
  readonly order: (orderId: string, form: number) => Shipment;
  readonly echoedBy: { readonly endpoint: Operation; readonly status: number };
  /** Whether a person cancels it, once it is listed. */
  readonly isCancelled?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  price: { order: pricedSofa, echoedBy: { endpoint: 'getFixedPrice', status: 400 } },
  refused: { order: sofa, echoedBy: { endpoint: 'createListing', status: 400 } },
  doubt: { order: sofa, echoedBy: { endpoint: 'createListing', status: 500 } },
  unread: { order: sofa, echoedBy: { endpoint: 'getListing', status: 500 } },
  missing: { order: sofa, echoedBy: { endpoint: 'getListing', status: 404 } },
  stands: { order: sofa, echoedBy: { endpoint: 'deleteListing', status: 403 }, isCancelled: true },
  rates: { order: pallets, echoedBy: { endpoint: 'createRateRequest', status: 400 } },
  accepted: { order: pallets, echoedBy: { endpoint: 'acceptRate', status: 400 } },
};

const ALL = Object.values(CANARIES).join(' and ');
const echoes = Object.values(ECHOES).map((echo) => echo(ALL));
/** Each case meets every other form of an echo: `unit/marketplace/echoes` shows all of them, with errors alone. */
const ORDERS = Object.entries(CASES).flatMap(([name, { order, ...rest }], place) =>
  echoes.flatMap((echo, form) =>
    (place + form) % 2 === 0 ? [{ ...rest, echo, shipment: order(`${name}-${form}x`, form), form }] : [],
  ),
);

const CANCELLED = ORDERS.flatMap(({ shipment, isCancelled }) => (isCancelled === true ? [shipment] : []));
const referenceOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);

function echoed({ body, headers = {} }: ReturnType<(typeof ECHOES)[string]>) {
  const said = headers['x-request-id'];
  const isJson = body.startsWith('{');
  return {
    ...{ body: isJson ? (JSON.parse(body) as unknown) : body },
    ...{ contentType: isJson ? 'application/json' : 'text/html' },
    ...(said === undefined ? {} : { headers: { 'x-request-id': said } }),
  };
}

/** What a worker, a receiver and a person are shown of a history: everything but what goes in and comes out of a call. */
const DATA = new Set(['input', 'result', 'lastCompletionResult', 'heartbeatDetails', 'acceptedRequest']);

/** All texts of a part of a history, its payloads decoded. */
function textsOf(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (part instanceof Uint8Array) return [Buffer.from(part).toString('utf8')];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => (DATA.has(name) ? [] : [name, ...textsOf(inner)]));
}

type Described = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;

async function shownByTemporal({ client }: World): Promise<Readonly<Record<string, string>>> {
  const shown: Record<string, string> = {};
  for await (const { workflowId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId);
    const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    const described: Described = raw;
    shown[workflowId] = [...textsOf(history), ...textsOf(described)].join('\n');
  }
  return shown;
}

const COMMANDS = [
  ...[
    ['list', '--limit', '500'],
    ['list', '--json', '--limit', '500'],
    ['attention'],
    ['attention', '--json'],
  ],
  ...[['events', 'list'], ['doctor'], ['conformance'], ['conformance', '--json']],
  ...Object.keys(CASES).map((name, place) => ['support', `acme/${name}-${place % 2}x`]),
];

async function shownByCommands({ address: server, sandbox }: World): Promise<Record<string, string>> {
  const env = {
    ...{ TEMPORAL_ADDRESS: server, SANDBOX_URL: sandbox.url, SANDBOX_API_KEY: key },
    ...{ SANDBOX_WEB_PASSWORD: plainPassword, CONSIGN_ACCOUNTS: 'examples/accounts.yaml' },
  };
  const shown: Record<string, string> = {};
  for (const command of COMMANDS) {
    const { out, err } = await consignProcess(command, { env });
    shown[`consign ${command.join(' ')}`] = `${out}\n${err}`;
  }
  return shown;
}

function hitsOfAll(shown: Readonly<Record<string, string>>, canaries: readonly string[]): unknown[] {
  return Object.entries(shown).flatMap(([where, text]) => {
    const hits = hitsIn(text, canaries);
    return hits.length === 0 ? [] : [{ where, hits }];
  });
}

test('no private text or link from an answer is in logs, failures, memos, summaries, attributes or lists', async () => {
  const options = {
    ...{ hasWebhooks: false, isPersistent: false },
    workerEnvironment: {
      ...{ CONSIGN_LOG_LEVEL: 'debug', SANDBOX_API_KEY: key, SANDBOX_WEB_PASSWORD: plainPassword },
    },
    sandbox: {
      clock: { speed: 20 },
      accounts: [
        {
          ...{ ...defaultAccount, apiKeys: [key] },
          users: [{ userName: 'shipper@example.com', password: plainPassword }],
        },
      ],
    },
  };
  await withWorld(options, async (world) => {
    const { sandbox } = world;
    const troubles: AddedTrouble[] = [];
    sandbox.setSwitches({
      orders: Object.fromEntries(
        CANCELLED.map((shipment) => [referenceOf(shipment), { carrierAnswer: 'silent' }]),
      ),
    });
    for (const { shipment, form, echo, echoedBy } of ORDERS) {
      const { endpoint: request, status } = echoedBy;
      const aim =
        request === 'getFixedPrice'
          ? { when: { request, match: `"heightInMeters":${heightOf(form)},` } }
          : { when: request, whom: referenceOf(shipment) };
      troubles.push(sandbox.trouble({ ...aim, what: { kind: 'status', status, ...echoed(echo) } }));
      await world.start(shipment, {});
    }
    const delivered = aFurnitureShipment({ orderId: 'delivered' });
    await world.start(delivered, { settlementWindowMs: 60_000 });
    for (const shipment of CANCELLED) {
      await world.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
      await world.client.workflow
        .getHandle(shipmentWorkflowId(shipment.account, shipment.orderId))
        .executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
    }
    await world.reach(() => troubles.every(({ hits }) => hits > 0));
    // A listing that cannot be read is read again, and nothing is said of that for a while.
    for (const { shipment, echoedBy } of ORDERS)
      if (echoedBy.endpoint !== 'getListing')
        await world.until(shipment, ({ state }) => (state?.said ?? []).length > 0);
    const linkOf = ({ state }: ShipmentView): string | null => state?.trackingLink?.url ?? null;
    const link = linkOf(await world.until(delivered, (view) => linkOf(view) !== null));
    for (const [form, echo] of echoes.entries())
      for (const endpoint of ['listPaymentMethods', 'listRates', 'listAddressTypes'] as const)
        sandbox.trouble({
          when: endpoint,
          what: { kind: 'status', status: form % 2 === 0 ? 200 : 400, ...echoed(echo) },
          times: 1,
        });
    const shown = {
      ...(await shownByTemporal(world)),
      ...(await shownByCommands(world)),
      log: world.workerLines().join('\n'),
    };
    expect(hitsOfAll(shown, [...Object.values(CANARIES), link ?? ''])).toEqual([]);
    // It is said what the marketplace did, in all of these places.
    for (const where of ['shipment/acme/refused-1x', 'consign attention', 'log'])
      expect(shown).toHaveProperty([where], expect.stringMatching(/answered \d{3}/));
  });
}, 600_000);
