import { expect, test } from '@jest/globals';
import { Tally, type Asked } from '../../../chaos/tally';
import type { QuestionKind } from '../../../src/domain/question';

const question = (orderId: string, id: string, kind: QuestionKind = 'inDoubt'): Asked => ({
  ...{ asker: 'order', orderId, id, kind },
});

test('a question is counted once, however often it is seen and answered, and the two counts mean the same', () => {
  const tally = new Tally();
  const first = question('C-1', 'q1');
  for (let round = 0; round < 3; round += 1) tally.noteAsked(first);
  tally.noteAsked(question('C-1', 'q2'));
  tally.noteAsked(question('C-2', 'q1'));
  for (let round = 0; round < 5; round += 1) tally.noteAnswered(first);
  expect(tally.of('order')).toEqual({ asked: 3, answered: 1 });
  expect([first, question('C-2', 'q1')].map((asked) => tally.isAnswered(asked))).toEqual([true, false]);
});

test('account trouble and late events are counted apart, by the runs that ask', () => {
  const tally = new Tally();
  const trouble = { asker: 'account', runId: 'r1' } as const;
  for (let round = 0; round < 9; round += 1) tally.noteAnswered(trouble);
  tally.noteAsked({ asker: 'lateEvent', runId: 'r2' });
  tally.noteAsked(question('C-1', 'q1', 'noRates'));
  expect(tally.of('order')).toEqual({ asked: 1, answered: 0 });
  expect(tally.of('account')).toEqual({ asked: 1, answered: 1 });
  expect(tally.of('lateEvent')).toEqual({ asked: 1, answered: 0 });
  expect(Object.fromEntries(tally.byKind())).toEqual({ accountTrouble: 1, lateEvent: 1, noRates: 1 });
});

test('an answer that was sent while Temporal went away counts as one, and not as one that the order took', () => {
  const tally = new Tally();
  for (let round = 0; round < 3; round += 1) tally.noteSent(question('C-1', 'q1'));
  expect(tally.of('order')).toEqual({ asked: 1, answered: 1 });
  expect(tally.answersOf('C-1')).toEqual([]);
  tally.noteAnswered(question('C-1', 'q1'));
  expect(tally.of('order')).toEqual({ asked: 1, answered: 1 });
  expect(tally.answersOf('C-1')).toEqual(['inDoubt']);
});

test('every answer to an order counts, also several to one question, and no answer to an account', () => {
  const tally = new Tally();
  for (let round = 0; round < 3; round += 1) tally.noteAnswered(question('C-1', 'q1'));
  tally.noteAnswered(question('C-1', 'q2', 'listingEnded'));
  tally.noteAnswered(question('C-2', 'q1'));
  tally.noteAnswered({ asker: 'account', runId: 'C-1' });
  expect(tally.answersOf('C-1')).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'listingEnded']);
  expect(tally.answersOf('C-3')).toEqual([]);
  expect(tally.wasAsked('C-1', 'listingEnded')).toBe(true);
  expect(tally.wasAsked('C-2', 'listingEnded')).toBe(false);
});
