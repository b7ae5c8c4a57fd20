import { z } from 'zod';
import { faultSchema, type Fault, type FaultInput } from './faults';
import { operations, type Operation } from './operations';
import { SeededRandom } from './random';

export const chaosFaults = [
  'serverError',
  'badGateway',
  'unavailable',
  'gatewayTimeout',
  'throttled',
  'hangUpBefore',
  'hangUpAfter',
  'slow',
  'compressed',
  'truncate',
  'garbage',
  'noLocation',
] as const;

/** Trouble that a real service shows, by name; each is one scripted fault. */
const trouble: Readonly<Record<(typeof chaosFaults)[number], Omit<FaultInput, 'endpoint'>>> = {
  serverError: { kind: 'status', status: 500 },
  badGateway: { kind: 'status', status: 502 },
  unavailable: { kind: 'outage', retryAfter: 1 },
  gatewayTimeout: { kind: 'statusAfter', status: 504 },
  throttled: { kind: 'status', status: 429, retryAfter: 1 },
  hangUpBefore: { kind: 'hangUpBefore' },
  hangUpAfter: { kind: 'hangUpAfter' },
  slow: { kind: 'delay' },
  compressed: { kind: 'delay', encoding: 'gzip' },
  truncate: { kind: 'truncate' },
  garbage: { kind: 'garbage' },
  noLocation: { kind: 'noLocation' },
};

const withLocation: readonly Operation[] = ['createListing', 'createRateRequest', 'acceptRate'];

export const chaosSchema = z.strictObject({
  seed: z.union([z.string(), z.number()]).default(1),
  /** Share of requests that meet a fault, 0 to 1. */
  faultShare: z.number().min(0).max(1),
  faults: z
    .array(z.enum(chaosFaults))
    .min(1)
    .default([...chaosFaults]),
  endpoints: z.array(z.enum(operations)).optional(),
  /** How long `slow` and `compressed` wait, in real time. */
  delayMs: z.number().nonnegative().default(200),
  /** After so many faults in a row on one endpoint of one order the next request passes; without it, chance decides. */
  mostInARow: z.int().positive().optional(),
});
export type ChaosInput = z.input<typeof chaosSchema>;
export type ChaosProfile = z.infer<typeof chaosSchema>;

interface Series {
  attempt: number;
  inARow: number;
}

/**
 * Random faults that repeat: whether a request meets one depends on the seed, the endpoint, its order and how often
 * that order asked there before. So the same seed gives each order the same faults however the orders interleave.
 */
export class Chaos {
  #profile: ChaosProfile | undefined;
  #series = new Map<string, Series>();

  configure(input: ChaosInput | undefined): ChaosProfile | undefined {
    this.#profile = input === undefined ? undefined : chaosSchema.parse(input);
    this.#series = new Map();
    return this.#profile;
  }

  profile(): ChaosProfile | null {
    return this.#profile ?? null;
  }

  /** `subject` is the order's reference, or the request itself where it names no order. */
  draw(operation: Operation, subject: string): Fault | undefined {
    const profile = this.#profile;
    if (profile === undefined || profile.endpoints?.includes(operation) === false) return undefined;
    const key = `${operation} ${subject}`;
    const series = this.#series.get(key) ?? { attempt: 0, inARow: 0 };
    this.#series.set(key, series);
    series.attempt += 1;
    const random = new SeededRandom(`${profile.seed} ${key} ${series.attempt}`);
    const isHit = random.next() < profile.faultShare && series.inARow < (profile.mostInARow ?? Infinity);
    const possible = profile.faults.filter(
      (name) => name !== 'noLocation' || withLocation.includes(operation),
    );
    const chosen = possible[random.integer(0, possible.length - 1)];
    series.inARow = isHit && chosen !== undefined ? series.inARow + 1 : 0;
    if (!isHit || chosen === undefined) return undefined;
    return faultSchema.parse({ endpoint: operation, ...trouble[chosen], delayMs: profile.delayMs });
  }
}
