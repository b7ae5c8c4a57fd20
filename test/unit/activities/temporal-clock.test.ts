import { expect, test } from '@jest/globals';
import { aheadOfTemporalMs, onTemporalClock } from '../../../src/activities/temporal-clock';
import { NOTHING_LEFT_OUT } from '../../../src/domain/left-out';
import { aRate } from '../../support/builders';

const AT_MS = Date.parse('2035-03-01T12:00:00.000Z');
const EXPIRES = '2035-03-01T13:00:00.000Z';

test.each([
  ['10 minutes ahead', 600_000],
  ['10 minutes behind', -600_000],
  ['a day ahead', 86_400_000],
  ['a day behind', -86_400_000],
  ['right', 0],
])('a worker whose clock is %s reports the same expiry', (_, offMs) => {
  const seen = aRate({
    rateId: 'a',
    createdAt: new Date(AT_MS + offMs).toISOString(),
    expiresAt: new Date(Date.parse(EXPIRES) + offMs).toISOString(),
  });
  const aheadMs = aheadOfTemporalMs(AT_MS, AT_MS + offMs);
  const onTime = { createdAt: '2035-03-01T12:00:00.000Z', expiresAt: EXPIRES };
  const list = { rates: [seen], leftOut: NOTHING_LEFT_OUT };
  expect(onTemporalClock({ ...list, clock: 'worker' }, aheadMs)).toMatchObject({ rates: [onTime] });
  // An answer without a date: the instants are the marketplace's own, and the worker's clock is no part of them.
  const asSent = { ...list, rates: [aRate({ rateId: 'a', ...onTime })] };
  expect(onTemporalClock({ ...asSent, clock: 'marketplace' }, aheadMs)).toEqual(asSent);
});
