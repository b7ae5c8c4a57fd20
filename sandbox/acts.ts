import { z } from 'zod';
import type { SandboxContext } from './context';
import { ApiProblem, unreachable } from './errors';
import { burstSchema, floodWithForeign, foreignSchema, sendBurst } from './event-floods';
import { operations, type Operation } from './operations';
import { orderReferenceOf } from './references';
import { offeredRates, withdrawRates } from './rating';
import type { ListingDraft } from './state';

/** When: so many requests of the endpoint, and of the order where one is named, were acted on. */
const when = {
  after: z.int().positive().default(1),
  endpoint: z.enum([...operations, '*']).default('*'),
  /** Only requests of this order; without it of any, and the act is about the order of the last of them. */
  reference: z.string().min(1).optional(),
};

/** What the control routes do by hand, planned: a scenario file can have all of it. */
export const actSchema = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('rotateKey'),
    ...when,
    key: z.string().min(1),
    account: z.string().optional(),
  }),
  z.strictObject({ act: z.literal('expireTokens'), ...when }),
  z.strictObject({ act: z.literal('endSessions'), ...when }),
  z.strictObject({
    act: z.literal('withdrawRates'),
    ...when,
    which: z.enum(['cheapest', 'all']).default('cheapest'),
  }),
  burstSchema.omit({ listingId: true }).extend({ act: z.literal('eventBurst'), ...when }),
  foreignSchema.extend({ act: z.literal('foreignEvents'), ...when }),
]);
export type ActInput = z.input<typeof actSchema>;
export type Act = z.output<typeof actSchema>;
export const actNames = actSchema.options.map(({ shape }) => shape.act.value);

export type ScriptedAct = Act & { readonly id: number; seen: number; happenedAt: string | null };

/** Each happens once, in the order it was added; what is not possible yet waits for the next request. */
export class Acts {
  #acts: ScriptedAct[] = [];
  #lastId = 0;

  constructor(private readonly accountNames: readonly string[]) {}

  /** @throws ApiProblem where the act names an account that does not exist */
  add(input: ActInput): ScriptedAct {
    const act = actSchema.parse(input);
    if ('account' in act && act.account !== undefined && !this.accountNames.includes(act.account))
      throw new ApiProblem(404, `There is no account ${act.account}.`);
    const scripted: ScriptedAct = { ...act, id: ++this.#lastId, seen: 0, happenedAt: null };
    this.#acts.push(scripted);
    return scripted;
  }

  list(): readonly ScriptedAct[] {
    return this.#acts;
  }

  clear(): void {
    this.#acts = [];
  }

  /** To be called when a request was acted on and before it is answered. */
  note(context: SandboxContext, operation: Operation, reference: string): void {
    for (const act of this.#acts) {
      if (act.happenedAt !== null || (act.endpoint !== '*' && act.endpoint !== operation)) continue;
      if (act.reference !== undefined && act.reference !== reference) continue;
      act.seen += 1;
      if (act.seen >= act.after && happen(context, act, reference)) act.happenedAt = new Date().toISOString();
    }
  }
}

/** False where it is not possible yet: the order has no listing or no rate. */
function happen(context: SandboxContext, act: Act, reference: string): boolean {
  const { accounts, store } = context;
  switch (act.act) {
    case 'rotateKey':
      return accounts.rotateKey(act.account, act.key) !== undefined;
    case 'expireTokens':
      accounts.expireTokens();
      return true;
    case 'endSessions':
      accounts.endSessions();
      return true;
    case 'withdrawRates': {
      const request = latestOf(store.rateRequests.values(), reference);
      if (request === undefined || offeredRates(request).length === 0) return false;
      withdrawRates(offeredRates(request), act.which);
      return true;
    }
    case 'eventBurst': {
      const listing = latestOf(store.listings.values(), reference);
      if (listing === undefined) return false;
      sendBurst(context, listing, act);
      return true;
    }
    case 'foreignEvents':
      floodWithForeign(context, act);
      return true;
    default:
      return unreachable(act);
  }
}

const latestOf = <Owned extends { readonly draft: ListingDraft }>(
  owned: Iterable<Owned>,
  reference: string,
): Owned | undefined =>
  [...owned].findLast(({ draft }) => orderReferenceOf(draft.referenceNumbers) === reference);
