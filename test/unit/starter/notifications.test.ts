import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAccounts } from '../../../src/accounts';
import { endpointLine } from '../../../src/starter/cli/commands/attention';
import { renderNotifications } from '../../../src/starter/cli/commands/notifications';
import type { CliContext } from '../../../src/starter/cli/context';
import { notificationsCommand } from '../../../src/starter/cli/syntax/notify';
import { SECRET, startEndpoint, verified } from '../../support/endpoint-server';

const EXAMPLE = readFileSync(path.join(__dirname, '..', '..', '..', 'examples', 'accounts.yaml'), 'utf8');
const AT = '2035-03-06T12:00:00.000Z';

afterEach(() => {
  process.exitCode = undefined;
});

/** Runs `consign notifications` with an accounts file whose endpoints are at these URLs. */
async function run(urls: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const endpoints = Object.entries(urls).map(
    ([name, url]) => `{ name: ${name}, url: '${url}', secrets: [{ env: SECRET }] }`,
  );
  const yaml = EXAMPLE.replace('source: acme', `source: acme\n    notifications: [${endpoints.join(', ')}]`);
  const accounts = parseAccounts(yaml, 'accounts.yaml', { SECRET });
  const printed: string[] = [];
  const context = {
    print: (text: string) => void printed.push(text),
    accounts: async () => await Promise.resolve(accounts),
  } as unknown as CliContext;
  await notificationsCommand(context).parseAsync(args, { from: 'user' });
  return { printed: printed.join('\n'), exitCode: process.exitCode };
}

test('a test event reaches every endpoint of the account, signed, and its answers are printed', async () => {
  const [erp, chat] = await Promise.all([startEndpoint(), startEndpoint()]);
  chat.react(() => 500);
  const urls = { erp: erp.url, chat: chat.url };
  const both = await run(urls, 'test', '--account', 'acme');
  expect(both).toEqual({ printed: '✓ erp: answered 204\n✗ chat: answered 500', exitCode: 1 });
  process.exitCode = undefined;
  const one = await run(urls, 'test', '--account', 'acme', '--endpoint', 'erp', '--json');
  expect(JSON.parse(one.printed)).toEqual([
    { endpoint: 'erp', isAccepted: true, answer: { kind: 'answered', status: 204, text: '' } },
  ]);
  expect(one.exitCode).toBeUndefined();
  expect(erp.deliveries.map(({ event }) => event.type)).toEqual(['consign.test', 'consign.test']);
  for (const delivery of erp.deliveries) expect(verified(delivery)).toEqual(delivery.event);
  await Promise.all([erp.kill(), chat.kill()]);
});

test('an endpoint that is down is reported without its URL', async () => {
  const { printed, exitCode } = await run(
    { erp: 'http://127.0.0.1:9/hooks/secret-1' },
    'test',
    '--account',
    'acme',
  );
  expect(printed).toMatch(/^✗ erp: the connection failed \(\w+\)$/);
  expect(exitCode).toBe(1);
});

test.each([
  [{ erp: 'https://erp.example.com' }, ['--account', 'acme', '--endpoint', 'crm'], 'it has: erp'],
  [{}, ['--account', 'acme'], 'has no endpoints in the accounts file'],
  [{}, ['--account', 'acne'], 'has no account acne'],
])('a test of %j with %j is refused', async (urls, args, message) => {
  await expect(run(urls, 'test', ...args)).rejects.toThrow(message);
});

test('the delivery log has one line for each notification and endpoint', () => {
  const line = { kind: 'booked', endpoint: 'erp', at: AT } as const;
  const text = renderNotifications({
    deliveries: [
      { ...line, id: 'run.1', outcome: 'delivered', attempts: 3, status: 204 },
      { ...line, id: 'run.2', outcome: 'dropped', attempts: 0, status: null },
    ],
    waiting: [
      { ...line, id: 'run.3', attempts: 4, reason: 'the endpoint answered 503', isPaused: false },
      { ...line, id: 'run.4', attempts: 0, reason: 'the endpoint answered 410', isPaused: true },
    ],
    notifications: [],
    leftOut: 2,
  });
  expect(text.split('\n').map((row) => row.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'TIME | KIND | ENDPOINT | OUTCOME | ATTEMPTS | LAST | ID',
    '2035-03-06 12:00:00Z | booked | erp | delivered | 3 | 204 | run.1',
    '2035-03-06 12:00:00Z | booked | erp | dropped | 0 | - | run.2',
    '2035-03-06 12:00:00Z | booked | erp | waits | 4 | the endpoint answered 503 | run.3',
    '2035-03-06 12:00:00Z | booked | erp | paused | 0 | the endpoint answered 410 | run.4',
    '2 older notifications were dropped: too many waited.',
  ]);
});

test.each([
  [false, 1, '1 order waits', 'Consign tries again'],
  [true, 7, '7 orders wait', 'Paused: fix it, then run'],
])('an endpoint that fails (paused %p) is one line for %i orders', (isPaused, orders, who, remedy) => {
  const reason = 'the endpoint answered 503';
  const line = endpointLine({ account: 'acme', endpoint: 'erp', since: AT, reason, isPaused, orders });
  for (const part of [who, remedy, reason, 'consign notifications retry --account acme --endpoint erp'])
    expect(line).toContain(part);
  expect(line).not.toContain('\n');
});
