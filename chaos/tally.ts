import type { QuestionKind } from '../src/domain/question';
import { countBy } from './counts';

/** Who asks: an order, an account for all its orders, or an event that arrived after its order's end. */
export const ASKERS = ['order', 'account', 'lateEvent'] as const;
export type Asker = (typeof ASKERS)[number];

/** One question. */
export interface Asked {
  readonly asker: Asker;
  readonly orderId: string;
  /** Unique among the questions of the same asker. */
  readonly id: string;
  /** The name under which the report counts it. */
  readonly kind: QuestionKind | 'accountTrouble' | 'lateEvent';
}

export interface AskedCount {
  readonly asked: number;
  /** Never more than asked: a question that is answered again counts once. */
  readonly answered: number;
}

const keyOf = ({ asker, orderId, id }: Asked): string => `${asker}/${orderId}/${id}`;

/** Counts what was asked and answered, each question only once. */
export class Tally {
  readonly #asked = new Map<string, Asked>();
  readonly #answered = new Set<string>();
  /** One entry for each answer that was accepted or refused. */
  readonly #answers: Asked[] = [];

  /**
   * @param became `sent`: Temporal went down before the confirmation. If the answer was not accepted, the order asks
   *   again.
   */
  note(asked: Asked, became: 'unanswered' | 'sent' | 'accepted' | 'refused'): void {
    this.#asked.set(keyOf(asked), asked);
    if (became === 'sent' || became === 'accepted') this.#answered.add(keyOf(asked));
    if (became === 'accepted' || became === 'refused') this.#answers.push(asked);
  }

  /** The kinds of the answers that the order got, including several to one question. */
  answersOf(orderId: string): readonly Asked['kind'][] {
    return this.#answers
      .filter((one) => one.asker === 'order' && one.orderId === orderId)
      .map(({ kind }) => kind);
  }

  /** Whether the order asked a question of the kind. */
  wasAsked(orderId: string, kind: QuestionKind): boolean {
    return [...this.#asked.values()].some((asked) => asked.orderId === orderId && asked.kind === kind);
  }

  of(asker: Asker): AskedCount {
    const own = [...this.#asked.values()].filter((asked) => asked.asker === asker);
    return { asked: own.length, answered: own.filter((asked) => this.#answered.has(keyOf(asked))).length };
  }

  /** How many questions of each kind, those of accounts and late events too. */
  byKind(): Readonly<Record<string, number>> {
    return countBy([...this.#asked.values()], ({ kind }) => kind);
  }
}
