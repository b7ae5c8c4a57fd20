import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { orderReference } from '../../src/domain/workflow-id';
import type { Shipment } from '../../src/domain/shipment';
import { answerCommand } from '../../src/starter/cli/syntax/decide';
import type { CliContext } from '../../src/starter/cli/context';
import { sendAnswer } from '../../src/starter/client/send-answer';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { clientConnectionOf } from '../../src/temporal/client-connection';
import * as messages from '../../src/contract/messages';
import { paused } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { consign, consignProcess, type Ended } from '../support/consign';
import { layLine, type CuttableLine } from '../support/cuttable-line';
import { BY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
let line: CuttableLine;
const { furniture } = numberedOrders('C');
const before = process.env;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
  const { address } = harness.temporal.open;
  line = await layLine(address);
  process.env = { ...before, TEMPORAL_ADDRESS: address };
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'normal' });
});
afterEach(() => line.mend());
afterAll(async () => {
  process.env = before;
  await line?.close();
  await harness?.close();
});

const nameOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);
const STATEMENT = ['--by', BY.by, '--reason', BY.reason];
const accepted = (what: string) => ({ out: `${what} accepted.\n`, err: '', code: 0 });
const NOT_CONFIRMED = {
  out: '',
  err: expect.stringMatching(/^No confirmation from Temporal; the \w+ may still be applied\. /),
  code: 5,
};

/** As people are told to: a click that a busy machine does not confirm is repeated. */
async function click(...args: readonly string[]): Promise<Ended> {
  for (;;) {
    const ended = await consign(...args);
    if (ended.code !== NOT_CONFIRMED.code) return ended;
  }
}

/** An order whose price is above its limit, and the question about that. */
async function asking(): Promise<{ readonly shipment: Shipment; readonly questionId: string }> {
  const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
  await harness.start(shipment);
  return { shipment, questionId: await harness.asked(shipment, 'priceApproval') };
}

async function storyOf(shipment: Shipment): Promise<readonly string[]> {
  // A worker that is busy does not tell the state at once.
  const { state } = await harness.until(shipment, (view) => view.state !== null);
  return (state?.timeline ?? []).map(({ what }) => what);
}

const timesTold = async (shipment: Shipment, what: string): Promise<number> =>
  (await storyOf(shipment)).filter((line) => line.startsWith(what)).length;

/** A listing that nobody books, and that the marketplace does not let go. */
async function listedAndKept(): Promise<Shipment> {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  harness.sandbox.trouble({ when: 'deleteListing', what: { kind: 'status', status: 503 } });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
  );
  return shipment;
}

/** One whose key is refused, while the account's question is open. */
async function startPaused(): Promise<Shipment> {
  harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 }, times: 1 });
  const shipment = furniture();
  await harness.start(shipment);
  await paused(harness, [shipment]);
  return shipment;
}

test('repeated clicks on one answer count once, and each click succeeds', async () => {
  const { shipment, questionId } = await asking();
  const approve = async (): Promise<void> =>
    await sendAnswer(harness.handleOf(shipment), { questionId, ...BY }, { kind: 'approve' });
  await Promise.all([approve(), approve(), approve()]);
  await approve();
  expect(await click('answer', nameOf(shipment), 'approve', '--question', questionId, ...STATEMENT)).toEqual(
    accepted('Answer'),
  );
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(await timesTold(shipment, `${BY.by} answers approve`)).toBe(1);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
});

test('an answer of another kind to a question that was just answered is refused', async () => {
  const { shipment, questionId } = await asking();
  const send = async (kind: 'approve' | 'retry'): Promise<void> =>
    await sendAnswer(harness.handleOf(shipment), { questionId, ...BY }, { kind });
  await send('approve');
  await expect(send('retry')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('question') },
  });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
});

test('a withdrawal that is repeated while it runs and after it is done counts once, and succeeds each time', async () => {
  const shipment = await listedAndKept();
  const cancel = async (...by: readonly string[]) =>
    await click('cancel', nameOf(shipment), ...(by.length === 0 ? STATEMENT : by));
  expect(await cancel()).toEqual(accepted('Withdrawal'));
  expect(await cancel()).toEqual(accepted('Withdrawal'));
  // From another client, as an update of another id.
  await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  expect(await timesTold(shipment, `${BY.by} withdraws`)).toBe(1);
  expect(await cancel('--by', 'Sam', '--reason', 'not wanted')).toMatchObject({
    err: 'Refused: the order is already withdrawn\n',
    code: 2,
  });
  harness.sandbox.clearTroubles();
  expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
  expect(await cancel()).toMatchObject({ code: 0 });
  expect(await timesTold(shipment, `${BY.by} withdraws`)).toBe(1);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
});

test('a completed order refuses a withdrawal', async () => {
  const shipment = furniture();
  await harness.start(shipment);
  await harness.ended(shipment);
  expect(await click('cancel', nameOf(shipment), ...STATEMENT)).toEqual({
    out: '',
    err: 'The shipment has ended: there is nothing to answer or to withdraw.\n',
    code: 2,
  });
});

test('repeated clicks retry an account once, and again when its key is refused again', async () => {
  const retry = async () => await click('accounts', 'retry', 'acme', ...STATEMENT);
  for (const _round of [1, 2]) {
    const shipment = await startPaused();
    // One that was taken and not confirmed is over when it is repeated.
    expect(await retry()).toMatchObject({ err: '', code: 0 });
    expect(await retry()).toMatchObject({ err: '', code: 0 });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  }
  expect(await retry()).toMatchObject({ err: '', code: 0 });
  expect(await consign('accounts', 'retry', 'amce', ...STATEMENT)).toMatchObject({
    err: 'No shipment waits for account amce. The accounts file has: acme.\n',
    code: 2,
  });
});

