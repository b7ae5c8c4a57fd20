import { orderReference } from '../domain/workflow-id';
import type { ChaosInput, ClockSettings, FaultInput, OrderSwitches, SwitchChanges } from '../sandbox';
import { SeededRandom } from '../sandbox/random';
import type { AcceptanceOutcomeSetting } from '../sandbox/order-switches';
import { dealMishaps } from './deal';
import type { PlannedDeed } from './deeds';
import type { Mishap } from './mishaps';
import { CHAOS_ACCOUNT, pick, type OrderDocument } from './orders';

/** What goes wrong at the marketplace, all of it drawn before the run begins. */
export interface FaultPlan {
  /** Random faults on every endpoint, each order's own. */
  readonly chaos: ChaosInput;
  /** More of them on the two writes that book, of the sorts that matter there. */
  readonly faults: readonly FaultInput[];
  readonly switches: SwitchChanges;
  readonly clock: ClockSettings;
  /** What befalls each order, by its id. */
  readonly mishaps: ReadonlyMap<string, readonly Mishap[]>;
  readonly deeds: readonly PlannedDeed[];
}

type Trouble = Omit<FaultInput, 'endpoint' | 'order' | 'times' | 'after'>;

/** The answer is lost or says nothing: nobody knows whether the write took effect. */
const DOUBTS = [
  { kind: 'hangUpBefore' },
  { kind: 'hangUpAfter' },
  { kind: 'hangUpAfter' },
  { kind: 'truncate' },
  { kind: 'stall' },
  { kind: 'status', status: 503 },
  { kind: 'statusAfter', status: 500 },
  { kind: 'statusAfter', status: 503 },
  // Without its Location the answer does not say which listing.
  { kind: 'noLocation' },
] as const satisfies readonly Trouble[];

const REFUSALS = [
  { kind: 'status', status: 429 },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 401 },
] as const satisfies readonly Trouble[];

/** Shorter than any write waits, so that no request takes effect after everybody gave it up. */
const SLOW = [
  { kind: 'delay', delayMs: 1_500 },
  { kind: 'delayBefore', delayMs: 1_500 },
] as const satisfies readonly Trouble[];

/** The same seed and orders give the same plan. Pure. */
export function planFaults(orders: readonly OrderDocument[], seed: string): FaultPlan {
  const random = new SeededRandom(`${seed}/faults`);
  const acceptances = Math.ceil(orders.length * 1.2);
  const mishaps = dealMishaps(orders, seed);
  const dealt = [...mishaps].flatMap(([orderId, drawn]) => drawn.map((mishap) => ({ orderId, mishap })));
  return {
    chaos: { seed, faultShare: 0.08, mostInARow: 2, delayMs: 500 },
    faults: [
      ...dealt.flatMap(({ orderId, mishap: { faults = [] } }) =>
        faults.map((fault) => ({ ...fault, reference: referenceOf(orderId) })),
      ),
      ...orders.flatMap((order) => listingFaults(order, seed)),
      ...acceptanceFaults(random, acceptances),
    ],
    switches: { ...planSwitches(random, acceptances), orders: orderSwitches(mishaps) },
    clock: CLOCK,
    mishaps,
    deeds: dealt.flatMap(({ orderId, mishap: { name, deed, epilogue } }) =>
      [deed, epilogue].flatMap((one) => (one === undefined ? [] : [{ orderId, mishap: name, deed: one }])),
    ),
  };
}

/** At speed 1: carriers that think long enough to be forestalled, and rates that are gone before they are taken. */
const CLOCK: ClockSettings = { steps: { carrierAnswer: 7_500, rateWithdrawn: 100 } };

const referenceOf = (orderId: string): string => orderReference(CHAOS_ACCOUNT, orderId);

function orderSwitches(mishaps: FaultPlan['mishaps']): Record<string, OrderSwitches> {
  const entries = [...mishaps].map(([orderId, drawn]): [string, OrderSwitches] => [
    referenceOf(orderId),
    {
      ...Object.assign({}, ...drawn.map(({ switches }) => switches)),
      // One listing after the other: the first expires, the one that takes its place meets the no-show.
      mishapScript: drawn.flatMap(({ switches }) => switches?.mishapScript ?? []),
    },
  ]);
  return Object.fromEntries(entries);
}

function writeTrouble(random: SeededRandom): Trouble {
  const draw = random.next();
  if (draw < 0.7) return pick<Trouble>(random, DOUBTS);
  return draw < 0.85 ? pick<Trouble>(random, SLOW) : pick<Trouble>(random, REFUSALS);
}

/** A listing names its order, so that its faults are the order's own, whatever the others do. */
function listingFaults({ kind, orderId }: OrderDocument, seed: string): FaultInput[] {
  if (kind !== 'furniture') return [];
  const random = new SeededRandom(`${seed}/listing/${orderId}`);
  const draw = random.next();
  const count = draw < 0.55 ? 0 : draw < 0.9 ? 1 : 2;
  return Array.from({ length: count }, () => ({
    ...writeTrouble(random),
    ...{ endpoint: 'createListing', reference: referenceOf(orderId), times: 1 },
  }));
}

/** An acceptance names only its rate, so that its faults are told by how many acceptances come before. */
function acceptanceFaults(random: SeededRandom, acceptances: number): FaultInput[] {
  const faults: FaultInput[] = [];
  for (let request = 0; request < acceptances; request += 1) {
    if (random.next() >= 0.25) continue;
    // A fault does not see the requests that the ones before it hit.
    const after = request - faults.length;
    faults.push({ ...writeTrouble(random), endpoint: 'acceptRate', times: 1, after });
  }
  return faults;
}

function planSwitches(random: SeededRandom, acceptances: number): SwitchChanges {
  const outcome = (): AcceptanceOutcomeSetting => {
    const draw = random.next();
    if (draw < 0.7) return 'booked';
    if (draw < 0.78) return 'failed';
    if (draw < 0.84) return 'failedLeavingListing';
    if (draw < 0.9) return 'bookedButFailed';
    return draw < 0.96 ? 'bookedSilently' : 'pending';
  };
  return {
    acceptanceScript: Array.from({ length: acceptances }, outcome),
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
    // Rates are dated by it, and so is their expiry.
    clockSkewInSeconds: pick(random, [-600, -90, 90, 600]),
    ...{ webhookTwins: 0.1, webhookReusedIds: 0.05, webhookUnknownTypes: 0.05, webhookUnknownStatuses: 0.05 },
    ...{ webhookLoss: 0.25, webhookDuplicates: 0.25, webhookLateShare: 0.3, webhookLateMs: 1_500 },
  };
}
