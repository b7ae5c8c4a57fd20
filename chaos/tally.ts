import type { QuestionKind } from '../src/domain/question';

/** Who asks: an order, an account for all its orders, or an event that arrived after its order's end. */
export const ASKERS = ['order', 'account', 'lateEvent'] as const;
export type Asker = (typeof ASKERS)[number];

/** One question: of an order by order and id, of the others by the run that asks. */
export type Asked =
  | { readonly asker: 'order'; readonly orderId: string; readonly id: string; readonly kind: QuestionKind }
  | { readonly asker: 'account' | 'lateEvent'; readonly runId: string };

export interface AskedCount {
  readonly asked: number;
  /** Never more than asked: a question that is answered again counts once. */
  readonly answered: number;
}

const keyOf = (asked: Asked): string =>
  asked.asker === 'order' ? `${asked.orderId}/${asked.id}` : asked.runId;

/** The name under which the report counts it. */
function kindOf(asked: Asked): string {
  if (asked.asker === 'order') return asked.kind;
  return asked.asker === 'account' ? 'accountTrouble' : 'lateEvent';
}

/** Counts what was asked and answered, each question only once. */
export class Tally {
  readonly #asked = new Map<string, Asked>();
  readonly #answered = new Set<string>();
  /** The kinds of each order's answered questions, one for each answer that it accepted or refused. */
  readonly #answers = new Map<string, QuestionKind[]>();

  noteAsked(asked: Asked): void {
    this.#asked.set(keyOf(asked), asked);
  }

  noteAnswered(asked: Asked): void {
    this.noteSent(asked);
    this.#count(asked);
  }

  #count(asked: Asked): void {
    if (asked.asker !== 'order') return;
    this.#answers.set(asked.orderId, [...(this.#answers.get(asked.orderId) ?? []), asked.kind]);
  }

  /** The order refused the answer. */
  noteRefused(asked: Asked): void {
    this.noteAsked(asked);
    this.#count(asked);
  }

  /** The answer was sent, but Temporal went down before the confirmation. If it was not accepted, the order asks again. */
  noteSent(asked: Asked): void {
    this.noteAsked(asked);
    this.#answered.add(keyOf(asked));
  }

  isAnswered(asked: Asked): boolean {
    return this.#answered.has(keyOf(asked));
  }

  /** How many answers the order got, including several to one question. */
  answersOf(orderId: string): readonly QuestionKind[] {
    return this.#answers.get(orderId) ?? [];
  }

  /** Whether the order asked a question of the kind. */
  wasAsked(orderId: string, kind: QuestionKind): boolean {
    return [...this.#asked.values()].some(
      (asked) => asked.asker === 'order' && asked.orderId === orderId && asked.kind === kind,
    );
  }

  of(asker: Asker): AskedCount {
    const own = [...this.#asked.values()].filter((asked) => asked.asker === asker);
    return { asked: own.length, answered: own.filter((asked) => this.isAnswered(asked)).length };
  }

  /** How many questions of each kind, those of accounts and late events too. */
  byKind(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const asked of this.#asked.values()) counts.set(kindOf(asked), (counts.get(kindOf(asked)) ?? 0) + 1);
    return counts;
  }
}
