import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { refusalIn } from '../src/domain/call-failure';
import { knownListingIds, secondListings } from '../src/domain/candidates';
import { shipmentWorkflowId } from '../src/domain/workflow-id';
import type { ShipmentResult } from '../src/domain/shipment-result';
import { followedListings, type ShipmentState } from '../src/domain/shipment-state';
import { mapAtOnce } from '../src/platform/at-once';
import type { Ledger, Sandbox, StandingTrouble } from '../sandbox';
import { ShipmentFailedError, ShipmentNotFoundError } from '../src/starter/client/errors';
import type { ShipmentClient } from '../src/starter/client/shipment-client';
import type { StartableOrder } from '../src/starter/client/start-order';
import { isAway, type ScriptedPerson } from './answering';
import { sum, type Counts } from './counts';
import { countMishaps, countTroubles } from './coverage';
import { ledgerOfOrder, strangersOf } from './ledger-of-order';
import type { OrderCase } from './order-case';
import type { KillCounts } from './kills';
import { CHAOS_ACCOUNT, referenceOf } from './orders';
import type { Plan } from './plan';
import { refusalsOf } from './refusals';
import { ASKERS } from './tally';
import { opens } from './tracking-link';

/** All that is known at the end of a run. */
export type ChaosOutcome = Awaited<ReturnType<typeof readOutcome>>;

interface Sources {
  readonly shipments: ShipmentClient;
  readonly sandbox: Pick<Sandbox, 'ledger' | 'deliveries' | 'troubles'>;
  readonly person: ScriptedPerson;
  readonly kills: KillCounts;
  readonly accepted: ReadonlySet<string>;
  /** Ids of the workflows whose tasks failed. */
  readonly taskFailures: ReadonlySet<string>;
  readonly mishaps: Plan['mishaps'];
  /** The names of the scripted actions that were done. */
  readonly done: ReadonlySet<string>;
  readonly outages: Counts;
}

/** How many shipments are read at once: each read replays a workflow. */
const AT_ONCE = 8;
const TRIES = 10;

/** Reads the end of every order and the ledger, for the judge. */
export async function readOutcome(orders: readonly StartableOrder[], sources: Sources) {
  const { sandbox, person, kills, outages, taskFailures } = sources;
  const { counts: deliveries, toldListings } = sandbox.deliveries();
  const [ledger, troubles] = [sandbox.ledger(), sandbox.troubles()];
  const market = { ledger, troubles, reported: new Set(toldListings) };
  const orderIds = orders.map(({ shipment }) => shipment.orderId);
  const ends = await mapAtOnce(orderIds, AT_ONCE, async (id) => await endOf(sources.shipments, id));
  const views = ends.flatMap(({ view }) => view ?? []);
  const links = views.flatMap(({ status, state }) =>
    status === 'COMPLETED' ? (state?.trackingLink?.url ?? []) : [],
  );
  const opened = await mapAtOnce(links, AT_ONCE, opens);
  const workflowIds = new Set(orderIds.map((orderId) => shipmentWorkflowId(CHAOS_ACCOUNT, orderId)));
  // Read after the last request of the run.
  const { requests, troubleHits } = sandbox.ledger();
  return {
    cases: ends.map((end) => caseOf(end, market, sources)),
    strangers: strangersOf(ledger, new Set(orderIds.map(referenceOf))),
    failingWorkflows: [...taskFailures].filter((id) => !workflowIds.has(id)),
    /** How each order ended, with its history and its ledger entry, for a person who examines a finding. */
    stories: new Map<string, object>(
      ends.map(({ orderId, view }) => [orderId, { view, ledger: ledger.orders[referenceOf(orderId)] }]),
    ),
    /** Changes that only reads found, because no event reported them. */
    repairs: sum(views.map(({ state }) => state?.repairs ?? 0)),
    questions: person.tally.byKind(),
    answered: sum(ASKERS.map((asker) => person.tally.of(asker).answered)),
    trackingLinks: { given: links.length, opened: opened.filter(Boolean).length },
    ...{ deliveries, requests, troubleHits, troubles: countTroubles(troubles), kills, outages },
    mishaps: countMishaps(sources.mishaps, { ledger, troubles, done: sources.done }),
  };
}

