import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { csvLine } from '../../src/orders/csv-text';
import { rowOfDocument } from '../../src/orders/row-document';
import { consignProcess } from '../support/consign';
import { withWorld, type World } from '../support/worker-world';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '..', '..');
const ROWS = 30;
const ids = Array.from({ length: ROWS }, (_, index) => `IMP-${String(index + 1).padStart(2, '0')}`);

/** The sofas and tiles of the examples in turn, each with an order id of its own. */
function csvOf(): string {
  const documents = ids.map((orderId, index) => {
    const file = path.join(ROOT, 'examples', index % 2 === 0 ? 'furniture-sofa.json' : 'ltl-tiles.json');
    const { images: _, ...document } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return rowOfDocument({ ...document, orderId });
  });
  const names = [...new Set(documents.flatMap((row) => [...row.keys()]))];
  return [names, ...documents.map((row) => names.map((name) => row.get(name) ?? ''))]
    .map((cells) => csvLine(cells, ';'))
    .join('');
}

const ledgerOf = (world: World, orderId: string) => world.sandbox.order(`acme/${orderId}`);

async function isStarted(world: World, orderId: string): Promise<boolean> {
  const handle = world.client.workflow.getHandle(`shipment/acme/${orderId}`);
  return await handle.describe().then(
    () => true,
    () => false,
  );
}

/** Starts the import, and kills it while the answer to one start and another start are on their way. */
async function killedImport(world: World, file: string): Promise<void> {
  const [answered = '', asked = ''] = [ids[13], ids[15]];
  const method = 'StartWorkflowExecution';
  const answer = world.line.hold({ method, texts: [`shipment/acme/${answered}`], what: 'answer' });
  const call = world.line.hold({ method, texts: [`shipment/acme/${asked}`], what: 'call' });
  const args = [path.join(ROOT, 'bin', 'consign.js'), 'import', file, '--parallel', '4'];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...world.env }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await world.reach(() => answer.count() === 1 && call.count() === 1);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  // The call is gone with its caller; the answer finds nobody.
  await world.reach(() => answer.count() === 0 && call.count() === 0);
  answer.release();
  call.release();
  expect(await isStarted(world, answered)).toBe(true);
  expect(await isStarted(world, asked)).toBe(false);
}

test('an import that is killed in the middle and repeated books each of its rows once, and they can be exported', async () => {
  const folder = temporaryFolder('consign-import-');
  const file = path.join(folder, 'orders.csv');
  await writeFile(file, csvOf());
  await withWorld({ hasWebhooks: true, isPersistent: false }, async (world) => {
    await killedImport(world, file);
    const again = await consignProcess(['import', file], { env: world.env });
    expect(again).toMatchObject({ code: 0, err: '' });
    // Those before the held answer, that one, and some of the two after the held call.
    const [, started = '', already = ''] =
      /^30 rows: (\d+) started, (\d+) already there\n$/.exec(again.out) ?? [];
    expect(Number(started) + Number(already)).toBe(ROWS);
    expect(Number(already)).toBeGreaterThanOrEqual(14);
    expect(Number(started)).toBeGreaterThanOrEqual(ROWS - 16);
    const third = await consignProcess(['import', file, '--json'], { env: world.env });
    expect(third.out.match(/"kind":"already"/g)).toHaveLength(ROWS);
    await world.reach(() => ids.every((id) => ledgerOf(world, id).liveBookings === 1));
    for (const id of ids) expect(ledgerOf(world, id)).toMatchObject({ created: 1, liveBookings: 1 });
    const exported = await exportedOf(world);
    expect(new Set(exported.map(({ order }) => order))).toEqual(new Set(ids));
    expect(exported).toHaveLength(ids.length);
    for (const row of exported) {
      expect(row).toMatchObject({ account: 'acme', isComplete: true, acceptedCurrency: 'USD' });
      expect(row.booked).toEqual(expect.any(String));
      expect(Number(row.quotedAmount)).toBeGreaterThan(0);
    }
  });
});

/** Once visibility knows all of them, and their workflows the booking. */
async function exportedOf(world: World): Promise<Record<string, unknown>[]> {
  const [from, to] = [-1, 1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  let rows: Record<string, unknown>[] = [];
  await world.reach(async () => {
    const { out, code } = await consignProcess(['export', '--from', from ?? '', '--to', to ?? '', '--json'], {
      env: world.env,
    });
    expect(code).toBe(0);
    rows = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return rows.length === ROWS && rows.every(({ booked }) => booked !== null);
  });
  return rows;
}
