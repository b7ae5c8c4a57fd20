import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { startProcess, type SupervisedProcess } from '../../src/temporal/dev-server/supervise';
import { aFurnitureShipment, anLtlShipment, aStop } from '../support/builders';
import { CANARIES } from '../support/canaries';
import { consignProcess } from '../support/consign';
import { writeEncryptionFile } from '../support/encryption';
import { FAST_POLICY } from '../support/harness';
import { startProcessStack, type ProcessStack } from '../support/process-stack';
import { bytesOf, dataOf, payloadsIn, rawWorkflows, type RawWorkflow } from '../support/raw-temporal';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

const TOKEN = 'a-token-of-the-test';
let folder: string;
let world: ProcessStack;

beforeAll(async () => {
  folder = temporaryFolder();
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, TOKEN);
  const codecServer = { tokens: [{ file: tokenFile }] };
  world = await startProcessStack(
    folder,
    {
      ...(await writeEncryptionFile(folder, { writeWith: 'test', codecServer })),
      ...{ CONSIGN_ACCOUNTS: 'examples/accounts.yaml', CONSIGN_LOG_LEVEL: 'warn', SANDBOX_SPEED: '10' },
    },
    { ports: { api: await reserveFreePort() } },
  );
}, 60_000);
afterAll(async () => await world?.close());

const ALL = Object.values(CANARIES).join(' and ');
const { street, unit, town, postalCode } = CANARIES;
const address = { ...aStop().address, street, unit, city: town, postalCode };
const contact = { companyName: CANARIES.company, phone: CANARIES.phoneBraces, email: CANARIES.email };
const PEOPLE = {
  origin: aStop({ address, contact: { ...contact, name: CANARIES.name } }),
  destination: aStop({ address, contact: { ...contact, name: CANARIES.accentName } }),
  // Labels are never sent, so each canary can be in them.
  labels: { ...CANARIES, all: ALL },
};
const sofa = aFurnitureShipment({
  ...{ ...PEOPLE, orderId: 'canary-sofa', driverNotes: CANARIES.note },
  priceLimit: { minorUnits: 100, currency: 'USD' },
});
const tiles = anLtlShipment({ ...PEOPLE, orderId: 'canary-tiles' });

/** Starts an order of these people by the HTTP API. */
async function startByApi(orderId: string): Promise<void> {
  const { name, company, phoneDashes: phone, email } = CANARIES;
  const tiles = JSON.parse(await readFile('examples/ltl-tiles.json', 'utf8')) as { destination: object };
  const { state, country } = aStop().address;
  const destination = {
    ...tiles.destination,
    contact: { name, company, phone, email },
    address: { street, unit, city: town, state, postalCode, country },
  };
  const answer = await fetch(`${world.stack.apiUrl}/shipments/acme/${orderId}`, {
    method: 'PUT',
    headers: {
      ...{ authorization: 'Bearer demo-api-token', 'content-type': 'application/json' },
      'idempotency-key': email,
    },
    body: JSON.stringify({ ...tiles, orderId, destination, labels: { note: CANARIES.note } }),
  });
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 201 });
}

/** How a canary would stand in bytes. A short one counts only as a whole value: random bytes have it by chance. */
const formsOf = (canary: string): string[] =>
  canary.length < 6
    ? [JSON.stringify(canary)]
    : [canary, canary.toLowerCase(), encodeURIComponent(canary), Buffer.from(canary).toString('base64')];
const canariesIn = (bytes: Buffer): string[] =>
  Object.entries(CANARIES).flatMap(([name, canary]) =>
    formsOf(canary).some((form) => bytes.includes(form)) ? [name] : [],
  );

async function databaseFiles(): Promise<Record<string, Buffer>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('temporal.db'));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}

const PERSON = ['--by', CANARIES.name, '--reason', `phoned ${CANARIES.phoneDashes}, ${CANARIES.email}`];

async function asked(shipments: ShipmentClient, { account, orderId }: Shipment): Promise<void> {
  await until(async () => (await shipments.get(account, orderId)).state?.question != null, {
    everyMs: 200,
  });
}

