import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { SHIPMENTS_QUEUE } from '../../src/contract/task-queue';
import type { OnClose } from '../../src/platform/closing';
import { listenOnFreePort } from '../listen';
import { QuietOrders } from '../quiet-orders';
import { ROOT, startBenchProgram, type Program, type World } from '../world';
import { bareQueue, type Script } from './script';
import type { BareWorkerInput } from './worker';

/** A worker process of bare shipments, and the server that answers their activities and sends their signals. */
export interface BareShipments {
  readonly worker: Program;
  readonly quiet: QuietOrders;
  /** Starts one. It receives the signals of its script one after the other. */
  readonly start: (type: string, workflowId: string) => Promise<void>;
}

/** @param scripts by the type of their workflows */
export async function startBareShipments(
  world: World,
  { scripts, account }: Pick<BareWorkerInput, 'scripts' | 'account'>,
  onClose: OnClose,
): Promise<BareShipments> {
  const quiet = new QuietOrders();
  onClose(async () => await Promise.resolve(quiet.close()));
  const { client, open } = world.temporal;
  const { address, namespace } = open;
  const answersUrl = await serveAnswers({ client, scripts, quiet }, onClose);
  const bundleFile = await bundleScripts(world.folder, scripts);
  const input: BareWorkerInput = { address, namespace, account, answersUrl, bundleFile, scripts };
  const inputFile = path.join(world.folder, 'bare-worker.json');
  await writeFile(inputFile, JSON.stringify(input));
  const program = { script: 'bare/worker.ts', args: [inputFile], ready: /bare worker is running/ };
  return {
    quiet,
    worker: await startBenchProgram(world, program, onClose),
    async start(type, workflowId) {
      const script = scripts[type];
      if (script === undefined) throw new TypeError(`there is no script ${type}`);
      const taskQueue = bareQueue(SHIPMENTS_QUEUE);
      await client.workflow.start(type, { workflowId, taskQueue, args: [...script.input] });
    },
  };
}

interface Answers {
  readonly client: Client;
  readonly scripts: BareWorkerInput['scripts'];
  readonly quiet: QuietOrders;
}

/** Answers each activity with its recorded result, and sends the signals from the recorded point on. */
async function serveAnswers({ client, scripts, quiet }: Answers, onClose: OnClose): Promise<string> {
  const server = createServer((request, response) => {
    const [, type = '', encoded = '', activityId = ''] = (request.url ?? '').split('/');
    const [script, workflowId] = [scripts[type], decodeURIComponent(encoded)];
    void text(request).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ result: script?.activities[activityId]?.result ?? null }));
      if (script !== undefined && activityId === script.signalsAfter) {
        const handle = client.workflow.getHandle(workflowId);
        const steps = script.signals.map((together) => async () => {
          for (const { name, args } of together) await handle.signal(name, ...args);
        });
        quiet.follow(workflowId, steps);
      } else quiet.touch(workflowId);
    });
  });
  return await listenOnFreePort(server, onClose);
}

async function bundleScripts(folder: string, scripts: Readonly<Record<string, Script>>): Promise<string> {
  const workflowsPath = path.join(folder, 'bare-workflows.js');
  const shipment = JSON.stringify(path.join(__dirname, 'bare-shipment.ts'));
  const workflows = Object.entries(scripts).map(
    ([type, script]) => `exports[${JSON.stringify(type)}] = createBareShipment(${JSON.stringify(script)});`,
  );
  await writeFile(
    workflowsPath,
    [`const { createBareShipment } = require(${shipment});`, ...workflows].join('\n'),
  );
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
    // The file is in a folder of its own, far from the packages that it needs.
    webpackConfigHook: ({ resolve, ...config }) => ({
      ...config,
      resolve: { ...resolve, modules: [...(resolve?.modules ?? []), path.join(ROOT, 'node_modules')] },
    }),
  });
  const bundleFile = path.join(folder, 'bare-bundle.js');
  await writeFile(bundleFile, code);
  return bundleFile;
}
