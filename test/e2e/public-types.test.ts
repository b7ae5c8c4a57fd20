import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { publicTypesOf } from '../support/declarations';
import { temporaryFolder } from '../support/temporary-folder';

const DIST = path.join(__dirname, '..', '..', 'dist');

test.each([
  [
    'consign',
    'src/starter/client/index.d.ts',
    ['ShipmentClient', 'ShipmentState', 'ReadOrder', 'Problem', 'Quote', 'ErrorKind'],
  ],
  ['consign/sandbox', 'sandbox/index.d.ts', ['startSandbox', 'Sandbox', 'SwitchChanges', 'Controls']],
])('%s exports every type that its signatures name', (_entry, file, some) => {
  const { names, forgotten } = publicTypesOf(path.join(DIST, file));
  expect(names).toEqual(expect.arrayContaining(some));
  expect(forgotten).toEqual([]);
});

// Files of the build that are no entries, and so name what they do not export.
test.each([
  ['src/starter/client/start-order.d.ts', 'StartableOrder names Shipment'],
  ['src/starter/client/order-images.d.ts', 'storeImages names FileStore'],
  ['sandbox/market/context.d.ts', 'SandboxContext names SandboxClock'],
])('a type that is not exported is found: %s', (file, forgotten) => {
  expect(publicTypesOf(path.join(DIST, file)).forgotten).toContain(forgotten);
});

test('everything that consign exports has a docstring, and each method of its client', async () => {
  expect(publicTypesOf(path.join(DIST, 'src/starter/client/index.d.ts')).undocumented).toEqual([]);
  const folder = temporaryFolder();
  const bare = path.join(folder, 'bare.d.ts');
  await writeFile(
    bare,
    '/** Documented. */\nexport interface A {}\nexport interface B {}\nexport type C = A;\n',
  );
  expect(publicTypesOf(bare).undocumented).toEqual(['B', 'C']);
  const client = readFileSync(path.join(DIST, 'src/starter/client/shipment-client.d.ts'), 'utf8');
  const methods = [...client.matchAll(/^ {4}(\w+)\(/gm)].map(([, name = '']) => name);
  const documented = [...client.matchAll(/\*\/\n {4}(\w+)\(/g)].map(([, name = '']) => name);
  expect(methods.length).toBeGreaterThan(15);
  expect(methods.filter((name) => name !== 'constructor' && !documented.includes(name))).toEqual([]);
});
