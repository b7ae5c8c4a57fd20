import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { closingAll } from '../../src/platform/closing';
import { GOALS } from '../goals';
import type { Goal, Section } from '../measurement';
import { createWorld, KINDS, readExampleOrder, ROOT, startWorker, withOrderId, type World } from '../world';

const FULL = { rounds: 15, shipments: 50 };
const QUICK = { rounds: 3, shipments: 5 };
const ACCOUNT = 'acme';
const NOBODY = 'http://127.0.0.1:9';
const CONSIGN = path.join(ROOT, 'bin', 'consign.js');

/** Start times of the programs. */
export const measureStarts: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const { rounds, shipments } = isQuick ? QUICK : FULL;
    const world = await createWorld({ [ACCOUNT]: NOBODY }, onClose);
    await startShipments(world, shipments);
    const emptyWorld = await createWorld({ [ACCOUNT]: NOBODY }, onClose);
    const contenders: readonly { what: string; time: () => Promise<number>; goal?: Goal }[] = [
      { what: 'node without a program', time: async () => await timeOf(world, ['-e', '0']) },
      {
        what: 'consign --help',
        time: async () => await timeOf(world, [CONSIGN, '--help']),
        goal: GOALS.help,
      },
      {
        what: `consign list, ${shipments} shipments`,
        time: async () => await timeOf(world, [CONSIGN, 'list']),
        goal: GOALS.list,
      },
      { what: 'worker ready', time: async () => await timeOfWorker(emptyWorld), goal: GOALS.workerReady },
    ];
    const taken = contenders.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      progress(`round ${round + 1} of ${rounds}`);
      for (const [index, { time }] of contenders.entries()) taken[index]?.push(await time());
    }
    return {
      name: 'starts',
      title: 'start times',
      how: [
        'CLI: from process start to exit. Worker: from process start until it reports that it is running, on a Temporal server without shipments.',
      ],
      measurements: contenders.map(({ what, goal }, index) => ({
        ...{ what, unit: 'ms', samples: taken[index] ?? [] },
        ...(goal === undefined ? {} : { goal }),
      })),
    };
  });

/** Without a worker: they are only listed. */
async function startShipments(world: World, count: number): Promise<void> {
  const order = await readExampleOrder(world, { kind: KINDS[0] ?? 'furniture', account: ACCOUNT });
  const shipments = new ShipmentClient(world.temporal.client);
  for (let index = 0; index < count; index += 1) await shipments.start(withOrderId(order, `SO-${index}`));
}

async function timeOf({ env }: World, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore' });
  const [code]: unknown[] = await once(child, 'exit');
  const took = performance.now() - startedAt;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with code ${String(code)}`);
  return took;
}

const timeOfWorker = async (world: World): Promise<number> =>
  await closingAll(async (onClose) => (await startWorker(world, onClose)).readyMs);
