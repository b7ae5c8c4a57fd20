import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { renderList } from '../../src/starter/cli/show';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { aFurnitureShipment } from '../support/builders';
import { consign, consignProcess, type Ended } from '../support/consign';
import { startHarness, type Harness } from '../support/harness';
import { loadedPackages } from '../support/loaded-packages';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

/** The policy of the examples' account is the sandbox's; this clock moves its carriers as fast. */
let harness: Harness;
let folder: string;
const before = process.env;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
  folder = temporaryFolder();
  process.env = {
    ...before,
    TEMPORAL_ADDRESS: harness.temporal.open.address,
    SANDBOX_URL: harness.sandbox.url,
    CONSIGN_FILES: harness.filesFolder,
    CONSIGN_ACCOUNTS: 'examples/accounts.yaml',
  };
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'normal' });
});
afterAll(async () => {
  process.env = before;
  await harness?.close();
});

const PAT = ['--by', 'Pat', '--reason', 'seen on the website'];
const LOW = { amount: '1.00', currency: 'USD' };

/** The sofa of the examples under an order id of its own. */
async function anOrder(orderId: string, over: object = {}): Promise<string> {
  const sofa = JSON.parse(await readFile('examples/furniture-sofa.json', 'utf8')) as object;
  return JSON.stringify({ ...sofa, orderId, images: [], ...over });
}

async function anOrderFile(orderId: string, over: object = {}): Promise<string> {
  const file = path.join(folder, `${orderId}.json`);
  await writeFile(file, await anOrder(orderId, over));
  return file;
}

const shipmentOf = (orderId: string) => aFurnitureShipment({ orderId });
const untilPhase = async (orderId: string, phase: string): Promise<ShipmentView> =>
  await harness.until(shipmentOf(orderId), ({ state }) => state?.at.phase === phase);

async function started(orderId: string, over: object = {}): Promise<void> {
  const { code, err } = await consign('start', await anOrderFile(orderId, over));
  expect({ code, err }).toEqual({ code: 0, err: '' });
}

const accepted = (what: string): Ended => ({ out: `${what} accepted.\n`, err: '', code: 0 });

