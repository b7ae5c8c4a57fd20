import { expect, test } from '@jest/globals';
import { bundleWorkflows } from '../../src/workflow-bundle';

test('the workflow bundle holds neither schemas nor HTTP: no zod, undici or Fastify', async () => {
  const code = await bundleWorkflows();
  expect(code).toContain('furnitureShipment');
  for (const name of ['zod', 'undici', 'fastify', 'commander', 'pino']) {
    expect(code).not.toMatch(new RegExp(`node_modules/${name}/`));
  }
  expect(code).not.toMatch(/src\/(marketplace|orders|sandbox|starter|webhooks)\//);
});
