import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProcess, type SupervisedProcess } from '../../src/temporal/dev-server/supervise';
import { openTemporal } from '../../src/temporal/connect';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { aFurnitureShipment } from '../support/builders';
import { SECRET, startHarness, type Harness } from '../support/harness';
import { installPackage, type InstalledPackage } from '../support/installed-package';
import { signalsOf, until } from '../support/temporal';
import { withoutSettings } from '../support/world-processes';

let installed: InstalledPackage;
let harness: Harness;

beforeAll(async () => {
  [installed, harness] = await Promise.all([installPackage(), startHarness({ clock: { speed: 20 } })]);
}, 60_000);
afterAll(async () => await harness?.close());

const settings = (): Record<string, string> => ({
  TEMPORAL_ADDRESS: harness.temporal.open.address,
  SANDBOX_URL: harness.sandbox.url,
});

/** The example as a user runs it: in a project that has the package. */
async function startOrderSystem(): Promise<{ readonly url: string; readonly process: SupervisedProcess }> {
  const lines: string[] = [];
  const process = await startProcess({
    name: 'the order system',
    command: 'node',
    args: ['examples/order-system/server.mjs'],
    env: { ...withoutSettings(globalThis.process.env, /^(?:TEMPORAL|CONSIGN)_/), ...settings(), PORT: '0' },
    cwd: installed.folder,
    onLine: (line) => lines.push(line),
  });
  await until(async () => await Promise.resolve(lines.length > 0));
  return { url: lines[0]?.replace('order system at ', '') ?? '', process };
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const post = async (url: string, sale: unknown): Promise<Answer> =>
  await answerOf(
    await fetch(`${url}/sales`, {
      method: 'POST',
      body: typeof sale === 'string' ? sale : JSON.stringify(sale),
    }),
  );

const look = async (url: string, id: string): Promise<Answer> =>
  await answerOf(await fetch(`${url}/sales/${id}`));

interface Sale {
  readonly id: string;
  readonly customer: Readonly<Record<string, string>>;
}

const aSale = async (id: string): Promise<Sale> => {
  const sale = JSON.parse(
    await readFile(path.join(installed.folder, 'examples/order-system/sale.json'), 'utf8'),
  ) as Sale;
  return { ...sale, id };
};

test('a sale that is sent repeatedly, while the order system dies, has one shipment', async () => {
  const sale = await aSale('WEB-2001');
  let system = await startOrderSystem();
  const answers = await Promise.all([post(system.url, sale), post(system.url, sale)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
  system.process.kill('SIGKILL');
  await system.process.exited;

  system = await startOrderSystem();
  const workflowId = shipmentWorkflowId('acme', 'WEB-2001');
  expect(await post(system.url, sale)).toEqual({ status: 200, body: { workflowId, outcome: 'already' } });
  await harness.ended(aFurnitureShipment({ orderId: 'WEB-2001' }));
  expect(await look(system.url, 'WEB-2001')).toMatchObject({
    ...{ status: 200, body: { status: 'COMPLETED', phase: 'settled', question: null } },
  });
  expect(await post(system.url, sale)).toMatchObject({ status: 200, body: { outcome: 'already' } });
  expect(harness.sandbox.order('acme/WEB-2001')).toMatchObject({ created: 1, liveBookings: 1 });
  await system.process.stop();
});

test('the order system refuses goods that cannot be shipped, and a different sale with the same id', async () => {
  const { url, process } = await startOrderSystem();
  const { email: _email, ...customer } = (await aSale('WEB-2002')).customer;
  const sale = { ...(await aSale('WEB-2002')), customer };
  expect(await post(url, sale)).toMatchObject({ status: 201, body: { outcome: 'started' } });
  expect(await post(url, { ...sale, product: 'table-8' })).toMatchObject({
    ...{ status: 409, body: { error: expect.stringContaining('WEB-2002') } },
  });
  const { status, body } = await post(url, {
    ...sale,
    id: 'WEB-2003',
    pickupBetween: ['2020-03-06', '2020-03-09'],
  });
  expect({ status, text: JSON.stringify(body) }).toEqual({
    status: 422,
    text: expect.stringContaining('$.pickup'),
  });
  expect((await post(url, { id: 'WEB-2004' })).status).toBe(422);
  expect((await post(url, 'no sale')).status).toBe(400);
  expect((await look(url, 'WEB-2003')).status).toBe(404);
  await process.stop();
});

const sendEvent = async (args: readonly string[], env: NodeJS.ProcessEnv) =>
  await installed.run('node', ['examples/webhook-sender/send-event.mjs', ...args], env);

test('the webhook sender reaches the shipment with the right secret, and nobody without it', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent', webhooks: 'off' });
  const shipment = aFurnitureShipment({ orderId: 'SO-3001' });
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  const signals = async (): Promise<number> =>
    (await signalsOf(harness.temporal.client, shipmentWorkflowId('acme', 'SO-3001'))).filter(
      (name) => name === 'marketplaceEventReceived',
    ).length;
  expect(await signals()).toBe(0);

  const env = { WEBHOOK_URL: `${harness.receiverUrl}/webhooks/acme`, CONSIGN_WEBHOOK_SECRET: SECRET };
  for (const [sent, type] of [[1], [2, 'Listing.Booked/v1'], [3, 'Listing.NewKind/v1']] as const) {
    const ended = await sendEvent(['acme/SO-3001', ...(type === undefined ? [] : [type])], env);
    expect(ended).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^200 for event [-\w]{36}\n$/),
    });
    expect(await signals()).toBe(sent);
  }
  expect(await sendEvent(['acme/SO-3001'], { ...env, CONSIGN_WEBHOOK_SECRET: 'guessed' })).toMatchObject({
    ...{ code: 1, out: expect.stringContaining('401') },
  });
  expect(await sendEvent([], env)).toMatchObject({ code: 2, err: expect.stringContaining('Usage') });
  expect(await signals()).toBe(3);
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', webhooks: 'on' });
});

test('the test for a CI passes against a new Temporal server that `consign setup` has made ready', async () => {
  const open = await openTemporal({
    env: withoutSettings(process.env, /^TEMPORAL_/),
    log: () => undefined,
    embedded: { uiPort: null },
  });
  try {
    const env = { TEMPORAL_ADDRESS: open.address };
    const setup = await installed.run(installed.pathOf('.bin', 'consign'), ['setup'], env);
    expect(setup.code).toBe(0);
    const args = ['--test', '--test-reporter', 'tap', 'examples/ci/shipping.test.mjs'];
    const { code, out } = await installed.run('node', args, env);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('# pass 2') });
  } finally {
    await open.close();
  }
});
