import { expect, test } from '@jest/globals';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { AccountTrouble } from '../../../src/domain/account-pause';
import { PausedAccounts } from '../../../src/activities/paused-accounts';

const account = { name: 'acme', environment: 'sandbox' } as const;
const trouble = (reason: string) => ({ account, supportAddress: null, reason, status: 401 });

/** Temporal, as far as a pause is concerned: it counts what it is asked. */
function temporalWith(over: { status?: string; memo?: Record<string, unknown> } | null) {
  let run: typeof over = over;
  const asked = { described: 0, signalled: [] as AccountTrouble[] };
  const describe = async () => {
    asked.described += 1;
    if (run === null) throw new WorkflowNotFoundError('not found', 'account/acme', undefined);
    return await Promise.resolve({
      ...{ status: { name: run.status ?? 'RUNNING' }, memo: run.memo ?? {}, runId: 'run-2' },
    });
  };
  const workflow = {
    getHandle: () => ({ describe }),
    async signalWithStart(_type: string, { signalArgs }: { signalArgs: AccountTrouble[] }) {
      asked.signalled.push(...signalArgs);
      run = { memo: { pause: { pauseId: 'run-1', waiting: 7, isRefused: true } } };
      await Promise.resolve();
    },
  };
  return { asked, client: { workflow } as unknown as Client };
}

test('however many shipments meet the trouble at once, its question is asked once', async () => {
  const { asked, client } = temporalWith(null);
  const accounts = new PausedAccounts(client);
  const facts = await Promise.all(
    Array.from({ length: 1_000 }, async () => await accounts.pause(trouble('answered 401'))),
  );
  expect(new Set(facts.map((fact) => fact?.pauseId))).toEqual(new Set(['run-1']));
  for (let count = 0; count < 1_000; count += 1) await accounts.pause(trouble('answered 401'));
  expect(asked.signalled).toEqual([{ reason: 'answered 401', status: 401 }]);
  expect(asked.described).toBeLessThan(10);
});

test('a question shows only a few of many reasons', async () => {
  const { asked, client } = temporalWith(null);
  const accounts = new PausedAccounts(client);
  for (let count = 0; count < 100; count += 1) await accounts.pause(trouble(`request ${count} answered 401`));
  expect(asked.signalled).toHaveLength(3);
});

test('however many shipments look, Temporal is asked about once a second', async () => {
  const { asked, client } = temporalWith({ memo: { pause: { pauseId: 'a', waiting: 2, isRefused: false } } });
  const accounts = new PausedAccounts(client);
  for (let count = 0; count < 1_000; count += 1)
    expect(await accounts.factOf('acme')).toEqual({ pauseId: 'a', waiting: 2, isRefused: false });
  expect(asked.described).toBeLessThan(5);
});

test.each(['COMPLETED', 'TERMINATED', 'FAILED', 'CANCELLED', 'TIMED_OUT'])(
  'an account whose question is %s is not paused',
  async (status) => {
    expect(await new PausedAccounts(temporalWith({ status }).client).factOf('acme')).toBeNull();
  },
);

test('an account without a question in Temporal is not paused', async () => {
  expect(await new PausedAccounts(temporalWith(null).client).factOf('acme')).toBeNull();
});

test.each([{}, { pause: 'odd' }, { pause: null }])(
  'a question without a memo yet is known by its run: %j',
  async (memo) => {
    const fact = await new PausedAccounts(temporalWith({ memo }).client).factOf('acme');
    expect(fact).toEqual({ pauseId: 'run-2', waiting: 0, isRefused: false });
  },
);
