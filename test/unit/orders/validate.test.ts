import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { validateOrders } from '../../../src/starter/cli/commands/validate';
import { ExitCode } from '../../../src/platform/exit-code';
import { createFolderStore } from '../../../src/platform/file-store';
import { InvalidOrderError } from '../../../src/starter/client/errors';
import { validate, type OrderInput } from '../../../src/starter/client/order-files';
import { prepareOrder } from '../../../src/starter/client/prepare-order';
import { accounts, changed, example, EXAMPLES, NOW, SOFA, TILES } from './documents';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

let count = 0;
/** A file of its own for a text or a document. */
async function fileOf(content: unknown, name?: string): Promise<string> {
  const file = path.join(folder, name ?? `order-${(count += 1)}.json`);
  await writeFile(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  return file;
}

describe('a refusal of a document says what would be right', () => {
  const RESIDENCE = {
    addressType: 'Residence',
    contact: { name: 'Robin Shaw', phone: '+1 512 555 0155' },
    address: { street: '17 Oak Ln', city: 'Austin', state: 'TX', postalCode: '78703', country: 'US' },
  };

  test.each<[string, unknown, string, string, string]>([
    [
      'a pickup on a Saturday',
      changed(TILES, 'pickup', { on: '2035-03-10' }),
      '$.pickup.on',
      '2035-03-10 is a Saturday, when carriers do not pick up',
      'write "2035-03-12"; if carriers do, set ltlWeekends: allowed in the account\'s settings',
    ],
    [
      'a pickup today',
      changed(TILES, 'pickup', { on: '2035-01-10' }),
      '$.pickup.on',
      '2035-01-10 is too soon: carriers need a day',
      'write "2035-01-11", the first possible day, or a later one',
    ],
    [
      'a delivery window on LTL',
      changed(TILES, 'delivery', { before: '2035-03-20' }),
      '$.delivery',
      'LTL has no delivery time frame',
      'leave it out; the rate says how long it takes',
    ],
    [
      'a sofa of 84 metres',
      changed(SOFA, 'items.0.size', { length: 84, width: 0.9, height: 0.8, unit: 'm' }),
      '$.items[0].size.length',
      '84 m is 84 metres, which is implausible',
      'check the unit; did you mean "in"?',
    ],
    [
      'a sofa of 26 grams',
      changed(SOFA, 'items.0.weightEach', { value: 26, unit: 'g' }),
      '$.items[0].weightEach',
      '26 g is 26 grams each, which is implausible',
      'check the unit; did you mean "kg"?',
    ],
    [
      'a home without a word about the liftgate',
      changed(TILES, 'destination', RESIDENCE),
      '$.destination.services.liftgate',
      'a Residence has no dock, and the marketplace requires a liftgate to be set',
      'set it to true',
    ],
    [
      'a title of 63 characters',
      changed(SOFA, 'title', 'Three-seat sofa in walnut and linen with two loose cushions too'),
      '$.title',
      'has 63 characters',
      'use at most 50; "Three-seat sofa in walnut and linen with two loose" would fit',
    ],
    [
      'a title that is not ASCII',
      changed(SOFA, 'title', 'Récamière – grey'),
      '$.title',
      'has characters outside ASCII, which the marketplace does not accept',
      'write for instance "Recamiere - grey"',
    ],
    [
      'a postal code that lost its zero',
      changed(SOFA, 'destination.address', {
        ...RESIDENCE.address,
        city: 'Newton',
        state: 'MA',
        postalCode: 2458,
      }),
      '$.destination.address.postalCode',
      '2458 has lost its leading zero',
      'write "02458", in quotes',
    ],
    [
      'a furniture commodity on LTL',
      changed(TILES, 'items.0.commodity', 'Furniture'),
      '$.items[0].commodity',
      'Furniture is not an LTL commodity',
      'for a furniture order set "kind": "furniture"; for LTL use NewCommercialGoods or UsedCommercialGoods',
    ],
    [
      'no phone',
      changed(SOFA, 'destination.contact.phone', undefined),
      '$.destination.contact.phone',
      'is missing',
      'give a phone number with its area code; the carrier calls it',
    ],
    [
      'no company at a dock',
      changed(TILES, 'destination.contact.company', undefined),
      '$.destination.contact.company',
      'a BusinessWithoutLoadingDockOrForklift must name its company',
      'set contact.company',
    ],
    [
      'furniture with services',
      changed(SOFA, 'destination.services', { inside: true }),
      '$.destination.services',
      'furniture listings have no services',
      'put the wish into the description',
    ],
    [
      'hazardous goods',
      changed(TILES, 'items.0.hazardous', true),
      '$.items[0].hazardous',
      'hazardous goods are not allowed for this account',
      'ship them another way, or set allowHazardous on the account after agreeing it with the marketplace',
    ],
  ])('%s', async (_, document, at, problem, remedy) => {
    const read = await validate({ file: await fileOf(document) }, accounts, NOW);
    if (read.ok) throw new Error('it was taken');
    expect(read.problems).toEqual([expect.objectContaining({ path: at, problem, remedy })]);
  });

  test('a missing address type is a warning, with the types to choose from', async () => {
    const file = await fileOf(changed(SOFA, 'destination.addressType', undefined));
    expect(await validate({ file }, accounts, NOW)).toMatchObject({
      ok: true,
      warnings: [
        {
          path: '$.destination.addressType',
          problem: 'is missing: the marketplace then silently uses Residence',
          remedy: expect.stringContaining('BusinessWithLoadingDockOrForklift'),
        },
      ],
    });
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'the document is empty'],
    [
      'several YAML documents',
      'kind: ltl\n---\nkind: ltl\n',
      'contains several YAML documents: another one begins on line 3',
    ],
    [
      'a JSON document on each line',
      '{"kind":"ltl"}\n{"kind":"ltl"}\n',
      'contains several JSON documents: another one begins on line 2',
    ],
    [
      'a list of orders',
      '[{"kind":"ltl"}]',
      'contains a list of 1 documents; a document must contain one order',
    ],
  ])('a file that holds %s', async (_, text, problem) => {
    const read = await validate({ file: await fileOf(text) }, accounts, NOW);
    expect(read).toMatchObject({ ok: false, problems: [{ path: '$', problem }] });
  });
});

