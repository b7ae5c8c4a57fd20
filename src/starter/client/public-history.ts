import * as messages from '../../contract/messages';
import { isAskedKind } from '../../domain/asked-kind';
import type { IsoInstant } from '../../domain/shipment';
import type { KeptPayloads } from './kept-payloads';
import { activityCalls, type ActivityCall, type Description, type HistoryEvent } from './order-record';
import { publicFailure, type PublicFailure } from './public-failure';
import { instantOfProto, phaseOf, wordOf } from './public-words';

/** One event of a history, as it may be published. */
export interface PublicEvent {
  readonly at: IsoInstant | null;
  /** Names from closed lists and from Consign's code only. */
  readonly what: string;
  readonly failure: PublicFailure | null;
}

const MESSAGES: ReadonlySet<string> = new Set(
  Object.values<unknown>(messages).flatMap((message) =>
    typeof message === 'object' && message !== null && 'name' in message ? [String(message.name)] : [],
  ),
);
/** Anyone who can reach Temporal can send a message of any name. */
const messageName = (name: string | null | undefined): string =>
  name != null && MESSAGES.has(name) ? name : 'of another name';

/** A function of Consign's, by which its code calls it. */
const codeName = (name: string | null | undefined): string =>
  name != null && /^[a-z][A-Za-z]{1,60}$/.test(name) ? name : 'another activity';

/** The events of one run that explain what happened. */
export async function publicHistory(
  events: readonly HistoryEvent[],
  payloads: KeptPayloads,
): Promise<PublicEvent[]> {
  const calls = activityCalls(events);
  const found: PublicEvent[] = [];
  for (const event of events) {
    const line = ofTemporal(event) ?? ofActivity(event, calls) ?? ofMessage(event);
    const at = instantOfProto(event.eventTime);
    if (line !== null) found.push({ at, what: line[0], failure: await publicFailure(line[1], payloads) });
    for (const change of await ofState(event, payloads)) found.push({ at, what: change, failure: null });
  }
  return found;
}

type Line = readonly [what: string, failure?: Parameters<typeof publicFailure>[0]];

function ofTemporal(event: HistoryEvent): Line | null {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started != null)
    return [started.continuedExecutionRunId ? 'the run continues an earlier run' : 'the run starts'];
  const failedTask = event.workflowTaskFailedEventAttributes;
  if (failedTask != null)
    return [
      `workflow task failed: ${wordOf('WorkflowTaskFailedCause', failedTask.cause)}`,
      failedTask.failure,
    ];
  if (event.workflowTaskTimedOutEventAttributes != null) return ['workflow task timed out'];
  if (event.workflowExecutionCancelRequestedEventAttributes != null) return ['Temporal asks to cancel'];
  if (event.workflowExecutionCompletedEventAttributes != null) return ['the workflow completed'];
  const failed = event.workflowExecutionFailedEventAttributes;
  if (failed != null) return ['the workflow failed', failed.failure];
  if (event.workflowExecutionCanceledEventAttributes != null) return ['the workflow was cancelled'];
  if (event.workflowExecutionTerminatedEventAttributes != null) return ['the workflow was terminated'];
  if (event.workflowExecutionTimedOutEventAttributes != null) return ['the workflow timed out'];
  return event.workflowExecutionContinuedAsNewEventAttributes == null ? null : ['continues as a new run'];
}

function ofActivity(event: HistoryEvent, calls: ReadonlyMap<string, ActivityCall>): Line | null {
  const nameOf = ({ scheduledEventId }: { readonly scheduledEventId?: unknown }): string =>
    codeName(calls.get(String(scheduledEventId))?.name);
  const started = event.activityTaskStartedEventAttributes;
  if (started?.lastFailure != null)
    return [`${nameOf(started)} needed ${started.attempt} attempts`, started.lastFailure];
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed != null) return [`${nameOf(completed)} completed`];
  const failed = event.activityTaskFailedEventAttributes;
  if (failed != null) return [`${nameOf(failed)} failed`, failed.failure];
  const timedOut = event.activityTaskTimedOutEventAttributes;
  if (timedOut != null) return [`${nameOf(timedOut)} timed out`, timedOut.failure];
  const cancelled = event.activityTaskCanceledEventAttributes;
  return cancelled == null ? null : [`${nameOf(cancelled)} was cancelled`];
}

function ofMessage(event: HistoryEvent): Line | null {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal != null) return [`signal ${messageName(signal.signalName)}`];
  const accepted = event.workflowExecutionUpdateAcceptedEventAttributes;
  if (accepted != null) return [`update ${messageName(accepted.acceptedRequest?.input?.name)}`];
  const failure = event.workflowExecutionUpdateCompletedEventAttributes?.outcome?.failure;
  return failure == null ? null : ['an update failed', failure];
}

/** Changes of the phase and of the question that is asked. */
async function ofState(event: HistoryEvent, payloads: KeptPayloads): Promise<string[]> {
  const { upsertWorkflowSearchAttributesEventAttributes: attributes } = event;
  const changed = await payloads.readAttributes(attributes?.searchAttributes?.indexedFields);
  const phase = phaseOf(changed.ShipmentPhase);
  const asks = event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields?.asks;
  const asked = asks === undefined ? undefined : await payloads.read(asks);
  return [...(phase === null ? [] : [`phase ${phase}`]), ...(asked === undefined ? [] : [askedText(asked)])];
}

function askedText(asked: unknown): string {
  if (asked === null) return 'no question is open';
  const kind = askedKindOf(asked);
  return kind === null ? 'a question is open' : `asks ${kind}`;
}

/** The kind of a question in the memo `asks`. */
export const askedKindOf = (asked: unknown): string | null =>
  typeof asked === 'object' && asked !== null && 'kind' in asked && isAskedKind(asked.kind)
    ? asked.kind
    : null;

/** An activity that Temporal tries, or waits to try again. */
export interface PublicActivity {
  readonly name: string;
  readonly state: string;
  readonly attempt: number;
  readonly scheduledAt: IsoInstant | null;
  readonly nextAttemptAt: IsoInstant | null;
  readonly endsAt: IsoInstant | null;
  readonly lastFailure: PublicFailure | null;
}

export async function pendingActivities(
  { pendingActivities: pending }: Description,
  payloads: KeptPayloads,
): Promise<PublicActivity[]> {
  return await Promise.all(
    (pending ?? []).map(async (activity) => ({
      name: codeName(activity.activityType?.name),
      state: wordOf('PendingActivityState', activity.state),
      attempt: activity.attempt ?? 1,
      scheduledAt: instantOfProto(activity.scheduledTime),
      nextAttemptAt: instantOfProto(activity.nextAttemptScheduleTime),
      endsAt: instantOfProto(activity.expirationTime),
      lastFailure: await publicFailure(activity.lastFailure, payloads),
    })),
  );
}
