import type { AccountPin } from './account-pin';
import { keepNewest, LIST_LIMITS, type ListLimit } from './bounds';
import type { Notification, NotificationKind } from './notifications';
import type { IsoInstant } from './shipment';

/** An endpoint of the accounts file, as far as its queue needs it. */
export interface EndpointTerms {
  readonly endpoint: string;
  readonly events: readonly NotificationKind[];
  /** How long it may fail until `consign attention` lists it. */
  readonly reportAfterMs: number;
  /** How long it may fail until Consign stops sending. */
  readonly pauseAfterMs: number;
}

/** Why an endpoint's queue stands still. */
export interface DeliveryTrouble {
  /** When the first attempt was due. */
  readonly since: IsoInstant;
  /** How the endpoint answered; names neither its URL nor its words. */
  readonly reason: string;
  /** Consign sends nothing until a person runs `consign notifications retry`. */
  readonly isPaused: boolean;
}

/** The notifications that one endpoint waits for. */
export interface EndpointQueue extends Omit<EndpointTerms, 'events'> {
  /** Ids of notifications, the next first. */
  readonly waiting: readonly string[];
  /** Null while it answers, and while its first attempts last. */
  readonly trouble: DeliveryTrouble | null;
}

/** `dropped`: it was given up, because the endpoint failed for too long or is no longer in the accounts file. */
export type DeliveryOutcome = 'delivered' | 'dropped';

/** One line of the delivery log: how a notification to one endpoint ended. */
export interface DeliveryLine {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly endpoint: string;
  readonly outcome: DeliveryOutcome;
  readonly at: IsoInstant;
  /** Since the last pause or report of a failure. */
  readonly attempts: number;
  /** HTTP status of the last answer; null without one. */
  readonly status: number | null;
}

/** How far the notifications of one run have arrived. */
interface Heard {
  readonly runId: string;
  readonly number: number;
}

/** Notifications of one order and their delivery. Plain JSON: the query returns it, and continue-as-new carries it. */
export interface DeliveryState {
  readonly account: AccountPin;
  readonly orderId: string;
  readonly heard: readonly Heard[];
  /** Those that wait, and the newest of the others; in order. */
  readonly notifications: readonly Notification[];
  /** Ids of notifications that no queue has yet. */
  readonly unrouted: readonly string[];
  readonly queues: readonly EndpointQueue[];
  /** The newest last. */
  readonly log: readonly DeliveryLine[];
  /** How many were dropped, because too many waited. */
  readonly leftOut: number;
  readonly hasEnded: boolean;
}

/** The state before the first notification. */
export const noDeliveries = (account: AccountPin, orderId: string): DeliveryState => ({
  ...{ account, orderId, heard: [], notifications: [], unrouted: [], queues: [], log: [] },
  ...{ leftOut: 0, hasEnded: false },
});

const MOST_RUNS = 20;
const runOf = (id: string): string => id.slice(0, id.lastIndexOf('.'));

/** Takes notifications from the shipment, each once: a shipment that is interrupted sends a batch again. */
export function receiveNotifications(state: DeliveryState, batch: readonly Notification[]): DeliveryState {
  return batch.reduce((sum, notification) => {
    const { id, number } = notification;
    const runId = runOf(id);
    const before = sum.heard.find((run) => run.runId === runId)?.number ?? 0;
    if (number <= before) return sum;
    const others = sum.heard.filter((run) => run.runId !== runId);
    return bounded({
      ...sum,
      heard: [...others, { runId, number }].slice(-MOST_RUNS),
      notifications: [...sum.notifications, notification],
      unrouted: [...sum.unrouted, id],
      // A new run of an order that failed before its booking begins again.
      hasEnded: notification.news.kind === 'ended',
    });
  }, state);
}

/** Sends known notifications again, with their ids. `fromId`: only this one and those after it; null: all. */
export function replayNotifications(state: DeliveryState, fromId: string | null): DeliveryState {
  const ids = replayableIds(state, fromId);
  return { ...state, unrouted: [...new Set([...state.unrouted, ...ids])] };
}

/** The ids that a replay sends; none for an id that is unknown. */
export function replayableIds(
  { notifications }: Pick<DeliveryState, 'notifications'>,
  fromId: string | null,
): readonly string[] {
  const ids = notifications.map(({ id }) => id);
  if (fromId === null) return ids;
  const from = ids.indexOf(fromId);
  return from < 0 ? [] : ids.slice(from);
}

/** Puts the unrouted notifications into the queues of the endpoints that want them. */
export function routeNotifications(state: DeliveryState, endpoints: readonly EndpointTerms[]): DeliveryState {
  const kinds = new Map(state.notifications.map(({ id, news }) => [id, news.kind]));
  const wanted = (id: string, events: readonly NotificationKind[]): boolean => {
    const kind = kinds.get(id);
    return kind !== undefined && events.includes(kind);
  };
  const known = new Map(state.queues.map((queue) => [queue.endpoint, queue]));
  const routed = endpoints.map(({ events, ...terms }): EndpointQueue => {
    const { waiting = [], trouble = null } = known.get(terms.endpoint) ?? {};
    const added = state.unrouted.filter((id) => wanted(id, events) && !waiting.includes(id));
    return { ...terms, trouble, waiting: [...waiting, ...added] };
  });
  // An endpoint that left the accounts file keeps its queue, until it is dropped.
  const names = new Set(endpoints.map(({ endpoint }) => endpoint));
  const others = state.queues.filter(({ endpoint, waiting }) => !names.has(endpoint) && waiting.length > 0);
  return bounded({ ...state, queues: [...routed, ...others], unrouted: [] });
}