const linesOf = ({ out }: Ended): unknown[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const COMMANDS = [
  ['start', '--checked <text>'],
  ['validate', 'A document contains one order'],
  ['show', '<account>/<orderId>'],
  ['list', '--query <filter>'],
  ['watch', 'until it ends'],
  ['attention', '--fail'],
  ['documents', '--out <folder>'],
  ['answer', '"approve", "selectRate", "adopt", "resend", "abandon", "retry"'],
  ['revise', '- is standard input'],
  ['cancel', 'an order before it is booked'],
  ['events', 'acknowledge'],
  ['events list', '--foreign'],
  ['events replay', 'the account whose key reads the listing'],
  ['events acknowledge', '--listing <id>'],
  ['notifications', 'replay'],
  ['notifications list', 'the delivery log of an order'],
  ['notifications replay', '--from <id>'],
  ['notifications test', '--endpoint <name>'],
  ['notifications retry', '--account <name>'],
  ['explain', 'policy.rates.quiet'],
  ['setup', '--check'],
  ['accounts', 'retry'],
  ['accounts check', '--online'],
  ['accounts retry', 'who fixed it'],
  ['doctor', '--webhooks <url>'],
  ['quote', '--wait'],
  ['import', 'positions in lists count from 1'],
  ['export', 'the first day, as YYYY-MM-DD'],
  ['conformance', '--listing'],
  ['dispute-pack', '--out <path>'],
  ['support', '--out <file>'],
  ['mcp', '--allow-decisions'],
] as const;

test('each command explains itself, and the help of all names each and the exit codes', async () => {
  const all = await consign('--help');
  for (const [command, says] of COMMANDS) {
    const { out, err, code } = await consign(...command.split(' '), '--help');
    expect({ command, err, code }).toEqual({ command, err: '', code: 0 });
    expect(out).toMatch(new RegExp(`^Usage: consign ${command} `));
    expect(out.replaceAll(/\s+/g, ' ')).toContain(says);
    expect(all.out).toContain(command.split(' ')[0]);
  }
  // A command that is new belongs into this list, and so into the test.
  const known = new Set(['help', ...COMMANDS.map(([command]) => command.split(' ')[0])]);
  const listed = [...all.out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
  for (const code of [0, 1, 2, 3, 4, 5]) expect(all.out).toMatch(new RegExp(`^  ${code}  \\w`, 'm'));
});

test.each([['--help'], ['--version'], ['answer', '--help'], ['strat']])(
  '`consign %s` loads nothing but the parser of command lines',
  async (...args) => {
    expect(await loadedPackages(['bin/consign.js', ...args])).toEqual(['commander', 'picocolors']);
  },
);

test.each([
  ['consign list', ['bin/consign.js', 'list'], '@temporalio/client'],
  ['consign attention', ['bin/consign.js', 'attention'], '@temporalio/client'],
  ['consign doctor', ['bin/consign.js', 'doctor'], 'undici'],
  ['the library', ['--eval', 'require(".")'], '@temporalio/client'],
  ['the receiver', ['dist/src/webhooks/main.js'], 'fastify'],
] as const)("%s never loads the worker's package", async (_what, args, needed) => {
  // The receiver ends at once, as it has loaded all that it needs before it reads its settings.
  const loaded = await loadedPackages(args, { WEBHOOK_PORT: 'none' });
  expect(loaded).toContain(needed);
  expect(
    loaded.filter((name) => /^@temporalio\/(worker|core-bridge|activity)$|^webpack$/.test(name)),
  ).toEqual([]);
});

test('a list loads neither the accounts file nor what reads orders', async () => {
  const loaded = await loadedPackages(['bin/consign.js', 'list']);
  expect(loaded.filter((name) => ['zod', 'yaml', 'undici'].includes(name))).toEqual([]);
  // Nothing is traced by default.
  expect(loaded.filter((name) => name.includes('opentelemetry'))).toEqual([]);
});

test.each([
  [['strat'], 'unknown command'],
  [['start'], "missing required argument 'files'"],
  [['list', '--limit', 'none'], 'none'],
  [['list', '--colour'], "unknown option '--colour'"],
  [['answer', 'acme/SO-1', 'maybe', ...PAT], 'Allowed choices are approve'],
  [['answer', 'acme/SO-1', 'adopt', ...PAT], 'adopt needs --listing'],
  [['answer', 'acme/SO-1', 'resend', ...PAT], 'resend needs --question'],
  [['answer', 'acme/SO-1', 'premium', ...PAT], 'premium needs --premium'],
  [['answer', 'acme/SO-1', 'premium', '--premium', '0', ...PAT], 'give an amount above 0'],
  [['cancel', 'acme/SO-1', '--by', 'Pat'], "required option '--reason <text>' not specified"],
  [['accounts', 'retry', 'acme'], "required option '--by <name>' not specified"],
  [['start', 'examples/furniture-sofa.json', '--checked', 'all'], 'Give --checked and --by together'],
  [['show', 'acme/SO 1'], 'Name the order as <account>/<orderId>; accounts: acme.'],
  [['events', 'replay', 'acme', 'x1'], 'A listing id has up to 12 digits'],
  [['validate', '--write', 'examples'], '--write requires --fix'],
  [['--accounts', 'nowhere.yaml', 'accounts', 'check'], 'nowhere.yaml'],
  [['list', '--query', "Colour = 'red'"], 'Temporal refused the request'],
] as const)('wrong usage ends with 2 and says why: %j', async (args, says) => {
  const { out, err, code } = await consign(...args);
  expect({ out, code }).toEqual({ out: '', code: 2 });
  expect(err).toContain(says);
  expect(err).not.toMatch(/\n {4}at /);
});

test('the real command starts several files and standard input, once each, and reports it as JSON', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const files = [await anOrderFile('F-1'), await anOrderFile('F-2')];
  const [two, piped] = await Promise.all([
    consignProcess(['start', '--json', ...files]),
    consignProcess(['start', '-'], { stdin: await anOrder('F-3') }),
  ]);
  expect({ code: two.code, err: two.err }).toEqual({ code: 0, err: '' });
  expect(linesOf(two)).toEqual(
    ['F-1', 'F-2'].map((orderId, index) => ({
      file: files[index],
      workflowId: shipmentWorkflowId('acme', orderId),
      runId: expect.any(String),
      outcome: 'started',
    })),
  );
  expect(piped).toMatchObject({ code: 0, err: '' });
  expect(piped.out).toMatch(/^started shipment\/acme\/F-3 \(run [-\w]+\)\n$/);
  expect((await consign('start', ...files)).out).toMatch(/^already started: .*F-1.*\nalready started: .*F-2/);
  const conflict = await consign('start', await anOrderFile('F-1', { title: 'Another sofa' }));
  expect(conflict).toMatchObject({ code: 3, out: '' });
  expect(conflict.err).toContain('shipment/acme/F-1 is running with another document');
});

test('the real command imports rows from standard input, each once, and exports them', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const rows = await Promise.all(['M-1', 'M-2', 'M-3'].map(async (orderId) => await anOrder(orderId)));
  const stdin = `${rows.join('\n')}\n`;
  const first = await consignProcess(['import', '-'], { stdin });
  expect(first).toEqual({ out: '3 rows: 3 started\n', err: '', code: 0 });
  const again = await consignProcess(['import', '-', '--json'], { stdin: `${stdin}{}\n` });
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('4 rows: 3 valid, 1 invalid') });
  const day = new Date().toISOString().slice(0, 10);
  let exported: Ended = { out: '', err: '', code: -1 };
  // Visibility learns of a phase a little later.
  await until(async () => {
    exported = await consign('export', '--from', '2020-01-01', '--to', day, '--account', 'acme');
    const listed = exported.out.match(/^M-[123],acme,furniture,awaitingBooking,RUNNING,.*,true$/gm) ?? [];
    return new Set(listed).size === 3;
  });
  expect(exported).toMatchObject({ err: '', code: 0 });
  expect(exported.out).toMatch(/^order,account,kind,phase,/);
  expect(exported.out).not.toMatch(/Jordan|Dock office|512 555|St,/);
});

