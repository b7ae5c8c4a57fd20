import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  defineSignal,
  scheduleActivity,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { bareQueue, type Script, type ScriptAttribute, type ScriptCommand } from './script';

/**
 * A workflow that executes a script and nothing else. What a shipment costs beyond this is the cost of Consign itself: its
 * decisions, its state and its API client.
 */
export function createBareShipment(script: Script) {
  return async function bareShipment(..._input: readonly unknown[]): Promise<unknown> {
    const ended = new Set<string>();
    const scopes = new Map<string, CancellationScope>();
    let signals = 0;
    for (const name of new Set(script.signals.flat().map((signal) => signal.name)))
      setHandler(defineSignal(name), () => void (signals += 1));

    const runScoped = (id: string, work: () => Promise<unknown>): void => {
      const scope = new CancellationScope();
      scopes.set(id, scope);
      const end = (): void => void ended.add(id);
      void scope.run(work).then(end, end);
    };
    const perform = (command: ScriptCommand): void => {
      switch (command.kind) {
        case 'activity':
          return runScoped(command.id, async () => await schedule(script, command.id));
        case 'timer':
          return runScoped(command.id, async () => await sleep(command.ms));
        case 'cancel':
          return scopes.get(command.id)?.cancel();
        case 'memo':
          return upsertMemo(command.memo);
        case 'searchAttributes':
          return upsertSearchAttributes(command.attributes.map(toPair));
        default:
          return undefined;
      }
    };

    for (const step of script.steps) {
      await condition(() => signals >= step.signals && step.ended.every((id) => ended.has(id)));
      for (const command of step.commands) {
        if (command.kind === 'complete') return command.result;
        perform(command);
      }
    }
    // The script of an open shipment has no end.
    return await condition(() => false);
  };
}

async function schedule({ activities }: Script, id: string): Promise<unknown> {
  const activity = activities[id];
  if (activity === undefined) throw new TypeError(`the script has no activity ${id}`);
  const { type, input, taskQueue, startToCloseMs, heartbeatMs } = activity;
  return await scheduleActivity(type, [...input], {
    activityId: id,
    taskQueue: bareQueue(taskQueue),
    startToCloseTimeout: startToCloseMs,
    ...(heartbeatMs === 0 ? {} : { heartbeatTimeout: heartbeatMs }),
  });
}

function toPair({ name, type, value }: ScriptAttribute) {
  switch (type) {
    case 'BOOL':
      return { key: defineSearchAttributeKey(name, type), value: value === null ? null : value === true };
    case 'KEYWORD_LIST':
      return {
        key: defineSearchAttributeKey(name, type),
        value: Array.isArray(value) ? value.map(String) : null,
      };
    case 'DATETIME':
      return {
        key: defineSearchAttributeKey(name, type),
        value: value === null ? null : new Date(String(value)),
      };
    default:
      return { key: defineSearchAttributeKey(name, type), value: value === null ? null : String(value) };
  }
}
