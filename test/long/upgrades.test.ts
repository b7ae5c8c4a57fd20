import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { Environment } from '../../src/temporal/dev-server/supervise';
import { checkWorkers } from '../../src/starter/cli/doctor';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';
import { approvePriceUpdate, marketplaceEventReceivedSignal } from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY } from '../support/harness';
import { buildWith, type OtherBuild } from '../support/other-build';
import { until } from '../support/temporal';
import { startWorkerProcess, type WorldWorker } from '../support/world-processes';
import { withWorld, type World } from '../support/worker-world';

const ROOT = path.join(__dirname, '..', '..');
const DEPLOYMENT = 'consign';
const PATCH = 'breath-before-step';
const PATIENCE = { everyMs: 200 };
const { furniture, ltl } = numberedOrders('UP');

/** The next build: the same sources, with a timer before each step of a shipment. */
let next: OtherBuild;
/** The same change without a patch, which no open shipment survives. */
let unguarded: OtherBuild;
const STEP = 'run.withdrawal.reconsiderCancel();';
const timer = (condition: string): string =>
  `${condition}await (0, workflow_1.sleep)(1);\n            ${STEP}`;
beforeAll(async () => {
  const change = { file: 'src/workflows/phase-loop.js', from: STEP };
  next = await buildWith({ ...change, to: timer(`if ((0, workflow_1.patched)('${PATCH}')) `) });
  unguarded = await buildWith({ ...change, to: timer('') });
}, 60_000);

/** Runs a command as an operator does, and never throws. */
async function runCommand(
  command: string,
  args: readonly string[],
  env: Environment,
): Promise<{ readonly code: number; readonly out: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [...args], { env, cwd: ROOT });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

/** The commands of docs/upgrading.md. */
class Operator {
  private constructor(
    private readonly world: World,
    private readonly cli: string,
  ) {}

  static async of(world: World): Promise<Operator> {
    const { path: cli } = await findCli(cliSources(world.env), () => {});
    return new Operator(world, cli);
  }

  /** It takes a moment until the server has heard of every queue of a build that has just started. */
  async setCurrent(...target: readonly string[]): Promise<void> {
    const args = ['--deployment-name', DEPLOYMENT, ...target, '--yes'];
    await until(
      async () => (await this.temporal('worker', 'deployment', 'set-current-version', ...args)).code === 0,
      { everyMs: 1_000 },
    );
  }

  async pinPatched(buildId: string): Promise<void> {
    const query = `TemporalChangeVersion = '${PATCH}' AND ExecutionStatus = 'Running'`;
    const to = [
      '--versioning-override-deployment-name',
      DEPLOYMENT,
      '--versioning-override-build-id',
      buildId,
    ];
    const how = ['--versioning-override-behavior', 'pinned', ...to, '--yes'];
    const { code, out } = await this.temporal('workflow', 'update-options', '--query', query, ...how);
    if (code !== 0) throw new Error(out);
  }

  /** Replays the open shipments with a build. */
  async replay(root: string): Promise<{ readonly code: number; readonly out: string }> {
    const args = [
      path.join(root, 'dist', 'src', 'worker', 'replay', 'main.js'),
      '--address',
      this.world.address,
    ];
    return await runCommand(process.execPath, args, this.world.env);
  }

  private async temporal(...args: readonly string[]) {
    const env = { PATH: this.world.env.PATH, HOME: this.world.env.HOME };
    return await runCommand(this.cli, [...args, '--address', this.world.address], env);
  }
}

/** Many stand still at once, and each look of one costs the machine. */
const pace = { initialMs: 1_000, maximumMs: 8_000 };
/** Nothing is given up while an order stands still. */
const PATIENT_POLICY: Partial<ShipmentPolicy> = {
  rates: { ...FAST_POLICY.rates, maximumWaitMs: 900_000, pace },
  acceptance: { ...FAST_POLICY.acceptance, windowMs: 900_000, pace },
  unreadableAfterMs: 900_000,
  ...{ sweepPace: pace, trackingPace: pace },
};

/** Orders that stand still in a phase each, until they are released. */
async function openInEachPhase(world: World): Promise<readonly Shipment[]> {
  const [asks, listed, booked, underWay] = [furniture(), furniture(), furniture(), furniture()];
  const [collecting, accepting, accepted] = [ltl(), ltl(), ltl()];
  const what = { kind: 'status', status: 503 } as const;
  const referenceOf = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;
  world.sandbox.trouble({ when: 'listRates', whom: referenceOf(collecting), what });
  world.sandbox.trouble({ when: 'getAcceptanceStatus', whom: referenceOf(accepting), what });
  const places: readonly (readonly [Shipment, (view: ShipmentView) => boolean])[] = [
    [{ ...asks, priceLimit: { minorUnits: 1, currency: 'USD' } }, ({ state }) => state?.question != null],
    [listed, ({ state }) => state?.at.phase === 'awaitingBooking'],
    [booked, ({ state }) => state?.at.phase === 'booked'],
    [underWay, ({ state }) => state?.at.phase === 'inTransit'],
    [collecting, ({ state }) => state?.at.phase === 'collectingRates'],
    [accepting, ({ state }) => state?.at.phase === 'accepting' && state.at.pending !== null],
    [accepted, ({ state }) => state?.at.phase === 'booked'],
  ];
  for (const [shipment] of places) await world.start(shipment, PATIENT_POLICY);
  const listingOf = async (shipment: Shipment): Promise<string> => {
    await world.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
    return String(world.ledgerOf(shipment).listings[0]?.listingId);
  };
  world.sandbox.controls.advance(await listingOf(booked), { to: 'Booked' });
  world.sandbox.controls.advance(await listingOf(underWay), { to: 'PickedUp' });
  for (const [shipment, isThere] of places) await world.until(shipment, isThere);
  return places.map(([shipment]) => shipment);
}

