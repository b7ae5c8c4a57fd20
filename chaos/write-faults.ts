import type { FaultInput } from '../sandbox';
import type { SeededRandom } from '../sandbox/random';
import { pick } from './orders';

type WriteFault = Omit<FaultInput, 'endpoint' | 'order' | 'times' | 'after'>;

/** The answer is lost or empty: it is unknown whether the write took effect. */
const DOUBTS = [
  { kind: 'hangUpBefore' },
  { kind: 'hangUpAfter' },
  { kind: 'hangUpAfter' },
  { kind: 'truncate' },
  { kind: 'stall' },
  { kind: 'status', status: 503 },
  { kind: 'statusAfter', status: 500 },
  { kind: 'statusAfter', status: 503 },
  // Without its Location the answer does not name the listing.
  { kind: 'noLocation' },
] as const satisfies readonly WriteFault[];

const REFUSALS = [
  { kind: 'status', status: 429 },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 401 },
] as const satisfies readonly WriteFault[];

/** The answer does not show whether it is a refusal, and some of these writes took effect. */
const UNREADABLE = [
  { kind: 'status', status: 400, encoding: 'broken' },
  { kind: 'status', status: 400, contentType: 'text/html' },
  { kind: 'statusAfter', status: 400, encoding: 'broken' },
  { kind: 'statusAfter', status: 400, contentType: 'text/html' },
] as const satisfies readonly WriteFault[];

/** Clear refusals once they are decoded. */
const COMPRESSED = [
  { kind: 'status', status: 400, encoding: 'gzip' },
  { kind: 'status', status: 400, encoding: 'deflate' },
  { kind: 'status', status: 400, encoding: 'br' },
] as const satisfies readonly WriteFault[];

/** Shorter than the time-out of any write: no request may take effect after Consign has given it up. */
const SLOW = [
  { kind: 'delay', delayMs: 1_500 },
  { kind: 'delayBefore', delayMs: 1_500 },
] as const satisfies readonly WriteFault[];

/** A fault of one of the two writes that book; most of them leave a doubt. */
export function writeFault(random: SeededRandom): WriteFault {
  const draw = random.next();
  if (draw < 0.6) return pick<WriteFault>(random, DOUBTS);
  if (draw < 0.72) return pick<WriteFault>(random, UNREADABLE);
  if (draw < 0.85) return pick<WriteFault>(random, SLOW);
  return draw < 0.93 ? pick<WriteFault>(random, REFUSALS) : pick<WriteFault>(random, COMPRESSED);
}
