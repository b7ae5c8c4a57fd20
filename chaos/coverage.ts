import type { Ledger, StandingTrouble, Trouble } from '../sandbox';
import { isAnswerTrouble } from '../sandbox/troubles/trouble';
import { countBy, type Counts } from './counts';
import { MISHAPS } from './mishap-table';
import type { Mishap } from './mishaps';
import { referenceOf } from './orders';
import { deedOf } from './scripted-actions';

export interface MishapCount {
  readonly name: string;
  /** The number of orders that it was planned for. */
  readonly planned: number;
  /** How many of them met it: an order that ends early meets no later mishap. */
  readonly met: number;
}

export type Struck = Pick<StandingTrouble, 'when' | 'whom' | 'what' | 'hits'>;

/** The troubles that struck the order. Pure. */
export const struckOf = (reference: string, troubles: readonly Struck[]): readonly Struck[] =>
  troubles.filter(({ whom, hits }) => whom?.order === reference && hits > 0);

interface Happened {
  readonly ledger: Pick<Ledger, 'orders'>;
  /** At the end: the ledger lacks an order for which nothing was created. */
  readonly troubles: readonly Struck[];
  /** The names of the scripted actions that were done. */
  readonly done: ReadonlySet<string>;
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

function isMet(mishap: Mishap, orderId: string, { ledger, troubles: struck, done }: Happened): boolean {
  const { troubles = [], action } = mishap;
  const reference = referenceOf(orderId);
  const order = ledger.orders[reference];
  if (mishap.isMet !== undefined && (order === undefined || !mishap.isMet(order))) return false;
  if (action !== undefined && !done.has(deedOf({ orderId, mishap: mishap.name }))) return false;
  const own = struckOf(reference, struck);
  const hasStruck = ({ when, what: { kind } }: Trouble): boolean =>
    when?.listing === undefined
      ? own.some((one) => one.when?.request === when?.request && one.what.kind === kind)
      : order?.listings.some(({ troubles: befallen }) => befallen.includes(kind)) === true;
  // When a mishap has a trouble for each kind of order, only one of them strikes.
  return mishap.parts.length > 1 ? troubles.some(hasStruck) : troubles.every(hasStruck);
}

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
export const countTroubles = (troubles: readonly Pick<Struck, 'what' | 'hits'>[]): Counts =>
  countBy(
    troubles.filter(({ hits }) => hits > 0),
    effectOf,
    ({ hits }) => hits,
  );
