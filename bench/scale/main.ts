import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { table } from '../../src/starter/cli/table';
import { simulate, SLOW_LIFE, type Fleet, type SimulatedLoad } from './simulate';

/** The calls of a quick life, which has nearly no polls (`npm run bench`, section history). */
const CALLS_PER_ORDER = 28;

interface Options {
  readonly open: number;
  readonly callsPerSecond?: number;
  readonly webhooks: boolean;
  readonly positions: boolean;
}

function parseCount(given: string): number {
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Give a whole number above 0.');
  return count;
}

function main(): void {
  const { open, callsPerSecond, webhooks, positions } = new Command('npm run scale --')
    .description(
      'Simulates a day of one account: how many calls its open shipments make, and how long calls wait for the limit.',
    )
    .option('--open <count>', 'open shipments of the account', parseCount, 50_000)
    .option('--calls-per-second <count>', "the account's callsPerSecond; left out, no limit", parseCount)
    .option('--no-webhooks', 'no webhooks arrive, so sweeps are as close as the policy says')
    .option('--no-positions', 'trackings have no position of a moving truck, which resets their pace')
    .parse()
    .opts<Options>();
  const fleet: Fleet = {
    ...SLOW_LIFE,
    open,
    callsPerOrder: CALLS_PER_ORDER,
    hasWebhooks: webhooks,
    hasPositions: positions,
  };
  const load = simulate({
    ...{ fleet, policy: DEFAULT_POLICY, random: Math.random },
    callsPerSecond: callsPerSecond ?? null,
  });
  console.log(table(['', ''], rowsOf(load)));
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

function rowsOf({ orderWait, pollWait, calls, ...load }: SimulatedLoad): string[][] {
  const callsPerDay = calls.orders + calls.listing + calls.tracking;
  return [
    ['orders a day', count(load.ordersPerDay)],
    ['calls a day', count(callsPerDay)],
    ['of these for orders', count(calls.orders)],
    ['of these listing readings', count(calls.listing)],
    ['of these tracking readings', count(calls.tracking)],
    ['calls per second, on average', (callsPerDay / 86_400).toFixed(1)],
    ['calls per second, at most', count(load.peakPerSecond)],
    ['calls of orders wait, median and p99', `${count(orderWait.median)} s, ${count(orderWait.p99)} s`],
    ['polls wait, median and p99', `${count(pollWait.median)} s, ${count(pollWait.p99)} s`],
    ['calls that still wait at the end of the day', count(load.left)],
  ];
}

main();
