import type { Client } from '@temporalio/client';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { mapAtOnce } from '../../src/platform/at-once';
import { startBareShipments } from '../bare/bare-shipments';
import { deriveScript } from '../bare/derive-script';
import type { Script } from '../bare/script';
import { closingAll } from '../../src/platform/closing';
import { GOALS } from '../goals';
import type { Measurement, Section } from '../measurement';
import { WHOLE_LIFE } from '../mock-marketplace';
import { ACCOUNT, createMockWorld, type MockWorld } from '../mock-world';
import { cpuMsOf } from '../process-usage';
import type { QuietOrders } from '../quiet-orders';
import { median } from '../statistics';
import { FLOW, KINDS, type Kind, type Program } from '../world';

const FULL = { perRound: 60, rounds: 6, atOnce: 40 };
const QUICK = { perRound: 10, rounds: 2, atOnce: 10 };
type Size = typeof FULL;
/** Out of this many shipments, the one with the median number of events becomes the script. */
const RECORDED = 9;

/** Runs shipments, Consign's or bare ones. */
interface Contender {
  readonly worker: Program;
  readonly quiet: QuietOrders;
  /** Starts one and returns its workflow id. */
  readonly start: (name: string) => Promise<string>;
}

interface Round {
  readonly perSecond: number;
  /** Per shipment. */
  readonly cpuMs: number;
  readonly serverCpuMs: number;
  readonly events: number;
}

/** The rounds of one flow. */
interface Taken {
  readonly ours: Round[];
  readonly encrypted: Round[];
  readonly bare: Round[];
}

/** Both flows, against a bare workflow with the same history. */
export const measureShipments: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const size = isQuick ? QUICK : FULL;
    const mockWorld = await createMockWorld({ lifeOf: () => WHOLE_LIFE }, onClose);
    const encryptedWorld = await createMockWorld({ lifeOf: () => WHOLE_LIFE, isEncrypted: true }, onClose);
    const { client } = mockWorld.world.temporal;
    const run = async (contender: Contender, name: string, world = mockWorld): Promise<Round> =>
      await runRound(world, contender, { name, ...size });

    const scripts: Record<string, Script> = {};
    for (const kind of KINDS) {
      progress(`${FLOW[kind]}: warm-up`);
      await run(ours(mockWorld, kind), `${kind}-warm-up`);
      scripts[kind] = await scriptOf(client, kind);
    }
    const bare = await startBareShipments(mockWorld.world, { scripts, account: ACCOUNT }, onClose);
    const theirs = (kind: Kind): Contender => ({
      ...bare,
      start: async (name) => {
        await bare.start(kind, `bare/${name}`);
        return `bare/${name}`;
      },
    });
    for (const kind of KINDS) {
      await run(theirs(kind), `${kind}-warm-up`);
      await run(ours(encryptedWorld, kind), `${kind}-warm-up`, encryptedWorld);
    }

    const measurements: Measurement[] = [];
    const rounds = new Map(KINDS.map((kind): [Kind, Taken] => [kind, { ours: [], encrypted: [], bare: [] }]));
    for (let round = 1; round <= size.rounds; round += 1) {
      progress(`round ${round} of ${size.rounds}`);
      for (const [kind, taken] of rounds) {
        const turns = [
          async () => taken.ours.push(await run(ours(mockWorld, kind), `${kind}-${round}`)),
          async () =>
            taken.encrypted.push(await run(ours(encryptedWorld, kind), `${kind}-${round}`, encryptedWorld)),
          async () => taken.bare.push(await run(theirs(kind), `${kind}-${round}`)),
        ];
        for (const turn of round % 2 === 0 ? turns.toReversed() : turns) await turn();
      }
    }
    for (const [kind, taken] of rounds) measurements.push(...measurementsOf(kind, taken));
    return {
      name: 'shipments',
      title: 'both flows, against a bare workflow with the same history',
      how: [
        `${size.perRound} shipments per round, ${size.atOnce} concurrent. Rounds of Consign, of Consign with encryption and of the bare workflow alternate. The mock marketplace answers immediately.`,
        'The bare workflow executes a script derived from the recorded history of one of these shipments: the same activities (one HTTP call each), timers, signals, memo and search attribute updates, with the same payloads.',
        'CPU is that of the worker process, from /proc. Signals that come together or apart change the number of events a little; CPU per event leaves that out.',
      ],
      measurements,
    };
  });

const ours = ({ worker, mock, start }: MockWorld, kind: Kind): Contender => ({
  ...{ worker, quiet: mock.quiet },
  start: async (name) => {
    await start(kind, name);
    return shipmentWorkflowId(ACCOUNT, name);
  },
});

