import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { z } from 'zod';
import {
  timerKey,
  type Script,
  type ScriptActivity,
  type ScriptAttribute,
  type ScriptCommand,
  type ScriptSignal,
  type ScriptStep,
} from './script';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;
type Duration = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;

/**
 * Derives the script of a bare workflow from the history of a shipment: the same activities, timers, signals, memo and
 * search attribute updates, with the same payloads, in the same workflow tasks.
 */
export function deriveScript(events: readonly HistoryEvent[]): Script {
  const reading = new Reading();
  for (const event of events) reading.take(event);
  return reading.script();
}

class Reading {
  private input: readonly unknown[] = [];
  private readonly signals: ScriptSignal[][] = [];
  private isNewGroup = true;
  private readonly steps: { signals: number; ended: string[]; commands: ScriptCommand[] }[] = [];
  private readonly activities: Record<string, ScriptActivity> = {};
  /** By the id of the event that scheduled the activity or started the timer. */
  private readonly keys = new Map<string, string>();
  private ended: string[] = [];
  private lastEnded: string | null = null;
  private signalsAfter: string | null | undefined;

  script(): Script {
    const { input, signals, signalsAfter = null, activities } = this;
    const steps: readonly ScriptStep[] = this.steps.filter(({ commands }) => commands.length > 0);
    return { input, signals, signalsAfter, steps, activities };
  }

  take(event: HistoryEvent): void {
    this.takeCause(event);
    const command = this.commandOf(event);
    if (command !== null) this.steps.at(-1)?.commands.push(command);
  }

  /** Takes what wakes the workflow, or ends what it waits for. */
  private takeCause(event: HistoryEvent): void {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started != null) this.input = valuesOf(started.input?.payloads);
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal != null) {
      this.signalsAfter ??= this.lastEnded;
      if (this.isNewGroup) this.signals.push([]);
      this.isNewGroup = false;
      this.signals.at(-1)?.push({ name: signal.signalName ?? '', args: valuesOf(signal.input?.payloads) });
    }
    const begun = event.activityTaskStartedEventAttributes;
    if (begun != null) this.change(this.keyOf(begun.scheduledEventId), { attempts: begun.attempt ?? 1 });
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed != null) {
      const [result] = valuesOf(completed.result?.payloads);
      this.lastEnded = this.keyOf(completed.scheduledEventId);
      this.isNewGroup = true;
      this.change(this.keyOf(completed.scheduledEventId), { result });
    }
    const end =
      completed ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    if (end != null) this.ended.push(this.keyOf(end.scheduledEventId));
    const fired = event.timerFiredEventAttributes;
    if (fired != null) this.ended.push(this.keyOf(fired.startedEventId));
    if (event.workflowTaskCompletedEventAttributes != null) this.beginStep();
  }

  /** A step without commands is left out: the next step waits for what it waited for. */
  private beginStep(): void {
    const last = this.steps.at(-1);
    const pending = last !== undefined && last.commands.length === 0 ? last.ended : [];
    this.steps.push({
      signals: this.signals.flat().length,
      ended: [...pending, ...this.ended],
      commands: [],
    });
    this.ended = [];
  }

  private commandOf(event: HistoryEvent): ScriptCommand | null {
    const activity = event.activityTaskScheduledEventAttributes;
    if (activity != null) {
      const id = activity.activityId ?? '';
      this.keys.set(String(event.eventId), id);
      this.activities[id] = {
        ...{ type: activity.activityType?.name ?? '', taskQueue: activity.taskQueue?.name ?? '' },
        ...{ input: valuesOf(activity.input?.payloads), result: null, attempts: 0 },
        startToCloseMs: msOf(activity.startToCloseTimeout),
        heartbeatMs: msOf(activity.heartbeatTimeout),
      };
      return { kind: 'activity', id };
    }
    const timer = event.timerStartedEventAttributes;
    if (timer != null) {
      const id = timerKey(timer.timerId ?? '');
      this.keys.set(String(event.eventId), id);
      return { kind: 'timer', id, ms: msOf(timer.startToFireTimeout) };
    }
    return this.cancelOf(event) ?? presentationOf(event) ?? endOf(event);
  }

  private cancelOf(event: HistoryEvent): ScriptCommand | null {
    const activity = event.activityTaskCancelRequestedEventAttributes;
    if (activity != null) return { kind: 'cancel', id: this.keyOf(activity.scheduledEventId) };
    const timer = event.timerCanceledEventAttributes;
    return timer == null ? null : { kind: 'cancel', id: this.keyOf(timer.startedEventId) };
  }

  private keyOf(eventId: unknown): string {
    const key = this.keys.get(String(eventId));
    if (key === undefined) throw new Error(`no event ${String(eventId)} scheduled anything`);
    return key;
  }

  private change(key: string, changes: Partial<ScriptActivity>): void {
    const activity = this.activities[key];
    if (activity !== undefined) this.activities[key] = { ...activity, ...changes };
  }
}

function presentationOf(event: HistoryEvent): ScriptCommand | null {
  const memo = event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields;
  if (memo != null) {
    const fields = Object.entries(memo).map(([name, payload]) => [name, valueOf(payload)]);
    return { kind: 'memo', memo: Object.fromEntries(fields) };
  }
  const indexed = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
  if (indexed == null) return null;
  return { kind: 'searchAttributes', attributes: Object.entries(indexed).map(toAttribute) };
}

function endOf({ workflowExecutionCompletedEventAttributes: completed }: HistoryEvent): ScriptCommand | null {
  return completed == null ? null : { kind: 'complete', result: valuesOf(completed.result?.payloads)[0] };
}

const typeNames = z.enum(['Keyword', 'KeywordList', 'Bool', 'Datetime']);
const TYPES = {
  Keyword: 'KEYWORD',
  KeywordList: 'KEYWORD_LIST',
  Bool: 'BOOL',
  Datetime: 'DATETIME',
} as const;
const attributeValue = z.union([z.string(), z.boolean(), z.array(z.string()), z.null()]);

function toAttribute([name, payload]: readonly [string, Payload]): ScriptAttribute {
  const type = typeNames.parse(Buffer.from(payload.metadata?.['type'] ?? '').toString());
  const value: unknown = JSON.parse(Buffer.from(payload.data ?? '').toString() || 'null');
  const isOneOfList = Array.isArray(value) && type !== 'KeywordList';
  return {
    ...{ name, type: TYPES[type] },
    value: attributeValue.parse(isOneOfList ? (value[0] ?? null) : value),
  };
}

const valueOf = (payload: Payload): unknown => defaultPayloadConverter.fromPayload(payload);
const valuesOf = (payloads: readonly Payload[] | null | undefined): unknown[] =>
  (payloads ?? []).map(valueOf);
const msOf = (duration: Duration): number =>
  Number(duration?.seconds ?? 0) * 1_000 + Math.round((duration?.nanos ?? 0) / 1e6);
