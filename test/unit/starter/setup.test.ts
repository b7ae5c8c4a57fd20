import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ExitCode } from '../../../src/platform/exit-code';
import { consign } from '../../support/consign';

const before = process.env;
beforeEach(() => {
  // Nothing answers there, and no test may reach it.
  process.env = {
    ...before,
    TEMPORAL_ADDRESS: 'freight.a1b2c.tmprl.cloud:7233',
    TEMPORAL_NAMESPACE: 'freight.a1b2c',
  };
});
afterEach(() => {
  process.env = before;
});

test('consign setup --print prints the commands for the namespace, and connects to nothing', async () => {
  const { out, err, code } = await consign('setup', '--print');
  expect({ err, code }).toEqual({ err: '', code: ExitCode.Ok });
  const lines = out.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(
      /^tcld namespace search-attributes add --namespace freight\.a1b2c --search-attribute OrderId=Keyword /,
    ),
    'tcld namespace retention set --namespace freight.a1b2c --retention-days 90',
  ]);
});

test('consign setup --print --json prints the same commands as JSON', async () => {
  const { out } = await consign('setup', '--print');
  const { out: json } = await consign('setup', '--print', '--json');
  expect(JSON.parse(json)).toEqual({ commands: out.trimEnd().split('\n') });
});

test('without a namespace of the Cloud, a placeholder shows what to put in', async () => {
  delete process.env.TEMPORAL_NAMESPACE;
  const { out } = await consign('setup', '--print');
  expect(out).toContain('--namespace NAMESPACE.ACCOUNT --search-attribute');
});

test('setup can print or check, not both', async () => {
  const { err, code } = await consign('setup', '--print', '--check');
  expect({ err, code }).toEqual({
    err: expect.stringContaining("'--print' cannot be used with option '--check'"),
    code: ExitCode.Invalid,
  });
});
