import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../src/activities';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { NOTHING_LEFT_OUT } from '../../../src/domain/left-out';
import { createFolderStore } from '../../../src/platform/file-store';
import type { Marketplace } from '../../../src/marketplace/marketplace';
import { aRate } from '../../support/builders';
import { NO_ENDPOINTS } from '../../support/notifications';

const policy = { ...DEFAULT_POLICY.rates, minimumWaitMs: 0, enough: 1 };

/** One attempt that reads these rates: what it answers or fails with, and what it leaves for the next attempt. */
async function attempt(rateIds: readonly string[], left: unknown, knownRateIds: readonly string[] = []) {
  const rates = rateIds.map((rateId) => aRate({ rateId }));
  const marketplace = {
    listRates: async () => await Promise.resolve({ rates, leftOut: NOTHING_LEFT_OUT, clock: 'worker' }),
  } as unknown as Marketplace;
  const files = createFolderStore('unused');
  const { collectRates } = createActivities({
    marketplaceOf: () => marketplace,
    client: {} as Client,
    files,
    notifications: NO_ENDPOINTS,
  });
  const environment = new MockActivityEnvironment({
    attempt: 1,
    heartbeatDetails: left,
    currentAttemptScheduledTimestampMs: Date.now(),
  });
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details) => heartbeats.push(details));
  const input = {
    account: { name: 'acme', environment: 'sandbox' } as const,
    ...{ rateRequestId: 'r', requestedAt: new Date().toISOString(), policy, knownRateIds },
  };
  const outcome = await environment
    .run(async () => await collectRates(input))
    .catch((error: unknown) => error);
  return { outcome: outcome instanceof ApplicationFailure ? outcome.type : outcome, heartbeats };
}

test('a reading that misses a rate of the previous attempt does not settle, and leaves what it saw', async () => {
  const seen = { rateIds: ['a', 'b'], looksAgain: 0, most: 2 };
  expect(await attempt(['b'], seen)).toEqual({
    outcome: 'NotYet',
    heartbeats: [{ rateIds: ['b'], looksAgain: 1, most: 2 }],
  });
  expect(await attempt(['b'], { rateIds: ['b'], looksAgain: 1, most: 2 })).toMatchObject({
    outcome: { rates: [{ rateId: 'b' }], most: 2 },
    heartbeats: [],
  });
});

test('nor does the first reading that misses a rate which the workflow knows', async () => {
  expect(await attempt(['b'], undefined, ['a', 'b'])).toMatchObject({ outcome: 'NotYet' });
  expect(await attempt(['b'], undefined, ['b'])).toMatchObject({ outcome: { rates: [{ rateId: 'b' }] } });
  expect(await attempt(['b'], undefined)).toMatchObject({ outcome: { rates: [{ rateId: 'b' }], most: 1 } });
});
