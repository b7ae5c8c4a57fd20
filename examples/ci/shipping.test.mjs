/** A test of your own CI: orders against the sandbox marketplace, which keeps the ledger of what was really booked. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { connectTemporal, loadAccounts, ShipmentClient, validate } from 'consign';
import { startSandbox } from 'consign/sandbox';

const { CONSIGN_ACCOUNTS = 'examples/accounts.yaml' } = process.env;
const LIMIT = { timeout: 60_000 };

let sandbox, files, worker, temporal, accounts, shipments, sofa;

/** The program behind `npx consign-worker`, without npx in between, which would have to be stopped too. */
function programOf(name) {
  const manifest = createRequire(import.meta.url).resolve('consign/package.json');
  return path.join(path.dirname(manifest), createRequire(manifest)(manifest).bin[name]);
}

before(async () => {
  // A truck of the sandbox takes ten seconds to deliver; this one is twenty times as fast.
  sandbox = await startSandbox({ clock: { speed: 20 } });
  files = await mkdtemp(path.join(os.tmpdir(), 'shipping-test-'));
  const env = { ...process.env, CONSIGN_ACCOUNTS, CONSIGN_FILES: files, SANDBOX_URL: sandbox.url };
  worker = spawn(process.execPath, [programOf('consign-worker')], { env, stdio: 'inherit' });
  accounts = loadAccounts(CONSIGN_ACCOUNTS, env);
  temporal = await connectTemporal(env);
  shipments = new ShipmentClient(temporal.client);
  sofa = JSON.parse(await readFile('examples/furniture-sofa.json', 'utf8'));
});

after(async () => {
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  await temporal.close();
  await sandbox.close();
  await rm(files, { recursive: true });
});

/** An order id that no earlier run of these tests has used. */
const newOrderId = () => `CI-${Date.now()}`;

async function place(orderId) {
  const read = await validate({ document: { ...sofa, orderId, images: [] } }, accounts);
  assert.ok(read.ok, JSON.stringify(read.problems));
  return (await shipments.start(read.order)).outcome;
}

test('an order that is placed twice is shipped once', LIMIT, async () => {
  const orderId = newOrderId();
  assert.equal(await place(orderId), 'started');
  assert.equal(await place(orderId), 'already');
  const result = await shipments.result('acme', orderId);
  assert.equal(result.kind, 'delivered');
  const { created, liveBookings } = sandbox.order(`acme/${orderId}`);
  assert.deepEqual({ created, liveBookings }, { created: 1, liveBookings: 1 });
});

test('an order whose answer is lost is not sent again, but asks a person', LIMIT, async () => {
  const orderId = newOrderId();
  sandbox.setSwitches({ carrierAnswer: 'silent' });
  sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
  await place(orderId);
  let question;
  for await (const { state } of shipments.watch('acme', orderId)) {
    question = state?.question;
    if (question != null) break;
  }
  assert.equal(question.kind, 'inDoubt');
  assert.equal(sandbox.order(`acme/${orderId}`).created, 1);
});
