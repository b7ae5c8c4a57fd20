import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { FAILURE_CONVERTER } from '../../../src/temporal/encryption/data-converter';
import { bundleWorkflows, unknownPatches, withFailuresFor } from '../../../src/worker/workflow-bundle';

const ROOT = path.join(__dirname, '..', '..', '..');

let code: string;
let map: { readonly sources: readonly string[]; readonly sourcesContent?: unknown };

beforeAll(async () => {
  const bundle = await bundleWorkflows();
  const [script = '', inlined = ''] = bundle.split('//# sourceMappingURL=data:');
  code = script;
  map = JSON.parse(Buffer.from(inlined.split('base64,')[1] ?? '', 'base64').toString());
});

test('the workflow bundle contains neither schemas nor HTTP: no zod, undici or Fastify', () => {
  expect(code).toContain('furnitureShipment');
  for (const name of ['zod', 'undici', 'fastify', 'commander', 'pino']) {
    expect(code).not.toMatch(new RegExp(`node_modules/${name}/`));
  }
  expect(code).not.toMatch(/src\/(marketplace|orders|sandbox|starter|webhooks)\//);
});

test('one bundle writes failures as text or for the codec, and holds neither keys nor ciphers', () => {
  // Not the texts themselves: a failure would print a megabyte.
  const has = (text: string, name: string): [string, boolean] => [name, text.includes(name)];
  const [text, payloads] = ['failures as text', 'failures as payloads'];
  expect([has(code, text), has(code, payloads)]).toEqual([
    [text, true],
    [payloads, false],
  ]);
  const encrypted = withFailuresFor({ failureConverterPath: FAILURE_CONVERTER }, code);
  expect([has(encrypted, text), has(encrypted, payloads)]).toEqual([
    [text, false],
    [payloads, true],
  ]);
  for (const name of [
    'node:crypto',
    'encryption/payload-codec',
    'encryption-keys',
    'node_modules/zod/',
    'node_modules/yaml/',
  ])
    expect(has(encrypted, name)).toEqual([name, false]);
});

test('the source map names the files of stack traces, without their text and their build folder', () => {
  for (const file of ['workflows/furniture/furniture-shipment.ts', 'domain/rate-choice.ts'])
    expect(map.sources.filter((source) => source.endsWith(`src/${file}`))).toHaveLength(1);
  expect(map.sourcesContent).toBeUndefined();
  expect(map.sources.filter((source) => source.includes(ROOT))).toEqual([]);
});

/** Lines by which a module keeps something that changes. A constant set or map says so by its type. */
const STATE =
  /^(?:export )?(?:let|var) |^(?:export )?const \w+\b(?!: Readonly)[^=]*= new \w+|^ +static (?!readonly )/;
const stateIn = (text: string): string[] => text.split('\n').filter((line) => STATE.test(line));

test('no module that shipments share keeps state', () => {
  const files = ['src/domain', 'src/workflows'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    stateIn(readFileSync(path.join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'let count = 0;',
  'export let last: string | null = null;',
  'const seen = new Set<string>();',
  'export const known: Map<string, number> = new Map();',
  'const asked = new Questions();',
  '  static count = 0;',
])('this test finds the state in `%s`', (line) => {
  expect(stateIn(line)).toEqual([line]);
});

test.each([
  ["if ((0, workflow_1.patched)('slower-poll')) await pollSlowly();", []],
  ['return patched("slower-poll") ? 1 : 2;', []],
  ["(0, workflow_1.deprecatePatch)('slower-poll');", ['slower-poll']],
  ["if ((0, workflow_1.patched)('slower-polls')) await pollSlowly();", ['slower-poll']],
])('whether the code of %s uses a patch', (code, unknown) => {
  expect(unknownPatches(code, ['slower-poll'])).toEqual(unknown);
});
