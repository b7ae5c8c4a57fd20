import type { Operation } from '../model/operations';
import { SeededRandom } from '../model/random';
import {
  eventTroubles,
  isAnswerTrouble,
  isOneOf,
  requestTroubles,
  troubleSchema,
  usualTroubles,
  type AnswerTrouble,
  type EventTrouble,
  type Trouble,
  type TroubleInput,
  type What,
  type WhatOf,
} from './trouble';

/** A trouble that was added, with what became of it. */
export type StandingTrouble = Trouble & {
  readonly id: number;
  readonly addedAt: string;
  /** How many requests, moments or events it could have struck, and how many it struck. */
  seen: number;
  hits: number;
};
type Standing<Kind> = StandingTrouble & { readonly what: WhatOf<Kind> };

/** What may be struck: a request, a moment of a listing, or an event. */
export interface Occasion {
  readonly request?: Operation;
  readonly listing?: 'created' | 'booked';
  readonly event?: string;
  /** Path and body of a request. */
  readonly path?: string;
  readonly body?: unknown;
  /** Of the order that it is about; empty where there is none. */
  readonly reference: string;
  readonly listingId?: number | undefined;
  readonly account?: string | undefined;
}

const withLocation: readonly (Operation | undefined)[] = ['createListing', 'createRateRequest', 'acceptRate'];

/** All trouble of the sandbox, in the order it was added: the one place that decides what strikes. */
export class Troubles {
  list: StandingTrouble[] = [];
  #lastId = 0;
  readonly #series = new Map<string, { attempt: number; inARow: number }>();

  add(input: TroubleInput): StandingTrouble {
    const trouble = troubleSchema.parse(input);
    const addedAt = new Date().toISOString();
    const standing = { ...trouble, id: ++this.#lastId, addedAt, seen: 0, hits: 0 };
    this.list.push(standing);
    return standing;
  }

  remove(id: number): void {
    this.list = this.list.filter((trouble) => trouble.id !== id);
  }

  clear(): void {
    this.list = [];
    this.#series.clear();
  }

  /** What strikes a request: one trouble at most, and one that is drawn only where no other strikes. */
  strikeRequest(occasion: Occasion) {
    const aimed = this.#aimedAt(occasion, requestTroubles);
    // Each draws for every request: the others do not change its draws.
    const drawn = aimed.flatMap((trouble) => this.#draw(trouble, occasion) ?? []);
    for (const trouble of aimed)
      if (!isDrawn(trouble) && trouble.what.kind !== 'anything' && strikes(trouble))
        return { what: trouble.what, isDrawn: false };
    const [first] = drawn;
    if (first === undefined) return undefined;
    first.trouble.hits += 1;
    return { what: first.what, isDrawn: true };
  }

  /** The first of these troubles that strikes. */
  strike<Kind extends What['kind']>(occasion: Occasion, kinds: readonly Kind[]): WhatOf<Kind> | undefined {
    return this.#aimedAt(occasion, kinds).find(strikes)?.what;
  }

  /** All of these troubles whose time has come. One that is not possible yet waits for the next occasion. */
  strikeEach<Kind extends What['kind']>(
    occasion: Occasion,
    kinds: readonly Kind[],
    happen: (trouble: Standing<Kind>) => boolean,
  ): void {
    for (const trouble of this.#aimedAt(occasion, kinds))
      if (isDue(trouble) && happen(trouble)) trouble.hits += 1;
  }

  /** @param draw at least 0, less than 1: an event is struck below the chance of its trouble */
  strikeEvent(kind: EventTrouble['kind'], occasion: Occasion, draw: number): EventTrouble | undefined {
    const trouble = this.#aimedAt(occasion, eventTroubles).find(({ what }) => what.kind === kind);
    const isHit = trouble !== undefined && draw < (trouble.when?.chance ?? 1) && strikes(trouble);
    return isHit ? trouble.what : undefined;
  }

  #aimedAt<Kind extends What['kind']>(occasion: Occasion, kinds: readonly Kind[]): readonly Standing<Kind>[] {
    return this.list.filter(
      (trouble): trouble is Standing<Kind> =>
        isOneOf(trouble.what, kinds) && isAimedAt(trouble, occasion) && !isOver(trouble),
    );
  }

  /**
   * Depends on the seed, the endpoint, the order and how often that order asked there before: the same seed gives each
   * order the same troubles however the orders interleave.
   */
  #draw(trouble: StandingTrouble, { request, path, body, reference }: Occasion) {
    if (!isDrawn(trouble)) return undefined;
    const { chance = 1, seed = 1, mostInARow = Infinity } = trouble.when ?? {};
    const subject = reference === '' ? `${path} ${JSON.stringify(body ?? null)}` : reference;
    const key = `${trouble.id} ${request} ${subject}`;
    const series = this.#series.get(key) ?? { attempt: 0, inARow: 0 };
    this.#series.set(key, series);
    series.attempt += 1;
    const random = new SeededRandom(`${seed} ${request} ${subject} ${series.attempt}`);
    const isHit = random.next() < chance && series.inARow < mostInARow;
    const possible = possibleAnswers(trouble.what).filter(
      ({ kind }) => kind !== 'noLocation' || withLocation.includes(request),
    );
    const what = possible[random.integer(0, possible.length - 1)];
    series.inARow = isHit && what !== undefined ? series.inARow + 1 : 0;
    return isHit && what !== undefined ? { trouble, what } : undefined;
  }
}

const isDrawn = ({ when, what }: Trouble): boolean => when?.chance !== undefined || what.kind === 'anything';

function possibleAnswers(what: What): readonly AnswerTrouble[] {
  if (!isAnswerTrouble(what)) return [];
  if (what.kind !== 'anything') return [what];
  const { of, delayMs } = what;
  return of.flatMap((name) => {
    const usual = usualTroubles[name];
    return usual === undefined ? [] : [{ ...usual, delayMs }];
  });
}

function isDue(trouble: StandingTrouble): boolean {
  trouble.seen += 1;
  return trouble.seen > (trouble.when?.after ?? 0);
}

function strikes(trouble: StandingTrouble): boolean {
  if (!isDue(trouble)) return false;
  trouble.hits += 1;
  return true;
}

function isOver({ when, addedAt, times, hits }: StandingTrouble): boolean {
  if (times !== undefined && hits >= times) return true;
  return when?.forMs !== undefined && Date.now() - Date.parse(addedAt) >= when.forMs;
}

const isSame = <Value>(wanted: Value | undefined, is: Value | undefined): boolean =>
  wanted === undefined || wanted === is;
const isAny = (wanted: string | undefined, is: string | undefined): boolean =>
  wanted === is || (wanted === '*' && is !== undefined);

function isAimedAt({ when, whom = {} }: Trouble, occasion: Occasion): boolean {
  const { request, listing, event, match } = when ?? {};
  if (!isAny(request, occasion.request) || !isAny(event, occasion.event)) return false;
  if (listing !== occasion.listing || !isSame(whom.order, occasion.reference)) return false;
  if (!isSame(whom.listing, occasion.listingId) || !isSame(whom.account, occasion.account)) return false;
  if (match === undefined) return true;
  const { path = '', body = null } = occasion;
  return path.includes(match) || JSON.stringify(body).includes(match);
}
