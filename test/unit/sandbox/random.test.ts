import { expect, test } from '@jest/globals';
import { RandomPerSubject } from '../../../sandbox/model/random';

const drawOf = (random: RandomPerSubject, subject: string): number => random.next(subject).next();

test('what a subject draws does not depend on what the others drew before', () => {
  const [alone, among] = [new RandomPerSubject('s'), new RandomPerSubject('s')];
  const own = [drawOf(alone, 'a'), drawOf(alone, 'a'), drawOf(alone, 'a')];
  const mixed = ['b', 'a', 'b', 'b', 'a', 'c', 'a'].map((subject) => ({
    subject,
    draw: drawOf(among, subject),
  }));
  expect(mixed.filter(({ subject }) => subject === 'a').map(({ draw }) => draw)).toEqual(own);
  expect(new Set(mixed.map(({ draw }) => draw)).size).toBe(mixed.length);
  expect(drawOf(new RandomPerSubject('t'), 'a')).not.toBe(own[0]);
});

test('draws of subjects that are called alike are spread evenly, the first as the later ones', () => {
  for (const draws of [1, 2, 3]) {
    const random = new RandomPerSubject('s');
    const share = (below: number): number => {
      const last = Array.from({ length: 2_000 }, (_, order) => {
        const subject = `acme/C-${order} ${below}`;
        return Array.from({ length: draws }, () => drawOf(random, subject)).at(-1) ?? 1;
      });
      return last.filter((draw) => draw < below).length / last.length;
    };
    expect(share(0.25)).toBeCloseTo(0.25, 1);
    expect(share(0.05)).toBeCloseTo(0.05, 1);
  }
});
