import { afterEach, expect, test } from '@jest/globals';
import type { FaultInput, Sandbox, SwitchChanges } from '../../../sandbox';
import { accept, ask, asText, closeSandboxes, collectRates, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

const orders = ['acme/o-1', 'acme/o-2', 'acme/o-3'];

/** Each order has trouble of its own: one at its first acceptance, one at its second, one at a status, one none. */
const faults: readonly FaultInput[] = [
  { endpoint: 'acceptRate', kind: 'status', status: 503, times: 1, reference: 'acme/o-1' },
  { endpoint: 'acceptRate', kind: 'noLocation', after: 1, times: 1, reference: 'acme/o-2' },
  { endpoint: 'getAcceptanceStatus', kind: 'status', status: 500, times: 1, reference: 'acme/o-3' },
];
/** Made anew for each run, because a script is used up. */
const scripts = (): SwitchChanges['orders'] => ({
  'acme/o-1': { acceptanceScript: ['failed', 'booked'] },
  'acme/o-2': { acceptanceScript: ['pending'] },
});

/** Accepts three rates of each order in the order of `arrivals`, and reads the status of what was accepted. */
async function run(arrivals: readonly string[]): Promise<Sandbox> {
  const sandbox = await quickSandbox({
    faults,
    switches: { orders: scripts(), acceptance: 'failed', acceptanceFailureStatus: 410 },
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
    const { acceptances, faults: hits } = sandbox.order(number);
    return {
      faults: hits.map(({ endpoint, kind }) => `${endpoint} ${kind}`),
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
  'faults and acceptances of a reference meet its order alike when requests come %s',
  async (_, arrivals) => {
    expect(metBy(await run(arrivals))).toEqual([
      { faults: ['acceptRate status'], outcomes: ['failed', 'booked'] },
      { faults: ['acceptRate noLocation'], outcomes: ['pending', 'failed', 'failed'] },
      { faults: ['getAcceptanceStatus status'], outcomes: ['failed', 'failed', 'failed'] },
    ]);
  },
);