const workflowOf = ({ client }: World, { account, orderId }: Shipment) =>
  client.workflow.getHandle(shipmentWorkflowId(account, orderId));

/** A workflow task of a shipment that ended, and the build that did it; null when it failed. */
interface EndedTask {
  readonly eventId: number;
  readonly buildId: string | null;
}

/** The tasks that ended since an event. */
async function tasksOf(world: World, shipment: Shipment, since = 0): Promise<readonly EndedTask[]> {
  const { events } = await workflowOf(world, shipment).fetchHistory();
  return (events ?? []).flatMap(
    ({ eventId, workflowTaskCompletedEventAttributes: done, workflowTaskFailedEventAttributes: failed }) =>
      (done == null && failed == null) || Number(eventId) <= since
        ? []
        : [{ eventId: Number(eventId), buildId: done?.deploymentVersion?.buildId ?? null }],
  );
}

let hints = 0;
/** Something comes in for a shipment, so that it has a workflow task. @returns its last event before that */
async function hint(world: World, shipment: Shipment): Promise<number> {
  const before = (await tasksOf(world, shipment)).at(-1)?.eventId ?? 0;
  hints += 1;
  const event = { id: `hint-${hints}`, type: 'hint', time: new Date().toISOString(), listingIds: [] };
  await workflowOf(world, shipment).signal(marketplaceEventReceivedSignal, event);
  return before;
}

/** Gives a shipment tasks until a build has done one: for a moment after a switch the build before still takes them. */
async function reach(world: World, shipment: Shipment, buildId: string): Promise<readonly EndedTask[]> {
  const before = await hint(world, shipment);
  await until(
    async () => {
      if ((await tasksOf(world, shipment, before)).at(-1)?.buildId === buildId) return true;
      await hint(world, shipment);
      return false;
    },
    { ...PATIENCE, everyMs: 1_000 },
  );
  return await tasksOf(world, shipment, before);
}

/** Every shipment goes on with a build, and no task fails. */
async function goOnWith(world: World, shipments: readonly Shipment[], buildId: string): Promise<void> {
  await Promise.all(
    shipments.map(async (shipment) => {
      const tasks = await reach(world, shipment, buildId);
      if (tasks.some((task) => task.buildId === null))
        throw new Error(`a task of ${shipment.orderId} failed on the way to ${buildId}`);
    }),
  );
}

async function deliver(world: World, shipments: readonly Shipment[]): Promise<void> {
  world.sandbox.clearTroubles();
  world.sandbox.setSwitches({ transit: 'normal' });
  world.sandbox.setClock({ speed: 10 });
  for (const shipment of shipments) {
    const { state } = await world.until(shipment, (view) => view.state !== null);
    const questionId = state?.question?.kind === 'priceApproval' ? state.question.id : null;
    if (questionId !== null)
      await workflowOf(world, shipment).executeUpdate(approvePriceUpdate, { args: [{ ...BY, questionId }] });
  }
  await Promise.all(
    shipments.map(async (shipment) => {
      await until(async () => {
        const [listing] = world.ledgerOf(shipment).listings;
        if (listing !== undefined) world.sandbox.controls.advance(listing.listingId, { to: 'Delivered' });
        return listing !== undefined;
      }, PATIENCE);
      await world.until(shipment, ({ status }) => status !== 'RUNNING');
    }),
  );
}

