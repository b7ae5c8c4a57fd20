import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { openQuery } from '../../src/worker/replay/open-histories';
import { replayOpen } from '../../src/worker/replay/replay-open';
import { renderReport } from '../../src/worker/replay/report';
import { WORKFLOW_BUNDLE } from '../../src/worker/workflow-bundle';

// What fails here fails on purpose.
Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { filter: 'off', forward: {} } },
});

const FOLDER = path.join(__dirname, '..', 'fixtures', 'histories');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const code = readFileSync(WORKFLOW_BUNDLE, 'utf8');

const historyOf = (name: string): History =>
  historyFromJSON(JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')));

/** A history as it is while the shipment is open: up to and with the nth event of an activity of that name. */
function until(name: string, activity: string): History {
  const events = historyOf(name).events ?? [];
  const index = events.findIndex(
    ({ activityTaskScheduledEventAttributes: own }) => own?.activityType?.name === activity,
  );
  return { events: events.slice(0, index + 1) };
}

type Open = readonly (readonly [workflowId: string, history: History | null])[];

/** A cluster with these open workflows; one without a history was forgotten since it was listed. */
function clusterWith(open: Open, asked: string[] = []): Client {
  async function* list({ query }: { query: string }) {
    asked.push(query);
    for (const [workflowId, history] of open) {
      const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
      const type = started?.workflowType?.name ?? 'furnitureShipment';
      yield await Promise.resolve({ workflowId, runId: `run-of-${workflowId}`, type });
    }
  }
  const getHandle = (workflowId: string, runId: string) => ({
    async fetchHistory() {
      const history = open.find(([id]) => id === workflowId)?.[1] ?? null;
      if (history === null) throw new WorkflowNotFoundError('workflow not found', workflowId, runId);
      return await Promise.resolve(history);
    },
  });
  return { workflow: { list, getHandle } } as unknown as Client;
}

const whole = (): Open => NAMES.map((name) => [name, historyOf(name)]);

test('a build that can continue every open workflow passes, and a vanished workflow is no failure', async () => {
  const client = clusterWith([...whole(), ['shipment/acme/gone', null]]);
  const seen: number[] = [];
  const { types, failures } = await replayOpen(client, { code, onProgress: (count) => seen.push(count) });
  expect(failures).toEqual([]);
  const count = (kind: string): number => NAMES.filter((name) => name.startsWith(kind)).length;
  expect(Object.fromEntries(types)).toEqual({
    furnitureShipment: { passed: count('furniture'), failed: 0, gone: 1 },
    ltlShipment: { passed: count('ltl'), failed: 0, gone: 0 },
    notificationDelivery: { passed: count('notifications'), failed: 0, gone: 0 },
  });
  expect(seen.at(-1)).toBe(NAMES.length);
});

/** Changes of the build, each with the workflow that it cannot continue. */
const CHANGES = [
  {
    change: 'another activity where the price is read',
    from: 'await run.activities.reads.getFixedPrice(',
    to: 'await run.activities.reads.createRateRequest(',
    history: until('furniture-delivered.json', 'getFixedPrice'),
    event: 'ActivityTaskScheduled getFixedPrice',
    build: 'schedules activity createRateRequest',
  },
  {
    change: 'a timer before the rates are asked for',
    from: 'const { rateRequestId, addressTypes } = await run.unlessWithdrawn(',
    to: 'await (0, workflow_1.sleep)(1); const { rateRequestId, addressTypes } = await run.unlessWithdrawn(',
    history: until('ltl-delivered.json', 'createRateRequest'),
    event: 'ActivityTaskScheduled createRateRequest',
    build: 'has a different command (timer)',
  },
  {
    change: 'code that throws where it begins',
    from: 'return await (0, phase_loop_1.runPhases)(',
    to: "throw new TypeError('Pat Doe, +1 512 555 0100'); return await (0, phase_loop_1.runPhases)(",
    history: until('furniture-delivered.json', 'createListing'),
    event: 'ActivityTaskScheduled getFixedPrice',
    build: 'fails: its code throws an error',
  },
] as const;

test.each(CHANGES)(
  '$change is reported with workflow id and event',
  async ({ from, to, history, event, build }) => {
    expect(code).toContain(from);
    const client = clusterWith([
      ['shipment/acme/good', until('furniture-delivered.json', 'getFixedPrice')],
      ['shipment/acme/bad', history],
    ]);
    const { failures } = await replayOpen(client, { code: code.replaceAll(from, to) });
    const bad = failures.filter(({ workflowId }) => workflowId === 'shipment/acme/bad');
    expect(bad).toMatchObject([{ runId: 'run-of-shipment/acme/bad', difference: { event, build } }]);
    const events = history.events ?? [];
    const told = events.find(({ eventId }) => Number(eventId) === bad[0]?.difference.eventId);
    expect(told).toBeDefined();
    const report = renderReport(
      { types: new Map(), failures },
      { address: 'here:7233', namespace: 'n', open: 2 },
    );
    expect(report).toContain(`x shipment/acme/bad (run run-of-shipment/acme/bad)`);
    for (const private_ of ['Pat Doe', '555', 'Vantage']) expect(report).not.toContain(private_);
  },
);

test('the first difference in a history of hundreds of events is reported', async () => {
  const history = historyOf('furniture-delivered.json');
  const changed = (history.events ?? []).findLast(
    ({ activityTaskScheduledEventAttributes: own }) => own?.activityType?.name === 'getListing',
  );
  if (changed?.activityTaskScheduledEventAttributes == null) throw new Error('nothing to change');
  changed.activityTaskScheduledEventAttributes.activityType = { name: 'getTracking' };
  const { failures } = await replayOpen(clusterWith([['shipment/acme/SO-1', history]]), { code });
  expect(failures).toMatchObject([
    {
      difference: {
        eventId: Number(changed.eventId),
        event: 'ActivityTaskScheduled getTracking',
        build: 'schedules activity getListing',
      },
    },
  ]);
});

test('only open workflows of this project are replayed: the requested ones, the newest first', async () => {
  const asked: string[] = [];
  const choice = { query: "Account = 'acme'", limit: 2 };
  const { types } = await replayOpen(clusterWith(whole(), asked), { code, ...choice });
  expect([...types.values()].map(({ passed }) => passed)).toEqual([2]);
  expect(asked).toEqual([openQuery(choice)]);
  expect(asked[0]).toBe(
    "ExecutionStatus = 'Running' AND TaskQueue IN ('shipments', 'unrouted-events') AND (Account = 'acme')",
  );
});

test('a history that cannot be fetched for any other reason ends the replay', async () => {
  const client = clusterWith(whole());
  client.workflow.getHandle = () => {
    throw new TypeError('the line is down');
  };
  await expect(replayOpen(client, { code })).rejects.toThrow('the line is down');
});
