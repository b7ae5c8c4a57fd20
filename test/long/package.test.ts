import { readdirSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProcess } from '../../src/temporal/dev-server/supervise';
import { installPackage, type InstalledPackage } from '../support/installed-package';
import { startTestTemporal, until } from '../support/temporal';
import { withoutSettings } from '../support/world-processes';

const ROOT = path.join(__dirname, '..', '..');
const MOST_BYTES = 1_500_000;

let installed: InstalledPackage;
/** What the tests opened; the last is closed first. */
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  installed = await installPackage();
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
});

const inProject = (file: string): string => path.join(installed.folder, file);
const textOf = async (file: string): Promise<string> => await readFile(path.join(ROOT, file), 'utf8');

const DOCUMENTS = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (file) => file.endsWith('.md'),
);

/** The samples of the documentation that use the library. */
async function samples(): Promise<readonly string[]> {
  const texts = await Promise.all(DOCUMENTS.map(textOf));
  return texts
    .flatMap((text) => [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code))
    .filter((code) => code.includes("from 'consign"));
}

test('the tarball is small, and has neither tests nor sources nor source maps', async () => {
  const { size, files } = installed.packed;
  expect(size).toBeLessThan(MOST_BYTES);
  const names = files.map((file) => file.path);
  const unwanted = /\.map$|(?<!\.d)\.ts$|^(?:src|test|bench|chaos|devstack)\/|^dist\/(?:chaos|devstack)\//;
  expect(names.filter((name) => unwanted.test(name))).toEqual([]);
  for (const needed of ['LICENSE', 'README.md', 'docs/package.md', 'requirements/temporal-cli.txt'])
    expect(names).toContain(needed);
});

test('nothing in it names the folder of the build', async () => {
  const root = installed.pathOf('consign');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const naming: string[] = [];
  for (const file of files) {
    const text = await readFile(file, 'latin1');
    const inlined = [...text.matchAll(/base64,([A-Za-z0-9+/=]+)/g)].map(([, map = '']) =>
      Buffer.from(map, 'base64').toString('latin1'),
    );
    if ([text, ...inlined].some((part) => part.includes(ROOT))) naming.push(path.relative(root, file));
  }
  expect(files.length).toBeGreaterThan(100);
  expect(naming).toEqual([]);
});

test.each(['consign', 'consign/sandbox'])(
  '%s gives the same to an ES module and to CommonJS',
  async (name) => {
    const print =
      'console.log(JSON.stringify(Object.keys(all).filter((key) => !/^(default|module\\.exports|__esModule)$/.test(key)).sort()));';
    await writeFile(inProject('all.mjs'), `import * as all from '${name}';\n${print}`);
    await writeFile(inProject('all.cjs'), `const all = require('${name}');\n${print}`);
    const [esm, cjs] = [
      await installed.run(process.execPath, ['all.mjs']),
      await installed.run(process.execPath, ['all.cjs']),
    ];
    expect(esm).toEqual({ ...cjs, err: '', code: 0 });
    expect(JSON.parse(cjs.out)).toContain(name === 'consign' ? 'ShipmentClient' : 'startSandbox');
  },
);

test.each(['consign/dist/src/domain/policy.js', 'consign/dist/sandbox/index.js', 'consign/bin/consign.js'])(
  'internal modules cannot be imported: %s',
  async (name) => {
    const { code, err } = await installed.run(process.execPath, ['--eval', `require('${name}')`]);
    expect(code).toBe(1);
    expect(err).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  },
);

test('the JSON Schema of an order comes along, for editors and programs', async () => {
  const print = "console.log(require('consign/schema/order.json').title)";
  expect(await installed.run(process.execPath, ['--eval', print])).toEqual({
    ...{ out: 'Consign order\n', err: '', code: 0 },
  });
});