/** The endpoint's next notification; null while it has none, or is paused. */
export function nextNotification(
  { queues, notifications }: DeliveryState,
  endpoint: string,
): Notification | null {
  const queue = queues.find((one) => one.endpoint === endpoint);
  if (queue === undefined || queue.trouble?.isPaused === true) return null;
  const [next] = queue.waiting;
  return notifications.find(({ id }) => id === next) ?? null;
}

/** The first notification of a queue reached its end. */
export function endDelivery(state: DeliveryState, line: Omit<DeliveryLine, 'kind'>): DeliveryState {
  const { id, endpoint, outcome } = line;
  const kind = state.notifications.find((one) => one.id === id)?.news.kind;
  if (kind === undefined) return state;
  const ended = changeQueue(state, endpoint, (queue) => ({
    ...queue,
    waiting: queue.waiting.filter((one) => one !== id),
    // The endpoint answers again.
    trouble: outcome === 'delivered' ? null : queue.trouble,
  }));
  return bounded({
    ...ended,
    log: [...ended.log, { ...line, kind }].slice(-LIST_LIMITS.deliveries.count),
  });
}

/** Gives up everything that an endpoint waits for. */
export function dropQueue(state: DeliveryState, endpoint: string, at: IsoInstant): DeliveryState {
  const waiting = state.queues.find((queue) => queue.endpoint === endpoint)?.waiting ?? [];
  const dropped = waiting.reduce(
    (sum, id) => endDelivery(sum, { id, endpoint, outcome: 'dropped', at, attempts: 0, status: null }),
    state,
  );
  return { ...dropped, queues: dropped.queues.filter((queue) => queue.endpoint !== endpoint) };
}

/** Records that an endpoint keeps failing. */
export function troubleQueue(
  state: DeliveryState,
  endpoint: string,
  trouble: DeliveryTrouble | null,
): DeliveryState {
  return changeQueue(state, endpoint, (queue) => ({ ...queue, trouble }));
}

/** Gives up everything that waits. */
export const dropQueues = (state: DeliveryState, at: IsoInstant): DeliveryState =>
  state.queues.reduce((sum, { endpoint }) => dropQueue(sum, endpoint, at), state);

/** Tries again at once, and as patiently as at first. `endpoint`: null for all. */
export function resumeQueues(state: DeliveryState, endpoint: string | null): DeliveryState {
  const queues = state.queues.map((queue) =>
    endpoint === null || queue.endpoint === endpoint ? { ...queue, trouble: null } : queue,
  );
  return { ...state, queues };
}

/** Whether an endpoint still waits for something. */
export const isWaiting = ({ unrouted, queues }: DeliveryState): boolean =>
  unrouted.length > 0 || queues.some(({ waiting }) => waiting.length > 0);

/** An endpoint that has failed long enough for a person to know. */
export interface FailingEndpoint extends DeliveryTrouble {
  readonly endpoint: string;
}

/** The endpoints that keep failing, for the memo that `consign attention` reads. */
export const failingEndpoints = ({ queues }: DeliveryState): readonly FailingEndpoint[] =>
  queues.flatMap(({ endpoint, trouble }) => (trouble === null ? [] : [{ endpoint, ...trouble }]));

function changeQueue(
  state: DeliveryState,
  endpoint: string,
  change: (queue: EndpointQueue) => EndpointQueue,
): DeliveryState {
  const queues = state.queues.map((queue) => (queue.endpoint === endpoint ? change(queue) : queue));
  return { ...state, queues };
}

/** Measured in characters, which is much faster: nearly all of them are of one byte. */
const sizeOf = (notification: Notification): number => JSON.stringify(notification).length;

/** Keeps all that wait, as far as a payload has room, and the newest of the others. */
function bounded(state: DeliveryState): DeliveryState {
  // Each is small enough.
  if (state.notifications.length <= LIST_LIMITS.deliveredNotifications.count) return state;
  const waitingIds = new Set([...state.unrouted, ...state.queues.flatMap(({ waiting }) => waiting)]);
  const keep = (isWaiting: boolean, limit: ListLimit) =>
    keepNewest(
      state.notifications.filter(({ id }) => waitingIds.has(id) === isWaiting),
      limit,
      sizeOf,
    );
  const waiting = keep(true, LIST_LIMITS.waitingNotifications);
  const others = keep(false, LIST_LIMITS.deliveredNotifications);
  if (waiting.leftOut === 0 && others.leftOut === 0) return state;
  const kept = new Set([...waiting.kept, ...others.kept].map(({ id }) => id));
  const keptOf = (ids: readonly string[]): readonly string[] => ids.filter((id) => kept.has(id));
  return {
    ...state,
    notifications: state.notifications.filter(({ id }) => kept.has(id)),
    unrouted: keptOf(state.unrouted),
    queues: state.queues.map((queue) => ({ ...queue, waiting: keptOf(queue.waiting) })),
    leftOut: state.leftOut + waiting.leftOut,
  };
}
