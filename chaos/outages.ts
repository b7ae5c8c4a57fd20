import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SwitchChanges } from '../sandbox';
import { SeededRandom } from '../sandbox/random';
import { ignoreAbort } from './kills';
import type { SandboxControl } from './sandbox-control';

/** Temporary trouble that every running order meets. */
export type Outage = { readonly name: string } & (
  | { readonly during: SwitchChanges; readonly after: SwitchChanges }
  /** It strikes at one moment, and ends when people have fixed it. */
  | { readonly strikes: 'keyRotated' | 'signInsEnd'; readonly only: 'key' | 'token' }
);

export const OUTAGES: readonly Outage[] = [
  { name: 'no rates', during: { rates: 'none' }, after: { rates: 'normal' } },
  { name: 'no webhooks', during: { webhooks: 'off' }, after: { webhooks: 'on' } },
  { name: 'slow carriers', during: { carrierAnswer: 'acceptsLater' }, after: { carrierAnswer: 'accepts' } },
  { name: 'no bills of lading', during: { billOfLading: 'never' }, after: { billOfLading: 'normal' } },
  { name: 'events before answers', during: { webhookEarly: 'created' }, after: { webhookEarly: 'off' } },
  { name: 'bookings before answers', during: { webhookEarly: 'booked' }, after: { webhookEarly: 'off' } },
  { name: 'all cards expired', during: { paymentMethods: 'expired' }, after: { paymentMethods: 'normal' } },
  {
    name: 'a payment method without an id',
    during: { badElements: ['paymentIdNull'] },
    after: { badElements: [] },
  },
  {
    name: 'payment methods with odd expiries',
    during: { badElements: ['paymentYearShort', 'paymentExpiryZero'] },
    after: { badElements: [] },
  },
  { name: 'error pages in HTML', during: { errorBody: 'html' }, after: { errorBody: 'reason' } },
  {
    name: 'acceptances answer at once',
    during: { acceptanceAnswersAtOnce: true },
    after: { acceptanceAnswersAtOnce: false },
  },
  { name: 'key rotated', strikes: 'keyRotated', only: 'key' },
  { name: 'tokens and sign-ins end', strikes: 'signInsEnd', only: 'token' },
];

/** How the account signs in: by a key for half of the seeds, otherwise by tokens of a client or a user. */
export type SignIn = 'key' | 'token' | 'userToken';
export function signInOf(seed: string): SignIn {
  const draw = new SeededRandom(`${seed}/sign-in`).next();
  if (draw < 0.5) return 'key';
  return draw < 0.75 ? 'token' : 'userToken';
}

/** Endless and shuffled, again after each full round: a long run meets each. The same seed gives the same sequence. */
export function* outagesOf(seed: string): Generator<Outage, never> {
  const proof = signInOf(seed) === 'key' ? 'key' : 'token';
  const possible = OUTAGES.filter((outage) => !('only' in outage) || outage.only === proof);
  const random = new SeededRandom(`${seed}/weather`);
  for (;;) {
    const ranked = possible.map((outage) => ({ outage, rank: random.next() }));
    for (const { outage } of ranked.toSorted((a, b) => a.rank - b.rank)) yield outage;
  }
}

interface OutageOptions {
  readonly sandbox: SandboxControl;
  readonly seed: string;
  /** The file of the account's key. A rotated key is written a little later than it is needed. */
  readonly keyFile: string;
}

/** Starts and ends temporary trouble until the signal aborts. */
export class OutageMaker {
  /** How often each occurred. */
  readonly counts = new Map<string, number>();

  constructor(private readonly options: OutageOptions) {}

  async run(signal: AbortSignal): Promise<void> {
    const random = new SeededRandom(`${this.options.seed}/weather pauses`);
    const pause = async (from: number, to: number): Promise<void> =>
      await delay(random.integer(from, to), undefined, { signal }).catch(ignoreAbort);
    for (const outage of outagesOf(this.options.seed)) {
      await pause(300, 1_500);
      if (signal.aborted) return;
      this.counts.set(outage.name, (this.counts.get(outage.name) ?? 0) + 1);
      const end = await this.#begin(outage);
      await pause(800, 2_500);
      await end();
    }
  }

  /** @returns a function that ends it */
  async #begin(outage: Outage): Promise<() => Promise<void>> {
    const { sandbox, keyFile } = this.options;
    if ('during' in outage) {
      await sandbox.setSwitches(outage.during);
      return async () => await sandbox.setSwitches(outage.after);
    }
    if (outage.strikes === 'signInsEnd') {
      await sandbox.endSignIns();
      return async () => await Promise.resolve();
    }
    const key = `key-${(this.counts.get(outage.name) ?? 0) + 1}`;
    await sandbox.rotateKey(key);
    return async () => await writeFile(keyFile, key);
  }
}
