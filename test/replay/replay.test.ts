import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { WORKFLOW_BUNDLE } from '../../src/worker/workflow-bundle';

const FOLDER = path.join(__dirname, '..', 'fixtures', 'histories');
const histories = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const workflowBundle = { code: readFileSync(WORKFLOW_BUNDLE, 'utf8') };

test('there are recorded histories of both flows', () => {
  expect(histories.some((name) => name.startsWith('furniture'))).toBe(true);
  expect(histories.some((name) => name.startsWith('ltl'))).toBe(true);
});

test.each(histories)('the workflow code of today replays %s', async (name) => {
  const history: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
});

test('a history whose first activity is another one does not replay', async () => {
  const [name] = histories;
  if (name === undefined) throw new Error('no history is recorded');
  const text = readFileSync(path.join(FOLDER, name), 'utf8');
  const altered = text.replace(/"name":\s*"(getFixedPrice|listPaymentMethods)"/, '"name": "somethingElse"');
  expect(altered).not.toBe(text);
  await expect(Worker.runReplayHistory({ workflowBundle }, JSON.parse(altered))).rejects.toThrow(
    /[Nn]ondeterminis/,
  );
});
