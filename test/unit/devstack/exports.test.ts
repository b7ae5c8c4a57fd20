import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { exportsFor } from '../../../devstack/exports';

const ROOT = '/srv/consign';
const USUAL = {
  ...{ TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_NAMESPACE: 'default', WEBHOOK_PORT: '4020' },
  ...{ SANDBOX_URL: 'http://127.0.0.1:4010', CONSIGN_FILES: '/srv/consign/.consign/files' },
};

test('with the usual ports only the folder of files is exported', () => {
  expect(exportsFor(USUAL, ROOT)).toEqual(['export CONSIGN_FILES=.consign/files']);
});

test.each([
  ['a receiver at another port', { WEBHOOK_PORT: '40991' }],
  [
    'a Temporal and a sandbox at others',
    { TEMPORAL_ADDRESS: '127.0.0.1:9', SANDBOX_URL: 'http://127.0.0.1:8' },
  ],
  [
    'an accounts file and folders with spaces',
    { CONSIGN_ACCOUNTS: "my $accounts/Pat's file.yaml", CONSIGN_FILES: '/srv/other files' },
  ],
  ['a profile', { TEMPORAL_PROFILE: 'staging', TEMPORAL_NAMESPACE: 'orders' }],
])('a shell that enters the exports has %s', (_, over) => {
  const lines = exportsFor(
    { ...USUAL, ...over, CONSIGN_WEBHOOK_SECRET: 's3cret', TEMPORAL_API_KEY: 'k3y' },
    ROOT,
  );
  const printed = execFileSync('sh', ['-c', `${lines.join('\n')}\nenv -0`], {
    env: { PATH: process.env.PATH },
  });
  const env = Object.fromEntries(
    printed
      .toString()
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(env).toMatchObject(over);
  // A terminal keeps what is entered.
  expect(lines.join('\n')).not.toMatch(/s3cret|k3y/);
});

test.each(['HTTPS_PROXY', 'http_proxy', 'grpc_proxy'])(
  'behind a proxy (%s) the exports include NO_PROXY',
  (name) => {
    const direct = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    expect(exportsFor({ ...USUAL, ...direct, [name]: 'http://proxy.example:3128' }, ROOT)).toEqual([
      'export CONSIGN_FILES=.consign/files',
      'export NO_PROXY=127.0.0.1',
      'export no_proxy=127.0.0.1',
    ]);
    expect(exportsFor({ ...USUAL, ...direct, [name]: '' }, ROOT)).toHaveLength(1);
  },
);
