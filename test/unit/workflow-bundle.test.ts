import { expect, test } from '@jest/globals';
import { bundleWorkflows, unknownPatches } from '../../src/workflow-bundle';

test('the workflow bundle holds neither schemas nor HTTP: no zod, undici or Fastify', async () => {
  const code = await bundleWorkflows();
  expect(code).toContain('furnitureShipment');
  for (const name of ['zod', 'undici', 'fastify', 'commander', 'pino']) {
    expect(code).not.toMatch(new RegExp(`node_modules/${name}/`));
  }
  expect(code).not.toMatch(/src\/(marketplace|orders|sandbox|starter|webhooks)\//);
});

test.each([
  ["if ((0, workflow_1.patched)('slower-poll')) await pollSlowly();", []],
  ['return patched("slower-poll") ? 1 : 2;', []],
  ["(0, workflow_1.deprecatePatch)('slower-poll');", ['slower-poll']],
  ["if ((0, workflow_1.patched)('slower-polls')) await pollSlowly();", ['slower-poll']],
])('whether %s asks for a patch is known before it is held', (code, unknown) => {
  expect(unknownPatches(code, ['slower-poll'])).toEqual(unknown);
});
