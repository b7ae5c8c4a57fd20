import { expect, test } from '@jest/globals';
import { aheadOfTemporalMs, onTemporalClock } from '../../../src/activities/temporal-clock';
import { aRate } from '../../support/builders';

const AT_MS = Date.parse('2035-03-01T12:00:00.000Z');
const EXPIRES = '2035-03-01T13:00:00.000Z';

test.each([
  ['10 minutes ahead', 600_000],
  ['10 minutes behind', -600_000],
  ['a day ahead', 86_400_000],
  ['a day behind', -86_400_000],
  ['right', 0],
])('a worker whose clock is %s hands the same expiry on', (_, offMs) => {
  const seen = aRate({
    rateId: 'a',
    createdAt: new Date(AT_MS + offMs).toISOString(),
    expiresAt: new Date(Date.parse(EXPIRES) + offMs).toISOString(),
  });
  expect(onTemporalClock(seen, aheadOfTemporalMs(AT_MS, AT_MS + offMs))).toMatchObject({
    createdAt: '2035-03-01T12:00:00.000Z',
    expiresAt: EXPIRES,
  });
});
