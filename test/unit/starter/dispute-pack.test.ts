import { readFile, rm, stat } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { defaultDataConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { unzipSync } from 'fflate';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { chooseRate, selectRate } from '../../../src/domain/rate-choice';
import {
  addTimeline,
  enterPhase,
  initialState,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { createFolderStore, type FileStore } from '../../../src/platform/file-store';
import type { PackFacts } from '../../../src/starter/cli/dispute-pack/contents';
import { makePack, type Pack } from '../../../src/starter/cli/dispute-pack/pack';
import { personDecisions, seenPrices, sentRequests } from '../../../src/starter/client/decision-record';
import { KeptPayloads } from '../../../src/starter/client/kept-payloads';
import { orderInput } from '../../../src/starter/client/order-input';
import type { HistoryEvent } from '../../../src/starter/client/order-record';
import { writePack } from '../../../src/starter/client/write-pack';
import { aFurnitureShipment, aListing, anLtlShipment, aRate } from '../../support/builders';
import { temporaryFolder } from '../../support/temporary-folder';

const AT = '2035-03-01T10:00:00.000Z';
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
let folder: string;
let files: FileStore;

beforeEach(async () => {
  folder = temporaryFolder('consign-pack-');
  files = createFolderStore(path.join(folder, 'store'));
});

const recorded = (name: string): readonly HistoryEvent[] => {
  const file = path.join(__dirname, '..', '..', 'fixtures', 'histories', `${name}.json`);
  return historyFromJSON(JSON.parse(readFileSync(file, 'utf8'))).events ?? [];
};

async function factsOf(
  state: ShipmentState | null,
  { history = 'furniture-approved', isWhole = true } = {},
): Promise<PackFacts> {
  const runs = [recorded(history)];
  const payloads = new KeptPayloads(defaultDataConverter);
  const kept = { runs, payloads };
  const record = {
    ...{ order: { account: 'acme', orderId: 'SO-1' }, description: {}, isWhole, memo: {} },
    ...{ searchAttributes: {}, state, ...kept },
  };
  return {
    ...{ madeAt: AT, record, order: await orderInput(kept), requests: await sentRequests(kept) },
    ...{ decisions: await personDecisions(kept), prices: await seenPrices(kept) },
  };
}

async function stored(fileName: string, content: string) {
  const sha256 = await files.put(Buffer.from(content));
  return { fileName, contentType: 'application/pdf', sizeInBytes: content.length, sha256, fetchedAt: AT };
}

async function furnitureState(): Promise<ShipmentState> {
  const { fetchedAt: _, ...image } = await stored('sofa.jpg', 'image');
  const shipment = aFurnitureShipment({ images: [image] });
  const base = enterPhase(initialState(shipment), {
    phase: 'settled',
    listingId: '273679133',
    deliveredAt: AT,
  });
  const lines = ['fixed price USD 226.97 for the customer; list price USD 180.00', 'picked up', 'delivered'];
  const noted = lines.reduce((state, line) => addTimeline(state, AT, line), base);
  return {
    ...addTimeline(noted, AT, 'price corrected from USD 180.00 to USD 210.00'),
    fixedPrice: {
      ...{ price: usd(22_697), premium: usd(3_600), total: usd(26_297), listPrice: usd(18_000) },
      priceCorrelationId: 'corr-9',
    },
    listing: aListing({ status: 'Completed', namedPrice: usd(18_000), totalCost: usd(21_000) }),
    said: [{ at: AT, about: 'POST /v2/listings answered 400', words: 'the title is too long' }],
    notices: ['price corrected after delivery'],
    billOfLading: { ...(await stored('bill-of-lading-44.pdf', 'bill')), billOfLadingNumber: '44' },
    attachments: [
      {
        ...(await stored('../../POD.pdf', 'proof')),
        ...{
          attachmentId: '7',
          attachmentType: 'ProofOfDelivery',
          fileType: null,
          notes: 'left at the door',
        },
      },
    ],
  };
}

const textOf = ({ files: packed }: Pack, name: string): string => {
  const file = packed.find((one) => one.path === name);
  if (file === undefined) throw new Error(`no ${name} among ${packed.map((one) => one.path).join(', ')}`);
  return Buffer.from(file.bytes).toString();
};

test('a pack has quote, order, requests, decisions, prices, timeline, words, papers and photos', async () => {
  const pack = await makePack(await factsOf(await furnitureState()), files);
  expect(pack.files.map((file) => file.path)).toEqual([
    ...['README.txt', 'quote.txt', 'order.json', 'requests.json', 'decisions.txt', 'prices.txt'],
    ...['timeline.txt', 'marketplace-words.txt', 'marketplace-record.json'],
    ...['photos/image-1-sofa.jpg', 'documents/bill-of-lading-44.pdf', 'documents/attachment-7--..-POD.pdf'],
  ]);
  expect(pack.missing).toEqual([]);
  expect(textOf(pack, 'quote.txt')).toContain('Total for the customer     USD 262.97');
  expect(textOf(pack, 'prices.txt')).toContain('price corrected from USD 180.00 to USD 210.00');
  expect(textOf(pack, 'prices.txt')).toMatch(/listing \d+: named USD [\d.]+, accepted /);
  expect(textOf(pack, 'timeline.txt')).toContain('2035-03-01 10:00:00Z  picked up');
  expect(textOf(pack, 'marketplace-words.txt')).toContain('"the title is too long"');
  expect(textOf(pack, 'marketplace-words.txt')).toContain('attachment 7: "left at the door"');
  expect(JSON.parse(textOf(pack, 'marketplace-record.json'))).toMatchObject({
    listing: { status: 'Completed' },
  });
  expect(textOf(pack, 'documents/attachment-7--..-POD.pdf')).toBe('proof');
  const readme = textOf(pack, 'README.txt');
  expect(readme).toContain('It contains names, phones, addresses and prices.');
  expect(readme).toMatch(/Missing:\n {2}nothing\n$/);
  // No colour of the terminal is in a file.
  expect(pack.files.filter((file) => Buffer.from(file.bytes).includes('\u001b'))).toEqual([]);
});

test('the decision record says who approved the price, when and why, and the requests what was sent', async () => {
  const pack = await makePack(await factsOf(await furnitureState()), files);
  const decisions = textOf(pack, 'decisions.txt');
  expect(decisions).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}approvePrice$/m);
  expect(decisions).toContain('  by: Pat');
  expect(decisions).toContain('  reason: seen on the website');
  const requests = JSON.parse(textOf(pack, 'requests.json')) as { call: string }[];
  expect(requests.map(({ call }) => call)).toEqual(['getFixedPrice', 'getFixedPrice', 'createListing']);
  expect(requests.at(-1)).toMatchObject({
    outcome: 'completed',
    input: {
      draft: { shipment: { origin: { contact: { name: 'Pat Doe' } } }, listPrice: { currency: 'USD' } },
    },
    result: { listingId: expect.stringMatching(/^\d+$/) },
  });
  expect(JSON.parse(textOf(pack, 'order.json'))).toMatchObject({ shipment: { kind: 'furniture' } });
});

