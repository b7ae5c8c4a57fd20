import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { deriveScript } from '../../../bench/bare/derive-script';
import type { ScriptCommand } from '../../../bench/bare/script';

const FOLDER = path.join(__dirname, '..', '..', 'fixtures', 'histories');
const FILES = readdirSync(FOLDER);

const eventsOf = (file: string) =>
  historyFromJSON(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))).events ?? [];
type Event = ReturnType<typeof eventsOf>[number];

/** The event that each command of a workflow leaves in its history. */
const EVENT_OF: Readonly<Record<ScriptCommand['kind'], (event: Event) => unknown>> = {
  activity: (event) => event.activityTaskScheduledEventAttributes,
  timer: (event) => event.timerStartedEventAttributes,
  cancel: (event) => event.activityTaskCancelRequestedEventAttributes ?? event.timerCanceledEventAttributes,
  searchAttributes: (event) => event.upsertWorkflowSearchAttributesEventAttributes,
  memo: (event) => event.workflowPropertiesModifiedEventAttributes,
  complete: (event) => event.workflowExecutionCompletedEventAttributes,
};

test.each(FILES)('the script of %s has every command and signal of its history', (file) => {
  const events = eventsOf(file);
  const { steps, signals } = deriveScript(events);
  const commands = steps.flatMap((step) => step.commands);
  for (const [kind, isOf] of Object.entries(EVENT_OF)) {
    const ofKind = commands.filter((command) => command.kind === kind);
    expect({ kind, count: ofKind.length }).toEqual({
      ...{ kind, count: events.filter((event) => isOf(event) != null).length },
    });
  }
  const signalled = events.flatMap(
    ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
  );
  expect(signals.flat().map(({ name }) => name)).toEqual(signalled);
});

test.each(FILES)(
  'in the script of %s a step waits only for something that an earlier step started, and for each once',
  (file) => {
    const { steps } = deriveScript(eventsOf(file));
    const begun = new Set<string>();
    const ended: string[] = [];
    for (const step of steps) {
      for (const id of step.ended) expect(begun).toContain(id);
      ended.push(...step.ended);
      for (const command of step.commands)
        if (command.kind === 'activity' || command.kind === 'timer') begun.add(command.id);
    }
    expect(new Set(ended).size).toBe(ended.length);
  },
);

test.each([
  ['Keyword', '"booked"', 'KEYWORD', 'booked'],
  ['KeywordList', '["PRO 1","PO-771"]', 'KEYWORD_LIST', ['PRO 1', 'PO-771']],
  ['KeywordList', '', 'KEYWORD_LIST', null],
  ['Bool', 'true', 'BOOL', true],
])('a search attribute of the type %s with %s keeps type and value', (type, data, scriptType, value) => {
  const payload = { metadata: { type: Buffer.from(type) }, data: Buffer.from(data) };
  const { steps } = deriveScript([
    { workflowTaskCompletedEventAttributes: {} },
    {
      upsertWorkflowSearchAttributesEventAttributes: { searchAttributes: { indexedFields: { A: payload } } },
    },
  ]);
  expect(steps.flatMap(({ commands }) => commands)).toEqual([
    { kind: 'searchAttributes', attributes: [{ name: 'A', type: scriptType, value }] },
  ]);
});

test('an activity of the script has the input, the result and the attempts of its history', () => {
  const { activities, signalsAfter } = deriveScript(eventsOf('furniture-delivered.json'));
  const byType = (type: string) => Object.values(activities).find((activity) => activity.type === type);
  expect(byType('createListing')).toMatchObject({
    taskQueue: 'marketplace/acme',
    input: [expect.objectContaining({ account: { name: 'acme', environment: 'sandbox' } })],
    result: { listingId: expect.stringMatching(/^\d+$/) },
    attempts: 1,
    startToCloseMs: 3_600_000,
    heartbeatMs: 30_000,
  });
  // Its signals wait for an activity that the script begins.
  expect(Object.keys(activities)).toContain(signalsAfter);
  // One that was cancelled before its first attempt has none.
  const started = eventsOf('furniture-delivered.json').filter(
    ({ activityTaskStartedEventAttributes: attempt }) => attempt != null,
  );
  expect(Object.values(activities).filter(({ attempts }) => attempts > 0)).toHaveLength(started.length);
});