/** Runs one round of shipments from start to end. */
async function runRound(
  { world }: MockWorld,
  { worker, quiet, start }: Contender,
  { name, perRound, atOnce }: Size & { readonly name: string },
): Promise<Round> {
  const { client, open } = world.temporal;
  if (open.server === null) throw new TypeError('the benchmark runs a Temporal server of its own');
  const cpu = async () => ({ worker: await cpuMsOf(worker), server: await cpuMsOf(open.server ?? worker) });
  const names = Array.from({ length: perRound }, (_, index) => `${name}-${index}`);
  const before = await cpu();
  const startedAt = performance.now();
  const ids = await mapAtOnce(names, atOnce, async (one) => {
    const workflowId = await start(one);
    await client.workflow.getHandle(workflowId).result();
    return workflowId;
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await cpu();
  quiet.throwFailure();
  const histories = await historiesOf(client, ids.slice(0, RECORDED));
  return {
    perSecond: perRound / seconds,
    cpuMs: (after.worker - before.worker) / perRound,
    serverCpuMs: (after.server - before.server) / perRound,
    events: median(histories.map(({ length }) => length)),
  };
}

const historiesOf = async (client: Client, ids: readonly string[]) =>
  await mapAtOnce(
    ids,
    RECORDED,
    async (id) => (await client.workflow.getHandle(id).fetchHistory()).events ?? [],
  );

/** From the median history of the warm-up. */
async function scriptOf(client: Client, kind: Kind): Promise<Script> {
  const ids = Array.from({ length: RECORDED }, (_, index) =>
    shipmentWorkflowId(ACCOUNT, `${kind}-warm-up-${index}`),
  );
  const histories = await historiesOf(client, ids);
  const usual = histories.toSorted((left, right) => left.length - right.length)[Math.floor(RECORDED / 2)];
  return deriveScript(usual ?? []);
}

function measurementsOf(
  kind: Kind,
  { ours, encrypted, bare }: { readonly [contender in keyof Taken]: readonly Round[] },
): Measurement[] {
  const flow = FLOW[kind];
  const of = (rounds: readonly Round[], field: keyof Round): number[] => rounds.map((round) => round[field]);
  const ratio = (over: readonly number[], under: readonly number[]): number[] =>
    over.map((value, round) => value / (under[round] ?? Number.NaN));
  const [perSecond, barePerSecond] = [of(ours, 'perSecond'), of(bare, 'perSecond')];
  const [cpu, bareCpu] = [of(ours, 'cpuMs'), of(bare, 'cpuMs')];
  const [cpuPerEvent, bareCpuPerEvent] = [ratio(cpu, of(ours, 'events')), ratio(bareCpu, of(bare, 'events'))];
  const bareFlow = `${flow}, bare workflow`;
  return [
    { what: `${flow}: throughput`, unit: 'per second', samples: perSecond },
    { what: `${bareFlow}: throughput`, unit: 'per second', samples: barePerSecond },
    {
      ...{ what: `${flow}: throughput, Consign / bare`, unit: '', isRatio: true },
      samples: ratio(perSecond, barePerSecond),
    },
    { what: `${flow}: worker CPU per shipment`, unit: 'ms', samples: cpu },
    { what: `${bareFlow}: worker CPU per shipment`, unit: 'ms', samples: bareCpu },
    {
      ...{ what: `${flow}: worker CPU per shipment, bare / Consign`, unit: '', isRatio: true },
      samples: ratio(bareCpu, cpu),
    },
    {
      ...{ what: `${flow}: worker CPU per history event, bare / Consign`, unit: '', isRatio: true },
      ...{ samples: ratio(bareCpuPerEvent, cpuPerEvent), goal: GOALS.shipmentCpu },
    },
    { what: `${flow}, encrypted: throughput`, unit: 'per second', samples: of(encrypted, 'perSecond') },
    {
      ...{ what: `${flow}: throughput, encrypted / plain`, unit: '', isRatio: true },
      samples: ratio(of(encrypted, 'perSecond'), perSecond),
    },
    { what: `${flow}, encrypted: worker CPU per shipment`, unit: 'ms', samples: of(encrypted, 'cpuMs') },
    {
      ...{ what: `${flow}: worker CPU per shipment, encrypted / plain`, unit: '', isRatio: true },
      samples: ratio(of(encrypted, 'cpuMs'), cpu),
    },
    { what: `${flow}: server CPU per shipment`, unit: 'ms', samples: of(ours, 'serverCpuMs') },
    { what: `${bareFlow}: server CPU per shipment`, unit: 'ms', samples: of(bare, 'serverCpuMs') },
    { what: `${flow}: history events`, unit: '', samples: of(ours, 'events') },
    { what: `${bareFlow}: history events`, unit: '', samples: of(bare, 'events') },
  ];
}
