import { afterEach, expect, test } from '@jest/globals';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';

afterEach(closeAll);

const OUR_NOW = Date.parse('2026-03-01T12:00:00.400Z');
const rate = {
  id: 'r1',
  created: '2026-03-01T12:00:00.000Z',
  expires: '2026-03-01T13:00:00.000Z',
  totalPrice: { amount: 120 },
};

const httpDate = (ahead: number): string => new Date(OUR_NOW + ahead * 1_000).toUTCString();

interface Times {
  readonly headers: Record<string, string>;
  /** How long the call takes on our clock. */
  readonly tookSeconds?: number;
}

async function answering({ headers, tookSeconds = 0 }: Times, status: number, body: unknown) {
  const server = await startServer((request, response) => {
    // The test's server must not put in its own.
    response.sendDate = false;
    reply(status, body, headers)(request, response);
  });
  const now = (): number => OUR_NOW + (server.seen.length === 0 ? 0 : tookSeconds * 1_000);
  return aMarketplace(anAccount(server.url), { now });
}

/** By how many seconds the instants of a rate were moved: back when above 0. */
async function movedBy(times: Times): Promise<number[]> {
  const [read] = (await (await answering(times, 200, { items: [rate] })).listRates('q')).rates;
  const seconds = (from: string, to: string | null | undefined): number =>
    Math.round((Date.parse(from) - Date.parse(to ?? '')) / 1_000);
  return [seconds(rate.created, read?.createdAt), seconds(rate.expires, read?.expiresAt)];
}

test.each([3_600, 90, 7, -7, -90, -3_600, 86_000])(
  "with a marketplace that is %i seconds ahead, a rate's instants are on Consign's clock",
  async (ahead) => {
    expect(await movedBy({ headers: { date: httpDate(ahead) } })).toEqual([ahead, ahead]);
  },
);

test.each<[string, Times]>([
  ['is missing', { headers: {} }],
  ['cannot be read', { headers: { date: 'yesterday' } }],
  ['is a few seconds ahead', { headers: { date: httpDate(4) } }],
  ['is a few seconds behind', { headers: { date: httpDate(-4) } }],
  ['is off by more than two days', { headers: { date: httpDate(-180_000) } }],
  ['is the epoch', { headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }],
  ['is from the start of a slow call', { headers: { date: httpDate(0) }, tookSeconds: 30 }],
  ['is from the end of a slow call', { headers: { date: httpDate(30) }, tookSeconds: 30 }],
  ['is old and its age says so', { headers: { date: httpDate(-600), age: '600' } }],
])('a rate keeps its instants where the Date header %s', async (_, times) => {
  const [read] = (await (await answering(times, 200, { items: [rate] })).listRates('q')).rates;
  expect([read?.createdAt, read?.expiresAt]).toEqual([rate.created, rate.expires]);
});

test.each<[string, Times, string]>([
  ['is right', { headers: { date: httpDate(0) } }, 'worker'],
  ['is an hour ahead', { headers: { date: httpDate(3_600) } }, 'worker'],
  ['is missing', { headers: {} }, 'marketplace'],
  ['cannot be read', { headers: { date: 'yesterday' } }, 'marketplace'],
  ['is off by more than two days', { headers: { date: httpDate(-180_000) } }, 'marketplace'],
])('where the Date header %s, rates say whose clock they are on', async (_, times, clock) => {
  expect(await (await answering(times, 200, { items: [rate] })).listRates('q')).toMatchObject({ clock });
});

test.each<Record<string, string>>([{}, { date: 'yesterday' }, { date: '' }])(
  'a date in Retry-After is ignored when the answer does not say its own time: %j',
  async (headers) => {
    const marketplace = await answering({ headers: { ...headers, 'retry-after': httpDate(60) } }, 503, {});
    expect(await failureOf(marketplace.listRates('q'))).toMatchObject({ retryAfterMs: null });
  },
);

test('the middle of a slow call counts', async () => {
  expect(await movedBy({ headers: { date: httpDate(615) }, tookSeconds: 30 })).toEqual([600, 600]);
});

test('a rate without a creation time still has none', async () => {
  const body = { items: [{ ...rate, created: null }] };
  const client = await answering({ headers: { date: httpDate(600) } }, 200, body);
  const [read] = (await client.listRates('q')).rates;
  expect(read?.createdAt).toBeNull();
  expect(read?.expiresAt).toMatch(/^2026-03-01T12:(49:59|50:00)/);
});

test.each([3_600, 0, -3_600])(
  "a date in Retry-After counts on the sender's clock, %i seconds ahead",
  async (ahead) => {
    const headers = { date: httpDate(ahead), 'retry-after': httpDate(ahead + 60) };
    const marketplace = await answering({ headers }, 503, {});
    const error = (await failureOf(marketplace.listRates('q'))) as { retryAfterMs: number };
    expect(Math.round(error.retryAfterMs / 1_000)).toBe(60);
  },
);
