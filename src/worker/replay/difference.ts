import type { History } from '@temporalio/common/lib/proto-utils';
import { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
const { EventType } = temporal.api.enums.v1;

/**
 * The first event that a build does not repeat, and what it does there. It contains only names of the code, because the
 * SDK's messages may contain whole events, with people's data.
 */
export interface Difference {
  readonly eventId: number;
  /** What the history has, such as `ActivityTaskScheduled getFixedPrice`. */
  readonly event: string;
  readonly build: string;
}

/** A history up to the end of each of its workflow tasks, with what the task did. */
export function taskEnds({ events }: History): readonly number[] {
  const all = events ?? [];
  const completed = all.flatMap(({ workflowTaskCompletedEventAttributes }, index) =>
    workflowTaskCompletedEventAttributes == null ? [] : [index],
  );
  // The commands of a task are between its end and the next task, among other events.
  return completed
    .map((_, task) => completed[task + 1] ?? all.length)
    .map((next, task) => {
      const scheduled = all.findIndex(
        ({ workflowTaskScheduledEventAttributes: own }, index) =>
          own != null && index > (completed[task] ?? 0) && index < next,
      );
      return scheduled === -1 ? next : scheduled;
    });
}

/** @param history up to the end of the first task that the build does not repeat @param message of the SDK */
export function describeDifference({ events }: History, message: string): Difference {
  const all = events ?? [];
  const from = all.findLastIndex((event) => event.workflowTaskCompletedEventAttributes != null);
  const done = all.slice(Math.max(0, from));
  const { is, build } = meaningOf(message);
  const event = done.find(is) ?? done.find(isCommand) ?? done[0];
  return {
    eventId: Number(event?.eventId ?? 0),
    event: event === undefined ? 'nothing' : nameOf(event),
    build,
  };
}

interface Meaning {
  readonly is: (event: HistoryEvent) => boolean;
  readonly build: string;
}

function meaningOf(message: string): Meaning {
  const type =
    /Activity type of scheduled event '(\w+)' does not match activity type of activity command '(\w+)'/.exec(
      message,
    );
  if (type !== null) return { is: isActivity(type[1]), build: `schedules activity ${type[2]}` };
  const id =
    /Activity id of scheduled event '(\w+)' does not match activity id of activity command '(\w+)'/.exec(
      message,
    );
  if (id !== null)
    return {
      is: ({ activityTaskScheduledEventAttributes: own }) => own?.activityId === id[1],
      build: 'schedules a different activity',
    };
  const patch = /patch marker encountered for change ([\w-]+),/.exec(message);
  if (patch !== null)
    return {
      is: ({ markerRecordedEventAttributes: own }) => own != null,
      build: `does not know the patch ${patch[1]}`,
    };
  const eventId = /HistoryEvent(?:\(id:| \{ event_id:) (\d+)/.exec(message)?.[1];
  const machine = /^.*Nondeterminism error: ([A-Z][A-Za-z ]*?) machine does not handle/.exec(message)?.[1];
  return {
    is: (event) => eventId !== undefined && String(event.eventId) === eventId,
    build: buildText(message, machine),
  };
}

function buildText(message: string, machine: string | undefined): string {
  if (machine !== undefined) return `has a different command (${machine.toLowerCase()})`;
  if (message.includes('No command scheduled for event')) return 'has no command';
  return message.includes('Nondeterminism error')
    ? 'does something different'
    : 'fails: its code throws an error';
}

const isActivity =
  (name: string | undefined) =>
  ({ activityTaskScheduledEventAttributes: own }: HistoryEvent): boolean =>
    own != null && own.activityType?.name === name;

/** Whether an event is a command of a workflow task: such an event names its task. */
function isCommand(event: HistoryEvent): boolean {
  return Object.values(event).some(
    (own: unknown) => typeof own === 'object' && own !== null && 'workflowTaskCompletedEventId' in own,
  );
}

function nameOf(event: HistoryEvent): string {
  const { eventType, activityTaskScheduledEventAttributes: activity } = event;
  const words = (EventType[eventType ?? 0] ?? '')
    .replace(/^EVENT_TYPE_/, '')
    .toLowerCase()
    .split('_');
  const type = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return [type, activity?.activityType?.name ?? ''].join(' ').trim();
}
