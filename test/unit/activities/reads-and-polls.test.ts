import { afterEach, expect, test } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { poll, read } from '../../../src/activities/reads-and-polls';
import { toFailure } from '../../../src/activities/failures';
import { createMarketplace } from '../../../src/marketplace/create-marketplace';
import { ApiError, UnexpectedResponseError } from '../../../src/marketplace/errors';
import { marketplaceAccount } from '../../support/harness';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** What the client throws at a marketplace that answers every request with one status. */
async function errorAt(status: number, headers: Record<string, string> = {}): Promise<unknown> {
  const server = createServer((_request, response) => response.writeHead(status, headers).end('{}'));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  const marketplace = createMarketplace(marketplaceAccount(`http://127.0.0.1:${address.port}`));
  const error = await marketplace.getListing('123456789').catch((caught: unknown) => caught);
  await marketplace.close();
  return error;
}

test.each([
  [400, 'Rejected', true],
  [401, 'AccountTrouble', true],
  [403, 'AccountTrouble', true],
  [404, 'NotFound', true],
  [429, 'Unavailable', false],
  [500, 'Unavailable', false],
  [503, 'Unavailable', false],
])('a read that is answered %i fails as %s, nonRetryable %s', async (status, type, nonRetryable) => {
  expect(toFailure(await errorAt(status), 'read')).toMatchObject({ type, nonRetryable });
});

const GARBLED = new UnexpectedResponseError({
  ...{ status: 200, outcome: 'inDoubt', expected: 'a JSON body' },
  request: { method: 'GET', path: '/v2/listings/1', operation: 'getListing' },
});
const answering = (...ends: readonly ('garbled' | 'fine')[]) => {
  const left = [...ends];
  const asked: string[] = [];
  const call = async (): Promise<string> => {
    const end = left.shift() ?? 'garbled';
    asked.push(end);
    return end === 'fine' ? await Promise.resolve(end) : await Promise.reject(GARBLED);
  };
  return { call, asked };
};

test('an invalid answer is requested again in the same attempt, and fails for good at the third', async () => {
  const passing = answering('garbled', 'garbled', 'fine');
  const lasting = answering();
  const ends = await Promise.allSettled(
    [passing, lasting].map(
      async ({ call }) => await new MockActivityEnvironment().run(async () => await read(call)),
    ),
  );
  expect(ends).toMatchObject([
    { status: 'fulfilled', value: 'fine' },
    { status: 'rejected', reason: { type: 'UnexpectedResponse', nonRetryable: true } },
  ]);
  expect([passing.asked, lasting.asked.length]).toEqual([['garbled', 'garbled', 'fine'], 3]);
});

test('a cancelled read is not repeated', async () => {
  const environment = new MockActivityEnvironment();
  const { call, asked } = answering();
  const reading = environment.run(
    async () =>
      await read(async () => {
        setImmediate(() => environment.cancel());
        return await call();
      }),
  );
  await expect(reading).rejects.toThrow(CancelledFailure);
  expect(asked).toHaveLength(1);
});

test.each([
  [400, 'Rejected'],
  [401, 'AccountTrouble'],
  [409, 'InDoubt'],
  [429, 'NotSent'],
  [500, 'InDoubt'],
])('a write that is answered %i fails as %s and is never retried by Temporal', async (status, type) => {
  expect(toFailure(await errorAt(status), 'write')).toMatchObject({ type, nonRetryable: true });
});

/** Milliseconds. */
const retryDelayOf = (failure: unknown): number =>
  failure instanceof ApplicationFailure && typeof failure.nextRetryDelay === 'number'
    ? failure.nextRetryDelay
    : Number.NaN;

test.each([
  ['read', 404, 'NotFound'],
  ['read', 401, 'AccountTrouble'],
  ['write', 400, 'Rejected'],
] as const)(
  "the failure of a %s that is answered %i carries the call's details as data",
  async (kind, status, type) => {
    const details = [{ operation: 'getListing', listingId: '123456789', status, codes: [], fields: [] }];
    expect(toFailure(await errorAt(status), kind)).toMatchObject({ type, details });
  },
);

