import type { Ledger, StandingTrouble, Trouble } from '../sandbox';
import { isAnswerTrouble } from '../sandbox/troubles/trouble';
import { countBy, type Counts } from './counts';
import { MISHAPS } from './mishap-table';
import type { DrawnMishaps, Mishap } from './mishaps';
import { referenceOf } from './orders';
import { deedOf } from './scripted-actions';

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

/** How many orders met each mishap, by the marketplace's record: one that ends early meets no later mishap. Pure. */
export function countMishaps(planned: DrawnMishaps, happened: Happened) {
  return MISHAPS.map((mishap) => {
    const orderIds = [...planned].flatMap(([orderId, drawn]) => (drawn.includes(mishap) ? [orderId] : []));
    const met = orderIds.filter((orderId) => isMet(mishap, orderId, happened));
    return { name: mishap.name, planned: orderIds.length, met: met.length };
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
  const { kind, status, encoding, contentType } = what;
  const coding = encoding && `in ${encoding === 'broken' ? 'broken gzip' : encoding}`;
  const form = contentType?.includes('html') && 'as a page';
  return [kind, status, coding, form].filter(Boolean).join(' ');
}

/** How often the troubles struck, by their effect. Pure. */
export const countTroubles = (troubles: readonly Pick<Struck, 'what' | 'hits'>[]): Counts =>
  countBy(
    troubles.filter(({ hits }) => hits > 0),
    effectOf,
    ({ hits }) => hits,
  );