test('a failed request is in the pack, with how it failed', async () => {
  const pack = await makePack(await factsOf(null, { history: 'furniture-in-doubt' }), files);
  const requests = JSON.parse(textOf(pack, 'requests.json')) as object[];
  expect(requests).toContainEqual(
    expect.objectContaining({
      call: 'createListing',
      outcome: 'failed',
      failure: expect.stringMatching(/^POST /),
    }),
  );
});

test('an LTL pack says why each other rate was not taken, and at which price the policy decided', async () => {
  const rates = [
    aRate({ rateId: 'r-1', totalPrice: usd(50_000), additionalInformation: 'no tail lift' }),
    aRate({ rateId: 'r-2', totalPrice: usd(61_000) }),
  ];
  const rule = DEFAULT_POLICY.rateRule;
  const rateDecision = chooseRate({ rates, rule, excludedRateIds: [], expiryMarginMs: 0, now: AT });
  const state = { ...initialState(anLtlShipment()), rates, rateDecision };
  const pack = await makePack(await factsOf(state, { history: 'ltl-second-rate' }), files);
  const quote = textOf(pack, 'quote.txt');
  expect(quote).toContain('rate r-1, valid until 2035-03-08 00:00:00Z');
  expect(quote).toContain('Carrier, USD 610.00 (LtlTransportOnly, Trucking, Van): costs more (USD 610.00)');
  expect(textOf(pack, 'decisions.txt')).toContain('rate r-1 of Carrier at USD 500.00');
  expect(textOf(pack, 'marketplace-words.txt')).toContain('Carrier about its rate: "no tail lift"');
  const calls = (JSON.parse(textOf(pack, 'requests.json')) as { call: string }[]).map(({ call }) => call);
  expect(calls).toEqual(expect.arrayContaining(['createRateRequest', 'acceptRate']));
});

