import { expect, test } from '@jest/globals';
import { Tally, type Asked } from '../../../chaos/tally';
import type { QuestionKind } from '../../../src/domain/question';

const question = (orderId: string, id: string, kind: QuestionKind = 'inDoubt'): Asked => ({
  ...{ asker: 'order', orderId, id, kind },
});
const trouble: Asked = { asker: 'account', orderId: '(all)', id: 'r1', kind: 'accountTrouble' };

test('a question is counted once, however often it is seen and answered, and the two counts mean the same', () => {
  const tally = new Tally();
  const first = question('C-1', 'q1');
  for (let round = 0; round < 3; round += 1) tally.note(first, 'unanswered');
  tally.note(question('C-1', 'q2'), 'unanswered');
  tally.note(question('C-2', 'q1'), 'unanswered');
  for (let round = 0; round < 5; round += 1) tally.note(first, 'accepted');
  expect(tally.of('order')).toEqual({ asked: 3, answered: 1 });
});

test('account trouble and late events are counted apart', () => {
  const tally = new Tally();
  for (let round = 0; round < 9; round += 1) tally.note(trouble, 'accepted');
  tally.note({ asker: 'lateEvent', orderId: 'C-1', id: 'r2', kind: 'lateEvent' }, 'unanswered');
  tally.note(question('C-1', 'q1', 'noRates'), 'unanswered');
  expect(tally.of('order')).toEqual({ asked: 1, answered: 0 });
  expect(tally.of('account')).toEqual({ asked: 1, answered: 1 });
  expect(tally.of('lateEvent')).toEqual({ asked: 1, answered: 0 });
  expect(tally.byKind()).toEqual({ accountTrouble: 1, lateEvent: 1, noRates: 1 });
});

test('an answer that was sent while Temporal went away counts as one, and not as one that the order took', () => {
  const tally = new Tally();
  for (let round = 0; round < 3; round += 1) tally.note(question('C-1', 'q1'), 'sent');
  expect(tally.of('order')).toEqual({ asked: 1, answered: 1 });
  expect(tally.answersOf('C-1')).toEqual([]);
  tally.note(question('C-1', 'q1'), 'accepted');
  expect(tally.of('order')).toEqual({ asked: 1, answered: 1 });
  expect(tally.answersOf('C-1')).toEqual(['inDoubt']);
});

test('every answer to an order counts, also several to one question, and no answer to an account', () => {
  const tally = new Tally();
  for (let round = 0; round < 3; round += 1) tally.note(question('C-1', 'q1'), 'accepted');
  tally.note(question('C-1', 'q2', 'listingEnded'), 'refused');
  tally.note(question('C-2', 'q1'), 'accepted');
  tally.note({ ...trouble, orderId: 'C-1' }, 'accepted');
  expect(tally.answersOf('C-1')).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'listingEnded']);
  expect(tally.answersOf('C-3')).toEqual([]);
  expect(tally.wasAsked('C-1', 'listingEnded')).toBe(true);
  expect(tally.wasAsked('C-2', 'listingEnded')).toBe(false);
});