test('clicks without a running worker are not confirmed, and count once when they are repeated', async () => {
  const { shipment, questionId } = await asking();
  const { shipment: withdrawn } = await asking();
  const waiting = await startPaused();
  const clicks = [
    ['answer', nameOf(shipment), 'approve', '--question', questionId, ...STATEMENT],
    ['cancel', nameOf(withdrawn), ...STATEMENT],
    ['accounts', 'retry', 'acme', ...STATEMENT],
  ];
  await harness.withoutWorkers(async () => {
    const ends = await Promise.all(clicks.map(async (args) => await consignProcess(args)));
    expect(ends).toEqual([NOT_CONFIRMED, NOT_CONFIRMED, NOT_CONFIRMED]);
    const again = 'may still be applied. It is safe to run the command again';
    expect(ends.map(({ err }) => err)).toEqual([
      expect.stringContaining(`the answer ${again} with \`--question ${questionId}\`.`),
      expect.stringContaining(`the withdrawal ${again}.`),
      expect.stringContaining(`the retry ${again}.`),
    ]);
  });
  for (const args of clicks) expect(await click(...args)).toMatchObject({ err: '', code: 0 });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect((await harness.ended(withdrawn)).state?.at.phase).toBe('cancelled');
  expect((await harness.ended(waiting)).status).toBe('COMPLETED');
  expect(await timesTold(shipment, `${BY.by} answers approve`)).toBe(1);
  expect(await timesTold(withdrawn, `${BY.by} withdraws`)).toBe(1);
  // The clicks wait for their deadline of ten seconds, beside stopping workers and starting processes.
}, 120_000);

test('without a running worker an advanced shipment still says what it waits for, since when and until when', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  const { waitingFor } = await harness.until(
    shipment,
    (view) => view.waitingFor?.includes('a carrier asked to book it') === true,
  );
  await harness.withoutWorkers(async () => {
    // Those that are just gone count as there for a while: the query is asked, and nobody answers it.
    const view = await harness.shipments.get(shipment.account, shipment.orderId);
    expect(view).toMatchObject({ status: 'RUNNING', state: null, waitingFor });
    const [listingId = ''] = harness.ledgerOf(shipment).listings.map((one) => String(one.listingId));
    for (const part of [listingId, ' since ', ' until ', '`consign cancel acme/'])
      expect(waitingFor).toContain(part);
    const { out, code } = await consignProcess(['show', nameOf(shipment)]);
    expect(code).toBe(0);
    expect(out).toContain(waitingFor);
    expect(out).not.toContain('the check of the order');
  });
  harness.sandbox.clearTroubles();
  await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
});

test('an answer whose confirmation is lost with Temporal is not confirmed, and counts once when it is repeated', async () => {
  const { shipment, questionId } = await asking();
  const connection = await Connection.connect(
    clientConnectionOf({ connectionOptions: { address: line.address } }),
  );
  // Temporal goes away while the click is under way: it is heard, and its confirmation is not.
  let isToGo = true;
  const goesAway: WorkflowClientInterceptor = {
    startUpdate: async (input, next) => {
      if (isToGo) line.mute();
      isToGo = false;
      return await next(input);
    },
  };
  const { namespace } = harness.temporal.open;
  const client = new Client({ connection, namespace, interceptors: { workflow: [goesAway] } });
  const said: string[] = [];
  const context = {
    print: (text: string) => void said.push(text),
    warn: (text: string) => void said.push(text),
    orderOf: () => shipment,
    withShipments: async (use: (...parts: unknown[]) => Promise<unknown>) =>
      await use(new ShipmentClient(client), client),
  } as unknown as CliContext;
  const approve = async (...named: readonly string[]): Promise<unknown> => {
    await answerCommand(context).parseAsync([nameOf(shipment), 'approve', ...STATEMENT, ...named], {
      from: 'user',
    });
    const { exitCode } = process;
    process.exitCode = undefined;
    return exitCode;
  };
  expect(await approve()).toBe(5);
  expect(said).toEqual([expect.stringContaining(`run the command again with \`--question ${questionId}\``)]);
  line.mend();
  expect(await approve('--question', questionId)).toBeUndefined();
  expect(said.slice(1)).toEqual(['Answer accepted.']);
  await connection.close();
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(await timesTold(shipment, `${BY.by} answers approve`)).toBe(1);
});

test('a watch goes on after Temporal was away, until the shipment ends', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  const connection = await Connection.connect(
    clientConnectionOf({ connectionOptions: { address: line.address } }),
  );
  const { namespace } = harness.temporal.open;
  let failed = 0;
  const noteFailure: WorkflowClientInterceptor = {
    describe: async (input, next) => {
      try {
        return await next(input);
      } catch (error) {
        failed += 1;
        line.mend();
        throw error;
      }
    },
  };
  const client = new Client({ connection, namespace, interceptors: { workflow: [noteFailure] } });
  const statuses: string[] = [];
  for await (const { status } of new ShipmentClient(client).watch(shipment.account, shipment.orderId)) {
    statuses.push(status);
    if (statuses.length > 1) continue;
    line.cut();
    await harness.handleOf(shipment).terminate('the test is over');
  }
  expect({ failed, last: statuses.at(-1) }).toEqual({ failed: 1, last: 'TERMINATED' });
  await connection.close();
});
