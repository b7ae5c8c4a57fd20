import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { checkNewestShipment } from '../../src/starter/cli/doctor';
import { sendAnswer } from '../../src/starter/client/send-answer';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { createDataConverter } from '../../src/temporal/encryption/data-converter';
import { replayOpen } from '../../src/worker/replay/replay-open';
import { readWorkflowBundle } from '../../src/worker/workflow-bundle';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { consign } from '../support/consign';
import { writeEncryptionFile } from '../support/encryption';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { encodingOf, failuresIn, payloadsIn, rawWorkflows } from '../support/raw-temporal';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

/** As long as an id may be: every payload carries it. */
const KEY_ID = `k${'0'.repeat(39)}`;
const environment = process.env;
let harness: Harness;
let folder: string;
let dataConverter: DataConverter;

const unexpected = (text: string): never => {
  throw new Error(text);
};

beforeAll(async () => {
  folder = temporaryFolder();
  const encryption = await writeEncryptionFile(folder, { writeWith: KEY_ID });
  dataConverter = await createDataConverter(encryption, unexpected);
  harness = await startHarness({ clock: { speed: 10 }, dataConverter });
  process.env = {
    ...environment,
    ...encryption,
    TEMPORAL_ADDRESS: harness.temporal.open.address,
    SANDBOX_URL: harness.sandbox.url,
    CONSIGN_ACCOUNTS: 'examples/accounts.yaml',
  };
}, 60_000);
afterAll(async () => {
  process.env = environment;
  await harness?.close();
});

const LOW = { minorUnits: 100, currency: 'USD' };
const PERSON = { by: 'Zebulon Quux', reason: 'phoned 512-555-0147' };
const asking = aFurnitureShipment({ orderId: 'asking', priceLimit: LOW });
const sofa = aFurnitureShipment({ orderId: 'sofa', priceLimit: LOW });
const tiles = anLtlShipment({ orderId: 'tiles' });

test('everything that the server keeps of shipments and their failures is encrypted, except what it indexes', async () => {
  const refused = aFurnitureShipment({ orderId: 'refused' });
  harness.sandbox.trouble({
    ...{ when: 'createListing', whom: 'acme/refused', what: { kind: 'status', status: 400 } },
  });
  harness.sandbox.trouble({ when: 'getListing', what: { kind: 'status', status: 500 }, times: 2 });
  for (const shipment of [sofa, tiles, asking, refused]) await harness.start(shipment);
  const questionId = await harness.asked(sofa, 'priceApproval');
  await sendAnswer(harness.handleOf(sofa), { ...PERSON, questionId }, { kind: 'approve' });
  await harness.asked(asking, 'priceApproval');
  for (const shipment of [sofa, tiles])
    expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.ended(refused)).toMatchObject({
    status: 'FAILED',
    failure: expect.stringMatching(/400/),
  });

  const raw = await rawWorkflows(harness.temporal.open.address);
  const payloads = raw.flatMap((one) => payloadsIn(one, one.workflowId));
  expect(payloads.length).toBeGreaterThan(200);
  const plain = payloads.filter(({ payload }) => encodingOf(payload) !== 'binary/encrypted');
  expect(plain).toEqual([]);
  // Input, result, memo, summary and so on: each kind was met, so each was judged.
  const places = payloads.map(({ at }) => at.replace(/^[^.]*/, '')).join('\n');
  for (const place of [
    'workflowExecutionStartedEventAttributes.input',
    'workflowExecutionStartedEventAttributes.memo.fields',
    'workflowPropertiesModifiedEventAttributes.upsertedMemo.fields',
    'activityTaskScheduledEventAttributes.input',
    'activityTaskCompletedEventAttributes.result',
    'activityTaskFailedEventAttributes.failure.encodedAttributes',
    'activityTaskFailedEventAttributes.failure.applicationFailureInfo.details',
    'workflowExecutionFailedEventAttributes.failure.encodedAttributes',
    'workflowExecutionSignaledEventAttributes.input',
    'workflowExecutionUpdateAcceptedEventAttributes.acceptedRequest.input',
    'workflowExecutionUpdateCompletedEventAttributes.outcome',
    'workflowExecutionCompletedEventAttributes.result',
    'userMetadata.summary',
    'described.workflowExecutionInfo.memo.fields',
    'described.executionConfig.userMetadata.summary',
    'listed.memo.fields',
  ])
    expect({ place, isMet: places.includes(place) }).toEqual({ place, isMet: true });
  const failures = raw.flatMap((one) => failuresIn(one));
  expect(failures.length).toBeGreaterThan(2);
  // The words of an activity that failed are the server's.
  const words = new Set(failures.map(({ message }) => message));
  expect(
    [...words].filter(
      (text) => !/^(Encoded failure|Activity task failed|activity error|UnhandledCommand)$/.test(text ?? ''),
    ),
  ).toEqual([]);
  expect(failures.filter(({ stackTrace }) => (stackTrace ?? '') !== '')).toEqual([]);
}, 120_000);

test('the current details of the web UI are an encrypted answer', async () => {
  const { client, open } = harness.temporal;
  const { namespace } = open;
  expect(await harness.handleOf(asking).query('__temporal_workflow_metadata')).toMatchObject({
    currentDetails: expect.stringContaining('consign answer acme/asking approve'),
  });
  const { queryResult } = await client.workflowService.queryWorkflow({
    ...{ namespace, execution: { workflowId: harness.handleOf(asking).workflowId } },
    query: { queryType: '__temporal_workflow_metadata' },
  });
  expect(payloadsIn(queryResult).map(({ payload }) => encodingOf(payload))).toEqual(['binary/encrypted']);
});