test('one invalid file of several starts none, and each problem names file, path and remedy', async () => {
  const good = await anOrderFile('B-1');
  const bad = await anOrderFile('B-2', {
    pickup: { between: ['2020-03-06', '2020-03-09'] },
    coverage: 'much',
  });
  const { code, out, err } = await consign('start', good, bad, 'nowhere.json');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(`${bad}: 2 problems`);
  for (const part of ['$.pickup', '$.coverage', '→', 'nowhere.json: 1 problem', 'name a file that exists'])
    expect(err).toContain(part);
  expect(err).toContain('No orders were started: 2 of 3 are invalid.');
  expect(await consign('show', 'acme/B-1')).toMatchObject({
    code: 4,
    err: expect.stringContaining('acme/B-1'),
  });
});

test('the real validate command accepts and refuses documents, from standard input too', async () => {
  const [refused, piped] = await Promise.all([
    consignProcess(['validate', 'examples/refused', 'examples/furniture-sofa.json']),
    consignProcess(['validate', '--json', '-'], { stdin: await anOrder('V-1', { kind: 'sofa' }) }),
  ]);
  expect(refused).toMatchObject({ code: 2, err: '' });
  expect(refused.out).toMatch(/\n1 valid, 2 invalid\n$/);
  expect(refused.out).toMatch(/furniture\.json: \d+ problems/);
  expect(piped).toMatchObject({ code: 2, err: '0 valid, 1 invalid\n' });
  expect(linesOf(piped)).toMatchObject([{ file: '-', ok: false, problems: [{ path: '$.kind' }] }]);
});

test('validate --fix writes the document to a pipe, with any characters in it', async () => {
  const sofa = await anOrder('V-2', { title: 'A s\u00adofa \u{1f468}\u200d\u{1f467}' });
  const text = JSON.stringify(JSON.parse(sofa), null, 2).replaceAll('\n', '\r\n');
  // The marketplace takes no such letters, which stays a person's to decide.
  expect(await consignProcess(['validate', '--fix', '-'], { stdin: text })).toMatchObject({
    ...{ out: `${text}\n`, code: 2 },
  });
});

