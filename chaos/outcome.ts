import { knownListingIds, secondListings, type SecondListing } from '../src/domain/candidates';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { refusalIn } from '../src/domain/call-failure';
import { orderReference, shipmentWorkflowId } from '../src/domain/workflow-id';
import type { ShipmentResult } from '../src/domain/shipment-result';
import { followedListings, type ShipmentState } from '../src/domain/shipment-state';
import type { DeliveryCounts, Ledger, StandingTrouble } from '../sandbox';
import { ShipmentFailedError, ShipmentNotFoundError } from '../src/starter/client/errors';
import type { ShipmentView } from '../src/starter/client/get-shipment';
import type { ShipmentClient } from '../src/starter/client/shipment-client';
import type { StartableOrder } from '../src/starter/client/start-order';
import { isAway, type ScriptedPerson } from './answering';
import { countMishaps, countTroubles, type MishapCount } from './coverage';
import { ledgerOfOrder, strangersOf } from './ledger-of-order';
import type { OrderCase, RunCase } from './order-case';
import type { KillCounts } from './kills';
import { CHAOS_ACCOUNT } from './orders';
import type { Plan } from './plan';
import { refusalsOf } from './refusals';
import type { SandboxControl } from './sandbox-control';
import { ASKERS } from './tally';

/** All that is known at the end of a run. */
export interface ChaosOutcome extends RunCase {
  /** How each order ended, with its history and its ledger entry, for a person who examines a finding. */
  readonly stories: ReadonlyMap<string, { readonly view: ShipmentView | null; readonly ledger: unknown }>;
  /** Changes that only reads found, because no event reported them. */
  readonly repairs: number;
  /** How many questions of each kind. */
  readonly questions: ReadonlyMap<string, number>;
  readonly answered: number;
  readonly kills: KillCounts;
  /** How often each endpoint was called, and how many of these requests met trouble. */
  readonly requests: Readonly<Record<string, number>>;
  readonly troubleHits: Readonly<Record<string, number>>;
  /** How often troubles struck, by their effect. */
  readonly troubles: Readonly<Record<string, number>>;
  /** Tracking links of delivered orders, and how many of them open. */
  readonly trackingLinks: { readonly given: number; readonly opened: number };
  /** The results of the webhook deliveries. */
  readonly deliveries: DeliveryCounts;
  /** Every mishap, and how many orders met it. */
  readonly mishaps: readonly MishapCount[];
  /** How often each outage occurred. */
  readonly outages: ReadonlyMap<string, number>;
}

interface Sources {
  readonly shipments: ShipmentClient;
  readonly sandbox: SandboxControl;
  readonly person: ScriptedPerson;
  readonly kills: KillCounts;
  readonly accepted: ReadonlySet<string>;
  /** Ids of the workflows whose tasks failed. */
  readonly taskFailures: ReadonlySet<string>;
  readonly plan: Pick<Plan, 'mishaps'>;
  readonly isDone: (orderId: string, mishap: string) => boolean;
  readonly outages: ReadonlyMap<string, number>;
}

/** How many shipments are read at once: each read replays a workflow. */
const AT_ONCE = 8;
const TRIES = 10;

