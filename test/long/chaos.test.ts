import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = path.join(__dirname, '..', '..');

/**
 * Loses the answers of listings that are booked, so that every run of it without settlement books twice, and meets
 * some twenty mishaps: false 404s, unreadable refusals, odd words and bad elements among them.
 */
const SEED = 'e2e-10223';

const ORDERS = '8';

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

async function chaos(...args: string[]): Promise<Ended> {
  const file = path.join(root, 'dist/chaos/main.js');
  const env = { ...process.env, NO_COLOR: '1' };
  return await promisify(execFile)(process.execPath, [file, ...args], { env, cwd: root }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => {
      const { code, stdout } = error as { code: number; stdout: string };
      return { code, stdout };
    },
  );
}

const numberOf = (stdout: string, name: string): number =>
  Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(stdout)?.[1] ?? NaN);

const VERDICT = ['double bookings', 'lost orders', 'unexplained stops'];

/** What became of the webhooks, as the report counts it. */
function webhooksOf(stdout: string): Record<string, number> {
  const row = /^webhooks\s+\d+ events \((.*)\)$/m.exec(stdout)?.[1] ?? '';
  return Object.fromEntries(
    [...row.matchAll(/(\w+) (\d+)/g)].map(([, name, count]) => [name, Number(count)]),
  );
}

/** How many of the mishaps befell at least one order. */
const mishapsMet = (stdout: string): number => stdout.match(/ [1-9]\d* of \d+$/gm)?.length ?? 0;

test('orders survive faults, lost webhooks and the death of every part: never twice, never lost', async () => {
  const { code, stdout } = await chaos('--orders', ORDERS, '--seed', SEED, '--patience', '45');
  expect(stdout).toMatch(/kills\s+worker [1-9]\d*, receiver [1-9]\d*, Temporal [1-9]/);
  expect(stdout).toContain('Never twice, never lost.');
  expect(numberOf(stdout, 'orders')).toBe(8);
  expect(numberOf(stdout, 'delivered')).toBeGreaterThan(4);
  expect(numberOf(stdout, 'booked')).toBeGreaterThanOrEqual(numberOf(stdout, 'delivered'));
  expect(numberOf(stdout, 'failed before booking')).toBeLessThanOrEqual(1);
  expect(numberOf(stdout, 'repairs by reads')).toBeGreaterThanOrEqual(0);
  expect(VERDICT.map((name) => numberOf(stdout, name))).toEqual([0, 0, 0]);
  expect(numberOf(stdout, 'troubles by endpoint')).toBeGreaterThan(10);
  expect(numberOf(stdout, 'endpoints')).toBeGreaterThan(15);
  const { lost = 0, late = 0, doubled = 0, twin = 0, ...other } = webhooksOf(stdout);
  for (const count of [lost, late, doubled, twin]) expect(count).toBeGreaterThan(0);
  // Each is too rare for every run of eight orders, all of them are not.
  const { reusedId = 0, unknownType = 0, unknownStatus = 0 } = other;
  expect(reusedId + unknownType + unknownStatus).toBeGreaterThan(0);
  expect(numberOf(stdout, 'questions asked')).toBeGreaterThan(0);
  expect(mishapsMet(stdout)).toBeGreaterThan(10);
  expect(code).toBe(0);
}, 150_000);

test('the judge finds double bookings when doubts are not settled', async () => {
  const { code, stdout } = await chaos(
    ...['--orders', ORDERS, '--seed', SEED, '--patience', '45', '--without-settlement'],
  );
  expect(numberOf(stdout, 'double bookings')).toBeGreaterThan(0);
  expect(stdout).toContain('The promise was broken.');
  expect(code).toBe(1);
}, 150_000);
