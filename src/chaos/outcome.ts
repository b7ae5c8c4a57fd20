import { setTimeout as delay } from 'node:timers/promises';
import { orderReference } from '../domain/workflow-id';
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
import type { OrderCase } from './judge';
import type { KillCounts } from './kills';
import { CHAOS_ACCOUNT } from './orders';
import type { SandboxControl } from './sandbox-control';

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
  const ledger = await sandbox.ledger();
  const cases: OrderCase[] = [];
  const stories = new Map<string, { view: ShipmentView | null; ledger: unknown }>();
  let repairs = 0;
  const queue = orders.map(({ shipment }) => shipment.orderId);
  const read = async (): Promise<void> => {
    for (let orderId = queue.shift(); orderId !== undefined; orderId = queue.shift()) {
      const view = await viewOf(shipments, orderId);
      repairs += view?.state?.repairs ?? 0;
      cases.push(caseOf(orderId, { view, ledger, sources }));
      stories.set(orderId, { view, ledger: ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  const questions = new Map<string, number>();
  for (const kind of person.seen.values()) questions.set(kind, (questions.get(kind) ?? 0) + 1);
  const faultHits = Object.values(ledger.orders).reduce((sum, { faults }) => sum + faults.length, 0);
  const mishaps = countMishaps(sources.plan.mishaps, {
    ...{ ledger, faults: await sandbox.faults(), isDone: sources.isDone },
  });
  return {
    ...{ cases, stories, repairs, questions, answered: person.answered, kills, faultHits },
    ...{ mishaps, weather: sources.weather },
  };
}

/** The last view of an order; null when there is no workflow. */
async function viewOf(shipments: ShipmentClient, orderId: string): Promise<ShipmentView | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      const view = await shipments.get(CHAOS_ACCOUNT, orderId);
      // Without a state no worker answered in time.
      if (view.state !== null || tries === TRIES) return view;
    } catch (error) {
      if (error instanceof ShipmentNotFoundError) return null;
      if (!isAway(error) || tries === TRIES) throw error;
    }
    await delay(500);
  }
}

function caseOf(
  orderId: string,
  { view, ledger, sources }: { view: ShipmentView | null; ledger: Ledger; sources: Sources },
): OrderCase {
  const entry = ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)];
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
            hasQuestion: view.state?.question != null && !sources.person.gaveUp(orderId),
          },
    ledger: {
      liveBookings: entry?.liveBookings ?? 0,
      mostLiveBookings: entry?.mostLiveBookings ?? 0,
      wasBooked: (entry?.mostLiveBookings ?? 0) > 0,
    },
    hadTaskFailures: sources.taskFailures.has(orderId),
  };
}
