import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '..', '..');

async function bench(...args: readonly string[]) {
  const child = spawn(process.execPath, [path.join(ROOT, 'bench', 'run.js'), ...args], { cwd: ROOT });
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}

const reportShape = z.object({
  sections: z.array(
    z.object({
      name: z.string(),
      measurements: z.array(z.object({ what: z.string(), samples: z.array(z.number()), median: z.number() })),
    }),
  ),
});

/** Nothing is timed: what a row says depends on the machine, that it is there does not. */
test('the benchmark of histories reports every row of a quick and of a slow life, with the goals', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'bench.json');
  const { out, err, code } = await bench('--quick', '--only', 'history', '--json', file);
  expect({ err, code }).toEqual({ err: expect.stringContaining('history: begins'), code: 0 });
  const { sections } = reportShape.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(sections.map(({ name }) => name)).toEqual(['history']);
  const rows = new Map(sections[0]?.measurements.map(({ what, median }) => [what, median]));
  const counted = ['history events', 'history size', 'workflow tasks', 'activities', 'activity attempts'];
  const told = ['signals', 'API calls', 'billable actions (estimate)'];
  const events = ['events of memo and search attributes', 'events of timers'];
  for (const life of ['quick life', 'slow life']) {
    for (const flow of ['furniture flow', 'LTL flow']) {
      for (const what of [...counted, ...told, ...events]) {
        const row = `${life}, ${flow}: ${what}`;
        expect({ row, value: rows.get(row) }).toEqual({ row, value: expect.any(Number) });
        expect(rows.get(row)).toBeGreaterThan(0);
        expect(out).toContain(row);
      }
      // Each attempt of an activity is an action, and so is more.
      const of = (what: string): number => rows.get(`${life}, ${flow}: ${what}`) ?? Number.NaN;
      expect(of('billable actions (estimate)')).toBeGreaterThan(of('activity attempts'));
      expect(of('activity attempts')).toBeGreaterThanOrEqual(of('activities'));
    }
  }
  expect(rows.size).toBe(2 * 2 * (counted.length + told.length + events.length));
  expect(out).toMatch(/quick life, LTL flow: history events .* at most 120 /);
  expect(out).toMatch(/slow life, furniture flow: history events .* at most 200 /);
}, 180_000);

test('the benchmark of scale reports every row, with and without a limit, with the goals', async () => {
  const file = path.join(temporaryFolder(), 'bench.json');
  const { out, err, code } = await bench('--quick', '--only', 'scale', '--json', file);
  expect({ err, code }).toEqual({ err: expect.stringContaining('scale: begins'), code: 0 });
  const { sections } = reportShape.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(sections.map(({ name }) => name)).toEqual(['scale']);
  const rows = sections
    .flatMap(({ measurements }) => measurements)
    .map(({ what }) => what.replace(/\d+ per second/, 'N per second'));
  const limits = ['no limit', 'limit of N per second'];
  const counted = ['listing readings', 'tracking readings', 'all readings'];
  const values = ['measured', 'simulated', 'measured by simulated', 'difference'];
  expect(rows).toEqual(
    limits.flatMap((limit) => counted.flatMap((what) => values.map((of) => `${limit}: ${what}, ${of}`))),
  );
  expect(out).toMatch(/no limit: all readings, difference .* at most 15 /);
}, 300_000);

test('an unknown section is refused with the list of sections, and help explains each', async () => {
  const refused = await bench('--only', 'histories');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('shipments, receiver, visibility, history, open, scale, starts');
  const help = await bench('--help');
  expect(help.code).toBe(0);
  for (const word of [
    '--only',
    '--quick',
    '--json',
    'shipments',
    'receiver',
    'visibility',
    'history',
    'open',
    'scale',
    'starts',
  ])
    expect(help.out).toContain(word);
});