/** A run that is open, or was ended by somebody else, has neither. */
const OPEN = { result: null, failure: null };
const CLOSED_BY_ITSELF = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

type End = Awaited<ReturnType<typeof endOf>>;
/** @returns no view when the order has no workflow */
async function endOf(shipments: ShipmentClient, orderId: string) {
  for (let tries = 1; ; tries += 1) {
    const read = { orderId, judgedAt: new Date().toISOString() };
    try {
      const view = await shipments.get(CHAOS_ACCOUNT, orderId);
      const closing = CLOSED_BY_ITSELF.has(view.status) ? await closingOf(shipments, orderId) : OPEN;
      // The state is missing when no worker answered in time.
      if (view.state !== null || tries === TRIES) return { ...read, view, ...closing };
    } catch (error) {
      if (error instanceof ShipmentNotFoundError) return { ...read, view: null, ...OPEN };
      if (!isAway(error) || tries === TRIES) throw error;
    }
    await delay(500);
  }
}

/** How it closed, with the type of the failure: a view has only the reason. */
async function closingOf(shipments: ShipmentClient, orderId: string) {
  try {
    return { result: await shipments.result(CHAOS_ACCOUNT, orderId), failure: null };
  } catch (error) {
    if (!(error instanceof ShipmentFailedError)) throw error;
    const cause = causeOf(causeOf(error));
    const reason = cause instanceof Error ? cause.message : error.message;
    const refusal = cause instanceof ApplicationFailure ? refusalIn(cause.details) : null;
    return { result: null, failure: { type: error.failureType, reason, refusal } };
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

interface Market {
  readonly ledger: Ledger;
  readonly troubles: readonly StandingTrouble[];
  readonly reported: ReadonlySet<number>;
}

function caseOf(end: End, { ledger, troubles, reported }: Market, sources: Sources): OrderCase {
  const { orderId, judgedAt, view, result, failure } = end;
  const { person } = sources;
  const state = view?.state ?? null;
  const question = state?.question ?? null;
  const { followed, deliveredToo, ...known } = knowledgeOf(state, result);
  const reportedLate = person.reportedLate(orderId);
  return {
    ...{ orderId, judgedAt, isAccepted: sources.accepted.has(orderId) },
    end: view && {
      status: result?.kind === 'withdrawn' ? 'WITHDRAWN' : view.status,
      phase: state?.at.phase ?? null,
      ...{ question, followed, failure, deliveredToo: [...deliveredToo, ...reportedLate] },
      circle: question === null ? null : person.circleOf(orderId, question.kind),
    },
    ledger: ledgerOfOrder(ledger.orders[referenceOf(orderId)], { reported, ...known }),
    refusals: refusalsOf(referenceOf(orderId), troubles),
    endings: person.endingsOf(orderId),
    wasAskedAboutSecond: person.wasAskedAboutSecond(orderId),
    hadTaskFailures: sources.taskFailures.has(shipmentWorkflowId(CHAOS_ACCOUNT, orderId)),
  };
}

/** What the order knows about listings, by its state and its result. */
function knowledgeOf(state: ShipmentState | null, result: ShipmentResult | null) {
  const followed = new Set(state === null ? [] : followedListings(state));
  if (result?.kind === 'delivered') followed.add(result.listingId);
  const seconds = state === null ? [] : secondListings(state);
  return {
    followed: [...followed],
    named: new Set([...(state === null ? [] : knownListingIds(state)), ...followed]),
    since: new Map(seconds.map(({ listingId, since }) => [Number(listingId), since])),
    // Listings that only the state still names: no answer undoes them, and no question is open about them.
    deliveredToo: seconds.flatMap(({ listingId, isDelivered }) => (isDelivered ? [listingId] : [])),
  };
}