test('a build that adds a patch is rolled out and back while shipments of every phase are open, and none is stuck', async () => {
  await withWorld({ hasWebhooks: false, isPersistent: false }, async (world) => {
    const closers: (() => Promise<unknown>)[] = [];
    const start = async (root: string, buildId: string, held = ''): Promise<WorldWorker> => {
      const version = { CONSIGN_DEPLOYMENT: DEPLOYMENT, CONSIGN_BUILD_ID: buildId };
      const env = { ...world.env, ...version, CONSIGN_HELD_PATCHES: held };
      return await startWorkerProcess(env, (close) => closers.push(close), root);
    };
    const operator = await Operator.of(world);
    world.sandbox.setSwitches({ transit: 'manual' });
    world.sandbox.setClock({ steps: { booking: 6_000_000 } });
    try {
      // Unversioned workers, as until now; the first versioned build takes over.
      const shipments = [...(await openInEachPhase(world))];
      await start(ROOT, 'v1');
      await operator.setCurrent('--build-id', 'v1');
      await world.worker().stop();
      await goOnWith(world, shipments, 'v1');
      for (const { state, text } of await checkWorkers(world.client, ['acme']))
        expect({ state, text }).toEqual({
          state: 'good',
          text: expect.stringContaining(' of consign:v1 polled'),
        });

      // The next build is rolled out with its patch held, and back.
      expect(await operator.replay(next.root)).toMatchObject({ code: 0 });
      const refused = await operator.replay(unguarded.root);
      expect({ code: refused.code, named: namedIn(refused.out) }).toEqual({
        code: 1,
        named: idsOf(shipments),
      });
      expect(refused.out).toContain('this build has a different command (timer)');
      const held = await start(next.root, 'v2', PATCH);
      await operator.setCurrent('--build-id', 'v2');
      await goOnWith(world, shipments, 'v2');
      shipments.push(...(await openInEachPhase(world)));
      expect(await operator.replay(ROOT)).toMatchObject({ code: 0 });
      await operator.setCurrent('--build-id', 'v1');
      await goOnWith(world, shipments, 'v1');

      // It is rolled out again, and then without the hold: histories get the patch.
      await operator.setCurrent('--build-id', 'v2');
      await goOnWith(world, shipments, 'v2');
      await held.worker().stop();
      const applying = await start(next.root, 'v2');
      await goOnWith(world, shipments, 'v2');
      shipments.push(...(await openInEachPhase(world)));
      const patched = await withPatch(world, shipments);
      const unpatched = shipments.filter((shipment) => !patched.includes(shipment));
      expect({ patched: patched.length > 7, unpatched: unpatched.length > 0 }).toEqual({
        ...{ patched: true, unpatched: true },
      });

      // The build before does not know the patch, and its replay says so, by name.
      const { code, out } = await operator.replay(ROOT);
      expect({ code, named: namedIn(out) }).toEqual({
        code: 1,
        named: idsOf(patched),
      });
      expect(out).toContain(`this build does not know the patch ${PATCH}`);

      // Whoever rolls back all the same loses nothing: those shipments stand still until the new build is current again.
      const [stuck] = patched;
      if (stuck === undefined) throw new Error('no shipment is patched');
      await operator.setCurrent('--build-id', 'v1');
      const before = await hint(world, stuck);
      await until(async () => (await tasksOf(world, stuck, before)).at(-1)?.buildId === null, PATIENCE);
      await operator.setCurrent('--build-id', 'v2');
      // Others met the old build too: each goes on when its task is tried again.
      await Promise.all(patched.map(async (shipment) => await reach(world, shipment, 'v2')));

      // The way back past a patch: hold it, pin what has it, and turn the others back.
      await applying.worker().stop();
      await start(next.root, 'v2', PATCH);
      await operator.pinPatched('v2');
      await until(async () => await areAllPinned(world, patched), PATIENCE);
      await operator.setCurrent('--build-id', 'v1');
      await goOnWith(world, patched, 'v2');
      await goOnWith(world, unpatched, 'v1');

      await deliver(world, shipments);
      for (const shipment of shipments) {
        expect(await world.until(shipment, () => true)).toMatchObject({ status: 'COMPLETED', failure: null });
        expect(world.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
      }
      expect(world.sandbox.verdict()).toMatchObject({ isClean: true });
      const attention = await new ShipmentClient(world.client).attention({ patienceMs: 0 });
      expect(attention).toMatchObject({ entries: [], queues: [], open: 0 });
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  });
}, 600_000);

/** Whether a batch has come to all of them. */
async function areAllPinned(world: World, shipments: readonly Shipment[]): Promise<boolean> {
  const found = await Promise.all(
    shipments.map(async (shipment) => await workflowOf(world, shipment).describe()),
  );
  return found.every(({ raw }) => raw.workflowExecutionInfo?.versioningInfo?.versioningOverride != null);
}

const idsOf = (shipments: readonly Shipment[]): string[] =>
  shipments.map(({ account, orderId }) => shipmentWorkflowId(account, orderId)).toSorted();

/** The workflows that a replay says a build cannot continue. */
const namedIn = (out: string): string[] =>
  [...out.matchAll(/^x (\S+) \(run /gm)].map(([, id]) => id ?? '').toSorted();

/** The shipments whose history has the marker of the patch. */
async function withPatch(world: World, shipments: readonly Shipment[]): Promise<readonly Shipment[]> {
  const found: Shipment[] = [];
  for (const shipment of shipments) {
    const { events } = await workflowOf(world, shipment).fetchHistory();
    if ((events ?? []).some(({ markerRecordedEventAttributes: marker }) => marker != null))
      found.push(shipment);
  }
  return found;
}

test('a replay that finds no Temporal server ends, and not as a success', async () => {
  const args = [path.join(ROOT, 'dist', 'src', 'worker', 'replay', 'main.js'), '--address', '127.0.0.1:1'];
  const { code, out } = await runCommand(process.execPath, args, { PATH: process.env.PATH });
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('No Temporal server answers') });
});
