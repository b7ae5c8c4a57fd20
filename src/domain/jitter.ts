const SPREAD = 0.25;

/**
 * A delay that is up to a quarter longer, so that what failed together does not come back together. Never shorter: a
 * delay may be the marketplace's.
 * @param random from 0 to 1
 */
export function withJitter(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + SPREAD * random));
}
