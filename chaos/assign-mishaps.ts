import { SeededRandom } from '../sandbox/model/random';
import { shuffled } from './draw';
import { MISHAPS } from './mishap-table';
import { PARTS_OF, type Mishap, type MishapPart } from './mishaps';
import type { OrderDocument } from './orders';
import { secondListing } from './scripted-actions';

/**
 * Assigns each order one mishap for each of its parts, like dealt cards: a part's whole deck is used before it is shuffled
 * again. So a run of some size meets every mishap, and a longer run begins like a shorter one. Pure.
 */
export function assignMishaps(
  orders: readonly Pick<OrderDocument, 'kind' | 'orderId'>[],
  seed: string,
): ReadonlyMap<string, readonly Mishap[]> {
  const decks = new Map<MishapPart, Deck>();
  const deckOf = (part: MishapPart): Deck => {
    const deck = decks.get(part) ?? new Deck(part, seed);
    decks.set(part, deck);
    return deck;
  };
  return new Map(
    orders.map(({ kind, orderId }) => {
      const drawn: Mishap[] = [];
      for (const part of PARTS_OF[kind]) {
        if (drawn.some(({ ends }) => ends)) break;
        drawn.push(deckOf(part).draw((card) => !drawn.some(clashesWith(card))));
      }
      return [orderId, drawn];
    }),
  );
}

const booksBeforeDelete = ({ troubles = [] }: Mishap): boolean =>
  troubles.some(({ what }) => what.kind === 'bookBefore');
const postsTwice = ({ action }: Mishap): boolean => action?.does === secondListing;
const hidesStatus = ({ switches }: Mishap): boolean => switches?.statusForm === 'unknown';
const changesStatus = ({ troubles = [] }: Mishap): boolean =>
  troubles.some(({ when }) => when?.listing !== undefined);

/**
 * The script itself would cause a double booking if a carrier booked the second listing at the moment of its deletion.
 * Only the status shows that a listing expired: with an unknown status word nobody can know it.
 */
const clashes = (one: Mishap, two: Mishap): boolean =>
  (booksBeforeDelete(one) && postsTwice(two)) || (hidesStatus(one) && changesStatus(two));
const clashesWith =
  (card: Mishap) =>
  (other: Mishap): boolean =>
    clashes(card, other) || clashes(other, card);

class Deck {
  #cards: Mishap[] = [];
  #round = 0;

  constructor(
    private readonly part: MishapPart,
    private readonly seed: string,
  ) {}

  /** The first allowed card; the skipped cards stay on top. */
  draw(isAllowed: (card: Mishap) => boolean): Mishap {
    let place = this.#cards.findIndex(isAllowed);
    if (place < 0) {
      this.#cards.push(...this.#shuffled());
      place = this.#cards.findIndex(isAllowed);
    }
    const [card] = this.#cards.splice(place, 1);
    if (card === undefined) throw new TypeError(`no mishap is allowed for the part ${this.part}`);
    return card;
  }

  #shuffled(): readonly Mishap[] {
    this.#round += 1;
    const random = new SeededRandom(`${this.seed}/mishaps/${this.part}/${this.#round}`);
    const own = MISHAPS.filter(({ parts }) => parts.includes(this.part));
    return shuffled(
      random,
      own.flatMap((card) => Array.from({ length: card.cards ?? 1 }, () => card)),
    );
  }
}