test.each<[string, unknown]>([
  ['a good order', example(SOFA)],
  ['an order with problems', changed(TILES, 'pickup', { on: '2035-03-10' })],
  ['no order', 'ship it'],
])('%s in memory is read as the same in a text and in a file', async (_, document) => {
  const text = JSON.stringify(document);
  const inFile = await validate({ file: await fileOf(text) }, accounts, NOW);
  const expected = { ...inFile, file: '-' };
  expect(await validate({ document }, accounts, NOW)).toEqual(expected);
  expect(await validate({ text }, accounts, NOW)).toEqual(expected);
  expect(await validate({ text: stringify(document) }, accounts, NOW)).toEqual(expected);
});

test.each<[string, OrderInput, readonly string[]]>([
  ['a document', { document: changed(SOFA, 'coverage', 'much') }, ['$.coverage']],
  [
    'a text in JSON',
    { text: JSON.stringify({ ...changed(TILES, 'pickup', { on: '2035-03-10' }), coverage: 'much' }) },
    ['$.coverage', '$.pickup.on'],
  ],
  ['a text in YAML', { text: 'kind: sofa\n' }, ['$.kind']],
  ['a text that is neither', { text: 'kind: [ltl' }, ['$']],
  ['a file', { file: path.join(EXAMPLES, 'refused', 'ltl.json') }, ['$.pickup.on']],
  ['a file that does not exist', { file: 'nowhere.json' }, ['$']],
])('every problem of %s has its place, and what is right', async (_, input, places) => {
  const read = await validate(input, accounts, NOW);
  if (read.ok) throw new Error('it was accepted');
  expect(read.file).toBe('file' in input ? input.file : '-');
  const found = read.problems.map((problem) => problem.path).toSorted();
  expect(found).toEqual(expect.arrayContaining([...places]));
  for (const { problem, remedy } of read.problems) expect([problem, remedy]).not.toContain('');
});

test.each([
  ['a phone number', changed(SOFA, 'destination.contact.phone', '+1 512 555 01'), '512 555'],
  ['a street', changed(SOFA, 'destination.address.street', 'x'.repeat(300)), 'xxx'],
  ['a name', changed(SOFA, 'destination.contact.name', 'Jordan \u0007 Reyes'), 'Reyes'],
])('the error for an invalid order names its places, and not %s', async (_, document, secret) => {
  const preparing = prepareOrder({ document }, { accounts, files: createFolderStore(folder) });
  const error = await preparing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof InvalidOrderError)) throw new Error('it was prepared', { cause: error });
  expect(error.kind).toBe('invalidOrder');
  expect(error.message).toContain(error.problems[0]?.path);
  expect(error.explain()).not.toContain(secret);
});

test('a key without a value is a key that is left out', async () => {
  const hashOf = async (document: unknown): Promise<string | null> => {
    const read = await validate({ document }, accounts, NOW);
    return read.ok ? read.order.documentHash : null;
  };
  const hash = await hashOf(changed(SOFA, 'destination.contact.email', undefined));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const contact = { name: 'Jordan Reyes', phone: '+1 512 555 0186', email: undefined };
  expect(await hashOf(changed(SOFA, 'destination.contact', contact))).toBe(hash);
  expect(await hashOf(example(SOFA))).not.toBe(hash);
});

