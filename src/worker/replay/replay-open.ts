import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { describeDifference, taskEnds, type Difference } from './difference';
import { openHistories, type Choice, type OpenHistory } from './open-histories';

/** An open workflow that the build cannot continue. */
export interface ReplayFailure {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly difference: Difference;
}

/** The counts for the workflows of one type. */
export interface ReplayCount {
  passed: number;
  failed: number;
  /** Forgotten by Temporal after they were listed. */
  gone: number;
}

export interface ReplayReport {
  readonly types: ReadonlyMap<string, Readonly<ReplayCount>>;
  readonly failures: readonly ReplayFailure[];
}

export interface ReplayOptions extends Choice {
  /** The bundled workflows of the build. */
  readonly code: string;
  /** That of the client. */
  readonly dataConverter?: DataConverter;
  /** Called before each workflow with the number of workflows replayed so far. */
  readonly onProgress?: (replayed: number) => void;
}

/** Replays every open workflow with the code of a build, and finds those that the build cannot continue. */
export async function replayOpen(
  client: Client,
  { code, dataConverter = {}, onProgress = () => undefined, ...choice }: ReplayOptions,
): Promise<ReplayReport> {
  const types = new Map<string, ReplayCount>();
  const failures: ReplayFailure[] = [];
  const count = (type: string, what: keyof ReplayCount): void => {
    const own = types.get(type) ?? { passed: 0, failed: 0, gone: 0 };
    own[what] += 1;
    types.set(type, own);
  };
  /** The workflow that is being replayed, by its id. */
  const current = new Map<string, OpenHistory & { readonly history: History }>();
  async function* histories() {
    let replayed = 0;
    for await (const open of openHistories(client, choice)) {
      onProgress(replayed);
      const { workflowId, type, history } = open;
      if (history === null) count(type, 'gone');
      else {
        current.set(workflowId, { ...open, history });
        yield { workflowId, history };
        replayed += 1;
      }
    }
  }
  const options = optionsOf(code, dataConverter);
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories())) {
    const open = current.get(workflowId);
    if (open === undefined) throw new TypeError('the SDK replayed a different history than the given one');
    current.clear();
    const { runId, type, history } = open;
    count(type, error === undefined ? 'passed' : 'failed');
    if (error !== undefined)
      failures.push({ workflowId, runId, type, difference: await findDifference(options, history, error) });
  }
  return { types, failures };
}

function optionsOf(code: string, dataConverter: DataConverter): ReplayWorkerOptions {
  // A slow machine must not look like hanging code. As for workers, the types do not contain this option.
  const patience = { isolateExecutionTimeout: '1 minute' };
  return { workflowBundle: { code }, dataConverter, ...patience };
}

/** The SDK does not say where a replay failed. The shortest failing part of the history shows it. */
async function findDifference(
  options: ReplayWorkerOptions,
  history: History,
  whole: Error,
): Promise<Difference> {
  const ends = taskEnds(history);
  const upTo = (task: number): History => ({ events: (history.events ?? []).slice(0, ends[task]) });
  let failure = whole;
  let [passes, fails] = [-1, ends.length - 1];
  while (passes + 1 < fails) {
    const middle = Math.floor((passes + fails) / 2);
    const error = await failureOf(options, upTo(middle));
    if (error === null) passes = middle;
    else [fails, failure] = [middle, error];
  }
  return describeDifference(upTo(fails), failure.message);
}

async function failureOf(options: ReplayWorkerOptions, history: History): Promise<Error | null> {
  for await (const { error } of Worker.runReplayHistories(options, [{ workflowId: 'part', history }]))
    return error ?? null;
  throw new TypeError('the SDK did not replay the history');
}
