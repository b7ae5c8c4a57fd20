import { writeFile } from 'node:fs/promises';
import type { Sandbox, SwitchChanges, TroubleInput } from '../sandbox';
import { SeededRandom } from '../sandbox/model/random';
import { defaultSwitches } from '../sandbox/model/switches';
import { pause } from '../src/platform/pause';
import { countBy } from './counts';
import { pick, shuffled } from './draw';

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
  return pick(new SeededRandom(`${seed}/sign-in`), ['key', 'key', 'token', 'userToken'] as const);
}

/** Endless and shuffled, again after each full round: a long run meets each. The same seed gives the same sequence. */
export function* outagesOf(seed: string): Generator<Outage, never> {
  const proof = signInOf(seed) === 'key' ? 'key' : 'token';
  const possible = OUTAGES.filter((outage) => outage.only === undefined || outage.only === proof);
  const random = new SeededRandom(`${seed}/weather`);
  for (;;) yield* shuffled(random, possible);
}

/** Starts and ends temporary trouble until the signal aborts. @returns how often each occurred */
export async function makeOutages(
  sandbox: Sandbox,
  { seed, keyFile }: { readonly seed: string; readonly keyFile: string },
  signal: AbortSignal,
) {
  const random = new SeededRandom(`${seed}/weather pauses`);
  const begun: Outage[] = [];
  for (const outage of outagesOf(seed)) {
    if (!(await pause(random.integer(300, 1_500), signal))) break;
    begun.push(outage);
    const { during = {}, troubles = [], rotatesKey = false } = outage;
    const key = `key-${begun.length}`;
    sandbox.setSwitches(during);
    for (const trouble of troubles) sandbox.trouble(trouble);
    if (rotatesKey) sandbox.trouble({ what: { kind: 'rotateKey', key } });
    await pause(random.integer(800, 2_500), signal);
    sandbox.setSwitches(usual(during));
    if (rotatesKey) await writeFile(keyFile, key);
  }
  return countBy(begun, ({ name }) => name);
}
