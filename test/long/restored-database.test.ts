import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { approvePriceUpdate } from '../../src/contract/messages';
import { EventClient } from '../../src/starter/client/event-client';
import { OrderConflictError } from '../../src/starter/client/order-conflict';
import { numberedOrders } from '../support/builders';
import { BY } from '../support/harness';
import { until } from '../support/temporal';
import { runTemporalCli } from '../support/temporal-cli';
import { withWorld, type World } from '../support/worker-world';

// Holds what docs/backup.md says of a Temporal database that is restored to an earlier time.

const ACCOUNT = { name: 'acme', environment: 'sandbox' } as const;
const PATIENCE = { everyMs: 200 };
const TEST_MS = 240_000;
const PRICE = { minorUnits: 1, currency: 'USD' };
const { furniture, ltl } = numberedOrders('RD');

const workflowOf = ({ client }: World, { account, orderId }: Shipment) =>
  client.workflow.getHandle(shipmentWorkflowId(account, orderId));

const folderOf = ({ env }: World): string => String(env.CONSIGN_FILES);

async function copyDatabase(from: string, to: string): Promise<void> {
  const files = (await readdir(from)).filter((name) => name.startsWith('temporal.db'));
  expect(files.length).toBeGreaterThan(0);
  await mkdir(to, { recursive: true });
  for (const file of files) await cp(path.join(from, file), path.join(to, file));
}

async function stopAll(world: World): Promise<void> {
  await world.killWorker();
  await world.temporal.kill();
}

async function backUp(world: World): Promise<void> {
  await stopAll(world);
  await copyDatabase(folderOf(world), path.join(folderOf(world), 'backup'));
  await world.temporal.restart();
  await world.startWorker();
}

/** Afterwards the server runs, and no worker. */
async function restore(world: World): Promise<void> {
  await stopAll(world);
  const folder = folderOf(world);
  for (const name of await readdir(folder))
    if (name.startsWith('temporal.db')) await rm(path.join(folder, name));
  await copyDatabase(path.join(folder, 'backup'), folder);
  await world.temporal.restart();
}

const RESET = [
  ...['workflow', 'reset', '--type', 'LastWorkflowTask', '--reason', 'restored', '--yes', '--query'],
  "WorkflowType IN ('furnitureShipment', 'ltlShipment') AND ExecutionStatus = 'Running'",
];

/** The second step of docs/backup.md. @returns how Temporal describes what it did */
async function resetAll({ address }: World): Promise<string> {
  const said = await runTemporalCli(...RESET, '--address', address);
  const [jobId = ''] = /[0-9a-f-]{36}/.exec(said) ?? [];
  let description = '';
  await until(async () => {
    description = await runTemporalCli('batch', 'describe', '--job-id', jobId, '--address', address);
    return /State +Completed/.test(description);
  }, PATIENCE);
  return description;
}

async function approve(world: World, shipment: Shipment): Promise<void> {
  const { state } = await world.until(shipment, (view) => view.state?.question?.kind === 'priceApproval');
  const questionId = state?.question?.id ?? '';
  await workflowOf(world, shipment).executeUpdate(approvePriceUpdate, { args: [{ ...BY, questionId }] });
}

const listingOf = (world: World, shipment: Shipment): string =>
  String(world.ledgerOf(shipment).listings[0]?.listingId);

const isFollowing = (listingId: string) => (view: Awaited<ReturnType<World['until']>>) =>
  view.state !== null && 'listingId' in view.state.at && view.state.at.listingId === listingId;

/** Furniture stays on the market, where a carrier could still book it. */
function keepOpen(world: World): void {
  world.sandbox.setSwitches({ transit: 'manual' });
  world.sandbox.setClock({ steps: { booking: 6_000_000 } });
}

const WORLD = { hasWebhooks: false, isPersistent: true };

