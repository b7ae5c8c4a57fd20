import type { QuestionKind } from '../src/domain/question';
import { countBy } from './counts';

/** Who asks: an order, an account for all its orders, or an event that arrived after its order's end. */
export const ASKERS = ['order', 'account', 'lateEvent'] as const;
type Asker = (typeof ASKERS)[number];

export interface Asked {
  readonly asker: Asker;
  readonly orderId: string;
  /** Unique among the questions of the same asker. */
  readonly id: string;
  /** The name under which the report counts it. */
  readonly kind: QuestionKind | 'accountTrouble' | 'lateEvent';
}

/** Counts what was asked and answered, each question only once. */
export class Tally {
  readonly #asked = new Map<string, Asked & { readonly isAnswered: boolean }>();
  /** One entry for each answer that was accepted or refused. */
  readonly #answers: Asked[] = [];

  /** @param became `sent`: Temporal went down before the confirmation; if it was not accepted, the order asks again */
  note(asked: Asked, became: 'unanswered' | 'sent' | 'accepted' | 'refused'): void {
    const key = `${asked.asker}/${asked.orderId}/${asked.id}`;
    const wasAnswered = this.#asked.get(key)?.isAnswered === true;
    this.#asked.set(key, { ...asked, isAnswered: wasAnswered || became === 'sent' || became === 'accepted' });
    if (became === 'accepted' || became === 'refused') this.#answers.push(asked);
  }

  /** The kinds of the answers that the order got, including several to one question. */
  answersOf(orderId: string): readonly Asked['kind'][] {
    return this.#answers
      .filter((one) => one.asker === 'order' && one.orderId === orderId)
      .map(({ kind }) => kind);
  }

  wasAsked(orderId: string, kind: QuestionKind): boolean {
    return [...this.#asked.values()].some((asked) => asked.orderId === orderId && asked.kind === kind);
  }

  of(asker: Asker) {
    const own = [...this.#asked.values()].filter((asked) => asked.asker === asker);
    return { asked: own.length, answered: own.filter(({ isAnswered }) => isAnswered).length };
  }

  /** How many questions of each kind, those of accounts and late events too. */
  byKind() {
    return countBy(this.#asked.values(), ({ kind }) => kind);
  }
}
