import { setTimeout as delay } from 'node:timers/promises';
import { orderReference } from '../domain/workflow-id';
import type { ShipmentResult } from '../domain/shipment-result';
import type { ShipmentState } from '../domain/shipment-state';
import type { Ledger } from '../sandbox';
import {
  ShipmentNotFoundError,
  type ShipmentClient,
  type ShipmentView,
  type StartableOrder,
} from '../starter/shipment-client';
import { isAway, type ScriptedPerson } from './answering';
import { countMishaps, type MishapCount } from './coverage';
import type { FaultPlan } from './faults';
import { ledgerOfOrder } from './ledger-of-order';
import type { OrderCase } from './judge';
import type { KillCounts } from './kills';
import { CHAOS_ACCOUNT } from './orders';
import type { SandboxControl } from './sandbox-control';
import { ASKERS } from './tally';

/** All that is known at the end of a run. */
export interface ChaosOutcome {
  readonly cases: readonly OrderCase[];
  /** How each order ended, with its story and what the ledger has of it; for whoever looks into a finding. */
  readonly stories: ReadonlyMap<string, { readonly view: ShipmentView | null; readonly ledger: unknown }>;
  /** Changes that reading found and no event told. */
  readonly repairs: number;
  /** How many questions of each kind. */
  readonly questions: ReadonlyMap<string, number>;
  readonly answered: number;
  readonly kills: KillCounts;
  readonly faultHits: number;
  /** Every mishap, and how many orders met it. */
  readonly mishaps: readonly MishapCount[];
  /** How often each trouble of a while came. */
  readonly weather: ReadonlyMap<string, number>;
}

interface Sources {
  readonly shipments: ShipmentClient;
  readonly sandbox: SandboxControl;
  readonly person: ScriptedPerson;
  readonly kills: KillCounts;
  readonly accepted: ReadonlySet<string>;
  readonly taskFailures: ReadonlySet<string>;
  readonly plan: Pick<FaultPlan, 'mishaps'>;
  readonly isDone: (orderId: string, mishap: string) => boolean;
  readonly weather: ReadonlyMap<string, number>;
}

/** So many shipments are read at once: each reading replays a workflow. */
const AT_ONCE = 8;
const TRIES = 10;

/** Reads the end of every order and the ledger, for the judge. */
export async function readOutcome(
  orders: readonly StartableOrder[],
  sources: Sources,
): Promise<ChaosOutcome> {
  const { shipments, sandbox, person, kills } = sources;
  const [ledger, told] = await Promise.all([sandbox.ledger(), sandbox.toldListings()]);
  const cases: OrderCase[] = [];
  const stories = new Map<string, { view: ShipmentView | null; ledger: unknown }>();
  let repairs = 0;
  const queue = orders.map(({ shipment }) => shipment.orderId);
  const read = async (): Promise<void> => {
    for (let orderId = queue.shift(); orderId !== undefined; orderId = queue.shift()) {
      const end = await endOf(shipments, orderId);
      const { view } = end;
      repairs += view?.state?.repairs ?? 0;
      cases.push(caseOf(orderId, { ...end, ledger, told, sources }));
      stories.set(orderId, { view, ledger: ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  const { tally } = person;
  const answered = ASKERS.reduce((sum, asker) => sum + tally.of(asker).answered, 0);
  const faultHits = Object.values(ledger.orders).reduce((sum, { faults }) => sum + faults.length, 0);
  const mishaps = countMishaps(sources.plan.mishaps, {
    ...{ ledger, faults: await sandbox.faults(), isDone: sources.isDone },
  });
  return {
    ...{ cases, stories, repairs, questions: tally.byKind(), answered, kills, faultHits },
    ...{ mishaps, weather: sources.weather },
  };
}

interface End {
  /** Null when there is no workflow. */
  readonly view: ShipmentView | null;
  /** Null when it is not completed. */
  readonly result: ShipmentResult | null;
}

async function endOf(shipments: ShipmentClient, orderId: string): Promise<End> {
  for (let tries = 1; ; tries += 1) {
    try {
      const view = await shipments.get(CHAOS_ACCOUNT, orderId);
      const isCompleted = view.status === 'COMPLETED';
      const result = isCompleted ? await shipments.result(CHAOS_ACCOUNT, orderId) : null;
      // Without a state no worker answered in time.
      if (view.state !== null || tries === TRIES) return { view, result };
    } catch (error) {
      if (error instanceof ShipmentNotFoundError) return { view: null, result: null };
      if (!isAway(error) || tries === TRIES) throw error;
    }
    await delay(500);
  }
}

interface EndWithLedger extends End {
  readonly ledger: Ledger;
  readonly told: ReadonlySet<number>;
  readonly sources: Sources;
}

function caseOf(orderId: string, { view, result, ledger, told, sources }: EndWithLedger): OrderCase {
  const { person } = sources;
  const question = view?.state?.question ?? null;
  const circle = question === null ? null : person.circleOf(orderId, question.kind);
  return {
    orderId,
    isAccepted: sources.accepted.has(orderId),
    end:
      view === null
        ? null
        : {
            status: view.status,
            phase: view.state?.phase ?? null,
            // A question that comes back whatever is answered explains nothing.
            hasQuestion: question !== null && circle === null,
            circle,
            followed: followedBy(view.state, result),
            deliveredToo: deliveredToo(view.state),
          },
    ledger: ledgerOfOrder(ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)], told),
    wasAskedAboutSecond: person.tally.wasAsked(orderId, 'possibleDoubleBooking'),
    hadTaskFailures: sources.taskFailures.has(orderId),
  };
}

/** The listings that the state and the result name, each once. */
function followedBy(state: ShipmentState | null, result: ShipmentResult | null): readonly string[] {
  const ofState = state !== null && 'listingId' in state ? [state.listingId] : [];
  return [...new Set([...ofState, ...(result === null ? [] : [result.listingId])])];
}

const DELIVERED_TOO = /^listing (\d+) was delivered for this order too$/;

/** What its notices tell, because no answer undoes it and nothing asks for it any more. */
const deliveredToo = (state: ShipmentState | null): readonly string[] =>
  (state?.notices ?? []).flatMap((notice) => DELIVERED_TOO.exec(notice)?.[1] ?? []);
