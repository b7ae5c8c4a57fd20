import { describe, expect, test } from '@jest/globals';
import { Progress, type Standing } from '../../../chaos/progress';

const standing = (over: Partial<Standing> = {}): Standing => ({
  ...{ orders: 10, started: 10, running: 4, ended: 6, unsettled: 0, answered: 20 },
  ...over,
});

test('a run goes on as long as it gets on, and its patience begins anew with each step', () => {
  for (const step of [{ answered: 21 }, { ended: 7, running: 3 }, { started: 9 }]) {
    const progress = new Progress(1_000);
    expect(progress.look(standing(), 0)).toBe('goOn');
    expect(progress.look(standing(), 1_000)).toBe('goOn');
    expect(progress.look(standing(step), 1_001)).toBe('goOn');
    expect(progress.look(standing(step), 2_001)).toBe('goOn');
    expect(progress.look(standing(step), 2_002)).toBe('outOfPatience');
  }
});

describe('a run whose orders were all started', () => {
  test('is over when none runs any more', () => {
    expect(new Progress(1_000).look(standing({ running: 0, ended: 10 }), 0)).toBe('allEnded');
  });

  test('hears first of whom the last events are, as far as its patience goes', () => {
    const progress = new Progress(1_000);
    const last = { running: 0, ended: 10, unsettled: 1 };
    expect(progress.look(standing(last), 0)).toBe('goOn');
    expect(progress.look(standing({ ...last, running: 1, ended: 9 }), 1)).toBe('goOn');
    expect(progress.look(standing({ ...last, unsettled: 0 }), 2)).toBe('allEnded');
    expect(progress.look(standing(last), 1_003)).toBe('outOfPatience');
  });

  test('goes on as long as fewer and fewer events are unsettled, also when there are many', () => {
    const progress = new Progress(1_000);
    const over = (unsettled: number) => standing({ running: 0, ended: 10, unsettled });
    expect(progress.look(over(300), 0)).toBe('goOn');
    expect(progress.look(over(299), 1_001)).toBe('goOn');
    expect(progress.look(over(300), 2_000)).toBe('goOn');
    expect(progress.look(over(299), 2_002)).toBe('outOfPatience');
  });

  test.each([
    ['is listed', { running: 0, ended: 9 }],
    ['is started', { started: 9, running: 0, ended: 9 }],
  ])('goes on until the last one %s', (_, over) => {
    expect(new Progress(1_000).look(standing(over), 0)).toBe('goOn');
  });
});