const CONSUMER = `
import {
  connectTemporal, loadAccounts, ShipmentClient, validate, type OrderDocument, type ShipmentState, type StartedShipment,
} from 'consign';
import { startSandbox, type Sandbox, type SwitchChanges } from 'consign/sandbox';

export const phaseOf = (state: ShipmentState): string => state.at.phase;
export async function place(document: unknown): Promise<StartedShipment | null> {
  const read = await validate({ document }, loadAccounts('accounts.yaml', process.env));
  const { client } = await connectTemporal();
  return read.ok ? await new ShipmentClient(client).start(read.order) : null;
}
const stop = { location: 'dallas-dc' };
const pallet = { commodity: 'NewCommercialGoods', handlingUnit: 'Pallets48X40Inches', freightClass: '92.5' };
const order = { account: 'acme', orderId: 'PO-1', origin: stop, destination: stop, pickup: { on: '2035-03-06' } };
export const pallets: OrderDocument = { ...order, kind: 'ltl', items: [pallet] };
// @ts-expect-error furniture has a size and a weight
export const sofa: OrderDocument = { ...order, kind: 'furniture', items: [pallet] };
// @ts-expect-error a carrier needs the day
export const someDay: OrderDocument = { ...pallets, pickup: { on: 6 } };
export const sandboxWith = async (switches: SwitchChanges): Promise<Sandbox> => await startSandbox({ switches });
`;

test('strict consumers of the types compile, as ES module and as CommonJS, libraries checked too', async () => {
  const files = ['consumer.mts', 'consumer.cts'];
  for (const file of files) await writeFile(inProject(file), CONSUMER);
  expect(await installed.compile(...files)).toBe('');
});

test("a consumer's wrong types are reported", async () => {
  const wrong = [
    ["new ShipmentClient('127.0.0.1')", "parameter of type 'Client'"],
    ["startSandbox({ switches: { carrierAnswer: 'perhaps' } })", 'is not assignable to type'],
    ['validate({ text: 1 }, loadAccounts("a", {}))', 'is not assignable to type'],
  ] as const;
  for (const [index, [code]] of wrong.entries())
    await writeFile(inProject(`wrong-${index}.mts`), `${CONSUMER}\n${code};`);
  const told = await installed.compile(...wrong.map((_, index) => `wrong-${index}.mts`));
  for (const [index, [, says]] of wrong.entries())
    expect(told).toMatch(new RegExp(`^wrong-${index}\\.mts.*${says}`, 'm'));
});

test('every sample of the documentation compiles', async () => {
  const files = await Promise.all(
    (await samples()).map(async (sample, index) => {
      await writeFile(inProject(`sample-${index}.mts`), sample);
      return `sample-${index}.mts`;
    }),
  );
  expect(files.length).toBeGreaterThan(3);
  expect(await installed.compile(...files)).toBe('');
});

test('consign --version is that of the package, and every command of it explains itself', async () => {
  const { version } = JSON.parse(await textOf('package.json')) as { readonly version: string };
  const consign = installed.pathOf('.bin', 'consign');
  expect(await installed.run(consign, ['--version'])).toEqual({ out: `${version}\n`, err: '', code: 0 });
  for (const name of ['consign', 'consign-sandbox', 'consign-replay'])
    expect(await installed.run(installed.pathOf('.bin', name), ['--help'])).toMatchObject({
      ...{ code: 0, err: '', out: expect.stringContaining('Usage:') },
    });
  const orders = await installed.run(consign, [
    'validate',
    'examples/furniture-sofa.json',
    'examples/ltl-tiles.json',
  ]);
  expect(orders).toMatchObject({ code: 0, err: '' });
});

test('a script starts the sandbox of consign/sandbox, and asks it', async () => {
  const script = `
    import { startSandbox } from 'consign/sandbox';
    const sandbox = await startSandbox();
    const headers = { authorization: 'Bearer sandbox-key' };
    const answer = await fetch(sandbox.url + '/v2/lookups/addressTypes?commodity=ltl', { headers });
    console.log(answer.status, (await answer.json()).totalCount, sandbox.requests('listAddressTypes').length);
    await sandbox.close();
  `;
  await writeFile(inProject('sandbox.mjs'), script);
  expect(await installed.run(process.execPath, ['sandbox.mjs'])).toEqual({
    out: '200 10 1\n',
    err: '',
    code: 0,
  });
});