describe('consign validate', () => {
  let out: string[] = [];
  let err: string[] = [];
  const context = {
    accounts: async () => await Promise.resolve(accounts),
    print: (text: string) => void out.push(text),
    printContent: (text: string) => void out.push(text),
    warn: (text: string) => void err.push(text),
  };
  beforeEach(() => {
    out = [];
    err = [];
  });

  const good = example(SOFA);
  const mended = changed(TILES, 'destination.address.state', 'Texas');
  const hopeless = changed(TILES, 'destination.address.postalCode', 'ABC');

  test('reads files and folders, sorted, and counts them in its last line', async () => {
    const inner = path.join(folder, 'inbox');
    await mkdir(path.join(inner, 'older.json'), { recursive: true });
    await fileOf(hopeless, 'inbox/b.yml');
    await fileOf(good, 'inbox/a.JSON');
    await fileOf('not an order', 'inbox/readme.txt');
    const other = await fileOf(mended);
    expect(await validateOrders(context, [inner, other, inner], {})).toBe(ExitCode.Invalid);
    expect(out.map((text) => text.split(':')[0])).toEqual([
      path.join(inner, 'a.JSON'),
      path.join(inner, 'b.yml'),
      other,
      '1 valid, 2 invalid',
    ]);
    expect(err).toEqual([]);
    // What can be corrected without a person says so, and nothing else does.
    expect(out[2]).toContain('write "TX" (or run `consign validate --fix');
    expect(out[1]).not.toContain('--fix');
  });

  test('takes a folder with an accounts file in it, which is no order', async () => {
    expect(await validateOrders(context, [EXAMPLES], {})).toBe(ExitCode.Ok);
    expect(out.at(-1)).toBe('6 valid, 0 invalid');
  });

  test('refuses a file that is not there and a folder without orders', async () => {
    const empty = path.join(folder, 'empty');
    await mkdir(empty);
    const gone = path.join(folder, 'gone.json');
    expect(await validateOrders(context, [empty], {})).toBe(ExitCode.Invalid);
    expect(await validateOrders(context, [gone], {})).toBe(ExitCode.Invalid);
    expect(err).toEqual([`${empty}: this folder contains no .json, .yaml or .yml file`]);
    expect(out.join('\n')).toMatch(/cannot be read: .*ENOENT/);
  });

  test('--json prints one object for each document and nothing else', async () => {
    const files = [await fileOf(good), await fileOf(mended)];
    expect(await validateOrders(context, files, { json: true })).toBe(ExitCode.Invalid);
    expect(out.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { file: files[0], ok: true, problems: [], warnings: [] },
      {
        file: files[1],
        ok: false,
        problems: [{ path: '$.destination.address.state', fix: { value: 'TX' } }],
      },
    ]);
  });

  test('--fix prints the corrected document, and on standard error what was corrected', async () => {
    const file = await fileOf(mended);
    expect(await validateOrders(context, [file], { fix: true })).toBe(ExitCode.Ok);
    expect(JSON.parse(out.join('\n'))).toEqual(example(TILES));
    expect(err.join('\n')).toContain('Texas is not a US state');
    expect(err.join('\n')).toContain('set to "TX"');
    expect(err.at(-1)).toBe('1 valid, 0 invalid');
    // The file itself is only read.
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(mended);
  });

  test('--fix prints what it could correct where problems are left, and says so by its code', async () => {
    const file = await fileOf({ ...changed(TILES, 'destination.address.state', 'Texas'), pickup: {} });
    expect(await validateOrders(context, [file], { fix: true })).toBe(ExitCode.Invalid);
    expect(JSON.parse(out.join('\n'))).toEqual({ ...example(TILES), pickup: {} });
    expect(err.join('\n')).toContain('$.pickup');
  });

  test('--fix of several files prints JSON after JSON, and YAML after ---', async () => {
    const piano = await readFile(path.join(EXAMPLES, 'furniture-piano.yaml'), 'utf8');
    const yaml = await fileOf(piano.replace('unit: cm', 'unit: CM'), 'piano.yaml');
    await validateOrders(context, [await fileOf(mended), yaml, yaml.replace('piano', 'gone')], { fix: true });
    expect(out).toHaveLength(3);
    expect(JSON.parse(out[0] ?? '')).toEqual(example(TILES));
    expect(out[1]).toBe('---');
    expect(parse(out[2] ?? '')).toEqual(example('furniture-piano.yaml'));
    expect(err.at(-1)).toBe('2 valid, 1 invalid');
  });

  test('--fix --json prints the document beside what was done to it', async () => {
    await validateOrders(context, [await fileOf(mended)], { fix: true, json: true });
    expect(JSON.parse(out.join('\n'))).toMatchObject({
      ok: true,
      document: example(TILES),
      corrections: [{ path: '$.destination.address.state' }],
    });
  });

  test('--fix --write rewrites what is good then, in place, and nothing else', async () => {
    const file = await fileOf(mended);
    const link = path.join(folder, 'link.json');
    await symlink(file, link);
    const refused = await fileOf({ ...mended, orderId: 'PO/1' });
    const before = await readFile(refused, 'utf8');
    const code = await validateOrders(context, [link, refused], { fix: true, write: true });
    expect(code).toBe(ExitCode.Invalid);
    expect(out).toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(example(TILES));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(file)).mode).toBe((await stat(refused)).mode);
    expect(await readFile(refused, 'utf8')).toBe(before);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([
    [['-'], { fix: true, write: true }, '--write cannot rewrite standard input'],
    [['order.json'], { write: true }, '--write requires --fix'],
  ])('%j with %j is refused', async (paths, options, reason) => {
    expect(await validateOrders(context, paths, options)).toBe(ExitCode.Invalid);
    expect(err.join('\n')).toContain(reason);
    expect(out).toEqual([]);
  });
});
