import { orderReference } from '../src/domain/workflow-id';
import type { FaultInput } from '../sandbox';
import type { AcceptanceOutcomeSetting } from '../sandbox/order-switches';
import { SeededRandom } from '../sandbox/random';
import { CHAOS_ACCOUNT, type OrderDocument } from './orders';
import { writeFault } from './write-faults';

/** After this many acceptances of an order, no more faults are planned for it. */
const PLANNED = 4;
const FAULT_SHARE = 0.25;

interface AcceptancePlan {
  /** Faults of the order's requests to accept a rate. */
  readonly faults: readonly FaultInput[];
  /** The outcomes of the acceptances that the marketplace received, in their order. */
  readonly script: readonly AcceptanceOutcomeSetting[];
}

/** The plan for one order's acceptances. It depends only on the seed and the order, not on other orders. Pure. */
export function planAcceptances(
  { kind, orderId }: Pick<OrderDocument, 'kind' | 'orderId'>,
  seed: string,
): AcceptancePlan {
  if (kind !== 'ltl') return { faults: [], script: [] };
  const random = new SeededRandom(`${seed}/acceptance/${orderId}`);
  const script = Array.from({ length: PLANNED }, () => outcome(random.next()));
  const faults: FaultInput[] = [];
  for (let request = 0; request < PLANNED; request += 1) {
    if (random.next() >= FAULT_SHARE) continue;
    // A fault does not count the requests that earlier faults hit.
    const after = request - faults.length;
    const reference = orderReference(CHAOS_ACCOUNT, orderId);
    faults.push({ ...writeFault(random), endpoint: 'acceptRate', reference, times: 1, after });
  }
  return { faults, script };
}

function outcome(draw: number): AcceptanceOutcomeSetting {
  if (draw < 0.66) return 'booked';
  if (draw < 0.73) return 'failed';
  if (draw < 0.79) return 'failedLeavingListing';
  if (draw < 0.85) return 'failedThenBooked';
  if (draw < 0.91) return 'bookedButFailed';
  return draw < 0.96 ? 'bookedSilently' : 'pending';
}