test.concurrent(
  'nothing holds back an order that a restore takes to before its booking: it books again',
  async () => {
    await withWorld(WORLD, async (world) => {
      keepOpen(world);
      const order = furniture({ priceLimit: PRICE });
      await world.start(order, {});
      await world.until(order, ({ state }) => state?.question != null);
      await backUp(world);
      await approve(world, order);
      await world.until(order, ({ state }) => state?.at.phase === 'awaitingBooking');
      await restore(world);
      await world.startWorker();
      await approve(world, order);
      await world.until(order, ({ state }) => state?.at.phase === 'awaitingBooking');
      expect(world.ledgerOf(order)).toMatchObject({ created: 2 });
    });
  },
  TEST_MS,
);

test.concurrent(
  'restored orders that are reset before a worker starts ask before they book, and a replayed event of the listing settles that',
  async () => {
    await withWorld(WORLD, async (world) => {
      keepOpen(world);
      const [listed, accepted] = [furniture({ priceLimit: PRICE }), ltl({ priceLimit: PRICE })];
      const [followed, notBegun] = [furniture(), furniture()];
      for (const order of [listed, accepted, followed]) await world.start(order, {});
      for (const order of [listed, accepted])
        await world.until(order, ({ state }) => state?.question != null);
      await world.until(followed, ({ state }) => state?.at.phase === 'awaitingBooking');
      await world.killWorker();
      await world.start(notBegun, {});
      await backUp(world);
      for (const order of [listed, accepted]) await approve(world, order);
      await world.until(listed, ({ state }) => state?.at.phase === 'awaitingBooking');
      await world.until(accepted, ({ state }) => state?.at.phase === 'booked');
      await restore(world);
      // `notBegun` has no task to go back to.
      const description = await resetAll(world);
      expect(description).toMatch(/CompletedCount +3\/4/);
      expect(description).toMatch(/FailureCount +1\/4/);
      const { workflowId } = workflowOf(world, notBegun);
      const why = ['--reason', 'restored', '--address', world.address];
      await runTemporalCli('workflow', 'terminate', '--workflow-id', workflowId, ...why);
      await expect(world.start(notBegun, {})).rejects.toThrow(OrderConflictError);
      await world.startWorker();
      // What was booked before goes on without a question.
      await world.until(followed, isFollowing(listingOf(world, followed)));
      const events = new EventClient(world.client);
      for (const order of [listed, accepted]) {
        await approve(world, order);
        await world.until(order, ({ state }) => state?.question?.kind === 'inDoubt');
        const listingId = listingOf(world, order);
        await events.replay(ACCOUNT, listingId);
        await world.until(order, isFollowing(listingId));
      }
      for (const order of [listed, accepted, followed]) {
        const { state } = await world.until(order, () => true);
        expect(state?.question).toBeNull();
        expect(world.ledgerOf(order)).toMatchObject({ created: 1 });
      }
    });
  },
  TEST_MS,
);

test.concurrent(
  'an order from after the backup is started while no worker runs, hears of its listing first, and books no second one',
  async () => {
    await withWorld(WORLD, async (world) => {
      keepOpen(world);
      const [onMarket, booked] = [furniture(), ltl()];
      await backUp(world);
      await world.start(onMarket, {});
      await world.start(booked, {});
      await world.until(onMarket, ({ state }) => state?.at.phase === 'awaitingBooking');
      await world.until(booked, ({ state }) => state?.at.phase === 'booked');
      await restore(world);
      const known = listingOf(world, booked);
      for (const order of [onMarket, booked]) {
        await world.start(order, {});
        const event = { id: 'restored', type: 'hint', time: '', listingIds: [listingOf(world, order)] };
        const to = ['--workflow-id', shipmentWorkflowId(order.account, order.orderId)];
        const what = ['--name', 'marketplaceEventReceived', '--input', JSON.stringify(event)];
        await runTemporalCli('workflow', 'signal', ...to, ...what, '--address', world.address);
      }
      await world.startWorker();
      await world.until(booked, isFollowing(known));
      await world.until(onMarket, ({ state }) => state?.at.phase === 'awaitingBooking');
      expect(world.ledgerOf(booked)).toMatchObject({ created: 1, liveBookings: 1 });
      // The one on the market is taken down before another one is made.
      expect(world.ledgerOf(onMarket)).toMatchObject({ created: 2, openListings: 1, mostLiveBookings: 0 });
    });
  },
  TEST_MS,
);
