import { afterEach, expect, jest, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { AccountsError } from '../../../src/accounts';
import { ConfigError } from '../../../src/platform/config';
import { FileStoreError } from '../../../src/platform/file-store/file-store';
import { ProxySettingsError } from '../../../src/platform/network/proxy-settings';
import { EXIT_CODES, ExitCode } from '../../../src/platform/exit-code';
import { ProcessStartError } from '../../../src/temporal/dev-server/supervise';
import { UserError } from '../../../src/platform/user-error';
import { runMain } from '../../../src/platform/run-process';
import * as errors from '../../../src/starter/client/errors';
import { OrderConflictError } from '../../../src/starter/client/order-conflict';
import { TemporalUnreachableError } from '../../../src/temporal/client-connection';
import { DevServerError } from '../../../src/temporal/dev-server/dev-server';
import { TemporalSettingsError } from '../../../src/temporal/existing-cluster';
import { consign } from '../../support/consign';

afterEach(() => {
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** What a process whose main function throws this prints, and ends with. */
async function endOf(error: unknown): Promise<{ readonly printed: unknown; readonly code: unknown }> {
  const printed: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((told) => void printed.push(told));
  runMain(async () => {
    await turn();
    throw error;
  });
  await turn();
  await turn();
  return { printed: printed[0], code: process.exitCode };
}

const ERRORS: readonly (readonly [UserError, ExitCode])[] = [
  [new UserError('x'), ExitCode.Invalid],
  [new ConfigError('x'), ExitCode.Invalid],
  [new AccountsError('x'), ExitCode.Invalid],
  [new ProxySettingsError('x'), ExitCode.Invalid],
  [new TemporalSettingsError('x'), ExitCode.Invalid],
  [new errors.InvalidOrderError('order.json', []), ExitCode.Invalid],
  [new errors.InvalidImportError('orders.csv', []), ExitCode.Invalid],
  [new errors.RefusedError('x'), ExitCode.Invalid],
  [new errors.StaleQuestionError('x'), ExitCode.Invalid],
  [new errors.NoQuestionError('x'), ExitCode.Invalid],
  [new errors.KeyReusedError('x'), ExitCode.Invalid],
  [new errors.ShipmentEndedError('x'), ExitCode.Invalid],
  [new errors.NothingToAcknowledgeError('x'), ExitCode.Invalid],
  [new errors.SeveralListingsError(['1', null]), ExitCode.Invalid],
  [new errors.TemporalRefusedError('x'), ExitCode.Invalid],
  [new errors.ShipmentFailedError('x', null, {}), ExitCode.Failed],
  [new FileStoreError('x', 'absent'), ExitCode.Failed],
  [new errors.NoAnswerError('x'), ExitCode.Failed],
  [new DevServerError('x'), ExitCode.Failed],
  [new ProcessStartError('x'), ExitCode.Failed],
  [new OrderConflictError('x', 'shipment/acme/SO-1', 'withdrawn'), ExitCode.Conflict],
  [new errors.ShipmentNotFoundError('x'), ExitCode.NotFound],
  [new errors.NoWorkerError('x'), ExitCode.Unreachable],
  [new errors.NotConfirmedError('x', null, {}), ExitCode.Unreachable],
  [new TemporalUnreachableError('x'), ExitCode.Unreachable],
];

test.each(ERRORS)('%s is one message, with the exit code of its kind', async (error, code) => {
  expect(await endOf(error)).toEqual({ printed: error.message, code });
});

test('each kind of error has its own class, and the class has its name', () => {
  const kinds = ERRORS.map(([{ kind }]) => kind);
  expect(new Set(kinds)).toEqual(new Set(Object.keys(EXIT_CODES)));
  for (const [error] of ERRORS) expect(error.name).toBe(error.constructor.name);
});

test('the hint is printed after the message', async () => {
  const cause = new Error('refused');
  const error = new TemporalUnreachableError('Nobody answers.', { hint: 'Run `npm run dev`.', cause });
  expect((await endOf(error)).printed).toBe('Nobody answers. Run `npm run dev`.');
  expect(error).toMatchObject({ name: 'TemporalUnreachableError', cause });
});

test.each([
  [{ CONSIGN_ACCOUNTS: '/nowhere/accounts.yaml' }, ['show', 'SO-1'], '/nowhere/accounts.yaml'],
  [{ CONSIGN_LOG_LEVEL: 'loud' }, ['show', 'SO-1'], 'CONSIGN_LOG_LEVEL'],
  [{ TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }, ['list'], '/nowhere/temporal.toml'],
])(
  'the command line with %j says what to fix, without a stack, and ends with code 2',
  async (env, args, named) => {
    const before = process.env;
    process.env = { ...before, ...env };
    const { code, out, err } = await consign(...args);
    process.env = before;
    expect({ code, out }).toEqual({ code: ExitCode.Invalid, out: '' });
    expect(err).toContain(named);
    expect(err).not.toMatch(/^\s+at /m);
  },
);

test.each([new TypeError('a bug'), new Error('ConfigError'), 'thrown'])(
  'any other error is a bug, and is printed completely: %s',
  async (bug) => {
    expect(await endOf(bug)).toEqual({ printed: bug, code: ExitCode.Failed });
  },
);