test('an order is watched to its end, shown, listed, and its documents are written', async () => {
  const sofa = JSON.parse(await readFile('examples/furniture-sofa.json', 'utf8')) as { images: string[] };
  const image = path.resolve('examples', sofa.images[0] ?? '');
  await started('W-1', { images: [image] });
  const watched = await consign('watch', 'W-1');
  expect(watched).toMatchObject({ code: 0, err: '' });
  const story = ['order checked', 'listing', 'booked with', 'delivered', 'price settled; completed'];
  expect(watched.out).toMatch(new RegExp(story.join('[^]*')));
  expect(watched.out).toMatch(/^ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}order checked$/m);
  expect(watched.out).toMatch(/^ {2}waits for +.* since \d{4}-.*Z/m);

  const link = `http://127.0.0.1:8233/namespaces/default/workflows/shipment%2Facme%2FW-1/0197f-run/history`;
  for (const name of ['shipment/acme/W-1', link])
    expect((await consign('show', name)).out).toContain('shipment/acme/W-1 (completed)');
  const shown = await consign('show', 'acme/W-1');
  expect(shown).toMatchObject({ code: 0, err: '' });
  for (const fact of [
    'shipment/acme/W-1 (completed)',
    'Carrier',
    'Bill of lading',
    'price settled; completed',
  ])
    expect(shown.out).toContain(fact);
  const view = JSON.parse((await consign('show', 'W-1', '--json')).out) as ShipmentView;
  expect(view).toMatchObject({ status: 'COMPLETED', state: { at: { phase: 'settled' } }, late: [] });
  expect(linesOf(await consign('watch', 'W-1', '--json'))).toEqual(view.state?.timeline);

  const listingId = view.state?.listing?.listingId ?? '';
  expect((await consign('events', 'replay', 'acme', listingId)).out).toBe(
    `listing ${listingId}: belongs to shipment/acme/W-1; event delivered\n`,
  );

  const query = ['--query', "OrderId = 'W-1'"];
  await until(async () => (await consign('list', ...query)).out.includes('completed'));
  const listed = JSON.parse((await consign('list', '--json', ...query)).out) as Parameters<
    typeof renderList
  >[0];
  expect(listed).toMatchObject([
    { orderId: 'W-1', kind: 'furniture', phase: 'settled', needsAttention: false },
  ]);
  expect((await consign('list', ...query)).out).toMatch(
    /^ORDER .*\nacme\/W-1 +furniture +completed +\d+s +-\n$/,
  );
  expect(renderList([])).toContain('consign start');

  const papers = path.join(folder, 'papers');
  const written = await consign('documents', 'W-1', '--out', papers);
  expect({ code: written.code, err: written.err }).toEqual({ code: 0, err: '' });
  expect((await readdir(papers)).length).toBeGreaterThanOrEqual(2);
  const written2 = linesOf(await consign('documents', 'W-1', '--json'));
  expect(written2.length).toBe((await readdir(papers)).length);
});

test('a question is answered, revised or ended from the command line', async () => {
  for (const orderId of ['Q-1', 'Q-2', 'Q-3']) await started(orderId, { priceLimit: LOW });
  for (const orderId of ['Q-1', 'Q-2', 'Q-3']) await harness.asked(shipmentOf(orderId), 'priceApproval');
  const attention = await consign('attention', '--fail');
  expect(attention.code).toBe(1);
  expect(attention.out).toContain('acme/Q-1');
  expect((await consign('show', 'Q-1')).out).toContain('above the limit');

  const wrong = await consign('answer', 'Q-1', 'rebook', ...PAT);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('cannot be answered with rebook') });
  expect(await consign('answer', 'Q-1', 'approve', ...PAT)).toEqual(accepted('Answer'));
  const other = await anOrderFile('Q-2b', { orderId: 'Q-2' });
  const revised = await consign('answer', 'Q-2', 'revise', '--document', other, ...PAT);
  expect(revised).toEqual(accepted('Answer'));
  expect(await consign('revise', await anOrderFile('Q-9'), ...PAT)).toMatchObject({ code: 4 });
  expect(await consign('answer', 'Q-1', 'revise', '--document', other, ...PAT)).toMatchObject({
    code: 2,
    err: `${other} contains order acme/Q-2, not acme/Q-1.\n`,
  });
  const cancelled = await consign('answer', 'Q-3', 'cancel', '--json', ...PAT);
  expect(JSON.parse(cancelled.out)).toEqual({ outcome: 'accepted', text: 'Withdrawal accepted.' });

  expect(await consign('watch', 'Q-3')).toMatchObject({
    code: 1,
    err: 'Pat withdrew shipment/acme/Q-3: seen on the website\n',
  });
  for (const orderId of ['Q-1', 'Q-2'])
    expect((await harness.ended(shipmentOf(orderId))).status).toBe('COMPLETED');
  expect(await consign('answer', 'Q-1', 'approve', ...PAT)).toMatchObject({
    code: 2,
    err: 'shipment/acme/Q-1 has no open question.\n',
  });
});

