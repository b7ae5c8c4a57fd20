import { orderReference } from '../src/domain/workflow-id';
import type { Ledger, ScriptedFault } from '../sandbox';
import { MISHAPS } from './mishap-table';
import type { Mishap } from './mishaps';
import { CHAOS_ACCOUNT } from './orders';

export interface MishapCount {
  readonly name: string;
  /** Orders that it was meant for. */
  readonly planned: number;
  /** Those of them that it befell: an order that ends early meets nothing after. */
  readonly met: number;
}

interface Happened {
  readonly ledger: Pick<Ledger, 'orders'>;
  /** The scripted faults at the end: an order of which nothing was created is not in the ledger. */
  readonly faults: readonly Pick<ScriptedFault, 'reference' | 'endpoint' | 'kind' | 'hits'>[];
  readonly isDone: (orderId: string, mishap: string) => boolean;
}

/** How many orders each mishap befell, as the marketplace tells. Pure. */
export function countMishaps(
  planned: ReadonlyMap<string, readonly Mishap[]>,
  happened: Happened,
): readonly MishapCount[] {
  const dealt = [...planned].flatMap(([orderId, drawn]) => drawn.map((mishap) => ({ orderId, mishap })));
  return MISHAPS.map(({ name }) => {
    const mine = dealt.filter(({ mishap }) => mishap.name === name);
    const met = mine.filter(({ orderId, mishap }) => isMet(mishap, orderId, happened));
    return { name, planned: mine.length, met: met.length };
  });
}

function isMet(mishap: Mishap, orderId: string, { ledger, faults: scripted, isDone }: Happened): boolean {
  const { faults = [], deed, isMet: tells } = mishap;
  const reference = orderReference(CHAOS_ACCOUNT, orderId);
  const order = ledger.orders[reference];
  if (tells !== undefined && (order === undefined || !tells(order))) return false;
  if (deed !== undefined && !isDone(orderId, mishap.name)) return false;
  const hasHit = ({ endpoint, kind }: (typeof faults)[number]): boolean =>
    scripted.some(
      (fault) =>
        fault.reference === reference && fault.endpoint === endpoint && fault.kind === kind && fault.hits > 0,
    );
  // Where a mishap has a fault for each kind of order, one of them hits.
  const endpoints = new Set(faults.map(({ endpoint }) => endpoint));
  return endpoints.size > 1 ? faults.some(hasHit) : faults.every(hasHit);
}
