import { expect, test } from '@jest/globals';
import { bundleWorkflowCode } from '@temporalio/worker';

test('the workflow bundle holds neither schemas nor HTTP: no zod, undici or Fastify', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../../src/workflows'),
    logger: { ...console, trace() {}, debug() {}, info() {}, log() {} },
  });
  expect(code).toContain('furnitureShipment');
  for (const name of ['zod', 'undici', 'fastify', 'commander', 'pino']) {
    expect(code).not.toMatch(new RegExp(`node_modules/${name}/`));
  }
  expect(code).not.toMatch(/src\/(marketplace|orders|sandbox|starter|webhooks)\//);
});
