import { orderReference } from '../src/domain/workflow-id';
import type { ChaosInput, ClockSettings, FaultInput, OrderSwitches, SwitchChanges } from '../sandbox';
import type { AcceptanceOutcomeSetting } from '../sandbox/order-switches';
import { SeededRandom } from '../sandbox/random';
import { planAcceptances } from './acceptances';
import { assignMishaps } from './assign-mishaps';
import type { PlannedAction } from './scripted-actions';
import type { Mishap } from './mishaps';
import { CHAOS_ACCOUNT, pick, type OrderDocument } from './orders';
import { writeFault } from './write-faults';

/** Everything that goes wrong at the marketplace, drawn before the run begins. */
export interface FaultPlan {
  /** Random faults on every endpoint, separate for each order. */
  readonly chaos: ChaosInput;
  /** More faults on the two writes that book, of the kinds that matter there. */
  readonly faults: readonly FaultInput[];
  readonly switches: SwitchChanges;
  readonly clock: ClockSettings;
  /** The mishaps of each order, by its id. */
  readonly mishaps: ReadonlyMap<string, readonly Mishap[]>;
  readonly actions: readonly PlannedAction[];
}

/** The same seed and orders give the same plan. Pure. */
export function planFaults(orders: readonly OrderDocument[], seed: string): FaultPlan {
  const mishaps = assignMishaps(orders, seed);
  const acceptances = new Map(orders.map((order) => [order.orderId, planAcceptances(order, seed)]));
  const assigned = [...mishaps].flatMap(([orderId, drawn]) => drawn.map((mishap) => ({ orderId, mishap })));
  return {
    chaos: { seed, faultShare: 0.08, mostInARow: 2, delayMs: 500 },
    faults: [
      ...assigned.flatMap(({ orderId, mishap: { faults = [] } }) =>
        faults.map((fault) => ({ ...fault, reference: referenceOf(orderId) })),
      ),
      ...orders.flatMap((order) => listingFaults(order, seed)),
      ...[...acceptances.values()].flatMap(({ faults }) => faults),
    ],
    switches: {
      ...planSwitches(new SeededRandom(`${seed}/faults`)),
      orders: Object.fromEntries(
        orders.map(({ orderId }) => [
          referenceOf(orderId),
          switchesOf(mishaps.get(orderId) ?? [], acceptances.get(orderId)?.script ?? []),
        ]),
      ),
    },
    clock: CLOCK,
    mishaps,
    actions: assigned.flatMap(({ orderId, mishap: { name, action, epilogue } }) =>
      [action, epilogue].flatMap((one) =>
        one === undefined ? [] : [{ orderId, mishap: name, action: one }],
      ),
    ),
  };
}

/** At speed 1: carriers that decide slowly enough for races, and rates that expire before they are accepted. */
const CLOCK: ClockSettings = { steps: { carrierAnswer: 7_500, rateWithdrawn: 100 } };

const referenceOf = (orderId: string): string => orderReference(CHAOS_ACCOUNT, orderId);

/** @param acceptances the outcomes after those that a mishap scripts */
function switchesOf(
  drawn: readonly Mishap[],
  acceptances: readonly AcceptanceOutcomeSetting[],
): OrderSwitches {
  const scripts = drawn.flatMap(({ switches }) => switches?.acceptanceScript ?? []);
  return {
    ...Object.assign({}, ...drawn.map(({ switches }) => switches)),
    // One listing after the other: the first expires, and its replacement meets the no-show.
    mishapScript: drawn.flatMap(({ switches }) => switches?.mishapScript ?? []),
    acceptanceScript: [...scripts, ...acceptances],
    badElements: drawn.flatMap(({ switches }) => switches?.badElements ?? []),
  };
}

/** A listing names its order: its faults belong to that order, whatever the others do. */
function listingFaults({ kind, orderId }: OrderDocument, seed: string): FaultInput[] {
  if (kind !== 'furniture') return [];
  const random = new SeededRandom(`${seed}/listing/${orderId}`);
  const draw = random.next();
  const count = draw < 0.55 ? 0 : draw < 0.9 ? 1 : 2;
  return Array.from({ length: count }, () => ({
    ...writeFault(random),
    ...{ endpoint: 'createListing', reference: referenceOf(orderId), times: 1 },
  }));
}

function planSwitches(random: SeededRandom): SwitchChanges {
  return {
    acceptancePendingAnswer: pick(random, [
      'statusCode202',
      'statusCodeZero',
      'noStatusCode',
      'nullResponse',
    ]),
    acceptanceBookedAnswer: pick(random, ['created', 'seeOther', 'statusCode201']),
    listingAnswer: pick(random, ['record', 'list']),
    location: pick(random, ['full', 'relative', 'bare']),
    webhookReferences: random.next() < 0.7,
    // It dates rates and their expiry.
    clockSkewInSeconds: pick(random, [-600, -90, 90, 600]),
    ...{ webhookTwins: 0.1, webhookReusedIds: 0.05, webhookUnknownTypes: 0.05, webhookUnknownStatuses: 0.05 },
    ...{ webhookLoss: 0.25, webhookDuplicates: 0.25, webhookLateShare: 0.3, webhookLateMs: 1_500 },
  };
}