test("a refusal carries codes and fields as data, separate from the marketplace's words", () => {
  const error = new ApiError({
    request: { method: 'POST', path: '/v2/listings', operation: 'createListing' },
    ...{ status: 400, outcome: 'rejected', reasons: ['40001 title'], codes: ['40001'], fields: ['title'] },
    words: 'no such title',
  });
  expect(toFailure(error, 'write')).toMatchObject({
    message: 'POST /v2/listings answered 400: 40001 title',
    details: [
      {
        ...{ operation: 'createListing', listingId: null, status: 400, retryAfterMs: null },
        ...{ codes: ['40001'], fields: ['title'], words: 'no such title' },
      },
    ],
  });
});

test.each([
  ['999999999', 3_600_000],
  ['Fri, 31 Dec 2999 23:59:59 GMT', 3_600_000],
  ['soon', null],
])('a Retry-After of %s waits %s ms, never for years', async (value, waitMs) => {
  const failure = toFailure(await errorAt(429, { 'retry-after': value }), 'write');
  expect(failure).toMatchObject({ type: 'NotSent', details: [{ retryAfterMs: waitMs }] });
});

test('reads that fail together do not come back together', async () => {
  const error = await errorAt(503);
  const delays = await Promise.all(
    Array.from({ length: 20 }, async () =>
      retryDelayOf(
        await new MockActivityEnvironment({ attempt: 3 })
          .run(async () => await read(async () => await Promise.reject(error)))
          .catch((caught: unknown) => caught),
      ),
    ),
  );
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(8_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
  expect(new Set(delays).size).toBeGreaterThan(10);
});

test('a delay that the marketplace asks for is respected', async () => {
  const failure = toFailure(await errorAt(503, { 'retry-after': '7' }), 'read');
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(retryDelayOf(failure)).toBeGreaterThanOrEqual(7_000);
  expect(retryDelayOf(failure)).toBeLessThanOrEqual(8_750);
});

test('a poll without a result fails benignly, more and more slowly up to its pace', async () => {
  const delays = await Promise.all(
    [1, 2, 3, 9].map(async (attempt) => {
      const failure = await new MockActivityEnvironment({ attempt })
        .run(
          async () =>
            await poll(
              { initialMs: 100, maximumMs: 500 },
              async () => await Promise.resolve({ kind: 'pending', saw: 'nothing' }),
            ),
        )
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ type: 'NotYet', category: 'BENIGN', stack: '' });
      return retryDelayOf(failure);
    }),
  );
  for (const [index, paceMs] of [100, 200, 400, 500].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(paceMs / 2);
    expect(delays[index]).toBeLessThanOrEqual(paceMs * 1.5);
  }
});

test('a poll without an answer asks again at its pace, however often it has asked', async () => {
  const error = await errorAt(500);
  const failure = await new MockActivityEnvironment({ attempt: 30 })
    .run(
      async () => await poll({ initialMs: 100, maximumMs: 4_000 }, async () => await Promise.reject(error)),
    )
    .catch((caught: unknown) => caught);
  expect(failure).toMatchObject({ type: 'Unavailable', nonRetryable: false });
  expect(retryDelayOf(failure)).toBeGreaterThanOrEqual(4_000);
  expect(retryDelayOf(failure)).toBeLessThanOrEqual(5_000);
});

test('the heartbeats of a slow read keep the details of the previous attempt', async () => {
  const environment = new MockActivityEnvironment({ heartbeatDetails: ['left'] });
  const heartbeat = once(environment, 'heartbeat');
  await environment.run(async () => await read(async () => void (await heartbeat)));
  expect(await heartbeat).toEqual([['left']]);
});

test('a read whose answer is no longer wanted ends as cancelled, not as failed', async () => {
  const environment = new MockActivityEnvironment();
  const running = environment.run(
    async () =>
      await read(async ({ signal }) => {
        await once(signal ?? new EventTarget(), 'abort');
        throw new ApiErrorStandIn();
      }),
  );
  environment.cancel();
  await expect(running).rejects.toBeInstanceOf(CancelledFailure);
});

class ApiErrorStandIn extends Error {}

test('an error from outside the client passes through, because it is a bug', () => {
  const bug = new TypeError('bug');
  expect(toFailure(bug, 'write')).toBe(bug);
  expect(bug).not.toBeInstanceOf(ApiError);
});