test('a rate that a person selected is in the pack, and not as a decision of the policy', async () => {
  const rateDecision = selectRate([], aRate({ rateId: 'r-1' }), AT);
  const pack = await makePack(await factsOf({ ...initialState(anLtlShipment()), rateDecision }), files);
  expect(textOf(pack, 'quote.txt')).toContain('Rate chosen by a person');
  expect(textOf(pack, 'decisions.txt')).toContain('Decisions by the policy:\nnone\n');
});

test('what is missing is said in README.txt, and fails nothing else', async () => {
  const state = await furnitureState();
  const lost = { ...state, billOfLading: 'unavailable' as const, fixedPrice: null };
  const [attachment] = state.attachments;
  await rm(path.join(folder, 'store', attachment?.sha256.slice(0, 2) ?? ''), { recursive: true });
  const pack = await makePack(await factsOf(lost, { isWhole: false }), files);
  expect(pack.missing).toEqual([
    'quote.txt: no price or rate is known',
    'bill of lading: never became ready',
    expect.stringMatching(/^attachment 7 \(ProofOfDelivery\): stored file .* is not in this folder/),
    'the first part of the history: Temporal no longer has it',
  ]);
  const readme = textOf(pack, 'README.txt');
  for (const one of pack.missing) expect(readme).toContain(`  ${one}\n`);
  expect(textOf(pack, 'photos/image-1-sofa.jpg')).toBe('image');
});

test('without a worker the pack has what Temporal keeps, and says what a worker would add', async () => {
  const pack = await makePack(await factsOf(null), files);
  expect(pack.files.map((file) => file.path)).toEqual([
    ...['README.txt', 'order.json', 'requests.json', 'decisions.txt', 'prices.txt'],
  ]);
  expect(pack.missing).toContainEqual(expect.stringMatching(/^timeline.txt: no worker answered/));
  expect(pack.missing).toContainEqual(
    expect.stringMatching(/^bill of lading and other documents: no worker/),
  );
  expect(textOf(pack, 'decisions.txt')).toContain('by: Pat');
});

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);
const PACK = [
  { path: 'README.txt', bytes: Buffer.from('read me') },
  { path: 'documents/bill.pdf', bytes: Buffer.from('bill') },
];

test('a folder is readable by its user only, and existing files are replaced only by --force', async () => {
  const out = path.join(folder, 'new', 'pack');
  const target = { out, name: 'dispute-SO-1', isForced: false };
  await writePack(PACK, target);
  expect(await readFile(path.join(out, 'documents', 'bill.pdf'), 'utf8')).toBe('bill');
  expect(await modeOf(out)).toBe('700');
  expect(await modeOf(path.join(out, 'documents'))).toBe('700');
  expect(await modeOf(path.join(out, 'documents', 'bill.pdf'))).toBe('600');
  const other = [{ path: 'README.txt', bytes: Buffer.from('another') }];
  await expect(writePack(other, target)).rejects.toMatchObject({
    kind: 'fileStore',
    message: expect.stringContaining('--force replaces it'),
  });
  expect(await readFile(path.join(out, 'README.txt'), 'utf8')).toBe('read me');
  await writePack(other, { ...target, isForced: true });
  expect(await readFile(path.join(out, 'README.txt'), 'utf8')).toBe('another');
});

test('a zip file has the same files in one folder, for its user only', async () => {
  const out = path.join(folder, 'pack.zip');
  await writePack(PACK, { out, name: 'dispute-SO-1', isForced: false });
  expect(await modeOf(out)).toBe('600');
  const bytes = await readFile(out);
  const unzipped = unzipSync(bytes);
  expect(Object.entries(unzipped).map(([name, content]) => [name, Buffer.from(content).toString()])).toEqual([
    ['dispute-SO-1/README.txt', 'read me'],
    ['dispute-SO-1/documents/bill.pdf', 'bill'],
  ]);
  // The entry of the first file in the central directory: made on Unix, as a file with mode 600.
  const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  expect(bytes.readUInt8(entry + 5)).toBe(3);
  expect((bytes.readUInt32LE(entry + 38) >>> 16).toString(8)).toBe('100600');
});

test('a pack that cannot be written says why', async () => {
  const out = path.join(folder, 'store', 'a-file');
  await writePack([{ path: 'a-file', bytes: Buffer.from('x') }], {
    ...{ out: path.join(folder, 'store'), name: 'p', isForced: false },
  });
  await expect(writePack(PACK, { out, name: 'p', isForced: false })).rejects.toMatchObject({
    kind: 'fileStore',
    message: expect.stringMatching(/^The pack was not written: E(?:EXIST|NOTDIR)/),
  });
});
