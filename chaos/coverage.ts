import { orderReference } from '../src/domain/workflow-id';
import type { Ledger, ScriptedFault } from '../sandbox';
import { MISHAPS } from './mishap-table';
import type { Mishap } from './mishaps';
import { CHAOS_ACCOUNT } from './orders';

export interface MishapCount {
  readonly name: string;
  /** The number of orders that it was planned for. */
  readonly planned: number;
  /** How many of them met it: an order that ends early meets no later mishap. */
  readonly met: number;
}

interface Happened {
  readonly ledger: Pick<Ledger, 'orders'>;
  /** The scripted faults at the end: the ledger lacks an order for which nothing was created. */
  readonly faults: readonly Pick<ScriptedFault, 'reference' | 'endpoint' | 'kind' | 'hits'>[];
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

function isMet(mishap: Mishap, orderId: string, { ledger, faults: scripted, isDone }: Happened): boolean {
  const { faults = [], action } = mishap;
  const reference = orderReference(CHAOS_ACCOUNT, orderId);
  const order = ledger.orders[reference];
  if (mishap.isMet !== undefined && (order === undefined || !mishap.isMet(order))) return false;
  if (action !== undefined && !isDone(orderId, mishap.name)) return false;
  const hasHit = ({ endpoint, kind }: (typeof faults)[number]): boolean =>
    scripted.some(
      (fault) =>
        fault.reference === reference && fault.endpoint === endpoint && fault.kind === kind && fault.hits > 0,
    );
  // When a mishap has a fault for each kind of order, only one of them hits.
  const endpoints = new Set(faults.map(({ endpoint }) => endpoint));
  return endpoints.size > 1 ? faults.some(hasHit) : faults.every(hasHit);
}