test('the commands read memos and states with the key, and without it they name the key', async () => {
  for (const command of [
    ['list'],
    ['show', 'acme/asking'],
    ['attention'],
    ['events', 'list'],
    ['show', 'acme/sofa'],
  ]) {
    const { out, err, code } = await consign(...command);
    expect({ command, err, code }).toEqual({ command, err: '', code: 0 });
    expect(out).toMatch(command[0] === 'events' ? /./ : /acme\/(asking|sofa)/);
  }
  const { CONSIGN_ENCRYPTION: file, ...without } = process.env;
  process.env = without;
  try {
    const shown = await consign('show', 'acme/asking');
    expect({ out: shown.out, code: shown.code }).toEqual({ out: '', code: 2 });
    expect(shown.err).toBe(
      `A payload is encrypted with key ${KEY_ID}, and this process has no keys. Set CONSIGN_ENCRYPTION to the encryption file.\n`,
    );
    for (const command of ['list', 'attention']) {
      const { out, err, code } = await consign(command, '--json');
      expect({ command, err, code }).toEqual({ command, err: '', code: 0 });
      expect(out).toContain('acme/asking');
      expect(out).toContain(`cannot be decrypted, key ${KEY_ID} is missing`);
      expect(out).not.toMatch(/answer question|acme asking --/);
    }
  } finally {
    process.env = { ...without, CONSIGN_ENCRYPTION: file };
  }
});

test('a quote reads its progress and its refusal from encrypted failures', async () => {
  const progress: string[] = [];
  const onProgress = (text: string): number => progress.push(text);
  const order = {
    ...{ account: { name: 'acme', environment: 'sandbox' } as const, documentHash: 'test' },
    policy: { ...FAST_POLICY, rates: { ...FAST_POLICY.rates, maximumWaitMs: 1_500 } },
  };
  harness.sandbox.trouble({ when: 'createRateRequest', what: 'noRates', times: 1 });
  const pallets = { ...order, shipment: anLtlShipment({ orderId: 'quoted' }) };
  await harness.shipments.quote(pallets, { onProgress });
  expect(progress).toEqual(['0 rates so far']);
  harness.sandbox.trouble({ when: 'getFixedPrice', what: { kind: 'status', status: 401 }, times: 1 });
  const sofa = { ...order, shipment: aFurnitureShipment({ orderId: 'no-price' }) };
  await expect(harness.shipments.quote(sofa)).rejects.toThrow(/answered 401/);
}, 60_000);

test('the open histories are replayed with their key', async () => {
  const code = await readWorkflowBundle(dataConverter);
  const { types, failures } = await replayOpen(harness.temporal.client, { code, dataConverter });
  expect(failures).toEqual([]);
  expect([...types]).toEqual([['furnitureShipment', { passed: 1, failed: 0, gone: 0 }]]);
});

test('an order whose key the worker lacks waits, doctor reports it, and it goes on once the key is there', async () => {
  const { client } = harness.temporal;
  expect(await checkNewestShipment(client)).toMatchObject([{ state: 'good' }]);
  const otherFolder = path.join(folder, 'other');
  await mkdir(otherFolder);
  const other = await createDataConverter(
    await writeEncryptionFile(otherFolder, { writeWith: 'other' }),
    unexpected,
  );
  const stranger = new Client({ connection: client.connection, dataConverter: other });
  const shipment = aFurnitureShipment({ orderId: 'of-another-key' });
  const account = { name: 'acme', environment: 'sandbox' } as const;
  await new ShipmentClient(stranger).start({ shipment, account, policy: FAST_POLICY, documentHash: 'test' });
  const handle = stranger.workflow.getHandle(harness.handleOf(shipment).workflowId);
  await until(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).some((event) => event.workflowTaskFailedEventAttributes != null);
  });
  await until(async () => (await checkNewestShipment(client))[0]?.state === 'bad');
  const [found] = await checkNewestShipment(client);
  expect(found?.text).toContain('encrypted with key other, which this process does not have');
  expect(harness.ledgerOf(shipment).listings).toEqual([]);
  await copyFile(path.join(otherFolder, 'other.key'), path.join(folder, 'other.key'));
  await writeEncryptionFile(folder, { writeWith: KEY_ID, keys: [KEY_ID, 'other'] });
  expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED', failure: null });
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
}, 120_000);

test('an order that was started in plain text goes on encrypted, and doctor reports it', async () => {
  const { client, open } = harness.temporal;
  const shipment = aFurnitureShipment({ orderId: 'in-plain-text', priceLimit: LOW });
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const plain = new ShipmentClient(new Client({ connection: client.connection }));
  await plain.start({ shipment, account, policy: FAST_POLICY, documentHash: 'test' });
  const questionId = await harness.asked(shipment, 'priceApproval');
  await until(async () => (await checkNewestShipment(client))[0]?.state === 'warn');
  await sendAnswer(harness.handleOf(shipment), { ...PERSON, questionId }, { kind: 'approve' });
  expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED', failure: null });
  const raw = (await rawWorkflows(open.address)).filter(({ workflowId }) =>
    workflowId.endsWith('in-plain-text'),
  );
  const encodings = payloadsIn(raw[0]?.history).map(({ at, payload }) => ({
    at,
    encoding: encodingOf(payload),
  }));
  const places = encodings.flatMap(({ at, encoding }) => (encoding === 'json/plain' ? [at] : []));
  expect(places.filter((at) => !at.startsWith('.events.0.'))).toEqual([]);
  expect(places.length).toBeGreaterThan(0);
  expect(encodings.length).toBeGreaterThan(places.length);
}, 120_000);
