import path from 'node:path';
import { expect, test } from '@jest/globals';
import { publicTypesOf } from '../support/declarations';

const DIST = path.join(__dirname, '..', '..', 'dist');

test.each([
  ['consign', 'src/starter/client/index.d.ts', ['ShipmentClient', 'ShipmentState', 'ReadOrder', 'Problem']],
  ['consign/sandbox', 'sandbox/index.d.ts', ['startSandbox', 'Sandbox', 'SwitchChanges', 'Controls']],
])('%s exports every type that its signatures name', (_entry, file, some) => {
  const { names, forgotten } = publicTypesOf(path.join(DIST, file));
  expect(names).toEqual(expect.arrayContaining(some));
  expect(forgotten).toEqual([]);
});

// Files of the build that are no entries, and so name what they do not export.
test.each([
  ['src/starter/client/shipment-client.d.ts', 'StartableOrder names Shipment'],
  ['src/starter/client/order-images.d.ts', 'storeImages names FileStore'],
  ['sandbox/context.d.ts', 'SandboxContext names SandboxClock'],
])('a type that is not exported is found: %s', (file, forgotten) => {
  expect(publicTypesOf(path.join(DIST, file)).forgotten).toContain(forgotten);
});
