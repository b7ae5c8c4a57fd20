import type { ClockSettings, OrderSwitches, SwitchChanges, TroubleInput } from '../sandbox';
import { SeededRandom } from '../sandbox/model/random';
import { assignMishaps } from './assign-mishaps';
import type { DrawnMishaps, Mishap } from './mishaps';
import { pick } from './draw';
import { referenceOf, type OrderDocument } from './orders';
import type { PlannedAction } from './scripted-actions';

/** Everything that goes wrong at the marketplace, drawn before the run begins. */
export interface Plan {
  readonly troubles: readonly TroubleInput[];
  readonly switches: SwitchChanges;
  readonly clock: ClockSettings;
  readonly mishaps: DrawnMishaps;
  readonly actions: readonly PlannedAction[];
}

type What = TroubleInput['what'];

/** The same seed and orders give the same plan. Pure. */
export function planTroubles(orders: readonly OrderDocument[], seed: string): Plan {
  const mishaps = assignMishaps(orders, seed);
  const assigned = [...mishaps].flatMap(([orderId, drawn]) => drawn.map((mishap) => ({ orderId, mishap })));
  return {
    troubles: [
      // Random troubles on every endpoint, separate for each order.
      { when: { request: '*', seed, chance: 0.08, mostInARow: 2 }, what: { kind: 'anything', delayMs: 500 } },
      ...EVENT_TROUBLES,
      ...assigned.flatMap(({ orderId, mishap: { troubles = [] } }) =>
        troubles.map((trouble) => ({ ...trouble, whom: referenceOf(orderId) })),
      ),
      // More on the two writes that book, of the kinds that matter there.
      ...orders.flatMap((order) =>
        order.kind === 'ltl' ? acceptanceTroubles(order, seed) : listingTroubles(order, seed),
      ),
    ],
    switches: {
      ...planSwitches(new SeededRandom(`${seed}/faults`)),
      orders: Object.fromEntries(
        orders.map(({ orderId }) => [referenceOf(orderId), switchesOf(mishaps.get(orderId) ?? [])]),
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

const atEvents = (chance: number, what: What): TroubleInput => ({ when: { event: '*', chance }, what });
const EVENT_TROUBLES: readonly TroubleInput[] = [
  ...(['lost', 'doubled'] as const).map((what) => atEvents(0.25, what)),
  atEvents(0.3, { kind: 'late', delayMs: 1_500 }),
  atEvents(0.1, 'twin'),
  ...(['reusedId', 'unknownType', 'unknownStatus'] as const).map((what) => atEvents(0.05, what)),
];

function switchesOf(drawn: readonly Mishap[]): OrderSwitches {
  return {
    ...Object.assign({}, ...drawn.map(({ switches }) => switches)),
    badElements: drawn.flatMap(({ switches }) => switches?.badElements ?? []),
  };
}

/** A listing names its order: its troubles belong to that order, whatever the others do. */
function listingTroubles({ orderId }: OrderDocument, seed: string): TroubleInput[] {
  const random = new SeededRandom(`${seed}/listing/${orderId}`);
  const draw = random.next();
  const count = draw < 0.55 ? 0 : draw < 0.9 ? 1 : 2;
  return Array.from({ length: count }, () => ({
    ...{ when: 'createListing', whom: referenceOf(orderId), what: writeTrouble(random), times: 1 },
  }));
}

/** After this many acceptances of an order, nothing more is planned for it. */
const PLANNED = 4;
const WRITE_SHARE = 0.25;

/** Depends only on the seed and the order, not on other orders. Pure. */
export function acceptanceTroubles({ orderId }: OrderDocument, seed: string): TroubleInput[] {
  const random = new SeededRandom(`${seed}/acceptance/${orderId}`);
  const whom = referenceOf(orderId);
  const courses = Array.from({ length: PLANNED }, () => courseOf(random.next()));
  const troubles: TroubleInput[] = [];
  const plan = (after: number, what: What): number =>
    troubles.push({ when: { request: 'acceptRate', after }, whom, what, times: 1 });
  // A trouble does not count the requests that earlier ones struck.
  for (let request = 0; request < PLANNED; request += 1)
    if (random.next() < WRITE_SHARE) plan(request - troubles.length, writeTrouble(random));
  let after = 0;
  for (const what of courses)
    if (what === 'booked') after += 1;
    else plan(after, what);
  return troubles;
}

function courseOf(draw: number): What | 'booked' {
  if (draw < 0.66) return 'booked';
  if (draw < 0.73) return 'failed';
  if (draw < 0.79) return 'failedLeavingListing';
  if (draw < 0.85) return 'failedThenBooked';
  if (draw < 0.91) return 'bookedButFailed';
  return draw < 0.96 ? 'bookedSilently' : 'pending';
}

/** The answer is lost or empty: it is unknown whether the write took effect. */
const DOUBTS: readonly What[] = [
  ...(['hangUpBefore', 'hangUpAfter', 'hangUpAfter', 'truncate', 'stall'] as const),
  { kind: 'status', status: 503 },
  { kind: 'statusAfter', status: 500 },
  { kind: 'statusAfter', status: 503 },
  // Without its Location the answer does not name the listing.
  'noLocation',
];
const REFUSALS: readonly What[] = [429, 400, 401].map((status) => ({ kind: 'status', status }));
/** The answer does not show whether it is a refusal, and some of these writes took effect. */
const UNREADABLE: readonly What[] = (['status', 'statusAfter'] as const).flatMap((kind) => [
  { kind, status: 400, encoding: 'broken' },
  { kind, status: 400, contentType: 'text/html' },
]);
/** Clear refusals once they are decoded. */
const COMPRESSED: readonly What[] = (['gzip', 'deflate', 'br'] as const).map((encoding) => ({
  ...{ kind: 'status', status: 400, encoding },
}));
/** Shorter than the time-out of any write: no request may take effect after Consign has given it up. */
const SLOW: readonly What[] = (['delay', 'delayBefore'] as const).map((kind) => ({ kind, delayMs: 1_500 }));

/** A trouble of one of the two writes that book; most of them leave a doubt. */
function writeTrouble(random: SeededRandom): What {
  const draw = random.next();
  if (draw < 0.6) return pick(random, DOUBTS);
  if (draw < 0.72) return pick(random, UNREADABLE);
  if (draw < 0.85) return pick(random, SLOW);
  return pick(random, draw < 0.93 ? REFUSALS : COMPRESSED);
}

function planSwitches(random: SeededRandom): SwitchChanges {
  return {
    acceptancePendingAnswer: pick(random, [
      ...(['statusCode202', 'statusCodeZero', 'noStatusCode', 'nullResponse'] as const),
    ]),
    acceptanceBookedAnswer: pick(random, ['created', 'seeOther', 'statusCode201']),
    listingAnswer: pick(random, ['record', 'list']),
    location: pick(random, ['full', 'relative', 'bare']),
    webhookReferences: random.next() < 0.7,
    // It dates rates and their expiry.
    clockSkewInSeconds: pick(random, [-600, -90, 90, 600]),
  };
}
