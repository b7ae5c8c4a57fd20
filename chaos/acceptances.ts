import { orderReference } from '../src/domain/workflow-id';
import type { FaultInput } from '../sandbox';
import type { AcceptanceOutcomeSetting } from '../sandbox/order-switches';
import { SeededRandom } from '../sandbox/random';
import { CHAOS_ACCOUNT, type OrderDocument } from './orders';
import { writeTrouble } from './write-trouble';

/** An order that asks for more acceptances than this meets no more trouble with them. */
const PLANNED = 4;
const FAULT_SHARE = 0.25;

interface AcceptancePlan {
  /** Trouble of the order's requests to accept a rate. */
  readonly faults: readonly FaultInput[];
  /** What becomes of the acceptances that the marketplace took, the first first. */
  readonly script: readonly AcceptanceOutcomeSetting[];
}

/** What an order's acceptances meet is its own, whatever the others do: the same seed gives it the same. Pure. */
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
    // A fault does not see the requests that the ones before it hit.
    const after = request - faults.length;
    const reference = orderReference(CHAOS_ACCOUNT, orderId);
    faults.push({ ...writeTrouble(random), endpoint: 'acceptRate', reference, times: 1, after });
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
