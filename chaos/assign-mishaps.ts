import { SeededRandom } from '../sandbox/model/random';
import { shuffled } from './draw';
import { MISHAPS } from './mishap-table';
import { PARTS_OF, type DrawnMishaps, type Mishap, type MishapPart } from './mishaps';
import type { OrderDocument } from './orders';
import { secondListing } from './scripted-actions';

/**
 * Assigns each order one mishap for each of its parts, like dealt cards: a part's whole deck is used before it is shuffled
 * again. So a run of some size meets every mishap, and a longer run begins like a shorter one. Pure.
 */
export function assignMishaps(orders: readonly OrderDocument[], seed: string): DrawnMishaps {
  const decks = {
    listing: createDeck('listing', seed),
    rates: createDeck('rates', seed),
    acceptance: createDeck('acceptance', seed),
    shipment: createDeck('shipment', seed),
  };
  return new Map(
    orders.map(({ kind, orderId }) => {
      const drawn: Mishap[] = [];
      for (const part of PARTS_OF[kind]) {
        if (drawn.some(({ ends }) => ends)) break;
        drawn.push(decks[part]((card) => !doClash([...drawn, card])));
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
const doClash = (cards: readonly Mishap[]): boolean =>
  (cards.some(booksBeforeDelete) && cards.some(postsTwice)) ||
  (cards.some(hidesStatus) && cards.some(changesStatus));

/** @returns draws the first allowed card; the skipped cards stay on top */
function createDeck(part: MishapPart, seed: string): (isAllowed: (card: Mishap) => boolean) => Mishap {
  const own = MISHAPS.filter(({ parts }) => parts.includes(part));
  const deck = own.flatMap((card) => Array<Mishap>(card.cards ?? 1).fill(card));
  const left: Mishap[] = [];
  let round = 0;
  return (isAllowed) => {
    if (!left.some(isAllowed)) {
      round += 1;
      left.push(...shuffled(new SeededRandom(`${seed}/mishaps/${part}/${round}`), deck));
    }
    const card = left.find(isAllowed);
    if (card === undefined) throw new TypeError(`no mishap is allowed for the part ${part}`);
    left.splice(left.indexOf(card), 1);
    return card;
  };
}
