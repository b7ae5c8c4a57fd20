import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { SHIPMENTS_FILTER } from '../contract/search-attributes';
import { isAskedKind, type AskedKind } from '../domain/asked-kind';
import type { Phase } from '../domain/shipment-state';

/** A shipment is in the others for a moment only, at its end. */
type OpenPhase = Exclude<Phase, 'settled' | 'cancelled'>;

/** What Temporal's visibility shows of everything that is open. */
export interface ClusterState {
  readonly shipments: Readonly<Record<OpenPhase, number>>;
  readonly questions: ReadonlyMap<AskedKind, OpenQuestions>;
  /** Names of accounts. */
  readonly paused: ReadonlySet<string>;
}

/** The open questions of one kind. */
export interface OpenQuestions {
  readonly count: number;
  /** When the oldest was asked; epoch milliseconds. */
  readonly oldestAtMs: number;
}

/** A workflow that waits for a person, as a list shows it. */
type Asking = Pick<WorkflowExecutionInfo, 'memo' | 'startTime'>;

const OPEN = "ExecutionStatus = 'Running'";
const ASKING = "WorkflowType IN ('furnitureShipment', 'ltlShipment', 'lateEvent') AND NeedsAttention = true";
const PAUSES = "WorkflowType = 'accountPause'";
/** One page, the newest first. More questions are not read: by then their number says enough. */
const MOST_LISTED = 1_000;
const DEADLINE_MS = 10_000;
/** Temporal limits how often its visibility is asked, for people too. */
const GAP_MS = 100;

/** Counts and lists; it describes and queries no workflow, so its cost does not grow with the shipments. */
export async function readClusterState(client: Client): Promise<ClusterState> {
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    await delay(GAP_MS);
    return await client.withDeadline(Date.now() + DEADLINE_MS, question);
  };
  const inPhase = async (phase: OpenPhase): Promise<number> =>
    await ask(
      async () =>
        (await client.workflow.count(`${SHIPMENTS_FILTER} AND ${OPEN} AND ShipmentPhase = '${phase}'`)).count,
    );
  return {
    // One after the other: Temporal's `GROUP BY` takes no attribute but the status.
    shipments: {
      validating: await inPhase('validating'),
      quoting: await inPhase('quoting'),
      listing: await inPhase('listing'),
      awaitingBooking: await inPhase('awaitingBooking'),
      collectingRates: await inPhase('collectingRates'),
      accepting: await inPhase('accepting'),
      booked: await inPhase('booked'),
      inTransit: await inPhase('inTransit'),
      delivered: await inPhase('delivered'),
    },
    questions: questionsOf(await ask(async () => await list(client, `${ASKING} AND ${OPEN}`))),
    paused: accountsOf(await ask(async () => await list(client, `${PAUSES} AND ${OPEN}`))),
  };
}

async function list(client: Client, query: string): Promise<readonly WorkflowExecutionInfo[]> {
  const found: WorkflowExecutionInfo[] = [];
  for await (const one of client.workflow.list({ query, pageSize: MOST_LISTED })) {
    found.push(one);
    if (found.length === MOST_LISTED) break;
  }
  return found;
}

const accountsOf = (pauses: readonly WorkflowExecutionInfo[]): ReadonlySet<string> =>
  new Set(
    pauses
      .map(({ searchAttributes }) => searchAttributes.Account?.[0])
      .filter((name) => typeof name === 'string'),
  );

/** The workflows name what they ask, and since when, in their memo. */
export function questionsOf(asking: readonly Asking[]): ReadonlyMap<AskedKind, OpenQuestions> {
  const questions = new Map<AskedKind, OpenQuestions>();
  for (const one of asking) {
    const { kind, sinceMs } = questionOf(one);
    const { count, oldestAtMs } = questions.get(kind) ?? { count: 0, oldestAtMs: sinceMs };
    questions.set(kind, { count: count + 1, oldestAtMs: Math.min(oldestAtMs, sinceMs) });
  }
  return questions;
}

function questionOf({ memo, startTime }: Asking): { readonly kind: AskedKind; readonly sinceMs: number } {
  const { asks, unreadableSince } = memo ?? {};
  if (typeof asks === 'object' && asks !== null && 'kind' in asks && 'since' in asks) {
    const { kind, since } = asks;
    return { kind: isAskedKind(kind) ? kind : 'other', sinceMs: msOf(since, startTime) };
  }
  if (typeof unreadableSince === 'string')
    return { kind: 'unreadable', sinceMs: msOf(unreadableSince, startTime) };
  return { kind: 'other', sinceMs: startTime.getTime() };
}

function msOf(instant: unknown, startTime: Date): number {
  const ms = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(ms) ? startTime.getTime() : ms;
}
