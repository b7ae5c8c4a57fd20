import { expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { orderReference, shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { Shipment } from '../../src/domain/shipment';
import { answerCommand } from '../../src/starter/cli/syntax/decide';
import type { CliContext } from '../../src/starter/cli/context';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { clientConnectionOf } from '../../src/temporal/client-connection';
import { numberedOrders } from '../support/builders';
import { BY } from '../support/harness';
import { withWorld, type World } from '../support/worker-world';
import { holdWrites } from '../support/writes-in-world';

const { furniture } = numberedOrders('CK');
const priceLimit = { minorUnits: 100, currency: 'USD' };
const TEST_MS = 180_000;

interface Asked {
  readonly shipment: Shipment;
  readonly questionId: string;
}

async function asking(world: World): Promise<Asked> {
  const shipment = furniture({ priceLimit });
  await world.start(shipment, { writeTimeoutMs: 15_000 });
  const { state } = await world.until(shipment, (view) => view.state?.question?.kind === 'priceApproval');
  return { shipment, questionId: state?.question?.id ?? '' };
}

interface Click {
  readonly said: readonly string[];
  readonly exitCode: unknown;
}

const TAKEN: Click = { said: ['Answer accepted.'], exitCode: undefined };
const NOT_CONFIRMED = {
  said: [expect.stringContaining('No confirmation from Temporal; the answer may still be applied')],
  exitCode: 5,
};

/** `consign answer ORDER approve`, by a client of its own; one at a time, because the exit code is the process's. */
async function click(
  world: World,
  { shipment, questionId }: Asked,
  interceptors: readonly WorkflowClientInterceptor[] = [],
): Promise<Click> {
  const connection = await Connection.connect(
    clientConnectionOf({ connectionOptions: { address: world.address } }),
  );
  const client = new Client({ connection, interceptors: { workflow: [...interceptors] } });
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const context = {
    ...{ print: say, warn: say, orderOf: () => shipment },
    withShipments: async (use: (...parts: unknown[]) => Promise<unknown>) =>
      await use(new ShipmentClient(client), client),
  } as unknown as CliContext;
  const name = orderReference(shipment.account, shipment.orderId);
  const statement = ['--question', questionId, '--by', BY.by, '--reason', BY.reason];
  try {
    await answerCommand(context).parseAsync([name, 'approve', ...statement], { from: 'user' });
    return { said, exitCode: process.exitCode };
  } finally {
    process.exitCode = undefined;
    await connection.close();
  }
}

async function timesAnswered(world: World, { account, orderId }: Shipment): Promise<number> {
  const { events } = await world.client.workflow
    .getHandle(shipmentWorkflowId(account, orderId))
    .fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null)
    .length;
}

async function expectRepeatedIsOne(world: World, asked: Asked): Promise<void> {
  expect(await click(world, asked)).toEqual(TAKEN);
  const { state } = await world.until(
    asked.shipment,
    (view) => view.status === 'COMPLETED' && view.state !== null,
  );
  const told = state?.timeline.filter(({ what }) => what.startsWith(`${BY.by} answers approve`));
  expect(told).toHaveLength(1);
  expect(await timesAnswered(world, asked.shipment)).toBe(1);
  expect(world.ledgerOf(asked.shipment)).toMatchObject({
    ...{ created: 1, mostLiveBookings: 1, liveBookings: 1 },
  });
}

test.each([
  // The server is gone before the answer reaches it, or while it is under way.
  ['before it hears it', 0],
  ['while it is under way', 30],
])(
  'an answer counts once when it is repeated after Temporal was killed %s, and restarted',
  async (_, afterMs) => {
    await withWorld({ hasWebhooks: true, isPersistent: true }, async (world) => {
      const asked = await asking(world);
      let killing: Promise<void> = Promise.resolve();
      const isKilled: WorkflowClientInterceptor = {
        startUpdate: async (input, next) => {
          if (afterMs === 0) await world.temporal.kill();
          else killing = new Promise((resolve) => setTimeout(resolve, afterMs)).then(world.temporal.kill);
          const sending = next(input);
          await killing;
          return await sending;
        },
      };
      expect(await click(world, asked, [isKilled])).toEqual(NOT_CONFIRMED);
      await world.temporal.restart();
      await expectRepeatedIsOne(world, asked);
    });
  },
  TEST_MS,
);

test.each([
  ['hears it', null, NOT_CONFIRMED],
  ['can report it', 'call', NOT_CONFIRMED],
  // The server has it, and tells the person.
  ['learns that it is reported', 'answer', TAKEN],
] as const)(
  'an answer counts once when it is repeated after its worker was killed before it %s, and restarted',
  async (_, held, said) => {
    await withWorld({ hasWebhooks: true, isPersistent: false }, async (world) => {
      const asked = await asking(world);
      const isKilled: WorkflowClientInterceptor = {
        startUpdate: async (input, next) => {
          if (held === null) {
            await world.killWorker();
            return await next(input);
          }
          // Nothing else happens to the order now, whose report need not name it (it is compressed).
          const method = 'RespondWorkflowTaskCompleted';
          const report = world.line.hold({ method, texts: [], what: held });
          // What it takes up next is not sent, so that the kill leaves no doubt besides.
          const marks = holdWrites(world, 'marks');
          const sending = next(input);
          await world.reach(() => report.count() > 0);
          await world.killWorker();
          report.release();
          marks.release();
          return await sending;
        },
      };
      expect(await click(world, asked, [isKilled])).toEqual(said);
      expect(await timesAnswered(world, asked.shipment)).toBe(held === 'answer' ? 1 : 0);
      await world.startWorker();
      await expectRepeatedIsOne(world, asked);
    });
  },
  TEST_MS,
);
