import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { keepRunning, type KeptPart } from '../../../devstack/keep-running';
import type { ProcessExit } from '../../../src/temporal/dev-server/supervise';
import { until } from '../../support/until';

/** A part whose processes end when the test says so. */
class FakePart implements KeptPart {
  starts = 1;
  /** Why the next starts fail. */
  readonly failures: string[] = [];
  private end: (exit: ProcessExit) => void = () => undefined;
  private ended = this.newProcess();

  constructor(readonly name: string) {}

  private newProcess(): Promise<ProcessExit> {
    return new Promise((resolve) => {
      this.end = resolve;
    });
  }

  async exited(): Promise<ProcessExit> {
    return await this.ended;
  }

  start = async (): Promise<void> => {
    const failure = this.failures.shift();
    if (failure !== undefined) throw new Error(failure);
    this.starts += 1;
    this.ended = this.newProcess();
    await Promise.resolve();
  };

  kill(exit: Partial<ProcessExit>): void {
    this.end({ code: null, signal: null, asked: false, lastLines: [], ...exit });
  }
}

test.each([
  [{ signal: 'SIGKILL' as const }, 'was ended by SIGKILL'],
  [{ signal: 'SIGTERM' as const }, 'was ended by SIGTERM'],
  [{ code: 0 }, 'ended with code 0'],
  [{ code: 1 }, 'ended with code 1'],
])('a part that ended (%j) is reported and restarted at once, and no other part is', async (exit, how) => {
  const said: string[] = [];
  const parts = [new FakePart('the worker'), new FakePart('the receiver')];
  const stop = keepRunning(parts, (line) => said.push(line));
  const startedAt = Date.now();
  parts[0]?.kill(exit);
  await until(() => said.length === 2);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  expect(said).toEqual([`the worker ${how}; restarting it`, 'the worker was restarted']);
  expect(parts.map(({ starts }) => starts)).toEqual([2, 1]);
  await stop();
});

test('a part that does not start is tried again, more slowly, and each reason is reported', async () => {
  const said: string[] = [];
  const part = new FakePart('the Temporal server');
  part.failures.push('the port is taken');
  const stop = keepRunning([part], (line) => said.push(line));
  const startedAt = Date.now();
  part.kill({ signal: 'SIGKILL' });
  await until(() => part.starts === 2);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  await until(() => said.length === 3);
  expect(said.slice(1)).toEqual([
    'the Temporal server does not start: the port is taken',
    'the Temporal server was restarted',
  ]);
  await stop();
});

test('a part that ends during shutdown is not restarted, and no pause delays the shutdown', async () => {
  const said: string[] = [];
  const parts = [new FakePart('the worker'), new FakePart('the sandbox')];
  parts[1]?.failures.push('one', 'two', 'three', 'four');
  const stop = keepRunning(parts, (line) => said.push(line));
  parts[1]?.kill({ code: 1 });
  await until(() => said.includes('the sandbox does not start: two'));
  const stoppedAt = Date.now();
  await stop();
  expect(Date.now() - stoppedAt).toBeLessThan(1_900);
  parts[0]?.kill({ code: 0 });
  await delay(20);
  expect(parts[0]?.starts).toBe(1);
});
