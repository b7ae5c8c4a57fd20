import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, TroubleInput } from '../../../sandbox';
import { accept, ask, asText, closeSandboxes, collectRates, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

const orders = ['acme/o-1', 'acme/o-2', 'acme/o-3'];

/** Each order has trouble of its own: one at its first acceptance, one at its second, one at a status, one none. */
const troubles: readonly TroubleInput[] = [
  { when: 'acceptRate', whom: 'acme/o-1', what: { kind: 'status', status: 503 }, times: 1 },
  { when: { request: 'acceptRate', after: 1 }, whom: 'acme/o-2', what: 'noLocation', times: 1 },
  { when: 'getAcceptanceStatus', whom: 'acme/o-3', what: { kind: 'status', status: 500 }, times: 1 },
  { when: 'acceptRate', whom: 'acme/o-1', what: 'failed', times: 1 },
  { when: 'acceptRate', whom: 'acme/o-2', what: 'pending', times: 1 },
  ...(['acme/o-2', 'acme/o-3'] as const).map(
    (whom) => ({ when: 'acceptRate', whom, what: 'failed' }) as const,
  ),
];

/** Accepts three rates of each order in the order of `arrivals`, and reads the status of what was accepted. */
async function run(arrivals: readonly string[]): Promise<Sandbox> {
  const sandbox = await quickSandbox({
    troubles,
    switches: { acceptanceFailureStatus: 410 },
  });
  const rates = new Map<string, unknown>();
  for (const number of orders) {
    const [rate] = await collectRates(sandbox, {
      referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }],
    });
    rates.set(number, rate?.['id']);
  }
  for (const number of arrivals) {
    const { headers } = await accept(sandbox, rates.get(number));
    if (headers['location'] !== undefined) await ask(sandbox, 'GET', asText(headers['location']));
  }
  const isDone = (number: string): boolean =>
    sandbox.order(number).pendingAcceptances === (number === 'acme/o-2' ? 1 : 0);
  await until(() => orders.every(isDone), Boolean);
  return sandbox;
}

/** What an order met: the faults of its requests, and how its acceptances ended. */
const metBy = (sandbox: Sandbox) =>
  orders.map((number) => {
    const { acceptances, troubles: hits } = sandbox.order(number);
    return {
      troubles: hits.map(({ endpoint, kind }) => `${endpoint} ${kind}`),
      outcomes: acceptances.map(({ outcome }) => outcome),
    };
  });

const inTurn = ['acme/o-1', 'acme/o-2', 'acme/o-3'];
test.each([
  ['one after the other', [...inTurn, ...inTurn, ...inTurn]],
  ['order by order', orders.toReversed().flatMap((number) => [number, number, number])],
  [
    'mixed',
    [
      'acme/o-2',
      'acme/o-3',
      'acme/o-3',
      'acme/o-1',
      'acme/o-2',
      'acme/o-1',
      'acme/o-1',
      'acme/o-3',
      'acme/o-2',
    ],
  ],
])(
  'troubles of requests and acceptances strike their order alike when requests come %s',
  async (_, arrivals) => {
    expect(metBy(await run(arrivals))).toEqual([
      { troubles: ['acceptRate status'], outcomes: ['failed', 'booked'] },
      { troubles: ['acceptRate noLocation'], outcomes: ['pending', 'failed', 'failed'] },
      { troubles: ['getAcceptanceStatus status'], outcomes: ['failed', 'failed', 'failed'] },
    ]);
  },
);
