import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { processesWith } from '../support/processes';

const root = path.join(__dirname, '..', '..');

test('the demo takes a furniture and an LTL order to delivered, and leaves no process', async () => {
  const marker = `consign-demo-test-${process.pid}`;
  const env = { ...process.env, NO_COLOR: '1', CONSIGN_TEST_MARKER: marker };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'dist/devstack/main.js')], {
    env,
    cwd: root,
  });
  expect(stdout).toMatch(/board at http:\/\/127\.0\.0\.1:\d+\/board\//);
  expect(stdout).toContain('Both shipments were delivered.');
  expect(stdout.match(/Status\s+completed, transit Delivered/g)).toHaveLength(2);
  for (const fact of ['Carrier', 'Customer pays', 'Listing costs', 'Bill of lading', 'Last seen']) {
    expect(stdout.match(new RegExp(`${fact}\\s+(?!-)\\S+`, 'g'))).toHaveLength(2);
  }
  expect(await processesWith(marker)).toEqual([]);
}, 90_000);