test('no name, phone, address or answer is in the histories, memos, lists or the database of Temporal', async () => {
  const shipments = new ShipmentClient(world.temporal.client);
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const trouble = {
    ...{ when: 'getListing', what: { kind: 'status', status: 500, body: { reason: ALL } }, times: 2 },
  };
  await world.control('/troubles', trouble);
  for (const shipment of [sofa, tiles])
    await shipments.start({ shipment, account, policy: FAST_POLICY, documentHash: ALL });
  await startByApi('canary-api');
  await asked(shipments, sofa);
  const answered = await consignProcess(['answer', 'acme/canary-sofa', 'approve', ...PERSON], {
    env: world.stack.env,
  });
  expect(answered).toMatchObject({ code: 0, err: '' });
  for (const orderId of [sofa.orderId, tiles.orderId, 'canary-api'])
    expect(await shipments.result('acme', orderId)).toMatchObject({ kind: 'delivered' });

  const raw = await rawWorkflows(world.temporal.address, world.temporal.namespace);
  expect(raw.map(({ workflowId }) => workflowId)).toEqual(
    expect.arrayContaining(['sofa', 'tiles', 'api'].map((name) => `shipment/acme/canary-${name}`)),
  );
  const { CONSIGN_ENCRYPTION: _, ...withoutKeys } = world.stack.env;
  const bundle = await consignProcess(['support', 'acme/canary-sofa'], {
    env: { ...withoutKeys, CONSIGN_ENCRYPTION: '' },
  });
  expect(bundle).toMatchObject({ code: 0, err: '' });
  expect(bundle.out).toContain('update approvePrice');
  expect(canariesIn(Buffer.from(bundle.out))).toEqual([]);
  const files = await databaseFiles();
  expect(Object.keys(files)).toContain('temporal.db');
  const seen = {
    ...Object.fromEntries(raw.map((one) => [one.workflowId, bytesOf(one)])),
    ...files,
  };
  // A search that finds nothing anywhere proves nothing: it has to find what is there.
  expect(seen['temporal.db']?.includes('shipment/acme/canary-sofa')).toBe(true);
  const hits = Object.entries(seen).map(([where, bytes]) => [where, canariesIn(bytes)]);
  expect(hits.filter(([, found]) => (found ?? []).length > 0)).toEqual([]);
  const [codec] = world.temporal.dataConverter.payloadCodecs ?? [];
  const canariesOf = async (some: readonly RawWorkflow[]): Promise<string[]> => {
    const payloads = some.flatMap((one) => payloadsIn(one)).map(({ payload }) => payload);
    const decoded = (await codec?.decode(payloads)) ?? [];
    return canariesIn(Buffer.concat(decoded.map(dataOf)));
  };
  expect(await canariesOf(raw)).toEqual(Object.keys(CANARIES));
  const byApi = raw.filter(({ workflowId }) => workflowId === 'shipment/acme/canary-api');
  expect(await canariesOf(byApi)).toEqual(
    expect.arrayContaining(['name', 'company', 'phoneDashes', 'email', 'street', 'unit', 'town', 'note']),
  );
}, 240_000);

let codecProcess: SupervisedProcess | null = null;
afterAll(async () => await codecProcess?.stop());

test("Temporal's command line shows a history through the codec server, and without a token it does not", async () => {
  const port = await reserveFreePort();
  let isUp = false;
  codecProcess = await startProcess({
    ...{
      name: 'codec',
      command: process.execPath,
      args: ['dist/src/codec-server/main.js'],
      cwd: process.cwd(),
    },
    env: { ...world.stack.env, CODEC_PORT: String(port), CONSIGN_LOG_LEVEL: 'info' },
    onLine: (line) => (isUp ||= line.includes('decrypts for')),
  });
  await until(async () => await Promise.resolve(isUp));
  const cli = await findCli(cliSources(world.stack.env), () => undefined);
  /** What the payloads of the history say, which are in base64. */
  const show = async (...options: readonly string[]): Promise<string> => {
    const workflow = ['--workflow-id', shipmentWorkflowId('acme', 'canary-sofa'), '--output', 'json'];
    const server = ['--address', world.temporal.address, '--namespace', world.temporal.namespace];
    const { stdout } = await promisify(execFile)(
      cli.path,
      ['workflow', 'show', ...workflow, ...server, ...options],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    const all = [...stdout.matchAll(/"data": "([^"]*)"/g)];
    expect(all.length).toBeGreaterThan(50);
    return all.map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8')).join('\n');
  };
  const endpoint = ['--codec-endpoint', `http://127.0.0.1:${port}`];
  expect(await show(...endpoint, '--codec-auth', `Bearer ${TOKEN}`)).toContain(CANARIES.name);
  expect(await show()).not.toContain(CANARIES.name);
  await expect(show(...endpoint, '--codec-auth', 'Bearer of-nobody')).rejects.toThrow('Command failed');
}, 60_000);