/** Reads the end of every order and the ledger, for the judge. */
export async function readOutcome(
  orders: readonly StartableOrder[],
  sources: Sources,
): Promise<ChaosOutcome> {
  const { shipments, sandbox, person, kills } = sources;
  const [ledger, { reported, counts }, troubles] = await Promise.all([
    sandbox.ledger(),
    sandbox.deliveries(),
    sandbox.troubles(),
  ]);
  const cases: OrderCase[] = [];
  const stories = new Map<string, { view: ShipmentView | null; ledger: unknown }>();
  const trackingLinks = { given: 0, opened: 0 };
  let repairs = 0;
  const orderIds = orders.map(({ shipment }) => shipment.orderId);
  const queue = [...orderIds];
  const read = async (): Promise<void> => {
    for (let orderId = queue.shift(); orderId !== undefined; orderId = queue.shift()) {
      const end = await endOf(shipments, orderId);
      const { view } = end;
      repairs += view?.state?.repairs ?? 0;
      const link = view?.status === 'COMPLETED' ? (view.state?.trackingLink?.url ?? null) : null;
      if (link !== null) trackingLinks.given += 1;
      if (link !== null && (await sandbox.opens(link))) trackingLinks.opened += 1;
      cases.push(caseOf(orderId, { ...end, ledger, reported, troubles, sources }));
      stories.set(orderId, { view, ledger: ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  const { tally } = person;
  const answered = ASKERS.reduce((sum, asker) => sum + tally.of(asker).answered, 0);
  const mishaps = countMishaps(sources.plan.mishaps, {
    ...{ ledger, troubles, isDone: sources.isDone },
  });
  const workflowIds = new Set(orderIds.map((orderId) => shipmentWorkflowId(CHAOS_ACCOUNT, orderId)));
  // Read after the last request of the run.
  const { requests, troubleHits } = await sandbox.ledger();
  return {
    strangers: strangersOf(ledger, new Set(orderIds.map((id) => orderReference(CHAOS_ACCOUNT, id)))),
    failingWorkflows: [...sources.taskFailures].filter((id) => !workflowIds.has(id)),
    ...{ cases, stories, repairs, questions: tally.byKind(), answered, kills },
    ...{ trackingLinks, deliveries: counts, requests, troubleHits },
    ...{ mishaps, outages: sources.outages, troubles: countTroubles(troubles) },
  };
}

interface End {
  /** Null when the order has no workflow. */
  readonly view: ShipmentView | null;
  /** Null when it is not completed. */
  readonly result: ShipmentResult | null;
  /** Null unless it failed or was cancelled. */
  readonly failure: Failure | null;
}

type Failure = NonNullable<NonNullable<OrderCase['end']>['failure']>;
type Closing = Pick<End, 'result' | 'failure'>;

const OPEN: Closing = { result: null, failure: null };
/** Only these have a result or a failure: any other run is open, or was ended by somebody else. */
const CLOSED_BY_ITSELF = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

async function endOf(shipments: ShipmentClient, orderId: string): Promise<End> {
  for (let tries = 1; ; tries += 1) {
    try {
      const view = await shipments.get(CHAOS_ACCOUNT, orderId);
      const closing = CLOSED_BY_ITSELF.has(view.status) ? await closingOf(shipments, orderId) : OPEN;
      // The state is missing when no worker answered in time.
      if (view.state !== null || tries === TRIES) return { view, ...closing };
    } catch (error) {
      if (error instanceof ShipmentNotFoundError) return { view: null, ...OPEN };
      if (!isAway(error) || tries === TRIES) throw error;
    }
    await delay(500);
  }
}

/** How it closed, with the type of the failure: a view has only the reason. */
async function closingOf(shipments: ShipmentClient, orderId: string): Promise<Closing> {
  try {
    return { result: await shipments.result(CHAOS_ACCOUNT, orderId), failure: null };
  } catch (error) {
    if (!(error instanceof ShipmentFailedError)) throw error;
    const cause = causeOf(causeOf(error));
    const reason = cause instanceof Error ? cause.message : error.message;
    if (!(cause instanceof ApplicationFailure))
      return { result: null, failure: { type: null, reason, refusal: null } };
    const { type = null, details } = cause;
    return { result: null, failure: { type, reason, refusal: refusalIn(details) } };
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

interface EndWithLedger extends End {
  readonly ledger: Ledger;
  readonly reported: ReadonlySet<number>;
  readonly troubles: readonly StandingTrouble[];
  readonly sources: Sources;
}

function caseOf(orderId: string, end: EndWithLedger): OrderCase {
  const { view, result, failure, ledger, reported, troubles, sources } = end;
  const { person } = sources;
  const question = view?.state?.question ?? null;
  const circle = question === null ? null : person.circleOf(orderId, question.kind);
  const reference = orderReference(CHAOS_ACCOUNT, orderId);
  const reportedLate = person.reportedLate(orderId);
  return {
    orderId,
    judgedAt: new Date().toISOString(),
    isAccepted: sources.accepted.has(orderId),
    end:
      view === null
        ? null
        : {
            status: result?.kind === 'withdrawn' ? 'WITHDRAWN' : view.status,
            phase: view.state?.at.phase ?? null,
            question,
            circle,
            followed: followedBy(view.state, result),
            deliveredToo: [...deliveredToo(view.state), ...reportedLate],
            failure,
          },
    ledger: ledgerOfOrder(ledger.orders[reference], {
      ...{ reported, since: knownSince(view?.state ?? null) },
      named: new Set(namedBy(view?.state ?? null, result)),
    }),
    refusals: refusalsOf(reference, troubles),
    endings: person.endingsOf(orderId),
    wasAskedAboutSecond: reportedLate.size > 0 || person.tally.wasAsked(orderId, 'possibleDoubleBooking'),
    hadTaskFailures: sources.taskFailures.has(shipmentWorkflowId(CHAOS_ACCOUNT, orderId)),
  };
}

/** The listings that the state and the result name, each once. */
function followedBy(state: ShipmentState | null, result: ShipmentResult | null): readonly string[] {
  const ofState = state === null ? [] : followedListings(state);
  return [...new Set([...ofState, ...(result?.kind === 'delivered' ? [result.listingId] : [])])];
}

/** Every listing of which the order knows. */
const namedBy = (state: ShipmentState | null, result: ShipmentResult | null): readonly string[] => [
  ...(state === null ? [] : knownListingIds(state)),
  ...followedBy(state, result),
];

const secondsOf = (state: ShipmentState | null): readonly SecondListing[] =>
  state === null ? [] : secondListings(state);

/** Listings that only the state still names: no answer undoes them, and no question is open about them. */
const deliveredToo = (state: ShipmentState | null): readonly string[] =>
  secondsOf(state).flatMap(({ listingId, isDelivered }) => (isDelivered ? [listingId] : []));

/** When it learned about each other listing with the order's reference. */
const knownSince = (state: ShipmentState | null): ReadonlyMap<number, string> =>
  new Map(secondsOf(state).map(({ listingId, since }) => [Number(listingId), since]));
