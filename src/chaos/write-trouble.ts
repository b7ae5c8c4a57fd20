import type { FaultInput } from '../sandbox';
import type { SeededRandom } from '../sandbox/random';
import { pick } from './orders';

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

/** Something that goes wrong with one of the two writes that book; most of it leaves a doubt. */
export function writeTrouble(random: SeededRandom): Trouble {
  const draw = random.next();
  if (draw < 0.7) return pick<Trouble>(random, DOUBTS);
  return draw < 0.85 ? pick<Trouble>(random, SLOW) : pick<Trouble>(random, REFUSALS);
}
