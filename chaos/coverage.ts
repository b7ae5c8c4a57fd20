import { orderReference } from '../src/domain/workflow-id';
import type { Ledger, OrderLedger, StandingTrouble } from '../sandbox';
import { isAnswerTrouble } from '../sandbox/troubles/trouble';
import { MISHAPS } from './mishap-table';
import { isOfListing, kindOf, requestOf, type Mishap, type OrderTrouble } from './mishaps';
import { CHAOS_ACCOUNT } from './orders';

export interface MishapCount {
  readonly name: string;
  /** The number of orders that it was planned for. */
  readonly planned: number;
  /** How many of them met it: an order that ends early meets no later mishap. */
  readonly met: number;
}

type Struck = Pick<StandingTrouble, 'when' | 'whom' | 'what' | 'hits'>;

interface Happened {
  readonly ledger: Pick<Ledger, 'orders'>;
  /** At the end: the ledger lacks an order for which nothing was created. */
  readonly troubles: readonly Struck[];
  readonly isDone: (orderId: string, mishap: string) => boolean;
}

/** How many orders met each mishap, by the marketplace's record. Pure. */
export function countMishaps(
  planned: ReadonlyMap<string, readonly Mishap[]>,
  happened: Happened,
): readonly MishapCount[] {
  const assigned = [...planned].flatMap(([orderId, drawn]) => drawn.map((mishap) => ({ orderId, mishap })));
  return MISHAPS.map(({ name }) => {
    const mine = assigned.filter(({ mishap }) => mishap.name === name);
    const met = mine.filter(({ orderId, mishap }) => isMet(mishap, orderId, happened));
    return { name, planned: mine.length, met: met.length };
  });
}

function isMet(mishap: Mishap, orderId: string, { ledger, troubles: struck, isDone }: Happened): boolean {
  const { troubles = [], action } = mishap;
  const reference = orderReference(CHAOS_ACCOUNT, orderId);
  const order = ledger.orders[reference];
  if (mishap.isMet !== undefined && (order === undefined || !mishap.isMet(order))) return false;
  if (action !== undefined && !isDone(orderId, mishap.name)) return false;
  const own = struck.filter(({ whom, hits }) => whom?.order === reference && hits > 0);
  const hasStruck = (trouble: OrderTrouble): boolean =>
    isOfListing(trouble)
      ? hasBefallen(order, kindOf(trouble))
      : own.some(({ when, what }) => when?.request === requestOf(trouble) && what.kind === kindOf(trouble));
  return isEitherEndpoint(mishap) ? troubles.some(hasStruck) : troubles.every(hasStruck);
}

/** When a mishap has a trouble for each kind of order, only one of them strikes. */
const isEitherEndpoint = ({ parts }: Mishap): boolean => parts.length > 1;

const hasBefallen = (order: OrderLedger | undefined, kind: string): boolean =>
  order?.listings.some(({ troubles }) => troubles.includes(kind)) === true;

/** The effect of a trouble, such as `status 400 in gzip`. */
function effectOf({ what }: Pick<Struck, 'what'>): string {
  if (!isAnswerTrouble(what) || what.kind === 'anything') return what.kind;
  const { kind, status, encoding, contentType = '' } = what;
  return [
    kind,
    ...(status === undefined ? [] : [status]),
    ...(encoding === undefined ? [] : [`in ${encoding === 'broken' ? 'broken gzip' : encoding}`]),
    ...(contentType.includes('html') ? ['as a page'] : []),
  ].join(' ');
}

/** How often the troubles struck, by their effect. Pure. */
export function countTroubles(
  troubles: readonly Pick<Struck, 'what' | 'hits'>[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const trouble of troubles)
    if (trouble.hits > 0) counts[effectOf(trouble)] = (counts[effectOf(trouble)] ?? 0) + trouble.hits;
  return counts;
}
