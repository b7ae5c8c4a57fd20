import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SwitchChanges, TroubleInput } from '../sandbox';
import { SeededRandom } from '../sandbox/model/random';
import { defaultSwitches } from '../sandbox/model/switches';
import { ignoreAbort } from './kills';
import type { SandboxControl } from './sandbox-control';

/** Temporary trouble that every running order meets. */
export interface Outage {
  readonly name: string;
  /** How the marketplace answers during the outage. */
  readonly during?: SwitchChanges;
  readonly troubles?: readonly TroubleInput[];
  /** The key is replaced, and a person writes the new one into the account's file a little later. */
  readonly rotatesKey?: true;
  /** Only for accounts that sign in so. */
  readonly only?: 'key' | 'token';
}

export const OUTAGES: readonly Outage[] = [
  {
    name: 'no rates',
    troubles: [{ when: { request: 'createRateRequest', forMs: 1_700 }, what: 'noRates' }],
  },
  { name: 'no webhooks', during: { webhooks: 'off' } },
  { name: 'slow carriers', during: { carrierAnswer: 'acceptsLater' } },
  { name: 'no bills of lading', during: { billOfLading: 'never' } },
  { name: 'events before answers', during: { webhookEarly: 'created' } },
  { name: 'bookings before answers', during: { webhookEarly: 'booked' } },
  { name: 'all cards expired', during: { paymentMethods: 'expired' } },
  { name: 'a payment method without an id', during: { badElements: ['paymentIdNull'] } },
  {
    name: 'payment methods with odd expiries',
    during: { badElements: ['paymentYearShort', 'paymentExpiryZero'] },
  },
  { name: 'error pages in HTML', during: { errorBody: 'html' } },
  { name: 'acceptances answer at once', during: { acceptanceAnswersAtOnce: true } },
  { name: 'key rotated', rotatesKey: true, only: 'key' },
  {
    name: 'tokens and sign-ins end',
    ...{ troubles: [{ what: 'expireTokens' }, { what: 'endSessions' }], only: 'token' },
  },
];

/** The usual values of what an outage changes: the plan of a run leaves these alone. */
const usual = (changed: SwitchChanges): SwitchChanges =>
  Object.fromEntries(Object.entries(defaultSwitches).filter(([name]) => name in changed));

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
  const possible = OUTAGES.filter((outage) => outage.only === undefined || outage.only === proof);
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
  async #begin({ name, during = {}, troubles = [], rotatesKey }: Outage): Promise<() => Promise<void>> {
    const { sandbox, keyFile } = this.options;
    const key = `key-${(this.counts.get(name) ?? 0) + 1}`;
    await sandbox.setSwitches(during);
    for (const trouble of troubles) await sandbox.trouble(trouble);
    if (rotatesKey === true) await sandbox.trouble({ what: { kind: 'rotateKey', key } });
    return async () => {
      await sandbox.setSwitches(usual(during));
      if (rotatesKey === true) await writeFile(keyFile, key);
    };
  }
}