test('an open listing is changed in place, and a withdrawn order is not started again, from the command line', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  await started('R-1');
  await untilPhase('R-1', 'awaitingBooking');
  const other = await anOrderFile('R-1', { title: 'A red sofa' });
  expect(await consign('revise', other, ...PAT)).toMatchObject({
    ...{ code: 0, err: '', out: expect.stringContaining('was changed (title)') },
  });
  // A PUT whose answer comes too late on a slow machine is sent again, which its checksum makes safe.
  const puts = harness.sandbox.requests('updateListing').map(({ body }) => body);
  expect(puts.length).toBeGreaterThan(0);
  for (const put of puts) expect(put).toMatchObject({ title: 'A red sofa', checksum: expect.any(String) });
  expect(harness.ledgerOf(shipmentOf('R-1'))).toMatchObject({ created: 1, openListings: 1 });
  expect((await consign('show', 'R-1')).out).toContain('was changed (title)');

  expect(await consign('cancel', 'R-1', ...PAT)).toMatchObject({ code: 0 });
  expect((await harness.ended(shipmentOf('R-1'))).status).toBe('COMPLETED');
  for (const file of [other, await anOrderFile('R-1', { title: 'A blue sofa' })])
    expect(await consign('start', file)).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('Pat withdrew') },
    });
  expect(harness.ledgerOf(shipmentOf('R-1'))).toMatchObject({ created: 1, openListings: 0 });
});

test('a terminated order is started again only with a statement of what was checked', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  await started('T-1');
  await untilPhase('T-1', 'awaitingBooking');
  await harness.handleOf(shipmentOf('T-1')).terminate();
  const file = await anOrderFile('T-1');
  expect(await consign('start', file)).toMatchObject({
    code: 3,
    err: expect.stringContaining('A booking may exist'),
  });
  const again = await consign('start', file, '--checked', 'the listing was deleted', '--by', 'Pat');
  expect(again.out).toMatch(/^started again shipment\/acme\/T-1/);
  await harness.handleOf(shipmentOf('T-1')).terminate();
});

test('without late events there is nothing to list or to acknowledge', async () => {
  expect(await consign('events', 'list', '--foreign')).toEqual({
    out: 'No such events.\n',
    err: '',
    code: 0,
  });
  const nothing = await consign('events', 'acknowledge', 'acme/E-1', ...PAT);
  expect(nothing).toMatchObject({ code: 2, err: 'acme/E-1 has nothing to acknowledge.\n' });
});

test('accounts are checked, and doctor says what is wrong and what to do', async () => {
  const checked = await consign('accounts', 'check', '--online');
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toMatch(/✓ acme: /);
  expect(checked.out).not.toContain('sandbox-key');
  const { code, out } = await consign('doctor', '--webhooks', 'http://127.0.0.1:1');
  expect(code).toBe(2);
  expect(out).toMatch(/✗ .*127\.0\.0\.1:1[^]*→ /);
});

test('without Temporal a command ends with code 5 and says what to do', async () => {
  const { TEMPORAL_ADDRESS } = process.env;
  process.env.TEMPORAL_ADDRESS = '127.0.0.1:1';
  const { code, err } = await consign('list');
  process.env.TEMPORAL_ADDRESS = TEMPORAL_ADDRESS;
  expect(code).toBe(5);
  expect(err).toMatch(/^No Temporal server answers at 127\.0\.0\.1:1 .*npm run dev.*\n$/);
});
