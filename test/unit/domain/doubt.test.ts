import { expect, test } from '@jest/globals';
import type { EarlierAcceptance } from '../../../src/domain/acceptance';
import type { Candidate } from '../../../src/domain/candidates';
import { isBookingOf, isPerhapsEarlier } from '../../../src/domain/doubt';
import { aCandidate, aLeft } from '../../support/builders';

const acme = { userId: '7', displayName: 'Acme Trucking' };
const other = { userId: '8', displayName: 'Other Trucking' };

test.each([
  ['the only acceptance of its carrier', acme, false, false],
  ['that of another carrier', other, false, true],
  ['one of two by its carrier', acme, true, true],
  ['of a carrier that its record does not name', null, false, false],
])('a booking that is %s may come from an earlier acceptance: %j %s %s', (_, carrier, isRepeated, may) => {
  expect(isPerhapsEarlier({ carrier }, { carrier: acme, isRepeated })).toBe(may);
});

const AT = '2035-03-01T12:00:00.000Z';
const EARLIER: EarlierAcceptance = {
  ...{ rateId: 'r', executionId: 'e', carrier: other.displayName, since: AT, leftOn: AT },
  said: { kind: 'over' },
};

test.each<[string, boolean, typeof acme | null, readonly Candidate[], readonly EarlierAcceptance[]]>([
  ['that an event named first', true, acme, [aCandidate('7', { isUnread: true })], [EARLIER]],
  ['whose carrier is unknown, of the only acceptance', true, null, [], []],
  ['whose carrier is unknown, beside another acceptance', false, null, [], [EARLIER]],
  ['of another carrier', false, other, [], [EARLIER]],
  ['that the order left before', false, acme, [aLeft('7')], []],
  ['that an earlier answer named', false, acme, [aCandidate('7', { isOwn: true })], []],
])('a booked listing %s can only be the booking of the current acceptance: %s', (...given) => {
  const [, is, carrier, candidates, earlierAcceptances] = given;
  const record = { listingId: '7', carrier };
  const acceptance = { carrier: acme, isRepeated: false };
  expect(isBookingOf({ candidates, earlierAcceptances }, record, acceptance)).toBe(is);
});