test('the samples of the documentation ship orders, through the programs of the package', async () => {
  const temporal = await startTestTemporal();
  closings.push(temporal.close);
  const base = {
    ...withoutSettings(process.env, /^(?:TEMPORAL|CONSIGN|SANDBOX)_/),
    TEMPORAL_ADDRESS: temporal.open.address,
    CONSIGN_ACCOUNTS: 'examples/accounts.yaml',
    CONSIGN_FILES: inProject('files'),
    WEBHOOK_PORT: '0',
  };
  const lines: string[] = [];
  const start = async (name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
    const command = installed.pathOf('.bin', name);
    const onLine = (line: string): number => lines.push(line);
    const { stop } = await startProcess({ name, command, args, env, cwd: installed.folder, onLine });
    closings.push(stop);
  };
  const said = async (words: RegExp): Promise<string> => {
    await until(async () => await Promise.resolve(lines.some((line) => words.test(line))));
    return words.exec(lines.find((line) => words.test(line)) ?? '')?.[1] ?? '';
  };
  await start('consign-sandbox', ['--port', '0', '--speed', '20'], base);
  const env = { ...base, SANDBOX_URL: await said(/^Sandbox marketplace at (\S+) /) };
  await start('consign-worker', [], env);
  await start('consign-webhooks', [], env);
  await said(/worker is running/);
  await said(/receives events/);

  for (const file of ['accounts.yaml', 'images'])
    await cp(inProject(`examples/${file}`), inProject(file), { recursive: true });
  await cp(inProject('examples/furniture-sofa.json'), inProject('order.json'));
  const all = await samples();
  const sampleWith = (words: string): string => all.find((sample) => sample.includes(words)) ?? '';
  const withFiles = (sample: string): string =>
    sample.replaceAll('/var/lib/consign/files', inProject('files'));
  const fromFile = withFiles(sampleWith("prepareOrder({ file: 'order.json' }"));
  await writeFile(inProject('from-file.mts'), `${fromFile}\nprocess.exit();`);
  await writeFile(inProject('ship.mts'), withFiles(sampleWith('function ship(')));
  await writeFile(inProject('in-ci.mts'), sampleWith('sandbox.verdict()'));
  expect(await installed.compile('from-file.mts', 'ship.mts', 'in-ci.mts')).toBe('');
  const tiles = JSON.stringify(JSON.parse(await textOf('examples/ltl-tiles.json')));
  await writeFile(
    inProject('run-ship.mjs'),
    `import { ship } from './ship.mjs';\nconsole.log((await ship(${tiles})).kind);\nprocess.exit();`,
  );
  const [sofaRun, tilesRun, ciRun] = await Promise.all([
    installed.run(process.execPath, ['from-file.mjs'], env),
    installed.run(process.execPath, ['run-ship.mjs'], env),
    installed.run(process.execPath, ['in-ci.mjs'], env),
  ]);
  expect(sofaRun).toEqual({ out: expect.stringMatching(/^\d{8} /), err: '', code: 0 });
  expect(tilesRun).toEqual({ out: 'delivered\n', err: '', code: 0 });
  expect(ciRun).toEqual({ out: '0 true\n', err: '', code: 0 });
  const calls = [
    ['check', sampleWith("{ text: 'kind: furniture' }"), /^order\.json SO-10482 \d+$/m],
    ['follow', sampleWith('.watch('), /^COMPLETED settled nothing\nCOMPLETED not withdrawn$/m],
    ['papers', withFiles(sampleWith('saveDocuments(')), /^billOfLading written$/m],
  ] as const;
  for (const [name, sample] of calls) await writeFile(inProject(`${name}.mts`), sample);
  expect(await installed.compile(...calls.map(([name]) => `${name}.mts`))).toBe('');
  for (const [name, , printed] of calls)
    expect(await installed.run(process.execPath, [`${name}.mjs`], env)).toEqual({
      ...{ out: expect.stringMatching(printed), err: '', code: 0 },
    });
  const verdict = await fetch(`${env.SANDBOX_URL}/_sandbox/ledger/verdict`);
  expect(await verdict.json()).toMatchObject({ isClean: true, orders: 2, withoutBooking: [] });
  expect(await installed.run(installed.pathOf('.bin', 'consign-replay'), [], env)).toMatchObject({ code: 0 });
});
