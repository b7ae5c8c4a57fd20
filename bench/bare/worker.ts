import { readFile } from 'node:fs/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { request } from 'undici';
import { z } from 'zod';
import { marketplaceQueue, SHIPMENTS_QUEUE } from '../../src/contract/task-queue';
import { bareQueue, type Script } from './script';

/** The input file of a bare worker. */
export interface BareWorkerInput {
  readonly address: string;
  readonly namespace: string;
  readonly account: string;
  /** URL of the server with the results of the activities. */
  readonly answersUrl: string;
  readonly bundleFile: string;
  /** By the type of their workflows. */
  readonly scripts: Readonly<Record<string, Script>>;
}

const AGAIN_IN = '10 milliseconds';
const LONG = '1 hour';

/** A worker of bare shipments, with the options of Consign's worker. Each activity makes one HTTP call and returns the answer. */
async function main(): Promise<void> {
  const [file = ''] = process.argv.slice(2);
  const input: BareWorkerInput = JSON.parse(await readFile(file, 'utf8'));
  const { address, namespace, account, bundleFile } = input;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address });
  const common = { connection, namespace, stickyQueueScheduleToStartTimeout: '3 seconds' } as const;
  const workflowBundle = { code: await readFile(bundleFile, 'utf8') };
  const activities = activitiesOf(input);
  const workers = [
    await Worker.create({ ...common, taskQueue: bareQueue(SHIPMENTS_QUEUE), workflowBundle, activities }),
    await Worker.create({ ...common, taskQueue: bareQueue(marketplaceQueue(account)), activities }),
  ];
  const runs = workers.map(async (worker) => await worker.run());
  console.log('bare worker is running');
  await Promise.all(runs);
}

function activitiesOf({ scripts, answersUrl }: BareWorkerInput) {
  async function perform(...args: readonly unknown[]): Promise<unknown> {
    const { info } = Context.current();
    const activity = scripts[info.workflowType ?? '']?.activities[info.activityId];
    if (activity === undefined) throw new TypeError(`the script has no activity ${info.activityId}`);
    if (activity.attempts === 0) throw notYet(LONG);
    // Activities on the workflows' queue make no call in Consign either.
    if (activity.taskQueue === SHIPMENTS_QUEUE) return activity.result;
    const order = encodeURIComponent(info.workflowExecution?.workflowId ?? '');
    const { body } = await request(`${answersUrl}/${info.workflowType}/${order}/${info.activityId}`, {
      ...{ method: 'POST', body: JSON.stringify(args), headers: { 'content-type': 'application/json' } },
    });
    const { result } = answerShape.parse(await body.json());
    if (info.attempt < activity.attempts) throw notYet(AGAIN_IN);
    return result;
  }
  const types = Object.values(scripts).flatMap(({ activities }) =>
    Object.values(activities).map(({ type }) => type),
  );
  return Object.fromEntries(types.map((type) => [type, perform]));
}

const answerShape = z.object({ result: z.unknown() });

function notYet(nextRetryDelay: typeof AGAIN_IN | typeof LONG): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'not yet',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay,
  });
}

void main();
